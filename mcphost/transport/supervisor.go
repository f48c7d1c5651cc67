package transport

// This file defines what a Supervisor is on every system.

import (
	"errors"
	"log/slog"
	"time"
)

// SupervisorOptions of a Supervisor.
type SupervisorOptions struct {
	Logger    *slog.Logger
	ReadyWait time.Duration // for the guardian to report for duty, default 5 s
}

// ErrNoGuardian is wrapped when the guardian process cannot be started. Without it no server is started: its end could
// not be vouched for.
var ErrNoGuardian = errors.New("the guardian process does not run")

func (o *SupervisorOptions) resolve() SupervisorOptions {
	var r SupervisorOptions
	if o != nil {
		r = *o
	}
	if r.Logger == nil {
		r.Logger = slog.New(slog.DiscardHandler)
	}
	if r.ReadyWait <= 0 {
		r.ReadyWait = 5 * time.Second
	}
	return r
}
