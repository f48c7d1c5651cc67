package store

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

// all reads every page of a query and checks that they fit together.
func all(t testing.TB, s *Store, q mcphost.HistoryQuery) (ids []string) {
	t.Helper()
	for {
		page, err := s.History(t.Context(), q)
		check(t, err)
		for _, r := range page.Rows {
			ids = append(ids, r.ID)
		}
		if page.Next == 0 {
			if page.Total != len(ids) {
				t.Errorf("%+v: total %d, rows %d", q, page.Total, len(ids))
			}
			return ids
		}
		if len(page.Rows) != q.Limit {
			t.Errorf("%+v: %d rows and a next page", q, len(page.Rows))
		}
		q.Before = page.Next
	}
}

// TestHistoryLikeAPlainList compares every kind of query with a loop over a slice.
func TestHistoryLikeAPlainList(t *testing.T) {
	s := openNew(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	aliases := []string{"Files", "ΔΙΚΤΥΟ", "网络", "100%_\\'\"--"}
	tools := []string{"read_file", "Write", "search*", "ПОИСК", "' OR 1=1 --"}
	var ds []consent.Decision
	for i := range 300 {
		d := toolCall(fmt.Sprint("d", i), tools[rnd.IntN(len(tools))], rnd.IntN(4) > 0)
		n := rnd.IntN(len(aliases))
		d.Server = consent.Server{ID: fmt.Sprint("s", n), Alias: aliases[n]}
		if rnd.IntN(5) == 0 {
			l := launch(d.ID)
			l.Server, l.Allowed = d.Server, d.Allowed
			d = l
		}
		record(t, s, d)
		if d.Kind == consent.KindToolCall && d.Allowed && rnd.IntN(2) == 0 { // other events in between
			check(t, s.StartCall(t.Context(), startOf(d)))
		}
		ds = append(ds, d)
	}
	texts := []string{"", "e", "FILE", "δικτυο", "поиск", "网", "%", "_", "\\", "'", "' or 1=1 --", "*", "npx", "\x00", "nothing"}
	for _, text := range texts {
		for _, server := range []string{"", "s0", "s3", "none"} {
			for _, verdict := range []mcphost.Verdict{mcphost.AnyVerdict, mcphost.Allowed, mcphost.Denied} {
				var want []string
				for _, d := range slices.Backward(ds) {
					what := d.Server.Alias + "\n" + decisionWhat(d)
					if strings.Contains(strings.ToLower(what), strings.ToLower(text)) && (server == "" || d.Server.ID == server) &&
						(verdict == mcphost.AnyVerdict || d.Allowed == (verdict == mcphost.Allowed)) {
						want = append(want, d.ID)
					}
				}
				q := mcphost.HistoryQuery{Limit: 7, ServerID: server, Text: text, Decision: verdict}
				if got := all(t, s, q); !slices.Equal(got, want) {
					t.Fatalf("%+v:\n%v\nwant\n%v", q, got, want)
				}
			}
		}
	}
}

func TestHistoryRow(t *testing.T) {
	s := openNew(t)
	d := toolCall("d", "echo", true)
	d.Edited, d.By = true, consent.ByComposed
	record(t, s, d)
	page, err := s.History(t.Context(), mcphost.HistoryQuery{})
	check(t, err)
	want := mcphost.HistoryRow{
		ID: "d", At: noon, ServerID: "files", ServerName: "Files", Kind: consent.KindToolCall, What: "echo",
		Risk: consent.ClassRead, Allowed: true, Edited: true, By: consent.ByComposed,
	}
	if page.Rows[0] != want {
		t.Errorf("row %+v", page.Rows[0])
	}
}

func TestLastUses(t *testing.T) {
	s := openNew(t)
	again := toolCall("d3", "read", true)
	other := toolCall("d4", "read", true)
	other.Server.ID = "other"
	record(t, s, toolCall("d1", "read", false), toolCall("d2", "write", true), again, other, launch("d5"))
	check(t, s.StartCall(t.Context(), startOf(again)))
	uses, err := s.LastUses(t.Context(), "files")
	check(t, err)
	if len(uses) != 2 || uses["read"].ID != "d3" || uses["read"].CallID != "call-d3" || uses["write"].ID != "d2" {
		t.Errorf("uses %+v", uses)
	}
}

func TestHistoryBounds(t *testing.T) {
	s := openNew(t)
	long := launch("long")
	long.Launch.Args = []string{strings.Repeat("é", 10_000)}
	record(t, s, long)
	page, err := s.History(t.Context(), mcphost.HistoryQuery{Limit: 1 << 40, Text: strings.Repeat("é", 1<<20)})
	check(t, err)
	if page.Total != 1 || len(page.Rows[0].What) > maxWhat {
		t.Errorf("total %d", page.Total)
	}
}

func FuzzHistoryText(f *testing.F) {
	s := openNew(f)
	record(f, s, launch("a"), toolCall("b", "' OR 1=1 --", true))
	for _, seed := range []string{"", "' OR 1=1 --", `"*^NEAR(`, "\x00", "%", "\xff", "FILES", strings.Repeat("a", 300)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		page, err := s.History(t.Context(), mcphost.HistoryQuery{Text: text})
		check(t, err)
		part := fold(head(strings.TrimSpace(text), maxSearch))
		for _, r := range page.Rows {
			if !strings.Contains(fold(r.ServerName+"\n"+r.What), part) {
				t.Errorf("%q found %+v", text, r)
			}
		}
	})
}

