package consent

// This file defines what is asked and what is answered: Request, Answer, Decision.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// A Kind names what a Request wants to do.
type Kind string

// The kinds of request. Later steps add sign-in.
const (
	KindLaunch   Kind = "launch"   // start a local server or connect to a remote one
	KindToolCall Kind = "toolCall" // call one tool with one set of argument bytes
	KindForm     Kind = "form"     // give a server the answers to its form
	KindURL      Kind = "url"      // open the address that a server gives in the browser
	KindSample   Kind = "sample"   // answer a server in the place of a model
	KindRoots    Kind = "roots"    // tell a server which folders and files there are

	KindRootAdd    Kind = "rootAdd"    // add a folder or a file that a server asks for, and show it to that server
	KindRootRemove Kind = "rootRemove" // no longer show one to a server that asks so
)

// A Digest is the SHA-256 of exactly what a request showed (see [Request.Digest]).
type Digest [sha256.Size]byte

// String returns the digest as 64 lower-case hexadecimal digits.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// IsZero reports whether d is the zero Digest, which covers nothing.
func (d Digest) IsZero() bool { return d == Digest{} }

// MarshalText implements [encoding.TextMarshaler].
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (d *Digest) UnmarshalText(text []byte) error {
	if hex.DecodedLen(len(text)) != len(d) {
		return fmt.Errorf("digest: %d hexadecimal digits, want %d", len(text), 2*len(d))
	}
	if _, err := hex.Decode(d[:], text); err != nil {
		return fmt.Errorf("digest: %w", err)
	}
	return nil
}

// ParseDigest reads the form that [Digest.String] writes.
func ParseDigest(s string) (Digest, error) {
	var d Digest
	err := d.UnmarshalText([]byte(s))
	return d, err
}

// A Server says whose request it is, in the order in which the dialog shows it.
type Server struct {
	ID      string `json:"id"`                // assigned by the host, never by the server
	Alias   string `json:"alias"`             // the user's name for it
	Claimed string `json:"claimed,omitempty"` // what it calls itself: untrusted, shown quoted
	Origin  string `json:"origin"`            // command line, or scheme, host and port
}

// An ActorKind says who wants the effect.
type ActorKind string

// The actors.
const (
	ActorUser   ActorKind = "user"   // composed by hand, or pressed Start
	ActorModel  ActorKind = "model"  // a language model asked
	ActorScript ActorKind = "script" // the command line
	ActorServer ActorKind = "server" // a server asks
)

// An Actor is who asked for the effect; the dialog names it below the title.
type Actor struct {
	Kind ActorKind `json:"kind"`
	Name string    `json:"name,omitempty"` // the model's name
	Chat string    `json:"chat,omitempty"` // title of the conversation
}

// A Var is an environment variable or a header: a literal Value, or a Ref to where the value is kept.
// A referenced value is resolved at launch and never shown, stored or digested.
type Var struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
	Ref   string `json:"ref,omitempty"` // "keyring:<key>" or "env:<variable>"
}

// A Launch is everything that decides what is started or contacted, in the form in which it is shown.
type Launch struct {
	Transport string   `json:"transport"`         // "stdio" or "http"
	Command   string   `json:"command,omitempty"` // absolute path, resolved before asking
	Args      []string `json:"args,omitempty"`    // one element an argument; no shell
	Dir       string   `json:"dir,omitempty"`     // absolute working directory
	Env       []Var    `json:"env,omitempty"`     // configured variables, beside the base environment
	URL       string   `json:"url,omitempty"`
	Headers   []Var    `json:"headers,omitempty"`
}

// Digest binds a consent to this launch: every field, in order, byte for byte.
func (l Launch) Digest() Digest {
	h := newHasher("gatehouse.launch.v1")
	h.text(l.Transport, l.Command, l.Dir, l.URL)
	h.list(l.Args)
	h.vars(l.Env)
	h.vars(l.Headers)
	return h.sum()
}

// A ToolCall is one call of one tool, exactly as it would go out.
type ToolCall struct {
	Launch     Digest          `json:"launch"`             // the server definition
	Tool       string          `json:"tool"`               // the server's own name for it
	Definition json.RawMessage `json:"definition"`         // the tool's definition as received
	Arguments  json.RawMessage `json:"arguments"`          // one line, number text kept (see OneLine)
	Previous   json.RawMessage `json:"previous,omitempty"` // the definition trusted before, when it differs
}

// Digest binds a consent to server definition, tool definition and argument bytes.
func (c ToolCall) Digest() Digest {
	definition := DefinitionDigest(c.Definition)
	h := newHasher("gatehouse.toolCall.v1")
	h.text(string(c.Launch[:]), string(definition[:]), c.Tool, string(c.Arguments))
	return h.sum()
}

// A Problem is a fault of the arguments that forbids allowing the call.
type Problem struct {
	Pointer string `json:"pointer"` // RFC 6901 pointer into the arguments
	Message string `json:"message"`
}

// A Request is one question to the user. Exactly one of Launch, ToolCall and Question is set, by Kind.
type Request struct {
	ID       string
	Kind     Kind
	Server   Server
	Actor    Actor
	Profile  string // id of the profile in use, "" = none
	At       time.Time
	Launch   *Launch
	Before   *Launch // the launch approved last for this server, when it differs
	ToolCall *ToolCall
	Question *Question
	Call     string // the host's id of the call, for whoever shows it beside the request
	UseID    string // the model's tool-use id, or what Queue.Confirm returned for a composed call
	Turn     string // the chat turn this call belongs to, "" = none
	Risk     Risk   // set by the Broker

	RefusedBefore bool // set by the Broker: the user refused the same call in the same Turn

	Problems []Problem // non-empty: can be edited or denied, not allowed

	// Validate checks edited arguments against the tool's input schema, or a reply against what was asked; nil accepts all.
	Validate func(arguments json.RawMessage) []Problem
}

