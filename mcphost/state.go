package mcphost

// This file is what can be seen of a server: its status, its failure, its log.

import (
	"slices"
	"sync"
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
}

// A LogLine is one line of a server's log. Text is untrusted.
type LogLine struct {
	Seq    int64
	At     time.Time
	Stream string // "stderr", "noise" (not protocol), "log" (notifications/message), "gatehouse"
	Text   string
}

const logLines = 1000 // kept per server

// A serverLog is a ring of lines.
type serverLog struct {
	mu    sync.Mutex
	seq   int64
	lines []LogLine
}

func (l *serverLog) add(at time.Time, stream, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq++
	l.lines = append(l.lines, LogLine{Seq: l.seq, At: at, Stream: stream, Text: text})
	if len(l.lines) > logLines+logLines/4 {
		l.lines = append(l.lines[:0], l.lines[len(l.lines)-logLines:]...)
	}
}

// after returns the lines with a higher sequence number.
func (l *serverLog) after(seq int64) []LogLine {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []LogLine
	for _, line := range l.lines[max(0, len(l.lines)-logLines):] {
		if line.Seq > seq {
			out = append(out, line)
		}
	}
	return out
}

// last returns the number of the newest line, 0 if there is none.
func (l *serverLog) last() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seq
}

// tail returns the text of the newest n lines of a stream after a sequence number.
func (l *serverLog) tail(stream string, after int64, n int) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []string
	for _, line := range slices.Backward(l.lines) {
		if line.Stream == stream && line.Seq > after && len(out) < n {
			out = append(out, line.Text)
		}
	}
	slices.Reverse(out)
	return out
}