// BenchmarkHistory reads pages of 50 from 100,000 decisions of 300 kinds, each with its call.
func BenchmarkHistory(b *testing.B) {
	s := openNew(b)
	const n = 100_000
	fillHistory(b, s, n)
	middle := int64(n * 3 / 2)
	for _, c := range []struct {
		name string
		q    mcphost.HistoryQuery
	}{
		{"newest", mcphost.HistoryQuery{}},
		{"middle", mcphost.HistoryQuery{Before: middle}},
		{"server", mcphost.HistoryQuery{ServerID: "s1"}},
		{"denied", mcphost.HistoryQuery{Decision: mcphost.Denied}},
		{"text", mcphost.HistoryQuery{Text: "tool 17"}},
		{"common text", mcphost.HistoryQuery{Text: "tool", Before: middle}},
		{"no match", mcphost.HistoryQuery{Text: "nothing like it"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				page, err := s.History(b.Context(), c.q)
				check(b, err)
				if c.name != "no match" && len(page.Rows) != defaultPage {
					b.Fatalf("%d rows", len(page.Rows))
				}
			}
		})
	}
	b.Run("entry", func(b *testing.B) {
		for b.Loop() {
			_, err := s.HistoryEntry(b.Context(), "d777")
			check(b, err)
		}
	})
	b.Run("last launch", func(b *testing.B) {
		for b.Loop() {
			_, _, err := s.LastLaunch(b.Context(), "s1")
			check(b, err)
		}
	})
	b.Run("record a decision and its call", func(b *testing.B) {
		i := 0
		for b.Loop() {
			d := toolCall(fmt.Sprint("new", i), "tool 1", true)
			i++
			record(b, s, d)
			check(b, s.StartCall(b.Context(), startOf(d)))
			check(b, endCall(s, mcphost.CallEnd{ID: "call-" + d.ID, Outcome: mcphost.CallSucceeded, Result: []byte(`{}`)}))
		}
	})
}

// fillHistory writes n decisions and their calls in one transaction, with bodies of an ordinary size.
func fillHistory(b *testing.B, s *Store, n int) {
	b.Helper()
	body, err := encode(map[string]string{"definition": strings.Repeat("x", 800)})
	check(b, err)
	check(b, s.writer.tx(b.Context(), func(tx *sql.Tx) error {
		put, err := tx.Prepare(`
			INSERT INTO events (at, run, type, subject, decision, label, server_id, digest, outcome, body)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
		if err != nil {
			return err
		}
		for i := range n {
			d := toolCall(fmt.Sprint("d", i), fmt.Sprint("tool ", i%30), i%7 > 0)
			d.Server = consent.Server{ID: fmt.Sprint("s", i%10), Alias: fmt.Sprint("Server ", i%10)}
			if i%1000 == 1 {
				l := launch(d.ID)
				l.Server = d.Server
				d = l
			}
			label, err := putLabel(b.Context(), tx, labelOf(d))
			if err != nil {
				return err
			}
			for _, e := range []struct{ kind, subject, decision, label, outcome any }{
				{"decision", d.ID, nil, label, nil},
				{"callStarted", "call-" + d.ID, i*3 + 1, nil, nil},
				{"callEnded", "call-" + d.ID, i*3 + 1, nil, "ok"},
			} {
				_, err := put.Exec(
					micros(d.At)+int64(i), s.run, e.kind, e.subject, e.decision, e.label, d.Server.ID, d.Digest.String(), e.outcome, body)
				if err != nil {
					return err
				}
			}
		}
		return nil
	}))
}
