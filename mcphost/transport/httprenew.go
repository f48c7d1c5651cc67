package transport

// This file opens a new session in place of one that the server has ended (MCP, "Session Management"; ACC A12).

import (
	"context"
	"errors"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

// A renewal is one opening of a new session that many may wait for. Its fields are read after done.
type renewal struct {
	done   chan struct{}
	err    error
	gaveUp bool // the caller whose turn it was
}

type renewalKey struct{}

// Renew opens a new session after a Write, or the call that it was for, has failed with cause, which wraps
// ErrSessionGone. However many calls fail at once, open runs once and all get its error; it sends initialize and what
// belongs to it under the ctx that it is given. Until it returns, every other Write waits. If another call has opened a
// new session since cause, Renew returns nil at once. Any other cause is returned as it is.
//
// Whether the request may then be repeated is the caller's decision: once, and see [NotExecuted].
func (h *HTTP) Renew(ctx context.Context, cause error, open func(ctx context.Context) error) error {
	var gone *goneError
	if !errors.As(cause, &gone) {
		return cause
	}
	for {
		h.mu.Lock()
		r, mine := h.renewing, false
		switch {
		case h.closing:
			h.mu.Unlock()
			return &jsonrpc.ClosedError{Cause: jsonrpc.ErrClosed}
		case r == nil && h.generation != gone.generation && !h.lost:
			h.mu.Unlock()
			return nil
		case r == nil:
			r, mine = &renewal{done: make(chan struct{})}, true
			h.renewing = r
		}
		h.mu.Unlock()
		if mine {
			h.renew(ctx, r, open)
			return r.err
		}
		select {
		case <-r.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if r.err != nil && !r.gaveUp {
			return r.err
		}
	}
}

func (h *HTTP) renew(ctx context.Context, r *renewal, open func(ctx context.Context) error) {
	defer func() {
		h.mu.Lock()
		h.renewing = nil
		h.lost = r.err != nil
		h.mu.Unlock()
		close(r.done)
	}()
	r.err = errors.New("no new session was opened") // unless open returns
	r.err = open(context.WithValue(ctx, renewalKey{}, r))
	r.gaveUp = ctx.Err() != nil
}

// A footing is the session that a request belongs to, and how it names the protocol.
type footing struct {
	session    string // "" = none
	generation int
	revision   string
	link       *link // nil = Streamable HTTP
}

// modern reports whether the request is of the modern profile.
func (f footing) modern() bool { return f.revision == string(protocol.Revision20260728) }

// footing returns the present one. The caller does not hold mu.
func (h *HTTP) footing() footing {
	h.mu.Lock()
	defer h.mu.Unlock()
	return footing{h.session, h.generation, h.revision, h.link}
}

// settled waits until no session is being opened, except by ctx itself. It fails if there should be one, but is none.
func (h *HTTP) settled(ctx context.Context) (footing, error) {
	for {
		h.mu.Lock()
		r, lost := h.renewing, h.lost
		f := footing{h.session, h.generation, h.revision, h.link}
		h.mu.Unlock()
		switch {
		case r != nil && ctx.Value(renewalKey{}) != any(r):
		case lost:
			return f, &goneError{f.generation, errors.New("there is no new one")}
		default:
			return f, nil
		}
		select {
		case <-r.done:
		case <-h.closed:
			return f, &jsonrpc.ClosedError{Cause: jsonrpc.ErrClosed}
		case <-ctx.Done():
			return f, ctx.Err()
		}
	}
}