// content returns the bytes that the user may write: arguments or a reply.
func (r Request) content() json.RawMessage {
	switch {
	case r.ToolCall != nil:
		return r.ToolCall.Arguments
	case r.Question != nil:
		return r.Question.Reply
	}
	return nil
}

// Digest is the digest of exactly what this request shows.
func (r Request) Digest() Digest {
	switch {
	case r.Kind == KindLaunch && r.Launch != nil:
		return r.Launch.Digest()
	case r.Kind == KindToolCall && r.ToolCall != nil:
		return r.ToolCall.Digest()
	case r.Kind.asks() && r.Question != nil:
		return r.Question.digest(r.Kind)
	}
	return Digest{}
}

// An Answer is what an [Asker] brings back. The zero Answer refuses.
type Answer struct {
	Allow     bool
	Decline   bool            // of a question, with a refusal: the user said no, rather than not deciding
	Digest    Digest          // of exactly what was shown, after edits
	Arguments json.RawMessage // edited arguments or the reply, one line; nil = as asked
	Reason    string          // why not, in the user's words; at most 500 characters
	Stop      bool            // with a refusal: end the model's turn
	By        string          // who or what decided: one of the By… values, or a policy's name and digest
}

// Who decided. A policy file's decisions read "policy FILE, DIGEST". An [Asker] never answers for
// ByStanding or ByHost with Allow: the first is the Broker's alone, and the second only refuses.
const (
	ByUser     = "user"
	ByComposed = "composed by you"
	ByStanding = "standing launch consent"
	ByHost     = "gatehouse" // the safe answer when nobody answered
)

// Why Gatehouse itself refused: the Reason of a [Decision] whose By is [ByHost]. They are catalogue keys, not sentences.
const (
	ReasonWithdrawn = "withdrawn" // the caller went away
	ReasonExpired   = "expired"   // the caller's deadline passed
	ReasonNobody    = "nobody"    // no terminal, no window
	ReasonClosed    = "closed"    // the window was closed
	ReasonTooMany   = "too-many"  // the server already has too many requests waiting
	ReasonMismatch  = "mismatch"  // the answer was for other bytes
	ReasonInvalid   = "invalid"   // the arguments that were allowed are not valid
	ReasonUnsigned  = "unsigned"  // an allow that does not say who allowed
	ReasonFailed    = "failed"    // the asker failed
	ReasonSilent    = "silent"    // the zero Answer
)

// An Asker puts a request to whoever decides and waits. It is the whole UI port.
// An error, like the zero Answer, refuses. Ask must return when ctx ends.
type Asker interface {
	Ask(ctx context.Context, r Request) (Answer, error)
}

// A Decision is the durable record of one answer, written before any effect.
type Decision struct {
	ID       string          `json:"id"`
	Request  string          `json:"request"`
	Kind     Kind            `json:"kind"`
	Server   Server          `json:"server"`
	Actor    Actor           `json:"actor"`
	Profile  string          `json:"profile,omitempty"`
	At       time.Time       `json:"at"`
	Allowed  bool            `json:"allowed"`
	Declined bool            `json:"declined,omitempty"` // a question was refused, not left undecided
	By       string          `json:"by"`
	Reason   string          `json:"reason,omitempty"`
	Digest   Digest          `json:"digest"`
	Risk     Risk            `json:"risk"`
	Edited   bool            `json:"edited,omitempty"`   // the user changed the arguments
	Asked    json.RawMessage `json:"asked,omitempty"`    // the arguments before the edit
	Original string          `json:"original,omitempty"` // ByStanding: the decision this rests on
	Launch   *Launch         `json:"launch,omitempty"`
	ToolCall *ToolCall       `json:"toolCall,omitempty"`
	Use      *Use            `json:"use,omitempty"`
	Question *Question       `json:"question,omitempty"` // answers to fields that ask for secrets are masked in the journal
}

// A Journal keeps decisions. RecordDecision must be durable (survive SIGKILL of the app) when it returns nil.
type Journal interface {
	RecordDecision(ctx context.Context, d Decision) error
	// LastLaunch returns the newest allowed launch decision of a server that a person or a policy took
	// (never one with By == ByStanding); ok is false if there is none.
	LastLaunch(ctx context.Context, serverID string) (d Decision, ok bool, err error)
}

// A Refusal is the error of [Broker.Approve] when the answer was no.
type Refusal struct {
	Decision Decision
	Stop     bool  // end the model's turn
	Err      error // the cause when Gatehouse refused (ErrNobody, ErrInvalid …) or could not record (ErrUnrecorded), else nil
}

// Unwrap returns r.Err.
func (r *Refusal) Unwrap() error { return r.Err }

func (r *Refusal) Error() string {
	if r.Decision.Reason != "" {
		return fmt.Sprintf("refused by %s: %s", r.Decision.By, r.Decision.Reason)
	}
	return "refused by " + r.Decision.By
}

// Errors that callers branch on.
var (
	ErrNobody     = errors.New("nobody to ask")                         // no terminal, no window
	ErrUnrecorded = errors.New("the decision could not be recorded")    // so nothing may happen
	ErrMismatch   = errors.New("the consent is not for this")           // digest, reuse, zero Approval
	ErrWithdrawn  = errors.New("the request was withdrawn")             // answered, cancelled or unknown id
	ErrNotArmed   = errors.New("too soon: the dialog was not yet seen") // inside the arming delay
	ErrInvalid    = errors.New("the arguments are not valid")
)
