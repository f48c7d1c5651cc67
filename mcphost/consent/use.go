package consent

// This file notes what the user does at a server without any dialog: what it lists is read, subscribed to or filled in
// by a press, and each press has its row in the history (protocol.md P29).

import (
	"context"
	"encoding/json"
	"fmt"
)

// The kinds of use. Nobody is asked: the press is the decision.
const (
	KindRead      Kind = "resourceRead"
	KindSubscribe Kind = "resourceSubscribe"
	KindSearch    Kind = "resourceSearch"
	KindPrompt    Kind = "promptGet"
	KindRootsTold Kind = "rootsTold" // a server was told roots that the user shows to it
	KindVisit     Kind = "urlAgain"  // an address that was opened is opened once more

	KindInstructions Kind = "instructions" // what a server wants models to know was reviewed, and may go to them
)

// A Use is one thing read, subscribed to or filled in at a server.
type Use struct {
	Target    string            `json:"target"`              // the resource's URI, what is searched for, the prompt's name, or the instructions
	Arguments map[string]string `json:"arguments,omitempty"` // of a prompt
}

// Digest identifies a use of a kind at a server; it is the digest of its decision.
func (u Use) Digest(kind Kind, serverID string) Digest {
	arguments, _ := json.Marshal(u.Arguments) // sorted by name; strings always have a form
	h := newHasher("gatehouse.use.v1")
	h.text(string(kind), serverID, u.Target, string(arguments))
	return h.sum()
}

// ByShared is who decides that a server is told the roots that the user shows to it.
const ByShared = "shown by you"

// ByLive is who decides that a resource is read again because the server says that it has changed.
const ByLive = "live subscription"

// Note records a use before it happens; the error matches [ErrUnrecorded]. by is [ByComposed], [ByLive] or [ByShared].
func (b *Broker) Note(ctx context.Context, kind Kind, s Server, profile, by string, u Use) error {
	if u.Target == "" || by == "" {
		return fmt.Errorf("%w: a use of nothing, or by nobody", ErrInvalid)
	}
	d := Decision{
		ID: b.newID(), Kind: kind, Server: s, Actor: Actor{Kind: ActorUser}, Profile: profile, At: b.now(), Allowed: true, By: by,
		Digest: u.Digest(kind, s.ID), Risk: Risk{Class: ClassRead, Classes: []Class{ClassRead}}, Use: &u,
	}
	d.Request = d.ID
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordWait)
	defer cancel()
	if err := b.journal.RecordDecision(ctx, d); err != nil {
		b.log.Error("consent: a use could not be recorded", "kind", kind)
		return fmt.Errorf("%w: %w", ErrUnrecorded, err)
	}
	return nil
}
