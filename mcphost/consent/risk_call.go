package consent

// This file judges one call by its arguments.

import (
	"encoding/json"
	"strconv"
	"strings"
	"sync"
)

// CallRisk judges one call of a tool of server: its definition and exactly these arguments, with places in them. It takes
// time linear in the arguments. Malformed arguments, which no request may carry, are judged as far as they can be read.
func CallRisk(server Server, definition, arguments json.RawMessage) Risk {
	r := newReport()
	r.definition(definition)
	return callRisk(r, server, arguments)
}

// callRisk is CallRisk with the report on the definition, which is kept as it is.
func callRisk(onDefinition *report, server Server, arguments json.RawMessage) Risk {
	r := onDefinition.clone()
	c := callJudge{report: r}
	eachAddress(server.Origin, func(a address) { c.own = a.host })
	s := scanner{src: arguments, visit: c.visit}
	_ = s.scan()
	return r.risk()
}

type callJudge struct {
	*report
	own string // the server's own host: what goes there was decided at its launch
}

func (c *callJudge) visit(path []step, text string, isName bool) {
	place := sync.OnceValue(func() string { return pointer(path) })
	if isName {
		if found := hiddenSpans(text); len(found) > 0 {
			c.add(CodeHiddenCharacter, place(), found[0].detail)
		}
		return
	}
	name := nameOf(path)
	c.spans(place, text, c.judge(name, text))
	if strongSecret(name, text) {
		c.add(CodeSecretValue, place(), secretKind(text))
	}
	if c.counts[CodeSaysSends] > 0 && text != "" && (keyKind(name) == keyRecipient || isEmail(text)) {
		c.add(CodeLeavesComputer, place(), text)
	}
	if keyKind(name) == keyCommand && !c.isChoice(name, text) && c.counts[CodeRunsCode] == 0 {
		c.add(CodeRunsCode, place(), name)
	}
}

// isChoice reports whether text is taken from a list in the schema. The name is all that is compared, so only text that
// could stand in such a list is left alone.
func (c *callJudge) isChoice(name, text string) bool {
	return c.chosen[name] && len(text) <= maxWordOfList && !strings.ContainsAny(text, " \t\n;|&$`/")
}

const maxWordOfList = 64

// judge finds what stands in one string, by what its name says about it.
func (c *callJudge) judge(name, text string) []span {
	kind := keyKind(name)
	if c.isChoice(name, text) {
		return textSpans(text, false)
	}
	switch {
	case kind == keySQL, kind == keyQuery && looksLikeSQL(text):
		return append(append(textSpans(text, false), sqlSpans(text, true)...), c.addresses(text, kind)...)
	case kind == keyCommand, c.counts[CodeRunsCode] > 0 && kind != keyPath && kind != keyAddress:
		found := append(textSpans(text, true), shellSpans(text)...)
		found = append(append(found, sqlSpans(text, false)...), codeSpans(text)...)
		return append(append(found, sensitiveSpans(text)...), c.codeAddresses(text)...)
	}
	found := append(textSpans(text, false), c.addresses(text, kind)...)
	if code := pathCode(text, kind == keyPath); code != "" || kind == keyPath {
		found = append(found, sensitiveSpans(text)...)
		if code != "" {
			found = append(found, span{code, 0, len(text), text})
		}
		return found
	}
	return append(found, mentions(text)...)
}

// addresses judges the addresses of a text that is no code: the whole text, or one that its name announces, is where
// something goes; others are only mentioned.
func (c *callJudge) addresses(text string, kind key) []span {
	var found []span
	whole := !strings.ContainsAny(strings.TrimSpace(text), " \t\n")
	eachAddress(text, func(a address) {
		mention := kind != keyAddress && !(whole && strings.TrimSpace(text[:a.start]) == "")
		found = append(found, addressSpans(a, c.own, mention)...)
	})
	if len(found) == 0 && kind == keyAddress && whole && text != "" && pathCode(text, false) == "" && !strings.Contains(text, "://") {
		found = addressSpans(parseAuthority(text, 0), c.own, false)
	}
	return found
}

// codeAddresses judges the addresses in code: each may be where something goes.
func (c *callJudge) codeAddresses(text string) []span {
	var found []span
	eachAddress(text, func(a address) { found = append(found, addressSpans(a, c.own, false)...) })
	return found
}

// codeNeedles are calls of other languages than the shell's.
var codeNeedles = map[string][]string{
	CodeDeletesFiles: {
		"shutil.rmtree", "os.remove(", "os.unlink(", "os.rmdir(", ".unlink(", ".rmSync(", ".rmdirSync(", "fs.rm(", "fsPromises.rm(", "rimraf",
		"Remove-Item", "FileUtils.rm", "File.delete", "os.RemoveAll", "os.Remove(", "remove_dir_all", "remove_file(",
	},
	CodeUsesNetwork: {
		"requests.", "urllib.", "http.client", "httpx.", "aiohttp.", "socket.", "fetch(", "axios", "XMLHttpRequest", "WebSocket(", "net.connect(",
		"http.Get(", "http.Post(", "Net::HTTP", "/dev/tcp/", "Invoke-WebRequest",
	},
}

func codeSpans(text string) []span {
	var found []span
	for _, code := range []string{CodeDeletesFiles, CodeUsesNetwork} {
		for _, needle := range codeNeedles[code] {
			for pos, n := 0, 0; n < maxPerCode; n++ {
				i := strings.Index(text[pos:], needle)
				if i < 0 {
					break
				}
				start := pos + i
				pos = start + len(needle)
				found = append(found, span{code, start, pos, strings.TrimRight(needle, "(.")})
			}
		}
	}
	return found
}

// mentions finds commands in prose that would do great harm where someone runs them. It informs and raises nothing.
func mentions(text string) []span {
	for _, s := range shellSpans(text) {
		if codeClasses[s.code] == ClassDestroy && strings.Contains(s.detail, " -") {
			return []span{{CodeMentionsCommand, s.start, s.end, s.detail}}
		}
	}
	return nil
}

// looksLikeSQL reports whether a text that may be a search or SQL is SQL.
func looksLikeSQL(text string) bool {
	var words []string
	eachSQLWord(text[:min(len(text), maxPath)], func(w sqlWord, _ bool) { words = append(words, w.text) })
	if len(words) < 2 {
		return false
	}
	switch words[0] {
	case "select", "with", "explain":
		return len(sqlSpans(text, false)) > 0 || containsWord(words, "from") || containsWord(words, "select")
	case "update":
		return containsWord(words, "set")
	}
	return sqlRules[words[0]][words[1]] != ""
}

func containsWord(words []string, word string) bool {
	for _, w := range words[1:] {
		if w == word {
			return true
		}
	}
	return false
}

// nameOf returns the name of the property that path leads to, or of the list that holds it.
func nameOf(path []step) string {
	for i := len(path) - 1; i >= 0; i-- {
		if !path[i].isIndex {
			name, _ := capped(path[i].name, maxName)
			return name
		}
	}
	return ""
}

// maxPointer bounds a pointer; what lies deeper is placed at the nearest value that it can name.
const maxPointer = 4096

// pointer writes path as RFC 6901 says.
func pointer(path []step) string {
	var b strings.Builder
	for _, s := range path {
		text := s.name
		if s.isIndex {
			text = strconv.Itoa(s.index)
		}
		if b.Len()+len(text) > maxPointer {
			break
		}
		b.WriteByte('/')
		b.WriteString(pointerEscaper.Replace(text))
	}
	return b.String()
}

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")
