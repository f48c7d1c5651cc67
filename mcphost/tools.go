package mcphost

// This file keeps each server's tools: listed, refreshed, compared with the definitions the user trusts.

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/transport"
)

// A Tool is one listed tool with what the host knows of it.
type Tool struct {
	protocol.Tool
	Digest   consent.Digest
	Previous json.RawMessage // the trusted definition, when this one differs from it
	PinnedAt time.Time       // since when the trusted definition is trusted

	mirror        transport.Mirror // arguments that travel in header fields, too
	risk          func() consent.Risk
	input, output func() (*schema, error)
	gone          chan struct{} // closed when this definition is no longer the listed one
}

func newTool(t protocol.Tool, digest consent.Digest) *Tool {
	tool := &Tool{Tool: t, Digest: digest, gone: make(chan struct{})}
	tool.risk = sync.OnceValue(func() consent.Risk { return consent.ToolRisk(t.Raw) })
	tool.input = sync.OnceValues(func() (*schema, error) { return compileSchema(t.InputSchema) })
	tool.output = sync.OnceValues(func() (*schema, error) { return compileSchema(t.OutputSchema) })
	return tool
}

// Risk judges the definition alone. It is found out when first asked for: a list may have thousands of tools.
func (t *Tool) Risk() consent.Risk { return t.risk() }

// Check returns what forbids calling the tool with these arguments.
func (t *Tool) Check(arguments json.RawMessage) []consent.Problem {
	s, err := t.input()
	if err != nil {
		return []consent.Problem{{Message: fmt.Sprintf("the tool's input schema cannot be used: %v", err)}}
	}
	return s.check(arguments)
}

// checkOutput returns what is wrong with a structured result, "" if nothing.
func (t *Tool) checkOutput(r *protocol.CallToolResult) string {
	if len(t.OutputSchema) == 0 || r.IsError {
		return ""
	}
	if len(r.StructuredContent) == 0 {
		return "the tool has an output schema but sent no structured content"
	}
	s, err := t.output()
	if err != nil {
		return fmt.Sprintf("the tool's output schema cannot be used: %v", err)
	}
	if p := s.check(r.StructuredContent); p != nil {
		return p[0].Pointer + ": " + p[0].Message
	}
	return ""
}

// A toolSet is a server's tools in the server's order. Its fields are guarded by Server.mu.
type toolSet struct {
	byName  map[string]*Tool
	order   []*Tool
	warning string
	stale   time.Time
	expires time.Time // when it is to be fetched again by whoever needs it, zero = not by itself
}

func (ts *toolSet) changed() int {
	n := 0
	for _, t := range ts.order {
		if t.Previous != nil {
			n++
		}
	}
	return n
}

func (ts *toolSet) clear() {
	for _, t := range ts.order {
		close(t.gone)
	}
	*ts = toolSet{}
}

// replace takes over a new list. A tool whose definition is unchanged keeps its identity; requests that wait
// for a decision on another definition are withdrawn through gone. Changed is false if it is the same list.
func (ts *toolSet) replace(list toolList) (changed bool) {
	changed = len(list.tools) != len(ts.order) || list.warning != ts.warning || !ts.stale.IsZero()
	byName := make(map[string]*Tool, len(list.tools))
	for i, t := range list.tools {
		if old := ts.byName[t.Name]; old != nil && old.Digest == t.Digest {
			changed = changed || (old.Previous == nil) != (t.Previous == nil)
			old.Previous, old.PinnedAt = t.Previous, t.PinnedAt
			list.tools[i] = old
		}
		changed = changed || i >= len(ts.order) || ts.order[i] != list.tools[i]
		byName[t.Name] = list.tools[i]
	}
	for _, old := range ts.order {
		if byName[old.Name] != old {
			close(old.gone)
		}
	}
	ts.byName, ts.order, ts.warning, ts.stale, ts.expires = byName, list.tools, list.warning, time.Time{}, list.expires
	return changed
}

// Tools returns the listed tools in the server's order.
func (s *Server) Tools() []Tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expire()
	out := make([]Tool, len(s.tools.order))
	for i, t := range s.tools.order {
		out[i] = *t
	}
	return out
}

// expire lets the list be fetched again if the server said that it holds no longer. It needs s.mu.
func (s *Server) expire() {
	if at := s.tools.expires; s.live != nil && !at.IsZero() && !s.host.opts.Now().Before(at) {
		s.tools.expires = time.Time{} // once, until it has been fetched
		s.live.poke(protocol.MethodToolsList)
	}
}

// Tool returns one listed tool; the error is ErrUnknownTool or ErrNotConnected.
func (s *Server) Tool(name string) (Tool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, err := s.tool(name)
	if err != nil {
		return Tool{}, err
	}
	return *t, nil
}

