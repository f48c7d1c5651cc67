package session

// This file is what comes after a sleep of this machine, or a change of its network (ACC A07).

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/transport"
)

// wakeWait is how long a server may take to answer after a sleep, before it counts as lost.
const wakeWait = 10 * time.Second

// A waker has connections that a sleep may have cut unnoticed (transport.HTTP.Wake).
type waker interface{ Wake() }

// Wake takes note of a sleep: the silence of the calls begins anew, for their servers have slept too or could not be
// heard, and what streams a remote server had are opened again.
func (s *Session) Wake() {
	s.mu.Lock()
	calls := slices.Collect(maps.Values(s.calls))
	s.mu.Unlock()
	for _, c := range calls {
		c.clock.alive()
	}
	if web, ok := s.stream.(waker); ok {
		web.Wake()
		s.subs.drop() // whatever it brings may have changed meanwhile
		s.subs.renew()
	}
}

// Answers asks a remote server once whether it is still there, by the era's smallest request. A session that it has
// forgotten is opened anew. An error means that it cannot be reached over this connection any more; a local server is
// never asked.
func (s *Session) Answers(ctx context.Context) error {
	if _, isRemote := s.stream.(waker); !isRemote {
		return nil
	}
	method := protocol.MethodPing
	if s.Info().Revision.Modern() {
		method = protocol.MethodDiscover
	}
	limited, cancel := context.WithTimeout(ctx, min(wakeWait, s.opts.Limits.Request))
	defer cancel()
	_, err := s.request(limited, method, s.params(0), false)
	var answer *jsonrpc.Error
	var status *transport.HTTPError
	if err == nil || ctx.Err() != nil || IsAnswer(err) || errors.As(err, &answer) || errors.As(err, &status) && !errors.Is(err, transport.ErrSessionGone) {
		return nil
	}
	return err
}
