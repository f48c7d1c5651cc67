package mcphost

// This file declares what the engine needs from outside. package store implements all of it.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
	"gatehouse/mcphost/transport"
)

// A Config is one server as the user defined it.
type Config struct {
	ID        string        `json:"id"`
	Name      string        `json:"name"`      // the user's alias, unique without regard to case
	Transport string        `json:"transport"` // "stdio" or "http"
	Command   string        `json:"command,omitempty"`
	Args      []string      `json:"args,omitempty"`
	Dir       string        `json:"dir,omitempty"` // "" = the user's home
	Env       []consent.Var `json:"env,omitempty"`
	URL       string        `json:"url,omitempty"`
	Headers   []consent.Var `json:"headers,omitempty"`
	Disabled  bool          `json:"disabled,omitempty"`
	Removed   bool          `json:"removed,omitempty"` // it may come back: see Host.Restore
	CreatedAt time.Time     `json:"createdAt"`

	Conversation Conversation `json:"conversation,omitzero"`
}

// A Conversation is how the user wants a server to be spoken to. It is no part of what a launch is approved for.
type Conversation struct {
	Era      session.Era      `json:"era,omitempty"` // "" = auto
	Times    Times            `json:"times,omitzero"`
	Tools    map[string]Times `json:"tools,omitempty"`    // by tool; a time given here wins
	LogLevel string           `json:"logLevel,omitempty"` // the least severe that is wanted; "" = what the server thinks fit

	Completion  Leave    `json:"completion,omitempty"`  // whether it sees what is typed
	Untold      bool     `json:"untold,omitempty"`      // models get no instructions of it, reviewed or not
	Authorities []string `json:"authorities,omitempty"` // of a remote server: files of certificates, believed beside the system's
}

// Times bound a call. Zero is the host's default. Time in which the user is asked does not count.
type Times struct {
	Inactive time.Duration `json:"inactive,omitempty"` // without progress
	Total    time.Duration `json:"total,omitempty"`    // whatever progress comes
}

// check refuses what cannot be meant.
func (c Conversation) check() error {
	switch c.Era {
	case "", session.EraAuto, session.EraLegacy, session.EraModern:
	default:
		return &ConfigError{"era", fmt.Errorf("%q is none", c.Era)}
	}
	if c.LogLevel != "" && !slices.Contains(protocol.Levels(), c.LogLevel) {
		return &ConfigError{"logLevel", fmt.Errorf("%q is none", c.LogLevel)}
	}
	switch c.Completion {
	case AskLeave, Granted, Refused:
	default:
		return &ConfigError{"completion", fmt.Errorf("%q is none", c.Completion)}
	}
	for _, t := range append(slices.Collect(maps.Values(c.Tools)), c.Times) {
		if t.Inactive < 0 || t.Total < 0 {
			return &ConfigError{"times", errors.New("a time is negative")}
		}
	}
	return nil
}

// Servers keeps the configured servers.
type Servers interface {
	Servers(ctx context.Context) ([]Config, error)     // oldest first, removed ones too
	PutServer(ctx context.Context, c Config) error     // insert or replace by ID
	RemoveServer(ctx context.Context, id string) error // for good
}

// FirstProfile is the id of the profile that every data directory begins with. Only its name may be "".
const FirstProfile = "first"

// A Profile is a named set of servers. While it is in use, no other server runs.
type Profile struct {
	ID      string
	Name    string   // the user's, unique without regard to case; "" = FirstProfile, never named
	Servers []string // ids, oldest first
}

// Profiles keeps the profiles, of which there is always one.
type Profiles interface {
	Profiles(ctx context.Context) ([]Profile, error) // oldest first
	PutProfile(ctx context.Context, p Profile) error // insert or replace by ID; a removed one is back
	RemoveProfile(ctx context.Context, id string) error
}

// An EraVerdict is which era a server belonged to when it was last opened, and how messages were carried.
type EraVerdict struct {
	Era  session.Era    // "" = unknown
	Wire transport.Wire // "" = a local server, or modern
	At   time.Time      // found out; earlier, if it is to be found out again sooner
}

