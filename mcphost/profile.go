package mcphost

// This file is the profile in use: which servers may run now.

import (
	"context"
	"errors"
	"slices"
	"sync"

	"gatehouse/mcphost/consent"
)

// ErrAside: the server is not in the profile in use, so it does not start.
var ErrAside = errors.New("the server is not in the profile in use")

// Use makes the servers of p, and those that are added from now on, the only ones that can start. It starts and stops
// nothing; it returns the servers that left and those that came. Before the first Use every server can start.
func (h *Host) Use(p Profile) (left, came []*Server) {
	h.mu.Lock()
	h.profile = p.ID
	for _, s := range h.servers {
		in := slices.Contains(p.Servers, s.id)
		switch changed := s.use(in); {
		case changed && in:
			came = append(came, s)
		case changed:
			left = append(left, s)
		}
	}
	h.mu.Unlock()
	for _, s := range slices.Concat(left, came) {
		h.bus.publish(ServerChanged{s.id})
	}
	h.bus.publish(ProfileChanged{})
	return left, came
}

// Switch uses another profile: it stops the calls of the servers that leave, then those servers, waits for both, and
// starts the servers that come, in the user's name. A server in both profiles goes on untouched.
func (h *Host) Switch(ctx context.Context, p Profile) error {
	left, came := h.Use(p)
	calls := h.calls.on(left)
	calls = slices.DeleteFunc(calls, func(c *liveCall) bool { return c.snapshot().State == CallTask }) // it waits for its server
	for _, c := range calls {
		c.cancel(errStopped)
	}
	cancelling, cancel := context.WithTimeout(ctx, cancelWait)
	defer cancel()
	for _, c := range calls { // those that take longer end with their server
		select {
		case <-c.done:
		case <-cancelling.Done():
		}
	}
	errs := make([]error, len(left))
	var wg sync.WaitGroup
	for i, s := range left {
		wg.Go(func() { errs[i] = s.Stop(ctx) })
	}
	wg.Wait()
	for _, s := range came {
		if err := s.Start(consent.Actor{Kind: consent.ActorUser}); !errors.Is(err, ErrDisabled) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Stopping returns the calls that Switch to p would stop, those included that still wait for an answer.
func (h *Host) Stopping(p Profile) []CallView {
	return slices.DeleteFunc(h.LiveCalls(), func(v CallView) bool { return slices.Contains(p.Servers, v.ServerID) })
}

// Profile returns the id of the profile in use, "" before the first Use.
func (h *Host) Profile() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.profile
}

// use says whether the server may start, and reports whether that is new. It needs Host.mu, as start does.
func (s *Server) use(in bool) (changed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	changed = s.aside == in
	s.aside = !in
	return changed
}
