package session

// This file keeps a legacy connection under observation (Base Protocol / Ping). The modern era has no ping.

import (
	"context"
	"time"

	"gatehouse/mcphost/protocol"
)

// keepAlive pings the server now and then. Some in a row without an answer mean that it is not well; any answer, an
// error too, that it is.
func (s *Session) keepAlive(ctx context.Context) {
	every := s.opts.Limits.Ping
	if every < 0 || s.opts.Alive == nil {
		return
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	misses, dead := 0, false
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		case <-s.peer.Done():
			return
		}
		if s.ping(ctx, every/2) {
			misses = 0
		} else {
			misses++
		}
		if now := misses >= s.opts.Limits.PingMisses; now != dead && ctx.Err() == nil {
			dead = now
			s.opts.Alive(!dead)
		}
	}
}

// ping reports whether the server answers in time.
func (s *Session) ping(ctx context.Context, within time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	m, err := s.request(ctx, protocol.MethodPing, nil, false)
	return err == nil || m != nil
}
