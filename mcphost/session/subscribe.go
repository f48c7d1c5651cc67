package session

// This file subscribes to changes: of single resources and, in the modern era, of the lists as well.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

// ErrSubscriptions is wrapped when there are Limits.Subscriptions already.
var ErrSubscriptions = errors.New("too many subscriptions")

// Subscribe asks to be told of changes of a resource, by Options.Updated. Subscriptions outlive the session on the
// server's side (P8).
func (s *Session) Subscribe(ctx context.Context, uri string) error {
	if c := s.Info().Capabilities.Resources; c == nil || !c.Subscribe {
		return fmt.Errorf("%s: %w", protocol.MethodResourcesSubscribe, ErrNotOffered)
	}
	added, err := s.subs.add(uri, s.opts.Limits.Subscriptions)
	if err != nil || !added {
		return err
	}
	if err := s.subscribe(ctx, uri); err != nil {
		s.subs.remove(uri)
		return err
	}
	return nil
}

func (s *Session) subscribe(ctx context.Context, uri string) error {
	if s.Info().Revision.Modern() {
		s.subs.renew()
		return nil
	}
	return s.ask(ctx, protocol.MethodResourcesSubscribe, nil, text("uri", uri))
}

// Unsubscribe ends a subscription.
func (s *Session) Unsubscribe(ctx context.Context, uri string) error {
	if !s.subs.remove(uri) {
		return nil
	}
	if s.Info().Revision.Modern() {
		s.subs.renew()
		return nil
	}
	return s.ask(ctx, protocol.MethodResourcesUnsubscribe, nil, text("uri", uri))
}

// Subscriptions returns the URIs subscribed to, sorted.
func (s *Session) Subscriptions() []string { return s.subs.uris() }

// updated reports a change to whoever is subscribed to the resource or to one above it (P7). Any other is ignored.
func (s *Session) updated(uri string) {
	for _, subscribed := range s.subs.uris() {
		if !below(uri, subscribed) {
			continue
		}
		s.reads.forget(func(kept string) bool { return kept == uri || kept == subscribed })
		if s.opts.Updated != nil {
			s.opts.Updated(subscribed)
		}
	}
}

// below reports whether uri is parent or stands below it.
func below(uri, parent string) bool {
	rest, ok := strings.CutPrefix(uri, parent)
	return ok && (rest == "" || strings.HasSuffix(parent, "/") || strings.ContainsRune("/?#", rune(rest[0])))
}

// subscriptions are the resources subscribed to, and the stream of the modern era that carries all changes. The zero
// value is ready.
type subscriptions struct {
	mu      sync.Mutex // guards what follows
	wanted  map[string]bool
	change  chan struct{}           // closed and replaced when wanted has changed; nil before run
	open    jsonrpc.ID              // the request whose stream is open
	end     context.CancelCauseFunc // of that request
	dropped bool                    // the last stream ended by itself
}

func (b *subscriptions) add(uri string, most int) (added bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.wanted[uri]:
		return false, nil
	case len(b.wanted) >= most:
		return false, fmt.Errorf("%w: %d", ErrSubscriptions, most)
	case b.wanted == nil:
		b.wanted = map[string]bool{}
	}
	b.wanted[uri] = true
	return true, nil
}

func (b *subscriptions) remove(uri string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	had := b.wanted[uri]
	delete(b.wanted, uri)
	return had
}

func (b *subscriptions) uris() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := make([]string, 0, len(b.wanted))
	for uri := range b.wanted {
		list = append(list, uri)
	}
	slices.Sort(list)
	return list
}

func (b *subscriptions) drop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.dropped = true
}

// changed returns what is closed at the next change.
func (b *subscriptions) changed() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.change == nil {
		b.change = make(chan struct{})
	}
	return b.change
}

// renew lets run open a stream for what is wanted now.
func (b *subscriptions) renew() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.change != nil {
		close(b.change)
		b.change = nil
	}
}

func (b *subscriptions) setOpen(id jsonrpc.ID, end context.CancelCauseFunc) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open, b.end = id, end
}

// foreign reports whether a notification belongs to a stream that is not ours. One that names none is tolerated: what
// it can do at worst is to make us fetch once more.
func (b *subscriptions) foreign(params json.RawMessage) bool {
	raw := protocol.MetaValue(params, protocol.MetaSubscription)
	if raw == nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return string(raw) != b.open.String()
}

