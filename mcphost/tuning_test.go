package mcphost_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/session"
)

// A crew is several calls of one tool at once.
type crew struct {
	h   *house
	ids chan string
	wg  sync.WaitGroup
}

func (c *crew) call(s *mcphost.Server, tool string) (id string) {
	c.wg.Go(func() {
		_, err := c.h.Call(c.h.t.Context(), mcphost.CallRequest{
			ServerID: s.ID(), Tool: tool, Arguments: json.RawMessage(`{}`), Actor: consent.Actor{Kind: consent.ActorUser},
			Started: func(id string) { c.ids <- id },
		})
		if err != nil {
			c.h.t.Error(err)
		}
	})
	return <-c.ids
}

func (h *house) reaches(id string, state mcphost.CallState) {
	h.t.Helper()
	waitFor(h.t, string(state), func() bool {
		v, ok := h.CallView(id)
		return ok && v.State == state
	})
}

// The number of calls in flight changes when the server starts the next time, not under the calls that run.
func TestTunedCallsInFlight(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	h.Tune(mcphost.Tuning{InFlight: 1})
	c := &crew{h: h, ids: make(chan string)}
	done := filepath.Join(t.TempDir(), "done")
	s := h.add("Scripted", mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("wait", mcphosttest.WaitFile(done))}}))
	h.connect(s)
	h.reaches(c.call(s, "wait"), mcphost.CallRunning)
	h.Tune(mcphost.Tuning{InFlight: 2})
	second := c.call(s, "wait")
	h.reaches(second, mcphost.CallQueued)
	writeFile(t, done)
	c.wg.Wait()

	if err := s.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	removeFile(t, done)
	h.connect(s)
	h.reaches(c.call(s, "wait"), mcphost.CallRunning)
	h.reaches(c.call(s, "wait"), mcphost.CallRunning)
	writeFile(t, done)
	c.wg.Wait()
}

func TestTunedLimitsOfTheNextCall(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	s := h.add("Scripted", mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("silent", mcphosttest.Silence())}}))
	h.connect(s)
	h.Tune(mcphost.Tuning{Inactive: time.Millisecond})
	if _, err := h.call(s, "silent", `{}`); !errors.Is(err, session.ErrInactive) {
		t.Errorf("inactive: %v", err)
	}
	h.Tune(mcphost.Tuning{Total: time.Millisecond})
	if _, err := h.call(s, "silent", `{}`); !errors.Is(err, session.ErrTotal) {
		t.Errorf("total: %v", err)
	}
}

func TestTunedTimeToOpen(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	s := h.add("Scripted", mcphosttest.Command(t, mcphosttest.Scenario{
		On: map[string][]mcphosttest.Action{"initialize": {mcphosttest.Silence()}},
	}))
	h.Tune(mcphost.Tuning{Open: time.Millisecond})
	if err := s.Connect(t.Context(), consent.Actor{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func TestTunedRestart(t *testing.T) {
	h := newHouse(t, mcphost.Options{Restart: true})
	s := h.add("Scripted", mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("exit", mcphosttest.Exit(1))}}))
	for _, restart := range []bool{false, true} {
		h.Tune(mcphost.Tuning{Restart: restart})
		h.connect(s)
		_, _ = h.call(s, "exit", `{}`)
		waitFor(t, "the crash", func() bool { return s.Snapshot().Crashes == 1 && s.Snapshot().Status != mcphost.StatusReady })
		if got := s.Snapshot().Restarting; got != restart {
			t.Errorf("restarting %v, want %v", got, restart)
		}
	}
}

func writeFile(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func removeFile(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}
