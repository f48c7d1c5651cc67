package session

// This file lists, searches and reads resources (Server Features / Resources).

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

// ListResources returns the server's resources, all pages. A server without the resources capability has none.
func (s *Session) ListResources(ctx context.Context) (List[protocol.Resource], error) {
	if s.Info().Capabilities.Resources == nil {
		return List[protocol.Resource]{}, nil
	}
	return cached(ctx, s, protocol.MethodResourcesList, s.resources(protocol.MethodResourcesList).fetch)
}

func (s *Session) resources(method string, members ...member) *lister[protocol.Resource] {
	return &lister[protocol.Resource]{
		s: s, method: method, key: "resources", members: members,
		decode: protocol.DecodePage[protocol.Resource],
	}
}

// ListResourceTemplates returns the server's resource templates, all pages. A server that knows no such method has none.
func (s *Session) ListResourceTemplates(ctx context.Context) (List[protocol.ResourceTemplate], error) {
	if s.Info().Capabilities.Resources == nil {
		return List[protocol.ResourceTemplate]{}, nil
	}
	const method = protocol.MethodResourcesTemplatesList
	list, err := cached(ctx, s, method, (&lister[protocol.ResourceTemplate]{
		s: s, method: method, key: "resourceTemplates",
		decode: protocol.DecodePage[protocol.ResourceTemplate],
	}).fetch)
	var answer *jsonrpc.Error
	if errors.As(err, &answer) && answer.Code == jsonrpc.CodeMethodNotFound {
		return List[protocol.ResourceTemplate]{At: time.Now()}, nil
	}
	return list, err
}

// SearchResources searches on the server, all pages. Only the text of 2024-11-05 knows it: see CanSearch.
func (s *Session) SearchResources(ctx context.Context, query string) (List[protocol.Resource], error) {
	if !s.CanSearch() {
		return List[protocol.Resource]{}, fmt.Errorf("%s: %w", protocol.MethodResourcesSearch, ErrNotOffered)
	}
	return s.resources(protocol.MethodResourcesSearch, text("query", query)).fetch(ctx)
}

// CanSearch reports whether the server can search its resources itself.
func (s *Session) CanSearch() bool {
	info := s.Info()
	c := info.Capabilities.Resources
	return c != nil && c.Search && !info.Revision.AtLeast(protocol.Revision20250326)
}

// ReadResource reads one resource. What was read is kept until the server says that it has changed or, in the modern
// era, for as long as it says; Forget lets it be read anew.
func (s *Session) ReadResource(ctx context.Context, uri string, o CallOptions) (*protocol.ReadResourceResult, error) {
	if s.Info().Capabilities.Resources == nil {
		return nil, fmt.Errorf("%s: %w", protocol.MethodResourcesRead, ErrNotOffered)
	}
	kept, changes := s.reads.get(uri)
	if kept != nil {
		return kept, nil
	}
	var result protocol.ReadResourceResult
	err := s.run(ctx, protocol.MethodResourcesRead, s.short(o), func(m *jsonrpc.Message) (string, error) {
		result = protocol.ReadResourceResult{}
		err := protocol.Decode(m.Result, &result)
		return result.ResultType, err
	}, text("uri", uri))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", protocol.MethodResourcesRead, err)
	}
	if c := result.Cache; !s.Info().Revision.Modern() {
		s.reads.put(uri, &result, time.Time{}, changes)
	} else if c.TTL > 0 {
		s.reads.put(uri, &result, time.Now().Add(c.TTL), changes)
	}
	return &result, nil
}

// Forget lets a resource be read anew.
func (s *Session) Forget(uri string) { s.reads.forget(func(kept string) bool { return kept == uri }) }

const (
	readsKept = 64      // results of resources/read
	readBytes = 8 << 20 // of them together
)

// reads are what was read of resources, the oldest first. The zero value is ready.
type reads struct {
	mu      sync.Mutex // guards what follows
	kept    []keptRead
	bytes   int
	changes int
}

type keptRead struct {
	uri     string
	result  *protocol.ReadResourceResult
	expires time.Time // zero = when it changes
}

func (r *reads) get(uri string) (*protocol.ReadResourceResult, int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, k := range r.kept {
		if k.uri == uri && (k.expires.IsZero() || time.Now().Before(k.expires)) {
			return k.result, r.changes
		}
	}
	return nil, r.changes
}

// put keeps a result, unless something changed while it was read.
func (r *reads) put(uri string, result *protocol.ReadResourceResult, expires time.Time, changes int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.changes != changes || len(result.Raw) > readBytes {
		return
	}
	r.drop(func(kept string) bool { return kept == uri })
	r.kept = append(r.kept, keptRead{uri, result, expires})
	r.bytes += len(result.Raw)
	for len(r.kept) > readsKept || r.bytes > readBytes {
		oldest := r.kept[0].uri
		r.drop(func(kept string) bool { return kept == oldest })
	}
}

func (r *reads) forget(which func(uri string) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes++
	r.drop(which)
}

func (r *reads) clear() { r.forget(func(string) bool { return true }) }

// drop needs mu.
func (r *reads) drop(which func(uri string) bool) {
	var left []keptRead
	for _, k := range r.kept {
		if which(k.uri) {
			r.bytes -= len(k.result.Raw)
		} else {
			left = append(left, k)
		}
	}
	r.kept = left
}
