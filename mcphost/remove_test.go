package mcphost_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
)

// keep adds a server with a secret, runs it once, and returns it between two others.
func (h *house) keep() (s *mcphost.Server, secret string) {
	h.t.Helper()
	h.add("first", mcphosttest.Command(h.t, mcphosttest.Scenario{}))
	id := mcphost.NewID()
	secret = mcphost.SecretKey(id, "env", "KEY")
	if err := h.secrets.PutSecret(h.t.Context(), secret, "canary"); err != nil {
		h.t.Fatal(err)
	}
	p := mcphosttest.Command(h.t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("echo", mcphosttest.Text("hi"))}})
	c := mcphost.Config{
		ID: id, Name: "Kept", Transport: mcphost.Stdio, Command: p.Path, Args: p.Args,
		Env: []consent.Var{{Name: "KEY", Ref: "keyring:" + secret}},
	}
	if err := h.Add(h.t.Context(), c); err != nil {
		h.t.Fatal(err)
	}
	h.add("last", mcphosttest.Command(h.t, mcphosttest.Scenario{}))
	s, err := h.Server(id)
	if err != nil {
		h.t.Fatal(err)
	}
	h.connect(s)
	return s, secret
}

func (h *house) names() (names []string) {
	for _, s := range h.Servers() {
		names = append(names, s.Config().Name)
	}
	return names
}

// rows returns how many servers the store keeps, removed ones too.
func (h *house) rows() int {
	h.t.Helper()
	rows, err := h.store.Servers(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	return len(rows)
}

func (h *house) holds(secret string) bool {
	_, err := h.secrets.Secret(h.t.Context(), secret)
	return err == nil
}

func TestRemovalIsUndoneExactly(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	s, secret := h.keep()
	before := s.Config()
	pins, err := h.store.Pins(t.Context(), s.ID())
	if err != nil || len(pins) != 1 {
		t.Fatalf("pins %v, %v", pins, err)
	}
	if err := h.Remove(t.Context(), s.ID()); err != nil {
		t.Fatal(err)
	}
	if got := h.names(); !slices.Equal(got, []string{"first", "last"}) {
		t.Errorf("after the removal: %q", got)
	}
	if err := s.Start(consent.Actor{Kind: consent.ActorUser}); !errors.Is(err, mcphost.ErrUnknownServer) {
		t.Errorf("a removed server started: %v", err)
	}
	if _, err := h.Restore(t.Context(), s.ID()); err != nil {
		t.Fatal(err)
	}
	if got := h.names(); !slices.Equal(got, []string{"first", "Kept", "last"}) {
		t.Errorf("after the undo: %q", got)
	}
	after, err := h.store.Pins(t.Context(), s.ID())
	if err != nil || !reflect.DeepEqual(after, pins) || !reflect.DeepEqual(s.Config(), before) || !h.holds(secret) {
		t.Errorf("pins %v, config %+v, secret %v, %v", after, s.Config(), h.holds(secret), err)
	}
	asked := len(h.requests())
	h.connect(s)
	if len(h.requests()) != asked {
		t.Error("the launch that was approved is asked for again")
	}
	if _, err := h.Restore(t.Context(), s.ID()); !errors.Is(err, mcphost.ErrUnknownServer) {
		t.Errorf("undone twice: %v", err)
	}
}

func TestRemovalForGood(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	s, secret := h.keep()
	if err := errors.Join(h.Remove(t.Context(), s.ID()), h.Forget(t.Context(), s.ID())); err != nil {
		t.Fatal(err)
	}
	pins, err := h.store.Pins(t.Context(), s.ID())
	if err != nil || h.holds(secret) || h.rows() != 2 || len(pins) != 0 {
		t.Errorf("secret %v, %d servers, pins %v, %v", h.holds(secret), h.rows(), pins, err)
	}
	if _, err := h.Restore(t.Context(), s.ID()); !errors.Is(err, mcphost.ErrUnknownServer) {
		t.Errorf("restored after its end: %v", err)
	}
	if len(h.history()) == 0 {
		t.Error("its history is gone")
	}
}

// A name is free at once. If another server has it by now, the removed one comes back under the next one that is free.
func TestUndoWhenTheNameIsTaken(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	s, secret := h.keep()
	if err := h.Remove(t.Context(), s.ID()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"KEPT", s.Config().Name + " 2"} {
		h.add(name, mcphosttest.Command(t, mcphosttest.Scenario{}))
	}
	want := s.Config().Name + " 3"
	if name, err := h.Restore(t.Context(), s.ID()); err != nil || name != want || s.Config().Name != want || !h.holds(secret) {
		t.Errorf("name %q, %v, config %+v, secret %v", name, err, s.Config(), h.holds(secret))
	}
	asked := len(h.requests())
	h.connect(s)
	if len(h.requests()) != asked {
		t.Error("the launch that was approved is asked for again")
	}
	configs, err := h.store.Servers(t.Context())
	if err != nil || !slices.ContainsFunc(configs, func(c mcphost.Config) bool { return c.Name == want && !c.Removed }) {
		t.Errorf("stored: %+v, %v", configs, err)
	}
}

// Closing the host ends what could still be undone: no secret is left behind.
func TestCloseForgetsTheRemoved(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	s, secret := h.keep()
	if err := errors.Join(h.Remove(t.Context(), s.ID()), h.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
	if h.holds(secret) || h.rows() != 2 {
		t.Errorf("secret %v, %d servers", h.holds(secret), h.rows())
	}
}

// A run that was killed leaves its removals to the next: not shown, then swept. What this run removed is not swept.
func TestSweepForgetsWhatAnEarlierRunRemoved(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	s, secret := h.keep()
	mine := h.Servers()[0]
	if err := h.Remove(t.Context(), mine.ID()); err != nil {
		t.Fatal(err)
	}
	left := s.Config()
	left.Removed = true
	if err := h.store.PutServer(t.Context(), left); err != nil {
		t.Fatal(err)
	}
	next := mcphost.New(consent.NewBroker(h, h.store, nil), mcphost.Ports{Servers: h.store, Pins: h.store, Calls: h, Secrets: h.secrets}, nil)
	if err := next.Open(t.Context()); err != nil || len(next.Servers()) != 1 {
		t.Fatalf("%d servers are shown, %v", len(next.Servers()), err)
	}
	if err := h.Sweep(t.Context()); err != nil || h.holds(secret) || h.rows() != 2 {
		t.Errorf("%v, secret %v, %d servers", err, h.holds(secret), h.rows())
	}
	if _, err := h.Restore(t.Context(), mine.ID()); err != nil {
		t.Errorf("its own removal was swept: %v", err)
	}
}

// Of two who remove a server one does: the other's late end would take it away again after an undo.
func TestRemovedOnce(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	s, _ := h.keep()
	errs := make(chan error)
	for range 2 {
		go func() { errs <- h.Remove(t.Context(), s.ID()) }()
	}
	one, other := <-errs, <-errs
	if (one == nil) == (other == nil) || !errors.Is(errors.Join(one, other), mcphost.ErrUnknownServer) {
		t.Errorf("removed twice: %v, %v", one, other)
	}
	if _, err := h.Restore(t.Context(), s.ID()); err != nil || len(h.names()) != 3 {
		t.Errorf("after the undo there are %q, %v", h.names(), err)
	}
}
