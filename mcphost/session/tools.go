package session

// This file lists and calls tools (Server Features / Tools).

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

// A ToolList is what the server offers. Warning is not empty when the list was cut short.
type ToolList struct {
	Tools   []protocol.Tool
	Warning string
}

// ListTools follows the list to its last page. A server without the tools capability has none. Endless pages,
// a repeated cursor or the time limit end it with a partial list and a warning (SEC C1); an error on the
// first page is returned. "" is a valid cursor.
func (s *Session) ListTools(ctx context.Context) (ToolList, error) {
	var list ToolList
	if s.info.Capabilities.Tools == nil {
		return list, nil
	}
	ctx, cancel := context.WithTimeout(ctx, s.opts.Limits.List)
	defer cancel()
	seen := map[string]bool{}
	var cursor *string
	for page := 0; ; page++ {
		result, err := s.toolPage(ctx, cursor)
		switch {
		case err != nil && page == 0:
			return list, fmt.Errorf("%s: %w", protocol.MethodToolsList, err)
		case err != nil:
			list.Warning = fmt.Sprintf("page %d failed: %v", page+1, err)
			return list, nil
		}
		list.Tools = append(list.Tools, result.Tools...)
		cursor = result.NextCursor
		most := s.opts.Limits.Items
		switch {
		case len(list.Tools) > most || len(list.Tools) == most && cursor != nil:
			list.Warning = fmt.Sprintf("the list has more than %d tools", most)
		case cursor == nil:
			return list, nil
		case seen[*cursor]:
			list.Warning = "the server repeats a page"
		case page+1 >= s.opts.Limits.Pages:
			list.Warning = fmt.Sprintf("the list has more than %d pages", s.opts.Limits.Pages)
		}
		if list.Warning != "" {
			list.Tools = list.Tools[:min(len(list.Tools), most)]
			return list, nil
		}
		seen[*cursor] = true
	}
}

func (s *Session) toolPage(ctx context.Context, cursor *string) (*protocol.ListToolsResult, error) {
	m, err := s.peer.Call(ctx, protocol.MethodToolsList, protocol.ListParams{Cursor: cursor}, nil)
	if err != nil {
		return nil, err
	}
	var result protocol.ListToolsResult
	if err := protocol.Decode(m.Result, &result); err != nil {
		return nil, fmt.Errorf("the answer cannot be read: %w", err)
	}
	return &result, nil
}

// CallOptions of CallTool. Zero durations take the session's limits.
type CallOptions struct {
	Progress func(protocol.ProgressParams) // growing progress only; called in order, from the session's goroutine
	Inactive time.Duration
	Total    time.Duration
}

// Errors of CallTool.
var (
	ErrInactive = errors.New("the server gave no sign of life")
	ErrTotal    = errors.New("the call took too long")
)

type call struct {
	progress func(protocol.ProgressParams)
	alive    func()

	mu   sync.Mutex
	last float64
	any  bool
}

// CallTool calls a tool with exactly these argument bytes and a progress token. When ctx ends or a limit is
// reached the server is told (notifications/cancelled) and a later answer is dropped. A JSON-RPC error comes
// back as *jsonrpc.Error, a limit as ErrInactive or ErrTotal, a lost connection as *jsonrpc.ClosedError.
func (s *Session) CallTool(ctx context.Context, name string, arguments json.RawMessage, o CallOptions) (*protocol.CallToolResult, error) {
	if o.Inactive == 0 {
		o.Inactive = s.opts.Limits.Inactive
	}
	if o.Total == 0 {
		o.Total = s.opts.Limits.Total
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	total := time.AfterFunc(o.Total, func() { cancel(ErrTotal) })
	defer total.Stop()
	inactive := time.AfterFunc(o.Inactive, func() { cancel(ErrInactive) })
	defer inactive.Stop()

	c := &call{progress: o.Progress, alive: func() { inactive.Reset(o.Inactive) }}
	token := s.track(c)
	defer s.untrack(token)
	defer s.peer.Settle(ctx) // progress that came before the answer is delivered before CallTool returns
	m, err := s.peer.Call(ctx, protocol.MethodToolsCall, callParams(name, arguments, token), nil)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil && ctx.Err() != nil {
			err = cause
		}
		return nil, err
	}
	var result protocol.CallToolResult
	if err := protocol.Decode(m.Result, &result); err != nil {
		return nil, &jsonrpc.InvalidResponseError{Reason: err.Error(), Raw: m.Raw}
	}
	return &result, nil
}

// callParams is built by hand so that the arguments go out byte for byte as they were approved.
func callParams(name string, arguments json.RawMessage, token int64) json.RawMessage {
	quoted, _ := json.Marshal(name) // a string always encodes
	b := make([]byte, 0, len(quoted)+len(arguments)+64)
	b = append(b, `{"name":`...)
	b = append(b, quoted...)
	b = append(b, `,"arguments":`...)
	b = append(b, arguments...)
	b = append(b, `,"_meta":{"progressToken":`...)
	b = strconv.AppendInt(b, token, 10)
	return append(b, "}}"...)
}

func (s *Session) track(c *call) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.token++
	s.progress[s.token] = c
	return s.token
}

func (s *Session) untrack(token int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.progress, token)
}

// progressed delivers progress to its call. A foreign token and progress that does not grow are ignored.
func (s *Session) progressed(p protocol.ProgressParams) {
	token, err := strconv.ParseInt(string(p.ProgressToken), 10, 64)
	if err != nil {
		return
	}
	s.mu.Lock()
	c := s.progress[token]
	s.mu.Unlock()
	if c == nil {
		return
	}
	c.mu.Lock()
	grew := !c.any || p.Progress > c.last
	if grew {
		c.any, c.last = true, p.Progress
	}
	c.mu.Unlock()
	if !grew {
		return
	}
	c.alive()
	if c.progress != nil {
		c.progress(p)
	}
}
