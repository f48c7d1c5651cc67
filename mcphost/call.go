package mcphost

// This file is one tool call from wish to history: validate → consent → history → wire → history.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
	"gatehouse/mcphost/transport"
)

// A CallRequest is what somebody wants called.
type CallRequest struct {
	ServerID  string
	Tool      string
	Arguments json.RawMessage // a JSON object; made one line before it is shown
	Actor     consent.Actor
	UseID     string          // the model's id, or a Run panel's confirmation (consent.Queue.Confirm)
	Turn      string          // groups the calls of a model's turn; "" for none
	Inactive  time.Duration   // 0 = the tool's or the server's
	Total     time.Duration   // 0 = the tool's or the server's
	AsTask    bool            // as a task if the tool lets us choose; one that must be, and one that is slow, is anyway
	Patient   bool            // a silent call is shown as overdue and goes on, instead of being ended (KeepWaiting, StopCall)
	Started   func(id string) // told the call's id before anyone is asked; may be nil
}

// ErrChanged is returned when a tool's definition kept changing while the user was asked.
var ErrChanged = errors.New("the tool's definition keeps changing")

// An ArgumentsError says that arguments are no JSON object or do not fit the tool; nobody was asked.
type ArgumentsError struct{ Err error }

func (e *ArgumentsError) Error() string { return "arguments: " + e.Err.Error() }
func (e *ArgumentsError) Unwrap() error { return e.Err }

const maxAsks = 3 // times a call is asked for again because its tool changed meanwhile

