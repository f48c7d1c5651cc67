package session

// This file fetches lists, page by page, and keeps them until they are stale (P4, P5; SEC C1).

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

// A List is what a server lists. Warning is not empty when the list was cut short or lacks entries.
type List[T any] struct {
	Items   []T
	Warning string
	At      time.Time // fetched
	Expires time.Time // by the server's word; zero = it holds until it is said to have changed
}

// Lists names the methods of the lists that servers tell of when they change.
func Lists() []string {
	return []string{
		protocol.MethodToolsList, protocol.MethodResourcesList, protocol.MethodResourcesTemplatesList, protocol.MethodPromptsList,
	}
}

// lists are the lists kept, by method. The map does not change after init.
type lists map[string]*keptList

type keptList struct {
	fetching chan struct{} // holds a token while the list is fetched: one page in flight per list

	mu      sync.Mutex // guards what follows
	value   any        // a List, nil if stale
	expires time.Time
	changes int
}

func (l *lists) init() {
	*l = lists{}
	for _, method := range append(Lists(), protocol.MethodSkillsList) {
		(*l)[method] = &keptList{fetching: make(chan struct{}, 1)}
	}
}

// invalidate lets lists be fetched anew; none named = all.
func (l lists) invalidate(methods ...string) {
	if len(methods) == 0 {
		methods = slices.Collect(maps.Keys(l))
	}
	for _, method := range methods {
		if kept := l[method]; kept != nil {
			kept.mu.Lock()
			kept.value = nil
			kept.changes++
			kept.mu.Unlock()
		}
	}
}

// Invalidate lets lists, named by their methods, be fetched anew when they are next asked for; none named = all.
func (s *Session) Invalidate(methods ...string) { s.lists.invalidate(methods...) }

func (k *keptList) get() (value any, changes int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.value != nil && !k.expires.IsZero() && !time.Now().Before(k.expires) {
		k.value = nil
	}
	return k.value, k.changes
}

// put keeps a list, unless it changed while it was fetched.
func (k *keptList) put(value any, expires time.Time, changes int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.changes == changes {
		k.value, k.expires = value, expires
	}
}

// cached returns a kept list, or fetches and keeps it. A list that was cut short is not kept.
func cached[T any](ctx context.Context, s *Session, method string, fetch func(ctx context.Context) (List[T], error)) (List[T], error) {
	kept := s.lists[method]
	select {
	case kept.fetching <- struct{}{}:
		defer func() { <-kept.fetching }()
	case <-ctx.Done():
		return List[T]{}, ctx.Err()
	}
	value, changes := kept.get()
	if list, ok := value.(List[T]); ok {
		return list, nil
	}
	list, err := fetch(ctx)
	if err == nil && list.Warning == "" {
		kept.put(list, list.Expires, changes)
	}
	return list, err
}

const (
	unpaced = 20                    // pages that are fetched as fast as the server can
	pace    = 10 * time.Millisecond // between the others
)

// A lister fetches one list.
type lister[T any] struct {
	s       *Session
	method  string
	key     string // the member of a page that holds the items
	members []member
	decode  func(page json.RawMessage, key string) (protocol.Page, []T, error) // protocol.DecodePage[T]

	list    List[T]
	bytes   int
	leftOut leftOut
}

// fetch follows the list to its last page. Endless pages, a repeated cursor or a limit end it with a partial list and a
// warning; an error on the first page is returned. "" is a valid cursor. A cursor that the server no longer knows makes
// it begin once more. Entries beyond the limits of a message are left out.
func (l *lister[T]) fetch(ctx context.Context) (List[T], error) {
	limited, cancel := context.WithTimeout(ctx, l.s.opts.Limits.List)
	defer cancel()
	err := l.follow(limited)
	var answer *jsonrpc.Error
	if len(l.list.Items) > 0 && errors.As(err, &answer) && answer.Code == jsonrpc.CodeInvalidParams {
		l.list, l.bytes, l.leftOut = List[T]{}, 0, leftOut{}
		err = l.follow(limited)
	}
	var page *pageError
	if errors.As(err, &page) && page.number > 1 {
		l.list.Warning, err = err.Error(), nil
	}
	if err != nil {
		return List[T]{}, fmt.Errorf("%s: %w", l.method, late(ctx, l.s.opts.Limits.List, errors.Unwrap(err)))
	}
	if w := l.leftOut.warning(); w != "" {
		l.list.Warning = strings.TrimPrefix(l.list.Warning+"; "+w, "; ")
	}
	l.list.At = time.Now()
	return l.list, nil
}

