package transport

// This file chooses between the two ways to carry messages over HTTP (MCP 2025-11-25, "Backwards Compatibility"; ACC A13).

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"gatehouse/mcphost/protocol"
)

// A Wire is a way to carry messages over HTTP. Keep the verdict of a connection and give it to the next one.
type Wire string

// The wires.
const (
	WireStreamable Wire = "streamable-http"
	WireSSE        Wire = "http+sse" // of 2024-11-05
)

// Wire returns what has worked on this connection: "" before the first initialize was answered.
func (h *HTTP) Wire() Wire {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.wire
}

// An AttemptsError is an opening that has failed on both wires. It wraps both failures, in their order.
type AttemptsError struct{ Attempts []error }

func (e *AttemptsError) Error() string {
	texts := make([]string, len(e.Attempts))
	for i, err := range e.Attempts {
		texts[i] = err.Error()
	}
	return strings.Join(texts, "; then ")
}

// Unwrap returns the failures.
func (e *AttemptsError) Unwrap() []error { return e.Attempts }

// open sends initialize on the wire that worked last, and on the other one if the server seems not to know it.
func (p *post) open(ctx context.Context) error {
	wires := []Wire{WireStreamable, WireSSE}
	if last := p.h.Wire(); last == WireSSE || last == "" && p.h.opts.Wire == WireSSE {
		slices.Reverse(wires)
	}
	first := p.openOn(ctx, wires[0])
	if first == nil || !otherWire(first) {
		return first
	}
	second := p.openOn(ctx, wires[1])
	if second == nil || ctx.Err() != nil {
		return second
	}
	return &AttemptsError{[]error{first, second}}
}

// openOn opens on one wire. What later messages need is in place before the answer is handed to Read.
func (p *post) openOn(ctx context.Context, wire Wire) error {
	if wire == WireStreamable {
		return p.run(ctx)
	}
	l, err := p.h.connect(ctx)
	if err != nil {
		return err
	}
	before := p.h.won(wire, l)
	if err := l.exchange(ctx, p); err != nil {
		p.h.won(before, nil)
		p.h.mu.Lock()
		defer p.h.mu.Unlock()
		p.h.stopListening()
		return err
	}
	return nil
}

// won notes the wire of the session that begins, and returns what it was.
func (h *HTTP) won(wire Wire, l *link) (before Wire) {
	h.mu.Lock()
	defer h.mu.Unlock()
	before = h.wire
	h.wire, h.link = wire, l
	if l != nil {
		h.generation++
	}
	return before
}

// otherWire reports whether a server may have failed so because it speaks the other wire only.
func otherWire(err error) bool {
	var status *HTTPError
	if !errors.As(err, &status) {
		return errors.Is(err, errNoEndpoint)
	}
	if status.Answer != nil && protocol.ModernCode(status.Answer.Code) {
		return false
	}
	switch status.Status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotAcceptable,
		http.StatusLengthRequired, http.StatusUnsupportedMediaType:
		return true
	}
	return false
}