// Call makes one call: it asks for consent, records the decision, then calls. The returned CallView is
// complete; the error is nil if the tool answered, even with isError. Errors: ErrUnknownServer,
// ErrUnknownTool, ErrNotConnected, *ArgumentsError, *consent.Refusal, consent.ErrUnrecorded, *jsonrpc.Error,
// *jsonrpc.ClosedError, session.ErrInactive, session.ErrTotal, context errors.
func (h *Host) Call(ctx context.Context, r CallRequest) (CallView, error) {
	s, err := h.Server(r.ServerID)
	if err != nil {
		return CallView{}, err
	}
	arguments, err := consent.OneLine(r.Arguments)
	if err != nil {
		return CallView{}, &ArgumentsError{err}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c, err := h.calls.begin(CallView{
		ID: NewID(), ServerID: s.id, Server: s.Config().Name, Tool: r.Tool, Arguments: arguments, State: CallAsking, At: h.opts.Now(),
	}, cancel, func(id string) { h.bus.publish(CallChanged{id}) })
	if err != nil {
		return CallView{}, err
	}
	if r.Started != nil {
		r.Started(c.id)
	}
	err = h.call(ctx, s, c, r, arguments)
	h.bus.publish(DecisionsChanged{}) // with its outcome
	return c.end(ctx, err, h.opts.Now()), err
}

func (h *Host) call(ctx context.Context, s *Server, c *liveCall, r CallRequest, arguments json.RawMessage) error {
	for range maxAsks {
		tool, approval, err := h.askCall(ctx, s, c.id, r, arguments)
		h.bus.publish(DecisionsChanged{})
		if errors.Is(err, errGone) {
			continue
		}
		var refusal *consent.Refusal
		if errors.As(err, &refusal) {
			c.decided(refusal.Decision)
		}
		if err != nil {
			return err
		}
		c.decided(approval.Decision())
		c.queued()
		p, err := s.prepare(ctx, tool, approval)
		if errors.Is(err, consent.ErrMismatch) {
			continue // the definition changed between the click and now
		}
		if err != nil {
			return err
		}
		defer p.release()
		return h.make(ctx, s, c, r, tool, p)
	}
	return ErrChanged
}

// errGone: the definition that was asked about is no longer the listed one.
var errGone = errors.New("definition replaced")

func (h *Host) askCall(ctx context.Context, s *Server, call string, r CallRequest, arguments json.RawMessage) (Tool, consent.Approval, error) {
	request, tool, err := s.request(r.Tool, arguments)
	if err != nil {
		return Tool{}, consent.Approval{}, err
	}
	request.Actor, request.Profile, request.Call, request.UseID, request.Turn = r.Actor, h.Profile(), call, r.UseID, r.Turn

	asking, cancel := context.WithCancelCause(ctx)
	watching := make(chan struct{})
	go func() {
		defer close(watching)
		select {
		case <-tool.gone:
			cancel(errGone)
		case <-asking.Done():
		}
	}()
	approval, err := h.broker.Approve(asking, request)
	gone := context.Cause(asking) == errGone
	cancel(nil)
	<-watching
	if gone && withdrawn(err) {
		return tool, consent.Approval{}, errGone
	}
	if err == nil && tool.Previous != nil {
		err = s.trust(ctx, tool)
	}
	return tool, approval, err
}

// withdrawn reports whether nobody answered. Somebody's no stands, even if the question became void meanwhile.
func withdrawn(err error) bool {
	var refusal *consent.Refusal
	return errors.As(err, &refusal) && refusal.Decision.By == consent.ByHost
}

// Request returns what a call of a tool with these arguments (one line) would show, without asking anyone.
func (s *Server) Request(tool string, arguments json.RawMessage) (consent.Request, error) {
	r, t, err := s.request(tool, arguments)
	if err != nil {
		return r, err
	}
	r.Risk, r.Problems = consent.CallRisk(r.Server, t.Raw, arguments), t.Check(arguments)
	return r, nil
}

func (s *Server) request(name string, arguments json.RawMessage) (consent.Request, Tool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	listed, err := s.tool(name)
	if err != nil {
		return consent.Request{}, Tool{}, err
	}
	t := *listed
	return consent.Request{
		Kind: consent.KindToolCall, Server: identity(s.config, s.live.launch, s.live.session.Info().Server), Validate: t.Check,
		ToolCall: &consent.ToolCall{Launch: s.live.digest, Tool: t.Name, Definition: t.Raw, Arguments: arguments, Previous: t.Previous},
	}, t, nil
}

// A preparedCall has a slot and has spent its Approval on what was listed then. Its release must be called, once or more.
type preparedCall struct {
	conn      *live
	arguments json.RawMessage // as approved
	release   func()
}

// prepare waits for a free slot, then spends the approval on exactly what is listed now.
func (s *Server) prepare(ctx context.Context, asked Tool, a consent.Approval) (*preparedCall, error) {
	s.mu.Lock()
	slots := s.slots
	s.mu.Unlock()
	select {
	case slots <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	p := &preparedCall{arguments: a.Arguments(), release: sync.OnceFunc(func() { <-slots })}
	s.mu.Lock()
	listed, err := s.tool(asked.Name)
	p.conn = s.live
	s.mu.Unlock()
	if err == nil {
		now := consent.ToolCall{Launch: p.conn.digest, Tool: listed.Name, Definition: listed.Raw, Arguments: p.arguments}
		err = a.Use(now.Digest())
	}
	if err != nil {
		p.release()
		return nil, err
	}
	return p, nil
}

// make opens the history row, calls and closes the row.
func (h *Host) make(ctx context.Context, s *Server, c *liveCall, r CallRequest, tool Tool, p *preparedCall) error {
	revision := string(p.conn.session.Info().Revision)
	fields, err := tool.mirror.Fields(p.arguments)
	if err != nil {
		return &ArgumentsError{err}
	}
	err = h.ports.Calls.StartCall(ctx, CallStart{
		ID: c.id, Decision: c.decision.ID, ServerID: r.ServerID, Tool: tool.Name, Revision: revision, At: h.opts.Now(),
	})
	if err != nil {
		return fmt.Errorf("%w: %w", consent.ErrUnrecorded, err)
	}
	c.running(revision, h.opts.Now())
	o := h.callOptions(s, c, tool.Name, r)
	o.Task = h.wantTask(ctx, s, p.conn, tool, r)
	f := &taskCall{host: h, server: s, call: c, options: o, release: p.release}
	f.prepare(p.conn)
	ctx = forCall(ctx, c.id)
	result, err := p.conn.session.CallTool(transport.WithFields(ctx, fields), tool.Name, p.arguments, f.options)
	if f.start != nil {
		c.reachable(nil)
		if err != nil {
			result, err = f.goOn(ctx, p.conn, err)
		}
	}
	return h.ended(ctx, c, result, err, tool.checkOutput)
}

// callOptions are what every call is made with, and every task is followed with.
func (h *Host) callOptions(s *Server, c *liveCall, tool string, r CallRequest) session.CallOptions {
	times := s.times(tool, r)
	o := session.CallOptions{ID: c.id, Progress: c.progress, Inactive: times.Inactive, Total: times.Total, Again: true}
	if r.Patient {
		o.Overdue = c.overdue
	}
	return o
}

// ended closes the history row.
func (h *Host) ended(ctx context.Context, c *liveCall, result *protocol.CallToolResult, err error, check func(*protocol.CallToolResult) string) error {
	if errors.Is(err, errLeft) {
		return err
	}
	if err == nil {
		c.result(result, check(result))
	}
	end := CallEnd{ID: c.id, At: h.opts.Now(), Outcome: outcome(ctx, result, err)}
	if err != nil {
		end.Error = consent.Untrusted(err.Error()).Display()
	} else {
		end.Result = result.Raw
	}
	h.ports.Calls.EndCall(end, func(failed error) {
		h.opts.Logger.Error("history: the end of a call was not recorded", "call", c.id, "error", failed)
		c.unrecorded(failed)
	})
	return err
}

func outcome(ctx context.Context, r *protocol.CallToolResult, err error) CallOutcome {
	var answer *jsonrpc.Error
	switch {
	case err == nil && r.IsError:
		return CallToolError
	case err == nil:
		return CallSucceeded
	case errors.Is(err, session.ErrTaskLost):
		return CallLost
	case errors.Is(err, errStopped), taskCancelled(err):
		return CallStopped
	case errors.Is(err, session.ErrInactive), errors.Is(err, session.ErrTotal), errors.Is(err, context.DeadlineExceeded):
		return CallTimedOut
	case errors.As(err, &answer):
		return CallFailed
	case ctx.Err() != nil:
		return CallStopped
	}
	return CallFailed
}
