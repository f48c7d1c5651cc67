package mcphost

// This file keeps the calls of this run in memory: their state, progress and result, for whoever shows them.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/protocol"
)

// A CallState is where a call stands: the states below while it lives, then a CallOutcome or CallDenied.
type CallState string

// The states of a call that has not ended, and the one that no call reaches which was made.
const (
	CallAsking  CallState = "asking"
	CallQueued  CallState = "queued" // allowed, waiting for the server's other calls
	CallRunning CallState = "running"
	CallTask    CallState = "task"   // running as a task of the server: it outlives connection and program
	CallDenied  CallState = "denied" // refused, or not obtainable
)

// A CallView is a copy of a call's state.
type CallView struct {
	ID         string
	ServerID   string
	Server     string
	Tool       string
	Arguments  json.RawMessage // one line, as asked; as decided once it is
	State      CallState
	At         time.Time // asked for
	StartedAt  time.Time // went out; zero before
	EndedAt    time.Time
	Revision   string
	Progress   *protocol.ProgressParams
	Task       *TaskView // that the call has become, nil if none
	Overdue    bool      // the server gives no sign of life; see Host.KeepWaiting
	Decision   *consent.Decision
	Result     *protocol.CallToolResult
	Structured string // what is wrong with the structured content, "" if nothing
	Err        error
	Unrecorded error // the call was made but its end is not in the history
}

// Duration is how long the call ran, the user's time not counted.
func (v CallView) Duration() time.Duration {
	if v.StartedAt.IsZero() || v.EndedAt.IsZero() {
		return 0
	}
	return v.EndedAt.Sub(v.StartedAt)
}

// Of ended calls these many views are kept in memory, but no more than these many bytes of results beside the last one;
// older ones are in the history.
const (
	endedKept  = 200
	endedBytes = 64 << 20
)

// calls are the live calls and the last ended ones.
type calls struct {
	wg sync.WaitGroup

	mu     sync.Mutex
	byID   map[string]*liveCall
	ended  []endedCall // oldest first
	bytes  int         // of results in ended
	closed bool
}

type endedCall struct {
	id    string
	bytes int // of its result
}

func newCalls() *calls { return &calls{byID: map[string]*liveCall{}} }

type liveCall struct {
	id       string
	set      *calls
	cancel   context.CancelCauseFunc
	changed  func(id string)
	patience chan struct{}                   // the user would rather wait
	done     chan struct{}                   // closed at its end
	task     func(ctx context.Context) error // asks the server to cancel the task; guarded by mu, nil without a connection
	decision consent.Decision                // the last one; only the call's own goroutine uses it

	mu   sync.Mutex // guards what follows
	view CallView
	told time.Time   // of progress
	late *time.Timer // tells of the newest progress; nil = all is told
}

func (cs *calls) begin(v CallView, cancel context.CancelCauseFunc, changed func(string)) (*liveCall, error) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if cs.closed {
		return nil, ErrClosed
	}
	c := &liveCall{id: v.ID, set: cs, view: v, cancel: cancel, changed: changed, patience: make(chan struct{}, 1), done: make(chan struct{})}
	cs.byID[v.ID] = c
	cs.wg.Add(1)
	return c, nil
}

func (cs *calls) get(id string) (*liveCall, bool) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	c, ok := cs.byID[id]
	return c, ok
}

// on returns the calls that live on servers.
func (cs *calls) on(servers []*Server) []*liveCall {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	var out []*liveCall
	for _, c := range cs.byID {
		v := c.snapshot()
		if v.EndedAt.IsZero() && slices.ContainsFunc(servers, func(s *Server) bool { return s.id == v.ServerID }) {
			out = append(out, c)
		}
	}
	return out
}

func (cs *calls) stopAll() {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.closed = true
	for _, c := range cs.byID {
		c.cancel(ErrClosed)
	}
}

