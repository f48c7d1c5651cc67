package store

// This file has the tests with several processes on one data directory.

import (
	"strings"
	"testing"

	"gatehouse/mcphost"
)

func TestProcessesOpenAtOnce(t *testing.T) {
	dir := t.TempDir()
	const processes, each = 4, 40
	var children []*child
	for range processes {
		children = append(children, startChild(t, "decide 40", dir))
	}
	for _, c := range children {
		c.until("decided")
	}
	s := openAt(t, dir, nil)
	page, err := s.History(t.Context(), mcphost.HistoryQuery{})
	check(t, err)
	if page.Total != processes*each {
		t.Errorf("%d decisions, want %d", page.Total, processes*each)
	}
	for _, c := range children {
		c.finish()
	}
}

// TestKill kills a writing process again and again; what it said was recorded must be there.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	total := 0
	for round := range 4 {
		c := startChild(t, "write", dir)
		for range 20 + 37*round {
			c.until("call")
		}
		c.kill()
		s, err := Open(t.Context(), dir, nil)
		check(t, err)
		decided := 0
		for _, line := range c.lines {
			kind, id, _ := strings.Cut(line, " ")
			switch kind {
			case "decision":
				decided++
				outcome(t, s, id)
			case "call":
				if got := outcome(t, s, id); got != mcphost.CallInterrupted {
					t.Errorf("round %d: call of %s reads %q", round, id, got)
				}
			}
		}
		page, err := s.History(t.Context(), mcphost.HistoryQuery{})
		check(t, err)
		// The kill may have come between a commit and its lines, so there may be one more of each writer.
		if more := page.Total - total - decided; more < 0 || more > writers {
			t.Errorf("round %d: %d decisions were reported, %d are there", round, decided, page.Total-total)
		}
		total = page.Total
		check(t, s.Close())
	}
}

func TestLiveRunsAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	mine := openAt(t, dir, nil)
	d := toolCall("d", "echo", true)
	record(t, mine, d)
	check(t, mine.StartCall(t.Context(), startOf(d)))

	other := startChild(t, "decide 1", dir) // opens while the call runs
	other.until("decided")
	if got := outcome(t, mine, "d"); got != "" {
		t.Errorf("a live run's call reads %q", got)
	}
	other.finish()
	check(t, endCall(mine, mcphost.CallEnd{ID: "call-d", Outcome: mcphost.CallSucceeded}))
	if got := outcome(t, mine, "d"); got != mcphost.CallSucceeded {
		t.Errorf("the call reads %q", got)
	}
}

func TestCloseInterruptsOpenCalls(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), dir, nil)
	check(t, err)
	d := toolCall("d", "echo", true)
	record(t, s, d)
	check(t, s.StartCall(t.Context(), startOf(d)))
	check(t, s.Close())
	if got := outcome(t, openAt(t, dir, nil), "d"); got != mcphost.CallInterrupted {
		t.Errorf("the call reads %q", got)
	}
}

func outcome(t *testing.T, s *Store, id string) mcphost.CallOutcome {
	t.Helper()
	e, err := s.HistoryEntry(t.Context(), id)
	check(t, err)
	return e.Outcome
}

func TestOneWindow(t *testing.T) {
	dir := t.TempDir()
	c := startChild(t, "window", dir)
	c.until("locked")
	s := openAt(t, dir, nil)
	wantErr(t, s.LockWindow(), ErrWindowOpen)
	c.kill()
	check(t, s.LockWindow())
	check(t, s.LockWindow()) // it has it
	wantErr(t, openAt(t, dir, nil).LockWindow(), ErrWindowOpen)
}
