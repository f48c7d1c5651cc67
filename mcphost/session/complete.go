package session

// This file asks for completions while an argument is typed (Server Utilities / Completion).

import (
	"context"
	"errors"
	"fmt"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

// CanComplete reports whether the server proposes values. A server of 2024-11-05 had no way to say so: it is tried once.
func (s *Session) CanComplete() bool {
	info := s.Info()
	s.mu.Lock()
	unknown := s.noComplete
	s.mu.Unlock()
	return info.Capabilities.Completions || !unknown && !info.Revision.AtLeast(protocol.Revision20250326)
}

// Complete returns what the server proposes for an argument. Only the argument named and the context given are sent.
func (s *Session) Complete(ctx context.Context, p protocol.CompleteParams) (*protocol.CompleteResult, error) {
	if !s.CanComplete() {
		return nil, fmt.Errorf("%s: %w", protocol.MethodComplete, ErrNotOffered)
	}
	members := []member{{"ref", encode(p.Ref)}, {"argument", encode(p.Argument)}}
	if p.Context != nil && len(p.Context.Arguments) > 0 && s.Info().Revision.AtLeast(protocol.Revision20250618) {
		members = append(members, member{"context", encode(p.Context)})
	}
	var result protocol.CompleteResult
	err := s.ask(ctx, protocol.MethodComplete, &result, members...)
	var answer *jsonrpc.Error
	if errors.As(err, &answer) && answer.Code == jsonrpc.CodeMethodNotFound {
		s.mu.Lock()
		s.noComplete = true
		s.mu.Unlock()
		err = fmt.Errorf("%w: %w", ErrNotOffered, err)
	}
	if err != nil {
		return nil, err
	}
	return &result, nil
}
