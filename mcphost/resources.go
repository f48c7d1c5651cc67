package mcphost

// This file offers what resources a server has: lists, contents, search and live updates.

import (
	"context"
	"fmt"
	"slices"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

// Resources returns the server's resources. What was fetched is kept until it changes; Refresh fetches anew.
func (s *Server) Resources(ctx context.Context) (List[protocol.Resource], error) {
	conn, err := s.connection()
	if err != nil {
		return List[protocol.Resource]{}, err
	}
	return conn.others.resources.get(ctx, s.host.opts.Now, conn.session.ListResources)
}

// ResourceTemplates returns the server's resource templates.
func (s *Server) ResourceTemplates(ctx context.Context) (List[protocol.ResourceTemplate], error) {
	conn, err := s.connection()
	if err != nil {
		return List[protocol.ResourceTemplate]{}, err
	}
	return conn.others.templates.get(ctx, s.host.opts.Now, conn.session.ListResourceTemplates)
}

// SearchResources lets the server search. Each search has a row in the history; without it nothing is sent
// (consent.ErrUnrecorded). The error is session.ErrNotOffered if it cannot, which most cannot.
func (s *Server) SearchResources(ctx context.Context, query string) (session.List[protocol.Resource], error) {
	conn, err := s.connection()
	if err != nil {
		return session.List[protocol.Resource]{}, err
	}
	if !conn.session.CanSearch() {
		return session.List[protocol.Resource]{}, fmt.Errorf("search: %w", session.ErrNotOffered)
	}
	if err := s.note(ctx, conn, consent.KindSearch, consent.ByComposed, consent.Use{Target: query}); err != nil {
		return session.List[protocol.Resource]{}, err
	}
	return conn.session.SearchResources(ctx, query)
}

// CanSearch reports whether the server can search its resources itself.
func (s *Server) CanSearch() bool {
	conn, err := s.connection()
	return err == nil && conn.session.CanSearch()
}

// note records what the user does at this server by a press, before it happens (P29).
func (s *Server) note(ctx context.Context, conn *live, kind consent.Kind, by string, u consent.Use) error {
	server := identity(s.Config(), conn.launch, conn.session.Info().Server)
	err := s.host.broker.Note(ctx, kind, server, s.host.Profile(), by, u)
	s.host.bus.publish(DecisionsChanged{})
	return err
}

// ReadResource reads a resource at this server and nowhere else, whatever its URI looks like. Fresh asks the server even
// if what was read before still holds. Each read has a row in the history; without it nothing is read
// (consent.ErrUnrecorded).
func (s *Server) ReadResource(ctx context.Context, uri string, fresh bool) (*protocol.ReadResourceResult, error) {
	return s.read(ctx, uri, fresh, consent.ByComposed)
}

// FollowResource reads a resource that is subscribed to again, because it has changed. The error is
// session.ErrNotOffered if it is not subscribed to.
func (s *Server) FollowResource(ctx context.Context, uri string) (*protocol.ReadResourceResult, error) {
	if !slices.Contains(s.Subscriptions(), uri) {
		return nil, fmt.Errorf("follow: %w", session.ErrNotOffered)
	}
	return s.read(ctx, uri, true, consent.ByLive)
}

func (s *Server) read(ctx context.Context, uri string, fresh bool, by string) (*protocol.ReadResourceResult, error) {
	conn, err := s.connection()
	if err != nil {
		return nil, err
	}
	if err := s.note(ctx, conn, consent.KindRead, by, consent.Use{Target: uri}); err != nil {
		return nil, err
	}
	if fresh {
		conn.session.Forget(uri)
	}
	return conn.session.ReadResource(ctx, uri, session.CallOptions{ID: NewID()})
}

// Subscribe asks for events of changes of a resource (ResourceUpdated), until Unsubscribe or the end of the connection.
// The error is session.ErrNotOffered if the server tells of none, session.ErrSubscriptions if there are too many.
func (s *Server) Subscribe(ctx context.Context, uri string) error {
	conn, err := s.connection()
	if err != nil {
		return err
	}
	if slices.Contains(conn.session.Subscriptions(), uri) {
		return nil
	}
	if err := s.note(ctx, conn, consent.KindSubscribe, consent.ByComposed, consent.Use{Target: uri}); err != nil {
		return err
	}
	return conn.session.Subscribe(ctx, uri)
}

// Unsubscribe ends a subscription.
func (s *Server) Unsubscribe(ctx context.Context, uri string) error {
	conn, err := s.connection()
	if err != nil {
		return err
	}
	return conn.session.Unsubscribe(ctx, uri)
}

// Subscriptions returns the URIs subscribed to, sorted.
func (s *Server) Subscriptions() []string {
	conn, err := s.connection()
	if err != nil {
		return nil
	}
	return conn.session.Subscriptions()
}
