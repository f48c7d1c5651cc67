package mcphost

// This file asks a server for completions while an argument is typed.

import (
	"context"

	"gatehouse/mcphost/protocol"
)

// CanComplete reports whether the server proposes values.
func (s *Server) CanComplete() bool {
	conn, err := s.connection()
	return err == nil && conn.session.CanComplete()
}

// Complete returns what the server proposes. The caller has the user's leave: what is typed leaves the machine (P28). The
// error is session.ErrNotOffered if the server proposes nothing.
func (s *Server) Complete(ctx context.Context, p protocol.CompleteParams) (*protocol.CompleteResult, error) {
	conn, err := s.connection()
	if err != nil {
		return nil, err
	}
	return conn.session.Complete(ctx, p)
}