// Eras remembers the verdict of each server definition: a command line or a URL.
type Eras interface {
	Era(ctx context.Context, definition string) (EraVerdict, error)
	PutEra(ctx context.Context, definition string, v EraVerdict) error // insert or replace; without an era, forget
}

// A Pin is a tool definition that the user has trusted: first seen, or allowed after a change.
type Pin struct {
	Tool       string
	Digest     consent.Digest  // consent.DefinitionDigest of Definition
	Definition json.RawMessage // as received
	At         time.Time
}

// A Reviewed text is the instructions of a server as the user has reviewed them last.
type Reviewed struct {
	Digest consent.Digest // of the decision
	Text   string         // as received
	At     time.Time
}

// Pins keeps trusted tool definitions and reviewed instructions by server.
type Pins interface {
	Pins(ctx context.Context, serverID string) (map[string]Pin, error) // by tool name
	PutPins(ctx context.Context, serverID string, pins []Pin) error    // insert or replace
	Instructions(ctx context.Context, serverID string) (r Reviewed, ok bool, err error)
	PutInstructions(ctx context.Context, serverID string, r Reviewed) error // insert or replace
}

// A CallOutcome is how a call ended.
type CallOutcome string

// The outcomes. A call whose process died without an outcome reads Interrupted.
const (
	CallSucceeded   CallOutcome = "ok"
	CallToolError   CallOutcome = "toolError"   // the tool answered isError
	CallFailed      CallOutcome = "failed"      // protocol error, connection lost, invalid response
	CallTimedOut    CallOutcome = "timedOut"    // by our clock
	CallStopped     CallOutcome = "stopped"     // by the user, or because the host closed
	CallInterrupted CallOutcome = "interrupted" // the app died meanwhile
	CallLost        CallOutcome = "lost"        // it was a task, and what became of that cannot be told
)

// A CallStart opens a call's history; the decision it names is already recorded.
type CallStart struct {
	ID       string // the call
	Decision string // consent.Decision.ID
	ServerID string
	Tool     string
	Revision string // protocol revision of the session
	At       time.Time
}

// A CallEnd closes it.
type CallEnd struct {
	ID      string
	At      time.Time
	Outcome CallOutcome
	Error   string          // our sentence or the server's capped message; "" on success
	Result  json.RawMessage // as received, nil if none; the store may keep only its head
}

// Calls keeps the history of calls as append-only events.
type Calls interface {
	StartCall(ctx context.Context, s CallStart) error // before the call goes out; an error means it must not
	// EndCall records what has happened, soon and in its order; nobody waits for it. Failed is called once if it cannot be
	// recorded, perhaps from another goroutine.
	EndCall(e CallEnd, failed func(error))
}

// A TaskStart notes that a call has become a task of its server.
type TaskStart struct {
	Call       string // id
	Definition string // of the server: whoever follows the task on must talk to the same
	Task       string // its id at the server
	At         time.Time
	TTL        *time.Duration // as granted, counted from At; nil = it does not expire
}

// An OpenTask is one that an earlier run has left.
type OpenTask struct {
	TaskStart
	ServerID  string
	Tool      string
	Revision  string
	StartedAt time.Time // of the call
	Decision  consent.Decision
}

// Tasks keeps the tasks that calls have become, so that they outlive the program.
type Tasks interface {
	PutTask(ctx context.Context, t TaskStart) error // the call has started, and goes on until its EndCall
	// TakeTasks returns the tasks without an end that ended runs have left; from now on they belong to this run.
	TakeTasks(ctx context.Context) ([]OpenTask, error)
	// UsualDuration is how long the last calls of a tool took, 0 = unknown.
	UsualDuration(ctx context.Context, serverID, tool string) (time.Duration, error)
}

// Secrets resolves and keeps secret values by reference; the OS keyring, or memory for this session only.
type Secrets interface {
	Secret(ctx context.Context, ref string) (string, error) // ref without its "keyring:" prefix
	PutSecret(ctx context.Context, ref, value string) error
	DeleteSecret(ctx context.Context, ref string) error
}
