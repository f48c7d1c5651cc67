package app

// This file is the Tools page: the paged list, the Run panel and the calls made from it.

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

// Tools is bound to the page.
type Tools struct{ *desk }

// ListTools returns one page of the tools of all connected servers.
func (v *Tools) ListTools(q ToolQuery) (page ToolPage, err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return ToolPage{}, err
	}
	return toolPage(ctx, e, q)
}

// Tool returns everything about one tool.
func (v *Tools) Tool(serverID, name string) (d ToolDetail, err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return ToolDetail{}, err
	}
	s, err := e.Host.Server(serverID)
	if err != nil {
		return ToolDetail{}, err
	}
	t, err := s.Tool(name)
	if err != nil {
		return ToolDetail{}, err
	}
	return toolDetail(ctx, e, s, t)
}

// RefreshTools lists one server's tools again, or all servers' if serverID is "".
func (v *Tools) RefreshTools(serverID string) (err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return err
	}
	if serverID != "" {
		s, err := e.Host.Server(serverID)
		if err != nil {
			return err
		}
		return s.Refresh(ctx)
	}
	var errs []error
	for _, s := range e.Host.Servers() {
		if err := s.Refresh(ctx); !errors.Is(err, mcphost.ErrNotConnected) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// drafts are the calls composed in Run panels, by panel.
type drafts struct {
	mu   sync.Mutex
	open map[string]composed
}

// A composed call is what a Run panel shows; Go keeps the bytes, the page only names their digest.
type composed struct {
	serverID, tool string
	arguments      json.RawMessage
	digest         consent.Digest
}

const maxDrafts = 64 // panels; the page has one for each conversation and one on Tools

func (d *drafts) put(panel string, c composed) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, known := d.open[panel]; d.open == nil || !known && len(d.open) >= maxDrafts {
		d.open = map[string]composed{}
	}
	d.open[panel] = c
}

// take returns what panel shows if it has this digest.
func (d *drafts) take(panel, digest string) (composed, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	c, ok := d.open[panel]
	if !ok || c.digest.String() != digest {
		return composed{}, consent.ErrMismatch
	}
	return c, nil
}

// DraftCall says what a composed call would send, byte for byte, what is wrong with it and how risky it is.
func (v *Tools) DraftCall(panel, serverID, tool, args string) (d Draft, err error) {
	defer catch(&err)
	e, _, err := v.engine()
	if err != nil {
		return Draft{}, err
	}
	s, err := e.Host.Server(serverID)
	if err != nil {
		return Draft{}, err
	}
	line, err := consent.OneLine([]byte(args))
	if err != nil {
		return Draft{}, &mcphost.ArgumentsError{Err: err}
	}
	r, err := s.Request(tool, line)
	if err != nil {
		return Draft{}, err
	}
	v.draft.put(panel, composed{serverID, tool, line, r.Digest()})
	return Draft{
		Line: string(line), Bytes: len(line), Digest: r.Digest().String(), Problems: list(r.Problems), Risk: r.Risk,
		Gate: consent.ComposedGate(r),
	}, nil
}

// RunCall makes the call that panel shows, if digest names it. Pressing Run is the decision, unless the call
// needs the full gate. With asTask it becomes a task if the tool lets the caller choose. It returns the call's id at once.
func (v *Tools) RunCall(panel, digest string, asTask bool) (id string, err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return "", err
	}
	c, err := v.draft.take(panel, digest)
	if err != nil {
		return "", err
	}
	use, err := e.Queue.Confirm(panel, c.digest)
	if err != nil {
		return "", err
	}
	return v.call(ctx, e, mcphost.CallRequest{
		ServerID: c.serverID, Tool: c.tool, Arguments: c.arguments, UseID: use, AsTask: asTask,
		Actor: consent.Actor{Kind: consent.ActorUser},
	})
}

// call begins a call and returns its id while it goes on. The error says why it did not begin.
func (v *Tools) call(ctx context.Context, e *Engine, r mcphost.CallRequest) (id string, err error) {
	begun := make(chan string, 1)
	r.Started = func(id string) { begun <- id }
	var failed error
	if !v.running.start(func() {
		defer close(begun)
		_, failed = e.Host.Call(ctx, r)
	}) {
		return "", mcphost.ErrClosed
	}
	if id, ok := <-begun; ok {
		return id, nil
	}
	return "", failed
}

// Call returns the state of a call.
func (v *Tools) Call(id string) (c CallView, err error) {
	defer catch(&err)
	e, _, err := v.engine()
	if err != nil {
		return CallView{}, err
	}
	return callView(e, id)
}

// StopCall withdraws the question or cancels the running call.
func (v *Tools) StopCall(id string) (err error) {
	defer catch(&err)
	e, _, err := v.engine()
	if err != nil {
		return err
	}
	e.Host.StopCall(id)
	return nil
}
