package session

// This file opens the conversation of the legacy era, and opens it again when the server has ended the session.

import (
	"context"
	"fmt"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

// initialize opens the conversation (2025-11-25, "Lifecycle").
func (s *Session) initialize(ctx context.Context) error {
	if err := s.offer(ctx); err != nil {
		return err
	}
	return s.ready(ctx)
}

// offer offers the newest legacy revision and accepts every older one as the answer.
func (s *Session) offer(ctx context.Context) error {
	s.meta.Store(nil)
	if r, ok := s.stream.(remote); ok {
		r.SetRevision("")
	}
	m, err := s.peer.Call(ctx, protocol.MethodInitialize, protocol.InitializeParams{
		ProtocolVersion: protocol.Latest, Capabilities: s.opts.Offer.legacy(), ClientInfo: s.opts.Client,
	}, s.unstop)
	if err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	var result protocol.InitializeResult
	if err := protocol.Decode(m.Result, &result); err != nil {
		return fmt.Errorf("initialize: the answer cannot be read: %w", err)
	}
	revision := result.ProtocolVersion
	if !revision.Legacy() {
		return fmt.Errorf("initialize: %w %q", ErrRevision, clip(string(revision)))
	}
	s.mu.Lock()
	s.info = Info{
		Revision: revision, Server: result.ServerInfo, Capabilities: result.Capabilities,
		Instructions: result.Instructions, Raw: m.Result,
	}
	s.mu.Unlock()
	return nil
}

// ready tells the server that the conversation is open.
func (s *Session) ready(ctx context.Context) error {
	r, isRemote := s.stream.(remote)
	if isRemote {
		r.SetRevision(string(s.Info().Revision))
	}
	if err := s.peer.Notify(ctx, protocol.NotificationInitialized, nil); err != nil {
		return fmt.Errorf("%s: %w", protocol.NotificationInitialized, err)
	}
	if isRemote {
		if err := r.OpenStream(context.WithoutCancel(ctx)); err != nil {
			return fmt.Errorf("listening: %w", err)
		}
	}
	return nil
}

// renew opens a new session in place of one that the server has ended (ACC A12), and restores what it held: the log
// level, the subscriptions (P8). All lists are stale.
func (s *Session) renew(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.opts.Limits.Open)
	defer cancel()
	if err := s.initialize(ctx); err != nil {
		return err
	}
	s.lists.invalidate()
	s.reads.clear()
	s.wg.Go(func() {
		s.restore(s.work)
		if s.opts.Renewed != nil {
			s.opts.Renewed()
		}
	})
	return nil
}

func (s *Session) restore(ctx context.Context) {
	s.mu.Lock()
	level := s.level
	s.mu.Unlock()
	if level != "" {
		s.debug(ctx, "log level not restored", s.SetLevel(ctx, level))
	}
	for _, uri := range s.subs.uris() {
		s.debug(ctx, "subscription not restored", s.subscribe(ctx, uri))
		if s.opts.Updated != nil {
			s.opts.Updated(uri)
		}
	}
}

// unstop notes a request that is never cancelled on the wire.
func (s *Session) unstop(id jsonrpc.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unstoppable[id] = struct{}{}
}
