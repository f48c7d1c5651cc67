package session

// This file sets which log messages the server sends (Server Utilities / Logging).

import (
	"context"
	"fmt"

	"gatehouse/mcphost/protocol"
)

// SetLevel sets the least severe level that the server sends: for the session or, in the modern era, with every later
// request. There, and only there, "" means none. The level outlives the session on the server's side (P8).
func (s *Session) SetLevel(ctx context.Context, level string) error {
	info := s.Info()
	if !info.Capabilities.Logging {
		return fmt.Errorf("%s: %w", protocol.MethodSetLevel, ErrNotOffered)
	}
	s.mu.Lock()
	s.level = level
	s.mu.Unlock()
	if info.Revision.Modern() {
		s.setMeta(info.Revision)
		return nil
	}
	return s.ask(ctx, protocol.MethodSetLevel, nil, text("level", level))
}
