package mcphost

// This file asks a server for completions while an argument is typed. What is typed leaves the machine, so the server must
// have the user's leave (P28).

import (
	"context"
	"errors"
	"maps"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/protocol"
)

// A Leave is the user's word on whether a server sees what is typed, so that it can propose values.
type Leave string

// The leaves. The zero value is AskLeave.
const (
	AskLeave Leave = ""
	Granted  Leave = "on"
	Refused  Leave = "off"
)

// Errors of Complete before anything is sent.
var (
	ErrNoLeave = errors.New("the user has not allowed this server to see what is typed")
	ErrSecret  = errors.New("this looks like a secret")
)

// CanComplete reports whether the server proposes values.
func (s *Server) CanComplete() bool {
	conn, err := s.connection()
	return err == nil && conn.session.CanComplete()
}

// SetCompletion keeps whether this server may see what is typed. It is no part of what a launch is approved for.
func (s *Server) SetCompletion(ctx context.Context, leave Leave) error {
	c := s.Config().Conversation
	c.Completion = leave
	return s.host.Converse(ctx, s.id, c)
}

// Complete returns what the server proposes for an argument. While somebody types the server needs the user's leave
// (ErrNoLeave); asked is for those who ask for exactly this by a command of their own, which a refusal forbids all the same.
// What looks like a secret is sent to nobody: as the value it is ErrSecret, among the settled ones it is left out. The
// error is session.ErrNotOffered if the server proposes nothing.
func (s *Server) Complete(ctx context.Context, p protocol.CompleteParams, asked bool) (*protocol.CompleteResult, error) {
	if leave := s.Config().Conversation.Completion; leave == Refused || leave != Granted && !asked {
		return nil, ErrNoLeave
	}
	if consent.LooksSecret(p.Argument.Name, p.Argument.Value) {
		return nil, ErrSecret
	}
	if p.Context != nil {
		settled := maps.Clone(p.Context.Arguments)
		maps.DeleteFunc(settled, func(name, value string) bool {
			return name == p.Argument.Name || value == "" || consent.LooksSecret(name, value)
		})
		p.Context = &protocol.CompletionContext{Arguments: settled}
	}
	conn, err := s.connection()
	if err != nil {
		return nil, err
	}
	return conn.session.Complete(ctx, p)
}
