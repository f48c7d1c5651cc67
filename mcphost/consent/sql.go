package consent

// This file is the published table of SQL statements, and finds them in text. It looks at neighbouring words only, in
// quotes and comments as well: what a database takes for code differs from one to the next.

import (
	"slices"
	"strings"
)

// sqlTable has one rule a line: the code, the first word, and what must follow as the next word ("*" = anything).
const sqlTable = `
drops-tables    drop       table database schema index view materialized column user role function procedure trigger sequence type extension owned partition constraint policy keyspace collection tablespace server
deletes-rows    delete     from
deletes-rows    truncate   *
changes-rows    insert     into overwrite ignore or
changes-rows    replace    into
changes-rows    merge      into
changes-rows    upsert     into
changes-schema  alter      table database schema index view user role function procedure sequence type column system default
changes-schema  create     table database schema index unique view materialized user role function procedure trigger sequence type extension temp temporary or
changes-schema  rename     table
changes-schema  grant      *
changes-schema  revoke     *
leaves-database into       outfile dumpfile
leaves-database attach     database
leaves-database load       data extension
leaves-database from       program
leaves-database to         program
`

// sqlFunctions reach out of the database.
var sqlFunctions = strings.Fields(`xp_cmdshell load_extension load_file pg_read_file pg_read_binary_file pg_ls_dir
	lo_import lo_export dblink utl_http utl_file sys_exec sys_eval openrowset`)

// sqlReads are the words that begin a statement which only reads or steers the session.
var sqlReads = strings.Fields(`select with show explain describe desc values table from pragma use set begin start commit
	rollback savepoint release end declare fetch close match return`)

// sqlRules maps a first word to its codes by next word.
var sqlRules = readSQL()

func readSQL() map[string]map[string]string {
	byWord := make(map[string]map[string]string)
	for line := range strings.Lines(sqlTable) {
		fields := strings.Fields(line)
		if len(fields) < 3 {
			continue
		}
		code, first := fields[0], fields[1]
		if byWord[first] == nil {
			byWord[first] = make(map[string]string)
		}
		for _, next := range fields[2:] {
			byWord[first][next] = code
		}
	}
	return byWord
}

// sqlSpans finds the statements of the table. strict says that text is SQL: a statement that begins with no known word is
// then unclear, and a word with any successor counts; in other text, such as a script, only pairs of words do.
func sqlSpans(text string, strict bool) []span {
	j := sqlJudge{strict: strict, sinceUpdate: maxUpdateWords}
	eachSQLWord(text, j.word)
	return j.found
}

// maxUpdateWords is how many words may stand between UPDATE and SET: only, a schema, a table, as, an alias.
const maxUpdateWords = 6

type sqlJudge struct {
	strict      bool
	found       []span
	last        sqlWord
	update      sqlWord
	sinceUpdate int
}

func (j *sqlJudge) word(w sqlWord, begins bool) {
	if code := sqlCode(j.last.text, w.text, j.strict); code != "" {
		j.found = append(j.found, span{code, j.last.start, w.end, j.last.text + " " + w.text})
	}
	switch {
	case w.text == "update" && j.last.text != "for" && j.last.text != "on":
		j.update, j.sinceUpdate = w, 0
	case w.text == "set" && j.sinceUpdate < maxUpdateWords:
		j.found = append(j.found, span{CodeChangesRows, j.update.start, j.update.end, "update"})
		j.sinceUpdate = maxUpdateWords
	default:
		j.sinceUpdate++
	}
	if slices.Contains(sqlFunctions, w.text) {
		j.found = append(j.found, span{CodeLeavesDatabase, w.start, w.end, w.text})
	}
	if begins && j.strict && !slices.Contains(sqlReads, w.text) && sqlRules[w.text] == nil && w.text != "update" {
		j.found = append(j.found, span{CodeUnclearSQL, w.start, w.end, w.text})
	}
	j.last = w
}

func sqlCode(first, next string, strict bool) string {
	following := sqlRules[first]
	if code := following[next]; code != "" || !strict {
		return code
	}
	return following["*"]
}

type sqlWord struct {
	text       string // lower case
	start, end int
}

const maxSQLWord = 64

// eachSQLWord calls each for every word; begins says that it is the first of a statement.
func eachSQLWord(text string, each func(w sqlWord, begins bool)) {
	start, begins := -1, true
	for i := 0; i <= len(text); i++ {
		if i < len(text) && isSQLLetter(text[i]) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			each(sqlWord{strings.ToLower(text[start:min(i, start+maxSQLWord)]), start, i}, begins)
			start, begins = -1, false
		}
		begins = begins || i < len(text) && text[i] == ';'
	}
}

func isSQLLetter(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c >= 0x80
}
