package mcphost

// This file is the history as it is read: one row a decision, newest first, with what became of its call.

import (
	"context"
	"time"

	"gatehouse/mcphost/consent"
)

// History reads what consent.Journal and Calls wrote.
type History interface {
	History(ctx context.Context, q HistoryQuery) (HistoryPage, error)
	HistoryEntry(ctx context.Context, id string) (HistoryDetail, error)
	// LastUses returns the newest decision about each tool of a server, by tool name.
	LastUses(ctx context.Context, serverID string) (map[string]HistoryRow, error)
	// HistoryNumbers counts the decisions since a time.
	HistoryNumbers(ctx context.Context, since time.Time) (HistoryNumbers, error)
	// Kept counts what is kept.
	Kept(ctx context.Context) (Kept, error)
}

// Kept says how much is kept.
type Kept struct {
	DatabaseBytes int64
	BackupBytes   int64 // copies from before a change of the schema
	Decisions     int
	Calls         int
	Definitions   int // trusted definitions of tools
}

// HistoryNumbers say how decisions came about. One that was refused or edited counts under its way, too.
type HistoryNumbers struct {
	All      int
	Asked    int // the user answered a question
	Composed int // the user composed the call and ran it
	ByRule   int // an earlier consent or a policy answered
	Denied   int // whoever refused
	Edited   int // the user changed the arguments first
}

// A Verdict filters decisions.
type Verdict string

// The verdicts.
const (
	AnyVerdict Verdict = ""
	Allowed    Verdict = "allowed"
	Denied     Verdict = "denied"
)

// A HistoryQuery asks for one page of the history. The zero value is the newest page of all.
type HistoryQuery struct {
	Before   int64  // HistoryPage.Next of the page before; 0 = from the newest
	Limit    int    // rows, 0 = 50, at most 500
	ServerID string // "" = all
	Text     string // part of the server's alias, tool name, command line or URL, without regard to case; "" = all
	Decision Verdict
}

// A HistoryPage is one page of the history.
type HistoryPage struct {
	Total int // matches on all pages
	Rows  []HistoryRow
	Next  int64 // HistoryQuery.Before of the next page; 0 = this is the last
}

// A HistoryRow is one decision and what became of it.
type HistoryRow struct {
	ID         string // the decision's
	At         time.Time
	ServerID   string
	ServerName string // the alias at that time
	Kind       consent.Kind
	What       string // tool name, command line or URL, at most 400 bytes
	Risk       consent.Class
	Allowed    bool
	Edited     bool
	By         string
	CallID     string      // "" = no call went out
	StartedAt  time.Time   // zero without CallID
	EndedAt    time.Time   // zero = no call, or it is running
	Outcome    CallOutcome // "" like EndedAt
	Task       string      // id of the task that the call has become, "" = none
}

// A HistoryDetail is everything that is kept of one decision.
type HistoryDetail struct {
	HistoryRow
	Decision    consent.Decision // with exactly what was shown
	Revision    string           // the protocol revision of the call
	Error       string           // why the call failed
	Result      string           // JSON text as received, or its first 256 KiB
	ResultBytes int              // length of the whole result; more than len(Result) if it was cut
	Events      []HistoryEvent   // oldest first
}

// A HistoryEvent is one entry of the append-only record.
type HistoryEvent struct {
	At      time.Time
	Type    string      // "decision", "callStarted" or "callEnded"
	Outcome CallOutcome // of a callEnded
}
