package app

import (
	"os"
	"slices"
	"sync"
	"testing"

	"gatehouse/mcphost"
)

// The way of a newcomer: add the demo, approve its launch, make the first call.
func TestFirstCallAtTheDemo(t *testing.T) {
	w := openWindow(t)
	id := w.openDemo()
	draft, err := w.tools.DraftCall("panel:1", id, "say_hello", `{"name":"Ada"}`)
	if err != nil || draft.Risk.High || len(draft.Problems) > 0 {
		t.Fatalf("%+v, %v", draft, err)
	}
	w.look("panel:1")
	call, err := w.tools.RunCall("panel:1", draft.Digest, false)
	if err != nil {
		t.Fatal(err)
	}
	if c := w.ended(call); c.State != "ok" || len(c.Blocks) != 1 || c.Blocks[0].Text != "Hello, Ada!" {
		t.Errorf("%+v", c)
	}
	if draft, err := w.tools.DraftCall("panel:2", id, "delete_note", `{"name":"ideas"}`); err != nil || draft.Gate != "high-risk" {
		t.Errorf("deleting does not bring the whole gate: %+v, %v", draft, err)
	}
}

func TestAddDemoIsIdempotent(t *testing.T) {
	w := openWindow(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	other := ServerDraft{Name: "demo", Transport: mcphost.Stdio, Command: self, Args: []string{DemoCommand, "--more"}}
	if _, err := w.servers.AddServer(other); err != nil {
		t.Fatal(err)
	}
	ids := make([]string, 4) // as from a double click
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			id, err := w.servers.AddDemo()
			if err != nil {
				t.Error(err)
			}
			ids[i] = id
		})
	}
	all.Wait()
	if len(slices.Compact(ids)) != 1 {
		t.Errorf("ids = %q", ids)
	}
	rows, err := w.servers.ListServers()
	if err != nil || len(rows) != 2 {
		t.Fatalf("%+v, %v", rows, err)
	}
	if r := rows[1]; r.Name != "Demo 2" || r.Origin != self+" "+DemoCommand || r.Status != "stopped" {
		t.Errorf("%+v", r)
	}
}