func (s *Server) tool(name string) (*Tool, error) {
	if s.live == nil {
		return nil, fmt.Errorf("%s: %w", s.config.Name, ErrNotConnected)
	}
	t := s.tools.byName[name]
	if t == nil {
		return nil, fmt.Errorf("%w: %q", ErrUnknownTool, name)
	}
	return t, nil
}

// Refresh lists the tools again at once. The other lists are fetched again when they are next asked for.
func (s *Server) Refresh(ctx context.Context) error {
	conn, err := s.connection()
	if err != nil {
		return err
	}
	conn.session.Invalidate()
	return s.refresh(ctx, conn)
}

// refresh replaces the tools of conn, one refresh at a time: the newest list wins. A list that comes after the
// connection has ended is dropped.
func (s *Server) refresh(ctx context.Context, conn *live) error {
	select {
	case conn.listing <- struct{}{}:
		defer func() { <-conn.listing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	list, err := s.list(ctx, conn)
	if err != nil {
		return err
	}
	s.mu.Lock()
	open, changed := s.live == conn, false
	if open {
		changed = s.tools.replace(list)
	}
	s.mu.Unlock()
	if !open {
		return ErrNotConnected
	}
	s.listed(list, conn.secrets, changed)
	return nil
}

// listed tells that a list was taken over, and what was wrong with it. One that is the same as before is no news.
func (s *Server) listed(list toolList, secrets *masker, changed bool) {
	if !changed {
		return
	}
	if list.warning != "" {
		s.logf("gatehouse", secrets.text("tools/list: "+list.warning))
	}
	s.host.bus.publish(ToolsChanged{s.id})
}

// A toolList is a list as fetched and compared; warning says what was wrong with it, "" if nothing.
type toolList struct {
	tools   []*Tool
	warning string
	expires time.Time // by the server's word, zero = it holds until it changes
}

// list fetches the tools and compares them with the pins. Definitions seen for the first time are pinned.
func (s *Server) list(ctx context.Context, conn *live) (toolList, error) {
	list, err := conn.session.ListTools(ctx)
	if err != nil {
		return toolList{}, err
	}
	pins, err := s.host.ports.Pins.Pins(ctx, s.id)
	if err != nil {
		return toolList{}, fmt.Errorf("reading trusted definitions: %w", err)
	}
	out := toolList{expires: list.Expires}
	var fresh []Pin
	seen := map[string]bool{}
	for _, def := range list.Items {
		if def.Err != "" {
			out.warning = fmt.Sprintf("the tool %q was left out: %s", def.Name, def.Err)
			continue
		}
		if seen[def.Name] {
			out.warning = fmt.Sprintf("the list names %q twice; the first one counts", def.Name)
			continue
		}
		seen[def.Name] = true
		t := newTool(def, consent.DefinitionDigest(def.Raw))
		if conn.mirrors() {
			var err error
			if t.mirror, err = transport.MirrorOf(def.InputSchema); err != nil {
				out.warning = fmt.Sprintf("the tool %q was left out: %v", def.Name, err)
				continue
			}
		}
		pin, known := pins[def.Name]
		switch {
		case !known:
			t.PinnedAt = s.host.opts.Now()
			fresh = append(fresh, Pin{Tool: def.Name, Digest: t.Digest, Definition: def.Raw, At: t.PinnedAt})
		case pin.Digest != t.Digest:
			t.Previous, t.PinnedAt = pin.Definition, pin.At
		default:
			t.PinnedAt = pin.At
		}
		out.tools = append(out.tools, t)
	}
	out.warning = strings.Trim(list.Warning+"; "+out.warning, "; ")
	if len(fresh) > 0 {
		if err := s.host.ports.Pins.PutPins(ctx, s.id, fresh); err != nil {
			return toolList{}, fmt.Errorf("keeping trusted definitions: %w", err)
		}
	}
	return out, nil
}

// trust pins a changed definition after the user allowed a call that showed the change.
func (s *Server) trust(ctx context.Context, t Tool) error {
	now := s.host.opts.Now()
	pin := Pin{Tool: t.Name, Digest: t.Digest, Definition: t.Raw, At: now}
	if err := s.host.ports.Pins.PutPins(ctx, s.id, []Pin{pin}); err != nil {
		return fmt.Errorf("keeping the trusted definition: %w", err)
	}
	s.mu.Lock()
	if cur := s.tools.byName[t.Name]; cur != nil && cur.Digest == t.Digest {
		cur.Previous, cur.PinnedAt = nil, now
	}
	s.mu.Unlock()
	s.host.bus.publish(ToolsChanged{s.id})
	return nil
}

// offered returns what a model may ask for: tools whose definition is the trusted one.
func (s *Server) offered() []Tool {
	return slices.DeleteFunc(s.Tools(), func(t Tool) bool { return t.Previous != nil })
}
