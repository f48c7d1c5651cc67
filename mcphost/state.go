package mcphost

// This file is what can be seen of a server: its status and its failure.

import (
	"time"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/session"
)

// A Status is where a server stands.
type Status string

// The statuses. Quarantine is a badge of tools, not a status of a server.
const (
	StatusStopped  Status = "stopped"
	StatusStarting Status = "starting" // asking for consent included
	StatusReady    Status = "ready"
	StatusDegraded Status = "degraded" // connected, but pings stay unanswered
	StatusCrashed  Status = "crashed"  // ended by itself; starts again while Snapshot.Restarting
	StatusDisabled Status = "disabled"
)

// A Failure is why the last start or connection ended. Secrets are not in it: resolved values are replaced
// wherever they appear.
type Failure struct {
	Code     string // a catalogue key, see failureOf and Hint: "not-found", "config", "exited", "lost" …
	Err      error
	ExitCode int    // of a local server that exited; -1 otherwise
	Signal   string // that ended it, "" if none
	Stderr   Excerpt
	Searched []string // folders in which an unknown command was looked for
	At       time.Time
}

// A Snapshot is a copy of a server's state.
type Snapshot struct {
	Config     Config
	Status     Status
	Since      time.Time
	Crashes    int
	Restarting bool
	Aside      bool         // not in the profile in use
	Failure    *Failure     // of the last end that was not asked for
	Info       session.Info // while Ready
	Launch     consent.Launch
	Tools      int
	Changed    int    // tools whose definition is not the trusted one
	Warning    string // of the tool list
	Noise      int
	Opened     time.Duration // how long the last opening took, consent not counted
	Stale      time.Time     // when refreshing the tool list failed last; zero = fresh

	Instructions Instructions // while Ready
}
