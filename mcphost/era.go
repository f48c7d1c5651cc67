package mcphost

// This file remembers which era a server belongs to, so that it is asked once only.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strings"
	"time"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/session"
	"gatehouse/mcphost/transport"
)

// eraHolds is how long a legacy verdict holds: a server that has learnt the modern era still answers the other one, so
// that nothing but time leads back to the question.
const eraHolds = 7 * 24 * time.Hour

// guessHolds is how long it holds if the server has only kept silent: shorter, because it may have been busy; not at all
// would make every start of such a server wait.
const guessHolds = 24 * time.Hour

// definition names what a launch starts or contacts, whatever its environment and headers are.
func definition(l consent.Launch) string {
	parts := append([]string{l.Transport, l.Command}, l.Args...)
	if l.Transport == HTTP {
		parts = []string{l.Transport, l.URL}
		if u, err := url.Parse(l.URL); err == nil {
			parts[1] = u.Scheme + "://" + u.Host + u.EscapedPath()
		}
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}

// known returns what is remembered, the zero verdict if nothing. A memory that fails is none.
func (h *Host) known(ctx context.Context, l consent.Launch) EraVerdict {
	if h.ports.Eras == nil {
		return EraVerdict{}
	}
	v, err := h.ports.Eras.Era(ctx, definition(l))
	if err != nil {
		h.opts.Logger.WarnContext(ctx, "the era of a server cannot be read", "error", err)
		return EraVerdict{}
	}
	if v.Era == session.EraLegacy && h.opts.Now().Sub(v.At) > eraHolds {
		v.Era = ""
	}
	return v
}

// Remembered returns what is known of the era of a launch; the zero verdict if nothing is, or not any more.
func (h *Host) Remembered(ctx context.Context, l consent.Launch) EraVerdict { return h.known(ctx, l) }

// AskEraAgain forgets which era a server belongs to, and how it was reached: its next start finds out.
func (h *Host) AskEraAgain(ctx context.Context, id string) error {
	s, err := h.Server(id)
	if err != nil || h.ports.Eras == nil {
		return err
	}
	l, err := h.Launch(ctx, s.Config())
	if err != nil {
		return err
	}
	if err := h.ports.Eras.PutEra(ctx, definition(l), EraVerdict{}); err != nil {
		return err
	}
	h.bus.publish(ServerChanged{id})
	return nil
}

// remember keeps what an opening has found out, if it is news.
func (h *Host) remember(ctx context.Context, conn *live) {
	info := conn.session.Info()
	v := EraVerdict{Era: info.Era(), At: h.opts.Now()}
	if info.Guessed {
		v.At = v.At.Add(guessHolds - eraHolds)
	}
	if web, ok := conn.stream.(*transport.HTTP); ok {
		v.Wire = web.Wire()
	}
	if known := h.known(ctx, conn.launch); h.ports.Eras == nil || known.Era == v.Era && known.Wire == v.Wire {
		return
	}
	if err := h.ports.Eras.PutEra(ctx, definition(conn.launch), v); err != nil {
		h.opts.Logger.WarnContext(ctx, "the era of a server cannot be remembered", "error", err)
	}
}
