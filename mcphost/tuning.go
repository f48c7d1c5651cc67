package mcphost

// This file is what the user sets for all servers while the Host runs.

import (
	"cmp"
	"time"

	"gatehouse/mcphost/session"
)

// Tuning is the user's own limits for all servers. A zero duration or count is the default: see [session.DefaultLimits],
// and 8 calls in flight (P6).
type Tuning struct {
	Open     time.Duration // for initialize as a whole; from the next start on
	Inactive time.Duration // of a call without progress; from the next call on
	Total    time.Duration // of a call, whatever progress comes; from the next call on
	InFlight int           // calls a server runs at once; from its next start on
	Restart  bool          // start crashed servers again, with back-off; from the next crash on
}

// Tune replaces the limits of all servers. What runs keeps those that it began with.
func (h *Host) Tune(t Tuning) {
	usual := session.DefaultLimits()
	t.Open, t.Inactive, t.Total = cmp.Or(t.Open, usual.Open), cmp.Or(t.Inactive, usual.Inactive), cmp.Or(t.Total, usual.Total)
	t.InFlight = cmp.Or(t.InFlight, 8)
	h.tuning.Store(&t)
}