// torn returns what ends the stream that the server has torn down, nil if it is not ours.
func (b *subscriptions) torn(id jsonrpc.ID) (end context.CancelCauseFunc) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open != id {
		return nil
	}
	return b.end
}

// acknowledged notes that the stream is open. Changes may have been missed if there was one before: whatever it brings
// counts as changed.
func (s *Session) acknowledged(f protocol.SubscriptionFilter) {
	s.subs.mu.Lock()
	missed := s.subs.dropped
	s.subs.dropped = false
	s.subs.mu.Unlock()
	if !missed {
		return
	}
	for method, on := range map[string]bool{
		protocol.MethodToolsList: f.ToolsListChanged, protocol.MethodPromptsList: f.PromptsListChanged,
		protocol.MethodResourcesList: f.ResourcesListChanged,
	} {
		if on {
			s.listChanged(method)
		}
	}
	for _, uri := range f.ResourceSubscriptions {
		s.updated(uri)
	}
}

// run keeps the stream open for what is wanted (2026-07-28, "Subscriptions"): again with what is wanted after a change,
// again with growing pauses when it drops.
func (b *subscriptions) run(ctx context.Context, s *Session) {
	for failures := 0; ctx.Err() == nil; {
		changed := b.changed()
		filter := s.filter()
		if filter.empty() {
			select {
			case <-changed:
				continue
			case <-ctx.Done():
				return
			}
		}
		began := time.Now()
		err := b.listen(ctx, s, filter, changed)
		var answer *jsonrpc.Error
		var closed *jsonrpc.ClosedError
		switch {
		case errors.Is(err, errChanged):
			failures = 0
			continue
		case errors.As(err, &closed):
			return
		case errors.As(err, &answer) && answer.Code == jsonrpc.CodeMethodNotFound:
			s.debug(ctx, "the server offers no subscriptions", err)
			return
		}
		s.debug(ctx, "a subscription ended", err)
		b.drop()
		if failures++; time.Since(began) > time.Minute {
			failures = 1
		}
		select {
		case <-time.After(retryDelay(failures)):
		case <-changed:
			failures = 0
		case <-ctx.Done():
		}
	}
}

// retryDelay is how long to wait before a stream is opened again that dropped so many times in a row.
func retryDelay(failures int) time.Duration {
	return min(time.Second<<min(failures-1, 6), time.Minute)
}

var (
	errChanged = errors.New("other notifications are wanted")
	errTorn    = errors.New("the server has ended the subscription")
)

// listen holds one stream open until it drops, or changed is closed.
func (b *subscriptions) listen(ctx context.Context, s *Session, f filter, changed <-chan struct{}) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watching := make(chan struct{})
	go func() {
		defer close(watching)
		select {
		case <-changed:
			cancel(errChanged)
		case <-ctx.Done():
		}
	}()
	defer func() { cancel(nil); <-watching }()
	params := s.params(0, member{"notifications", encode(f.SubscriptionFilter)})
	_, err := s.peer.Call(ctx, protocol.MethodSubscriptionsListen, params, func(id jsonrpc.ID) { b.setOpen(id, cancel) })
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// A filter is what a stream is to bring.
type filter struct{ protocol.SubscriptionFilter }

func (f filter) empty() bool {
	return !f.ToolsListChanged && !f.PromptsListChanged && !f.ResourcesListChanged && len(f.ResourceSubscriptions) == 0 && len(f.TaskIDs) == 0
}

// filter returns what is wanted of what the server offers.
func (s *Session) filter() filter {
	c := s.Info().Capabilities
	var tasks []string
	if c.Extension(protocol.ExtensionTasks) {
		s.mu.Lock()
		tasks = slices.Sorted(maps.Keys(s.tasks))
		s.mu.Unlock()
	}
	return filter{protocol.SubscriptionFilter{
		ToolsListChanged:      c.Tools != nil && c.Tools.ListChanged,
		PromptsListChanged:    c.Prompts != nil && c.Prompts.ListChanged,
		ResourcesListChanged:  c.Resources != nil && c.Resources.ListChanged,
		ResourceSubscriptions: s.subs.uris(), TaskIDs: tasks,
	}}
}
