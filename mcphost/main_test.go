package mcphost_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/transport"
	"gatehouse/store"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "guardian" {
		if err := transport.RunGuardian(os.Stdin); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		mcphosttest.Leave(0)
	}
	mcphosttest.Main()
	goleak.VerifyTestMain(m)
}

// A house is a host on a real store, with an asker that the test writes.
type house struct {
	*mcphost.Host
	t       *testing.T
	store   *store.Store
	secrets *store.Memory
	leave   func()
	usual   atomic.Int64 // how long tools take, 0 = ask the store
	full    atomic.Bool  // no call can be recorded any more

	mu    sync.Mutex
	asked []consent.Request
	asker consent.Script
}

// StartCall implements [mcphost.Calls].
func (h *house) StartCall(ctx context.Context, s mcphost.CallStart) error {
	if h.full.Load() {
		return store.ErrFull
	}
	return h.store.StartCall(ctx, s)
}

// EndCall implements [mcphost.Calls].
func (h *house) EndCall(e mcphost.CallEnd, failed func(error)) { h.store.EndCall(e, failed) }

// PutTask, TakeTasks and UsualDuration implement [mcphost.Tasks].
func (h *house) PutTask(ctx context.Context, t mcphost.TaskStart) error {
	return h.store.PutTask(ctx, t)
}

func (h *house) TakeTasks(ctx context.Context) ([]mcphost.OpenTask, error) {
	return h.store.TakeTasks(ctx)
}

func (h *house) UsualDuration(ctx context.Context, serverID, tool string) (time.Duration, error) {
	if usual := h.usual.Load(); usual > 0 {
		return time.Duration(usual), nil
	}
	return h.store.UsualDuration(ctx, serverID, tool)
}

// yes allows exactly what it is shown.
func yes(_ context.Context, r consent.Request) consent.Answer {
	return consent.Answer{Allow: true, Digest: r.Digest(), By: consent.ByUser}
}

func no(context.Context, consent.Request) consent.Answer {
	return consent.Answer{By: consent.ByUser, Reason: "not now"}
}

func newHouse(t *testing.T, o mcphost.Options) *house {
	t.Helper()
	return newHouseAt(t, t.TempDir(), o)
}

// newHouseAt opens a house in a data directory. Its leave closes it before the end of the test.
func newHouseAt(t *testing.T, dir string, o mcphost.Options) *house {
	t.Helper()
	h := &house{t: t, asker: yes, secrets: new(store.Memory)}
	var err error
	if h.store, err = store.Open(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	guard := transport.NewSupervisor(filepath.Join(dir, "run"), []string{self, "guardian"}, nil)
	if err := guard.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	o.Supervisor = guard
	if o.Environ == nil {
		o.Environ = []string{"PATH=/usr/bin:/bin", "HOME=" + t.TempDir(), "SHELL=/bin/sh"}
	}
	o.Resolver = transport.NewResolver(&transport.ResolverOptions{Environ: o.Environ})
	broker := consent.NewBroker(h, h.store, nil)
	h.Host = mcphost.New(broker, mcphost.Ports{Servers: h.store, Pins: h.store, Calls: h, Secrets: h.secrets, Eras: h.store, Tasks: h, Roots: h.store}, &o)
	if err := h.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.leave = sync.OnceFunc(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := errors.Join(h.Close(ctx), guard.Close(), h.store.Close()); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(h.leave)
	return h
}

// Ask implements [consent.Asker].
func (h *house) Ask(ctx context.Context, r consent.Request) (consent.Answer, error) {
	h.mu.Lock()
	h.asked = append(h.asked, r)
	asker := h.asker
	h.mu.Unlock()
	return asker(ctx, r), nil // an answer that comes late is the Broker's to judge
}

// answer changes how requests are answered from now on.
func (h *house) answer(s consent.Script) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asker = s
}

// requests returns what was asked so far.
func (h *house) requests() []consent.Request {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]consent.Request(nil), h.asked...)
}

// add configures a scripted server that runs as a process.
func (h *house) add(name string, p *mcphosttest.Process, env ...consent.Var) *mcphost.Server {
	h.t.Helper()
	c := mcphost.Config{ID: mcphost.NewID(), Name: name, Transport: mcphost.Stdio, Command: p.Path, Args: p.Args, Env: env}
	if err := h.Add(h.t.Context(), c); err != nil {
		h.t.Fatal(err)
	}
	s, err := h.Server(c.ID)
	if err != nil {
		h.t.Fatal(err)
	}
	return s
}

func (h *house) connect(s *mcphost.Server) {
	h.t.Helper()
	if err := s.Connect(h.t.Context(), consent.Actor{Kind: consent.ActorUser}); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) call(s *mcphost.Server, tool, arguments string) (mcphost.CallView, error) {
	h.t.Helper()
	return h.Call(h.t.Context(), mcphost.CallRequest{
		ServerID: s.ID(), Tool: tool, Arguments: json.RawMessage(arguments), Actor: consent.Actor{Kind: consent.ActorUser},
	})
}

func (h *house) history() []mcphost.HistoryRow {
	h.t.Helper()
	page, err := h.store.History(h.t.Context(), mcphost.HistoryQuery{})
	if err != nil {
		h.t.Fatal(err)
	}
	return page.Rows
}

func tool(name string, do ...mcphosttest.Action) mcphosttest.Tool {
	return mcphosttest.Tool{Definition: mcphosttest.Raw(fmt.Sprintf(
		`{"name":%q,"inputSchema":{"type":"object","properties":{"n":{"type":"number"}}}}`, name)), Do: do}
}

// waitFor polls a condition of another goroutine or process, for at most 20 seconds.
func waitFor(t *testing.T, what string, condition func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !condition() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("waited 20 s for: " + what)
		}
	}
}
