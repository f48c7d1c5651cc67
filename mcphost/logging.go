package mcphost

// This file chooses which log messages a server sends.

import (
	"cmp"
	"context"
	"errors"

	"gatehouse/mcphost/session"
)

// applyLogLevel tells a connected server the level that the user wants. A server that cannot be told logs as it likes.
func (s *Server) applyLogLevel(ctx context.Context) error {
	level := cmp.Or(s.host.opts.LogLevel, s.Config().Conversation.LogLevel)
	conn, err := s.connection()
	if err != nil || level == "" && !conn.session.Info().Revision.Modern() {
		return nil
	}
	if err := conn.session.SetLevel(ctx, level); !errors.Is(err, session.ErrNotOffered) {
		return err
	}
	return nil
}
