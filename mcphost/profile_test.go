package mcphost_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
)

// ACC A11: a server in both profiles keeps its process, one that leaves stops, one that comes starts.
func TestSwitch(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	scenario := func(name string) *mcphosttest.Process {
		return mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool(name)}})
	}
	both, leaving, coming, fresh, off := scenario("both"), scenario("leaving"), scenario("coming"), scenario("fresh"), scenario("off")
	stays, leaves, comes := h.add("Stays", both), h.add("Leaves", leaving), h.add("Comes", coming)
	isNew, disabled := h.add("Is new", fresh), h.add("Disabled", off)
	config := disabled.Config()
	config.Disabled = true
	if err := h.Update(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	h.connect(comes) // approves its launch
	if err := comes.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	home := h.profile("Home", stays, leaves)
	work := h.profile("Work", stays, comes, isNew, disabled)
	h.Use(home)
	h.connect(stays)
	h.connect(leaves)
	if err := comes.Start(consent.Actor{}); !errors.Is(err, mcphost.ErrAside) {
		t.Errorf("starting a server of another profile: %v", err)
	}

	h.answer(func(ctx context.Context, r consent.Request) consent.Answer {
		<-ctx.Done() // the question about the new server stays open
		return consent.Answer{}
	})
	asked := len(h.requests())
	if err := h.Switch(t.Context(), work); err != nil {
		t.Fatal(err)
	}
	if got := leaves.Snapshot(); got.Status != mcphost.StatusStopped || !got.Aside || len(leaves.Tools()) > 0 || alive(leaving.Pids(t)[0]) {
		t.Errorf("the server that left is %s", got.Status)
	}
	waitFor(t, "the server that comes", func() bool { return comes.Snapshot().Status == mcphost.StatusReady })
	waitFor(t, "the question about the new one", func() bool { return len(h.requests()) == asked+1 })
	if r := h.requests()[asked]; r.Kind != consent.KindLaunch || r.Server.ID != isNew.ID() || r.Profile != work.ID || len(fresh.Pids(t)) > 0 {
		t.Errorf("asked for %+v, processes: %v", r, fresh.Pids(t))
	}
	if pids := both.Pids(t); len(pids) != 1 || !alive(pids[0]) || stays.Snapshot().Status != mcphost.StatusReady {
		t.Errorf("the server in both was restarted: %v", pids)
	}
	if disabled.Snapshot().Status != mcphost.StatusDisabled {
		t.Error("a disabled server started")
	}
	var offered []string
	for _, tool := range h.ForChat().Offer(t.Context()) {
		offered = append(offered, tool.Name)
	}
	if slices.Sort(offered); !slices.Equal(offered, []string{"both", "coming"}) {
		t.Errorf("a model may call %v", offered)
	}
	if _, err := h.call(leaves, "leaving", `{}`); !errors.Is(err, mcphost.ErrNotConnected) {
		t.Errorf("calling a tool of another profile: %v", err)
	}

	// Back again: the question is withdrawn with its server.
	if err := h.Switch(t.Context(), home); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the first one again", func() bool { return leaves.Snapshot().Status == mcphost.StatusReady })
	if got := isNew.Snapshot().Status; got != mcphost.StatusStopped || len(fresh.Pids(t)) > 0 || len(both.Pids(t)) != 1 {
		t.Errorf("the unanswered server is %s", got)
	}
	if h.Profile() != home.ID {
		t.Errorf("profile %q", h.Profile())
	}

	// A server in both that the user has stopped stays stopped.
	if err := stays.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := h.Switch(t.Context(), work); err != nil {
		t.Fatal(err)
	}
	if got := stays.Snapshot().Status; got != mcphost.StatusStopped {
		t.Errorf("the server that was stopped by hand is %s", got)
	}
}

func TestSwitchStopsCallsFirst(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	silent := mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("wait", mcphosttest.Silence())}})
	other := mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("echo")}})
	leaves, stays := h.add("Leaves", silent), h.add("Stays", other)
	home, work := h.profile("Home", leaves, stays), h.profile("Work", stays)
	h.Use(home)
	h.connect(leaves)
	h.connect(stays)
	if _, err := h.call(stays, "echo", `{}`); err != nil { // an ended call does not count
		t.Fatal(err)
	}
	done := make(chan mcphost.CallView, 1)
	go func() {
		view, _ := h.call(leaves, "wait", `{}`)
		done <- view
	}()
	waitFor(t, "the call at the server", func() bool { return silent.Count(t, "tools/call") == 1 })
	if calls := h.Stopping(home); len(calls) != 0 {
		t.Errorf("staying would stop %+v", calls)
	}
	if calls := h.Stopping(work); len(calls) != 1 || calls[0].Tool != "wait" || calls[0].Server != "Leaves" {
		t.Errorf("the switch would stop %+v", calls)
	}
	if err := h.Switch(t.Context(), work); err != nil {
		t.Fatal(err)
	}
	if view := <-done; view.State != mcphost.CallState(mcphost.CallStopped) {
		t.Errorf("the call ended %s", view.State)
	}
	rows := h.history()
	if entry, err := h.store.HistoryEntry(t.Context(), rows[0].ID); err != nil || entry.Outcome != mcphost.CallStopped || entry.Decision.Profile != home.ID {
		t.Errorf("the history says %q in profile %q, %v", entry.Outcome, entry.Decision.Profile, err)
	}
	if n := silent.Count(t, "notifications/cancelled"); n != 1 {
		t.Errorf("the server heard of the end %d times", n)
	}
}

func TestResumeStartsOnlyTheProfile(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	p, q := mcphosttest.Command(t, mcphosttest.Scenario{}), mcphosttest.Command(t, mcphosttest.Scenario{})
	in, out := h.add("In", p), h.add("Out", q)
	for _, s := range []*mcphost.Server{in, out} {
		h.connect(s)
		if err := s.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	h.Use(h.profile("Work", in))
	h.Resume(t.Context())
	waitFor(t, "the profile's server", func() bool { return in.Snapshot().Status == mcphost.StatusReady })
	if n := len(q.Pids(t)); n != 1 || out.Snapshot().Status != mcphost.StatusStopped {
		t.Errorf("the other server has started %d times, want once", n)
	}
	// A server that is added belongs to what is in use.
	if added := h.add("Added", mcphosttest.Command(t, mcphosttest.Scenario{})); added.Snapshot().Aside {
		t.Error("a server that was added is aside")
	}
	missing := mcphost.Config{ID: mcphost.NewID(), Name: "Missing", Transport: mcphost.Stdio, Command: filepath.Join(t.TempDir(), "none")}
	if err := h.Add(t.Context(), missing); err != nil {
		t.Fatal(err)
	}
	h.Use(h.profile("Empty"))
	h.Resume(t.Context())
	if s, err := h.Server(missing.ID); err != nil || s.Snapshot().Failure != nil {
		t.Error("a server of another profile was tried")
	}
}

// profile stores a profile: the history refers to it.
func (h *house) profile(name string, servers ...*mcphost.Server) mcphost.Profile {
	h.t.Helper()
	p := mcphost.Profile{ID: mcphost.NewID(), Name: name}
	for _, s := range servers {
		p.Servers = append(p.Servers, s.ID())
	}
	if err := h.store.PutProfile(h.t.Context(), p); err != nil {
		h.t.Fatal(err)
	}
	return p
}

func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && p.Signal(syscall.Signal(0)) == nil
}
