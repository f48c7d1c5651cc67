package store

import (
	"bytes"
	"crypto/rand"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

func TestOpenFresh(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	s := openAt(t, dir, nil)
	page, err := s.History(t.Context(), mcphost.HistoryQuery{})
	check(t, err)
	if page.Total != 0 || len(page.Rows) != 0 || page.Next != 0 {
		t.Errorf("a fresh store has history: %+v", page)
	}
	if _, err := os.Stat(filepath.Join(dir, backupDir)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a fresh store was backed up: %v", err)
	}
	check(t, s.Close())
	check(t, s.Close()) // the second does nothing
	left, err := filepath.Glob(filepath.Join(dir, lockDir, "run-*"))
	check(t, err)
	if len(left) > 0 {
		t.Errorf("Close left %v", left)
	}
}

func TestPragmas(t *testing.T) {
	s := openNew(t)
	_, err := s.Servers(t.Context()) // a connection learns the journal mode when it reads
	check(t, err)
	for _, c := range []struct{ pragma, writer, reader string }{
		{"journal_mode", "wal", "wal"},
		{"synchronous", "1", "1"},
		{"foreign_keys", "1", "1"},
		{"busy_timeout", "5000", "5000"},
		{"trusted_schema", "0", "0"},
		{"recursive_triggers", "1", "1"},
		{"cell_size_check", "1", "1"},
		{"query_only", "0", "1"},
		{"ignore_check_constraints", "0", "1"},
		{"application_id", "1196705875", "1196705875"},
		{"user_version", "6", "6"},
	} {
		t.Run(c.pragma, func(t *testing.T) {
			for db, want := range map[*sql.DB]string{s.writer.db: c.writer, s.reader.db: c.reader} {
				var got string
				check(t, db.QueryRow("PRAGMA "+c.pragma).Scan(&got))
				if got != want {
					t.Errorf("%s, want %s", got, want)
				}
			}
		})
	}
	t.Run("defensive", func(t *testing.T) {
		_, err := s.writer.db.Exec(`PRAGMA writable_schema = ON`)
		check(t, err)
		if _, err := s.writer.db.Exec(`UPDATE sqlite_schema SET sql = ''`); err == nil {
			t.Error("the schema can be written")
		}
	})
	t.Run("double quotes are no strings", func(t *testing.T) {
		if _, err := s.reader.db.Exec(`SELECT "nothing"`); err == nil {
			t.Error("an unknown name was taken for a string")
		}
	})
	t.Run("reader cannot write", func(t *testing.T) {
		_, err := s.reader.db.Exec(`INSERT INTO settings VALUES ('a', 'b')`)
		if resultCode(err) != sqlite3.SQLITE_READONLY {
			t.Errorf("error %v", err)
		}
	})
}

// fixture is what testdata/v1.db holds.
func fixture(t *testing.T, s *Store) {
	ctx := t.Context()
	config := mcphost.Config{
		ID: "files", Name: "Files", Transport: "stdio", Command: "npx", Args: []string{"-y", "server-files"},
		Env: []consent.Var{{Name: "TOKEN", Ref: "keyring:files"}}, CreatedAt: noon,
	}
	check(t, s.PutServer(ctx, config))
	definition := []byte("{ \"name\": \"read\" }\n")
	check(t, s.PutPins(ctx, "files", []mcphost.Pin{{Tool: "read", Digest: consent.DefinitionDigest(definition), Definition: definition, At: noon}}))
	check(t, s.SetSetting(ctx, "theme", "dark"))
	ended, open := toolCall("d2", "read", true), toolCall("d3", "read", true)
	record(t, s, launch("d1"), ended, open, toolCall("d4", "delete", false))
	check(t, s.StartCall(ctx, startOf(ended)))
	check(t, endCall(s, mcphost.CallEnd{ID: "call-d2", At: noon.Add(3 * time.Second), Outcome: mcphost.CallSucceeded, Result: []byte(`{"content":[]}`)}))
	check(t, s.StartCall(ctx, startOf(open)))
}

// TestOpenV1 opens a file as schema 1 left it.
func TestOpenV1(t *testing.T) {
	s := openAt(t, copyOf(t, filepath.Join("testdata", "v1.db")), nil)
	ctx := t.Context()
	servers, err := s.Servers(ctx)
	check(t, err)
	if len(servers) != 1 || servers[0].Name != "Files" || servers[0].Env[0].Ref != "keyring:files" || !servers[0].CreatedAt.Equal(noon) {
		t.Errorf("servers %+v", servers)
	}
	pins, err := s.Pins(ctx, "files")
	check(t, err)
	if got := string(pins["read"].Definition); got != "{ \"name\": \"read\" }\n" {
		t.Errorf("definition %q", got)
	}
	theme, err := s.Setting(ctx, "theme")
	check(t, err)
	if theme != "dark" {
		t.Errorf("theme %q", theme)
	}
	page, err := s.History(ctx, mcphost.HistoryQuery{})
	check(t, err)
	var got []string
	for _, r := range page.Rows {
		got = append(got, r.ID+" "+r.What+" "+string(r.Outcome))
	}
	want := "d4 delete |d3 read interrupted|d2 read ok|d1 /usr/bin/npx -y server-files <root> & co "
	if strings.Join(got, "|") != want {
		t.Errorf("history\n%s\nwant\n%s", strings.Join(got, "|"), want)
	}
	profiles, err := s.Profiles(ctx)
	check(t, err)
	if want := []mcphost.Profile{{ID: "first", Servers: []string{"files"}}}; !reflect.DeepEqual(profiles, want) {
		t.Errorf("profiles %+v, want %+v", profiles, want)
	}
	if in := profilesOf(t, s); in != "- - - - - - - -" {
		t.Errorf("events from before profiles are in %s", in)
	}
}

// copyOf returns a data directory with a copy of the database file.
func copyOf(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	check(t, err)
	dir := t.TempDir()
	check(t, os.WriteFile(filepath.Join(dir, fileName), data, 0o644))
	return dir
}

// oneMore is the schema with one more migration.
func oneMore(t *testing.T, last string) fstest.MapFS {
	t.Helper()
	all := fstest.MapFS{"migrations/9999_last.sql": {Data: []byte(last)}}
	names, err := fs.Glob(migrations, "migrations/*.sql")
	check(t, err)
	for _, name := range names {
		text, err := migrations.ReadFile(name)
		check(t, err)
		all[name] = &fstest.MapFile{Data: text}
	}
	return all
}

func TestMigrateBacksUpFirst(t *testing.T) {
	dir := copyOf(t, filepath.Join("testdata", "v1.db"))
	for i := range backupsKept + 2 { // older backups
		check(t, os.MkdirAll(filepath.Join(dir, backupDir), 0o700))
		name := "gatehouse-2020010" + string(rune('1'+i)) + "T000000.000000Z-schema1.db"
		check(t, os.WriteFile(filepath.Join(dir, backupDir, name), nil, 0o600))
	}
	check(t, os.WriteFile(filepath.Join(dir, backupDir, "mine.db"), nil, 0o600)) // the user's own
	s, err := open(t.Context(), dir, nil, oneMore(t, `CREATE TABLE more (a INTEGER) STRICT; PRAGMA user_version = 9999;`))
	check(t, err)
	check(t, s.Close())

	entries, err := os.ReadDir(filepath.Join(dir, backupDir))
	check(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if len(names) != backupsKept+1 || names[len(names)-1] != "mine.db" {
		t.Fatalf("backups %v", names)
	}
	backup := openAt(t, copyOf(t, filepath.Join(dir, backupDir, names[backupsKept-1])), nil)
	page, err := backup.History(t.Context(), mcphost.HistoryQuery{})
	check(t, err)
	if page.Total != 4 {
		t.Errorf("the backup has %d decisions, want 4", page.Total)
	}
	_, err = Open(t.Context(), dir, nil) // the older program
	wantErr(t, err, ErrNewer)
}

func TestMigrateFailsWhole(t *testing.T) {
	for name, second := range map[string]string{
		"bad statement": `CREATE TABLE more (a INTEGER) STRICT; INSERT INTO settings VALUES ('half', 'done'); SELECT nothing;`,
		"no number":     `CREATE TABLE more (a INTEGER) STRICT;`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := copyOf(t, filepath.Join("testdata", "v1.db"))
			if _, err := open(t.Context(), dir, nil, oneMore(t, second)); err == nil {
				t.Fatal("the migration did not fail")
			}
			s := openAt(t, dir, nil)
			var tables int
			check(t, s.reader.db.QueryRow(`SELECT count(*) FROM sqlite_schema WHERE name = 'more'`).Scan(&tables))
			half, err := s.Setting(t.Context(), "half")
			check(t, err)
			if tables != 0 || half != "" {
				t.Error("half of the migration stayed")
			}
		})
	}
}

