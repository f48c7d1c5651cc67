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
	sent, err := w.trace.ReadTrace(TraceQuery{Show: "sent", Kind: "message", Until: d.Seq, Limit: 100})
	if err != nil || slices.ContainsFunc(sent.Rows, func(r TraceRow) bool { return r.Dir != "out" || r.Seq > d.Seq }) || len(sent.Rows) == 0 {
		t.Errorf("%+v, %v", sent, err)
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