// A pageError is a page that could not be fetched.
type pageError struct {
	number int
	err    error
}

func (e *pageError) Error() string { return fmt.Sprintf("page %d failed: %v", e.number, e.err) }
func (e *pageError) Unwrap() error { return e.err }

func (l *lister[T]) follow(ctx context.Context) error {
	seen := map[string]bool{}
	var cursor *string
	for number := 1; ; number++ {
		page, items, err := l.page(ctx, cursor)
		if err != nil {
			return &pageError{number, err}
		}
		l.list.Items = append(l.list.Items, items...)
		l.bytes += len(page.Raw)
		l.expire(page.Cache)
		if cursor = page.NextCursor; cursor == nil && len(l.list.Items) <= l.s.opts.Limits.Items {
			return nil
		}
		if l.list.Warning = l.excess(number, cursor, seen); l.list.Warning != "" {
			l.list.Items = l.list.Items[:min(len(l.list.Items), l.s.opts.Limits.Items)]
			return nil
		}
		seen[*cursor] = true
		if number > unpaced {
			select {
			case <-time.After(pace):
			case <-ctx.Done(): // the next page says so
			}
		}
	}
}

// excess says why the list ends here although it goes on, "" if it may go on.
func (l *lister[T]) excess(number int, cursor *string, seen map[string]bool) string {
	limits := l.s.opts.Limits
	switch {
	case len(l.list.Items) >= limits.Items:
		return fmt.Sprintf("the list has more than %d %s", limits.Items, l.key)
	case l.bytes >= limits.ListBytes:
		return fmt.Sprintf("the list has more than %d bytes", limits.ListBytes)
	case seen[*cursor]:
		return "the server repeats a page"
	case number >= limits.Pages:
		return fmt.Sprintf("the list has more than %d pages", limits.Pages)
	}
	return ""
}

func (l *lister[T]) page(ctx context.Context, cursor *string) (protocol.Page, []T, error) {
	whole := ctx
	ctx, cancel := context.WithTimeout(ctx, l.s.opts.Limits.Page)
	defer cancel()
	members := l.members
	if cursor != nil {
		members = append(members[:len(members):len(members)], text("cursor", *cursor))
	}
	m, err := l.s.request(ctx, l.method, l.s.params(0, members...), true)
	if err != nil {
		m, err = l.spare(err)
	}
	if err != nil {
		return protocol.Page{}, nil, late(whole, l.s.opts.Limits.Page, err)
	}
	page, items, err := l.decode(m.Result, l.key)
	if err != nil {
		return page, nil, &jsonrpc.InvalidResponseError{Reason: err.Error(), Raw: m.Raw}
	}
	if page.ResultType != "" && page.ResultType != protocol.ResultComplete && l.s.Info().Revision.Modern() {
		err = &jsonrpc.InvalidResponseError{Reason: fmt.Sprintf("unknown type of result %q", clip(page.ResultType)), Raw: m.Raw}
	}
	return page, items, err
}

// expire notes how long the list may be kept: as long as the page that may be kept the shortest.
func (l *lister[T]) expire(c protocol.Cache) {
	if !c.Stated || !l.s.Info().Revision.Modern() {
		return
	}
	if at := time.Now().Add(c.TTL); l.list.Expires.IsZero() || at.Before(l.list.Expires) {
		l.list.Expires = at
	}
}