// TestOpenRefuses has the files that Open must leave exactly as they are.
func TestOpenRefuses(t *testing.T) {
	foreign := func(statements string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			check(t, os.WriteFile(path, nil, 0o600))
			p, err := newPool(dsn(path), 1)
			check(t, err)
			_, err = p.db.Exec(statements)
			check(t, errors.Join(err, p.close()))
		}
	}
	damaged := func(edit func([]byte) []byte) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			data, err := os.ReadFile(filepath.Join("testdata", "v1.db"))
			check(t, err)
			check(t, os.WriteFile(path, edit(data), 0o600))
		}
	}
	for name, c := range map[string]struct {
		make func(*testing.T, string)
		want error
	}{
		"newer":                {foreign(`PRAGMA application_id = 1196705875; PRAGMA user_version = 99; CREATE TABLE a (b)`), ErrNewer},
		"another app's":        {foreign(`CREATE TABLE users (name)`), ErrCorrupt},
		"another app's number": {foreign(`PRAGMA application_id = 7; PRAGMA user_version = 1; CREATE TABLE a (b)`), ErrCorrupt},
		"not a database": {func(t *testing.T, path string) {
			data := make([]byte, 20_000)
			_, _ = rand.Read(data)
			check(t, os.WriteFile(path, data, 0o600))
		}, ErrCorrupt},
		"truncated":     {damaged(func(b []byte) []byte { return b[:len(b)/2] }), ErrCorrupt},
		"pages spoilt":  {damaged(func(b []byte) []byte { clear(b[3*4096 : 6*4096]); return b }), ErrCorrupt},
		"header spoilt": {damaged(func(b []byte) []byte { b[0]++; return b }), ErrCorrupt},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, fileName)
			c.make(t, path)
			before, err := os.ReadFile(path)
			check(t, err)
			s, err := Open(t.Context(), dir, nil)
			wantErr(t, err, c.want)
			if s != nil {
				t.Error("a store beside the error")
			}
			after, err := os.ReadFile(path)
			check(t, err)
			if !bytes.Equal(before, after) {
				t.Error("the file was changed")
			}
		})
	}
}

