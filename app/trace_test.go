package app

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/trace"
)

// What crossed a connection is read by pages, opened, saved to a file that the user names, and thrown away.
func TestTrace(t *testing.T) {
	w := openWindow(t)
	s := sources()
	s.On[protocol.MethodResourcesRead] = []mcphosttest.Action{mcphosttest.Fail(-32002, "gone")}
	id := w.openServer(s)
	if _, err := w.sources.ReadResource(id, "a:b", false); err == nil {
		t.Fatal("no error")
	}
	whole, err := w.trace.ReadTrace(TraceQuery{ServerID: id, Limit: 100})
	if err != nil || whole.Total != len(whole.Rows) || whole.Messages == 0 || whole.Bytes == 0 || whole.SlowestMs < whole.MedianMs ||
		!strings.HasPrefix(whole.Peer, "pid ") || whole.Revision == "" || whole.Last != whole.Rows[whole.Total-1].Seq {
		t.Fatalf("%+v, %v", whole, err)
	}
	if first := whole.Rows[0]; first.Kind != "mark" || first.Code != "open" || first.ServerName != "Scripted" || first.At == "" {
		t.Errorf("%+v", first)
	}
	bad, err := w.trace.ReadTrace(TraceQuery{Show: "problems", Text: "GONE", Limit: 10})
	if err != nil || len(bad.Rows) != 1 || bad.Rows[0].Problem != "error" || bad.Rows[0].Asked != "resources/read" || bad.Rows[0].Name != "a:b" {
		t.Fatalf("%+v, %v", bad, err)
	}
	d, err := w.trace.TraceEntry(bad.Rows[0].Seq)
	if err != nil || !strings.Contains(d.Raw, `"gone"`) || len(d.Related) != 1 || d.Related[0].Method != "resources/read" || d.Related[0].State != "answered" ||
		d.Related[0].TookMs != d.TookMs || d.Cut != 0 || len(d.Exchanges) != 0 {
		t.Errorf("%+v, %v", d, err)
	}
	if d.Schema == nil || d.Schema.Definition != "JSONRPCErrorResponse" || d.Schema.Revision != whole.Revision || len(d.Schema.Problems) != 0 {
		t.Errorf("held against %+v", d.Schema)
	}
	sent, err := w.trace.ReadTrace(TraceQuery{Show: "sent", Kind: "message", Until: d.Seq, Limit: 100})
	if err != nil || slices.ContainsFunc(sent.Rows, func(r TraceRow) bool { return r.Dir != "out" || r.Seq > d.Seq }) || len(sent.Rows) == 0 {
		t.Errorf("%+v, %v", sent, err)
	}
	for _, row := range sent.Rows {
		if d, err := w.trace.TraceEntry(row.Seq); err != nil || d.Schema == nil || d.Schema.Missing != "" || len(d.Schema.Problems) != 0 {
			t.Errorf("we sent %s, held against %+v, %v", d.Raw, d.Schema, err)
		}
	}
	if d, err := w.trace.TraceEntry(whole.Rows[0].Seq); err != nil || d.Schema != nil {
		t.Errorf("a mark is held against %+v, %v", d.Schema, err)
	}
	for _, q := range []TraceQuery{{Show: "x"}, {Kind: "x"}, {Limit: maxTraceRows + 1}, {Offset: -1}} {
		if _, err := w.trace.ReadTrace(q); err == nil {
			t.Errorf("taken: %+v", q)
		}
	}

	if saved, err := w.trace.ExportTrace(TraceQuery{}); saved || err != nil {
		t.Errorf("saved without a file: %v, %v", saved, err)
	}
	w.frame.file = filepath.Join(t.TempDir(), "trace.jsonl")
	if saved, err := w.trace.ExportTrace(TraceQuery{Show: "problems"}); !saved || err != nil {
		t.Errorf("%v, %v", saved, err)
	}
	text, err := os.ReadFile(w.frame.file)
	if err != nil || !strings.Contains(string(text), `"message":"gone"`) || strings.Contains(string(text), `"mark"`) {
		t.Errorf("%s, %v", text, err)
	}
	if info, err := os.Stat(w.frame.file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}

	if err := w.trace.ClearTrace(id); err != nil {
		t.Fatal(err)
	}
	var f *failure
	if _, err := w.trace.TraceEntry(d.Seq); !errors.As(err, &f) || f.code != "trace-gone" {
		t.Errorf("%v", err)
	}
	if page, err := w.trace.ReadTrace(TraceQuery{Limit: 10}); err != nil || page.Total != 0 {
		t.Errorf("%+v, %v", page, err)
	}
}

// A message is held against the schema of its own connection; what is cut, unknown or of a forgotten connection is not.
func TestSchemaOfTheTrace(t *testing.T) {
	v := &Trace{&desk{}}
	fits := []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)
	for name, c := range map[string]struct {
		row     trace.Row
		missing string
		faults  int
	}{
		"it fits":           {trace.Row{Record: trace.Record{Entry: trace.Entry{Kind: trace.Message, Raw: fits}}, Asked: "tools/call", Revision: "2025-11-25"}, "", 0},
		"it does not":       {trace.Row{Record: trace.Record{Entry: trace.Entry{Kind: trace.Message, Raw: fits}}, Asked: "tools/list", Revision: "2025-11-25"}, "", 1},
		"cut":               {trace.Row{Record: trace.Record{Entry: trace.Entry{Kind: trace.Message, Raw: fits[:9], Cut: 1}}, Revision: "2025-11-25"}, "cut", 0},
		"no revision":       {trace.Row{Record: trace.Record{Entry: trace.Entry{Kind: trace.Message, Raw: fits}}, Asked: "tools/call"}, "revision", 0},
		"unknown":           {trace.Row{Record: trace.Record{Entry: trace.Entry{Kind: trace.Message, Raw: fits}}, Asked: "x/y", Revision: "2025-11-25"}, "unknown", 0},
		"it has no request": {trace.Row{Record: trace.Record{Entry: trace.Entry{Kind: trace.Message, Raw: fits}}, Revision: "2025-11-25"}, "unknown", 0},
	} {
		s, err := v.schemaOf(c.row)
		if err != nil || s.Missing != c.missing || len(s.Problems) != c.faults {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
}