func (cs *calls) wait(ctx context.Context) error {
	done := make(chan struct{})
	go func() { cs.wg.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// CallView returns the state of a call of this run; ok is false if it is older or unknown.
func (h *Host) CallView(id string) (v CallView, ok bool) {
	c, ok := h.calls.get(id)
	if !ok {
		return CallView{}, false
	}
	return c.snapshot(), true
}

// LiveCalls returns the calls that have not ended, oldest first.
func (h *Host) LiveCalls() []CallView {
	h.calls.mu.Lock()
	all := slices.Collect(maps.Values(h.calls.byID))
	h.calls.mu.Unlock()
	var live []CallView
	for _, c := range all {
		switch v := c.snapshot(); v.State {
		case CallAsking, CallQueued, CallRunning:
			live = append(live, v)
		}
	}
	slices.SortFunc(live, func(a, b CallView) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	return live
}

// errStopped is the cause of a call that the user stopped.
var errStopped = errors.New("stopped by you")

// StopCall withdraws the question or cancels the running call. A task is asked to be cancelled; it may finish all the same.
// The second time, or if the server cannot be asked, the call ends here. An ended or unknown call is left alone.
func (h *Host) StopCall(id string) {
	if c, ok := h.calls.get(id); ok && !h.askToCancel(c) {
		c.cancel(errStopped)
	}
}

func (c *liveCall) snapshot() CallView {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.view
}

func (c *liveCall) change(f func(*CallView)) {
	c.mu.Lock()
	f(&c.view)
	c.mu.Unlock()
	c.changed(c.id)
}

func (c *liveCall) decided(d consent.Decision) {
	c.decision = d
	c.change(func(v *CallView) {
		v.Decision = &d
		if d.ToolCall != nil {
			v.Arguments = d.ToolCall.Arguments
		}
	})
}

func (c *liveCall) queued() { c.change(func(v *CallView) { v.State = CallQueued }) }

func (c *liveCall) running(revision string, at time.Time) {
	c.change(func(v *CallView) { v.State, v.Revision, v.StartedAt = CallRunning, revision, at })
}

// progressEvery is how often progress of one call is told at most, however often it comes (ACC A19, SEC C4).
const progressEvery = 100 * time.Millisecond

// progress of a stopped call may still come after its end, and is dropped then.
func (c *liveCall) progress(p protocol.ProgressParams) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.view.EndedAt.IsZero() {
		return
	}
	if c.view.Progress = &p; c.late == nil {
		c.late = time.AfterFunc(max(0, progressEvery-time.Since(c.told)), func() {
			c.mu.Lock()
			c.late, c.told = nil, time.Now()
			c.mu.Unlock()
			c.changed(c.id)
		})
	}
}

func (c *liveCall) result(r *protocol.CallToolResult, structured string) {
	c.change(func(v *CallView) { v.Result, v.Structured = r, structured })
}

func (c *liveCall) unrecorded(err error) {
	c.change(func(v *CallView) { v.Unrecorded = err })
}

// end closes the call and returns its final state.
func (c *liveCall) end(ctx context.Context, err error, at time.Time) CallView {
	c.change(func(v *CallView) {
		if v.Err = err; errors.Is(err, errLeft) {
			return // it goes on without us
		}
		v.EndedAt = at
		var refusal *consent.Refusal
		switch {
		case err != nil && errors.Is(context.Cause(ctx), errStopped):
			v.State = CallState(CallStopped)
		case errors.As(err, &refusal), errors.Is(err, consent.ErrNobody), errors.Is(err, consent.ErrUnrecorded):
			v.State = CallDenied
		default:
			v.State = CallState(outcome(ctx, v.Result, err))
		}
	})
	v := c.snapshot()
	ended := endedCall{id: c.id}
	if v.Result != nil {
		ended.bytes = len(v.Result.Raw)
	}
	c.set.keep(ended)
	close(c.done)
	c.set.wg.Done()
	return v
}

// keep drops the oldest ended calls to make room for the last one.
func (cs *calls) keep(last endedCall) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.ended = append(cs.ended, last)
	cs.bytes += last.bytes
	for len(cs.ended) > endedKept || cs.bytes > endedBytes && len(cs.ended) > 1 {
		oldest := cs.ended[0]
		delete(cs.byID, oldest.id)
		cs.bytes -= oldest.bytes
		cs.ended = cs.ended[1:]
	}
}