func TestNewerNamesBothVersions(t *testing.T) {
	err := failure("open", &NewerError{File: 99, Known: 1})
	wantErr(t, err, ErrNewer)
	for _, part := range []string{"99", "1"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %s", err, part)
		}
	}
}

func TestOpenDirectoryIsAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	check(t, os.WriteFile(file, []byte("mine"), 0o600))
	_, err := Open(t.Context(), file, nil)
	wantErr(t, err, ErrReadOnly)
	_, err = Open(t.Context(), filepath.Join(file, "below"), nil)
	wantErr(t, err, ErrReadOnly)
}

// TestFull fills the file up to a limit of pages, which SQLite reports like a full disk.
func TestFull(t *testing.T) {
	s := openNew(t)
	var pages string
	check(t, s.writer.db.QueryRow(`PRAGMA max_page_count = 60`).Scan(&pages))
	n := fill(t, s)
	check(t, s.writer.db.QueryRow(`PRAGMA max_page_count = 6000`).Scan(&pages))
	record(t, s, toolCall("after", "echo", true))
	page, err := s.History(t.Context(), mcphost.HistoryQuery{})
	check(t, err)
	if page.Total != n+1 {
		t.Errorf("%d decisions, want %d", page.Total, n+1)
	}
}

// fill records decisions until the disk is full and returns how many were recorded.
func fill(t *testing.T, s *Store) int {
	t.Helper()
	for n := range 1000 {
		d := toolCall("fill"+string(rune('A'+n)), "echo", true)
		d.Reason = strings.Repeat("x", 8000)
		if err := s.RecordDecision(t.Context(), d); err != nil {
			wantErr(t, err, ErrFull)
			return n
		}
	}
	t.Fatal("never full")
	return 0
}
