package mcphost

// This file keeps lists fresh: tools, and what else a server lists, which is fetched when somebody asks for it.

import (
	"context"
	"sync"
	"time"

	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

const (
	quiet   = 250 * time.Millisecond // without another notification before a refresh (ACC A20)
	between = time.Second            // refreshes of one list
)

// A List is what a server lists. When it could not be fetched again it is the old one.
type List[T any] struct {
	session.List[T]
	Stale time.Time // since when fetching fails; zero = fresh
}

// otherLists are those that are fetched on demand.
type otherLists struct {
	resources listKeeper[protocol.Resource]
	templates listKeeper[protocol.ResourceTemplate]
	prompts   listKeeper[protocol.Prompt]
}

// A listKeeper remembers the last list for when the next cannot be fetched. The zero value is ready.
type listKeeper[T any] struct {
	mu     sync.Mutex // guards what follows
	last   List[T]
	loaded bool
}

// get fetches the list. An error is returned only if there is no older list.
func (k *listKeeper[T]) get(ctx context.Context, now func() time.Time, fetch func(context.Context) (session.List[T], error)) (List[T], error) {
	list, err := fetch(ctx)
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case err == nil:
		k.last, k.loaded = List[T]{List: list}, true
	case !k.loaded:
		return List[T]{}, err
	case k.last.Stale.IsZero() && ctx.Err() == nil:
		k.last.Stale = now()
	}
	return k.last, nil
}

// again fetches a list that somebody has asked for before.
func (k *listKeeper[T]) again(ctx context.Context, now func() time.Time, fetch func(context.Context) (session.List[T], error)) error {
	k.mu.Lock()
	loaded := k.loaded
	k.mu.Unlock()
	if !loaded {
		return nil
	}
	var failed error
	_, err := k.get(ctx, now, func(ctx context.Context) (list session.List[T], err error) {
		list, failed = fetch(ctx)
		return list, failed
	})
	if err == nil {
		err = failed
	}
	return err
}

// poke lets lists be fetched again soon.
func (c *live) poke(lists ...string) {
	for _, list := range lists {
		select {
		case c.stale[list] <- struct{}{}:
		default: // it is due already
		}
	}
}

// relist fetches one list again.
func (s *Server) relist(ctx context.Context, conn *live, list string) error {
	now := s.host.opts.Now
	switch list {
	case protocol.MethodResourcesList:
		return conn.others.resources.again(ctx, now, conn.session.ListResources)
	case protocol.MethodResourcesTemplatesList:
		return conn.others.templates.again(ctx, now, conn.session.ListResourceTemplates)
	case protocol.MethodPromptsList:
		return conn.others.prompts.again(ctx, now, conn.session.ListPrompts)
	}
	return s.refresh(ctx, conn)
}

// keepFresh lists again after a change: once things are quiet, and at most once a second.
func (s *Server) keepFresh(ctx context.Context, conn *live, list string, stale <-chan struct{}) {
	wait := func(d time.Duration) bool {
		select {
		case <-time.After(d):
			return true
		case <-ctx.Done():
			return false
		}
	}
	for {
		select {
		case <-stale:
		case <-ctx.Done():
			return
		}
		if !wait(quiet) {
			return
		}
		select { // the burst is over; one refresh serves all of it
		case <-stale:
		default:
		}
		err := s.relist(ctx, conn, list)
		if err != nil && ctx.Err() == nil {
			if list == protocol.MethodToolsList {
				s.mu.Lock()
				s.tools.stale = s.host.opts.Now()
				s.mu.Unlock()
			}
			s.logf("gatehouse", conn.secrets.text(list+": "+err.Error()))
			s.host.bus.publish(ServerChanged{s.id})
		}
		if list != protocol.MethodToolsList {
			s.host.bus.publish(ListChanged{s.id, list})
		}
		if !wait(between - quiet) {
			return
		}
	}
}

// mirrors reports whether arguments travel in header fields, too: in the modern era over HTTP.
func (c *live) mirrors() bool {
	return c.launch.Transport == HTTP && c.session.Info().Revision.Modern()
}
