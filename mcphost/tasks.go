package mcphost

// This file follows calls that have become tasks of their server: over lost connections, and over the end of the program.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

const (
	taskTTL      = 24 * time.Hour   // that we ask for
	taskSlow     = 30 * time.Second // a tool that usually takes longer is called as a task if it can be
	taskEvents   = 50               // kept of one task
	cancelAnswer = 5 * time.Second  // for tasks/cancel when nobody waits for the end any more
)

// A TaskView is what can be seen of a task. Its texts are the server's: untrusted.
type TaskView struct {
	ID          string
	Status      string // one of the protocol.Task… constants
	Message     string
	CreatedAt   string // by the server's clock, as received
	UpdatedAt   string // by the server's clock, as received
	Since       time.Time
	Expires     time.Time     // by the granted time to live and our clock; zero = never
	Poll        time.Duration // that the server wishes; 0 = not stated
	Connected   bool          // false: it waits for the server to be connected again
	Kept        bool          // it is followed on after a restart
	Resumed     bool          // an earlier run has left it
	CancelAsked time.Time     // zero = nobody has asked; the server may finish all the same
	Events      []TaskEvent   // oldest first, the last ones
}

// A TaskEvent is one state as it was seen here.
type TaskEvent struct {
	At      time.Time
	Status  string
	Message string // the server's
}

// Tasks returns the calls of this run that are or were tasks, oldest first, with those that earlier runs have left.
func (h *Host) Tasks() []CallView {
	h.calls.mu.Lock()
	all := make([]*liveCall, 0, len(h.calls.byID))
	for _, c := range h.calls.byID {
		all = append(all, c)
	}
	h.calls.mu.Unlock()
	var tasks []CallView
	for _, c := range all {
		if v := c.snapshot(); v.Task != nil {
			tasks = append(tasks, v)
		}
	}
	slices.SortFunc(tasks, func(a, b CallView) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	return tasks
}

// errLeft: the task goes on, but is no longer followed here.
var errLeft = errors.New("the task goes on without us")

// taskCancelled reports whether a task has ended because somebody cancelled it.
func taskCancelled(err error) bool {
	var ended *session.TaskError
	return errors.As(err, &ended) && ended.Task.Status == protocol.TaskCancelled
}

// TaskSupport says whether a call of the tool can become a task because we ask for it: "required", "optional" or "".
func (s *Server) TaskSupport(t Tool) string {
	conn, err := s.connection()
	if err != nil || !conn.session.TaskCalls() {
		return ""
	}
	switch support := t.Execution.TaskSupport; support {
	case "required", "optional":
		return support
	}
	return ""
}

// wantTask says whether a call is to become a task, nil if not (protocol, "execution.taskSupport").
func (h *Host) wantTask(ctx context.Context, s *Server, conn *live, t Tool, r CallRequest) *protocol.TaskMetadata {
	wanted := t.Execution.TaskSupport == "required"
	if !conn.session.TaskCalls() {
		return nil
	}
	if t.Execution.TaskSupport == "optional" {
		wanted = r.AsTask
		if !wanted && h.ports.Tasks != nil {
			usual, err := h.ports.Tasks.UsualDuration(ctx, s.id, t.Name)
			if err != nil {
				h.opts.Logger.WarnContext(ctx, "how long a tool takes cannot be read", "error", err)
			}
			wanted = usual >= taskSlow
		}
	}
	if !wanted {
		return nil
	}
	return &protocol.TaskMetadata{TTL: new(taskTTL.Milliseconds())}
}

// A taskCall is a call that may become a task, or has. Only the call's own goroutine uses it.
type taskCall struct {
	host    *Host
	server  *Server
	call    *liveCall
	options session.CallOptions
	release func()     // of the place among the server's calls: a task takes none
	start   *TaskStart // nil before it is a task
	last    protocol.Task
}

// prepare sets what the session tells while it follows the task over conn.
func (f *taskCall) prepare(conn *live) {
	f.options.Became = func(t protocol.Task) error {
		now := f.host.opts.Now()
		f.start = &TaskStart{Call: f.call.id, Definition: definition(conn.launch), Task: t.ID, At: now, TTL: t.TTL}
		f.last = t
		kept := false
		if tasks := f.host.ports.Tasks; tasks != nil {
			err := tasks.PutTask(context.Background(), *f.start)
			if kept = err == nil; !kept {
				f.host.opts.Logger.Error("a task was not recorded", "call", f.call.id, "error", err)
			}
		}
		f.release()
		f.call.became(t, *f.start, kept)
		f.call.reachable(conn.cancelTask(t.ID))
		f.call.state(t, now)
		return nil
	}
	f.options.Status = func(t protocol.Task) {
		f.last = t
		f.call.state(t, f.host.opts.Now())
	}
}

// goOn deals with the end of what followed the task: a lost connection is waited for to come back; the end of the program
// leaves the task to the next one; whoever gives up asks for it to be cancelled.
func (f *taskCall) goOn(ctx context.Context, conn *live, err error) (result *protocol.CallToolResult, _ error) {
	for {
		f.call.reachable(nil)
		var closed *jsonrpc.ClosedError
		switch {
		case errors.Is(context.Cause(ctx), ErrClosed):
			return nil, errLeft
		case ctx.Err() != nil, errors.Is(err, session.ErrTotal), errors.Is(err, session.ErrInactive), unanswered(err):
			f.giveUp(ctx, conn)
			return nil, err
		case !errors.As(err, &closed):
			return nil, err
		}
		next, waiting := f.server.await(ctx)
		switch {
		case errors.Is(context.Cause(ctx), ErrClosed):
			return nil, errLeft
		case waiting != nil && ctx.Err() != nil:
			return nil, waiting
		case errors.Is(waiting, ErrUnknownServer):
			return nil, fmt.Errorf("%w: its server was removed", session.ErrTaskLost)
		case waiting != nil:
			return nil, fmt.Errorf("%w: %w", errLeft, err)
		}
		conn = next
		if definition(conn.launch) != f.start.Definition {
			return nil, fmt.Errorf("%w: the server is another one now", session.ErrTaskLost)
		}
		f.prepare(conn)
		f.call.reachable(conn.cancelTask(f.start.Task))
		if result, err = conn.session.ResumeTask(ctx, f.last, f.start.At, f.options); err == nil {
			f.call.reachable(nil)
			return result, nil
		}
	}
}

// unanswered reports whether a question of the task was not answered: it cannot go on.
func unanswered(err error) bool {
	var r *session.RefusedError
	return errors.As(err, &r) || errors.Is(err, session.ErrRounds)
}

// giveUp asks the server to cancel a task whose end nobody waits for any more, unless it was asked before.
func (f *taskCall) giveUp(ctx context.Context, conn *live) {
	if conn == nil || !f.call.snapshot().Task.CancelAsked.IsZero() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelAnswer)
	defer cancel()
	now := f.host.opts.Now()
	if err := conn.session.CancelTask(ctx, f.start.Task); err != nil {
		f.host.opts.Logger.DebugContext(ctx, "a task could not be cancelled", "error", err)
		return
	}
	f.call.change(func(v *CallView) { v.Task = v.Task.with(func(t *TaskView) { t.CancelAsked = now }) })
}

// await waits for a connection. It gives up when ctx ends, when the server is taken away and, in a host that resumes no
// tasks, when the server has ended: nobody would wait for long there.
func (s *Server) await(ctx context.Context) (*live, error) {
	changed := make(chan struct{}, 1)
	defer s.host.Subscribe(func(n Numbered) {
		switch e := n.Event.(type) {
		case ServerChanged:
			if e.ID != s.id {
				return
			}
		case Gap:
		default:
			return
		}
		select {
		case changed <- struct{}{}:
		default:
		}
	})()
	for {
		s.mu.Lock()
		conn, removed, over := s.live, s.removed, s.life == nil
		s.mu.Unlock()
		switch {
		case removed:
			return nil, ErrUnknownServer
		case conn != nil && conn.session.Err() == nil:
			return conn, nil
		case over && !s.host.resumes.Load():
			return nil, ErrNotConnected
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// cancelTask asks for a task to be cancelled over this connection.
func (c *live) cancelTask(id string) func(context.Context) error {
	return func(ctx context.Context) error { return c.session.CancelTask(ctx, id) }
}

// askToCancel reports whether the server is being asked to cancel the task of a call.
func (h *Host) askToCancel(c *liveCall) bool {
	c.mu.Lock()
	ask, task := c.task, c.view.Task
	open := ask != nil && task != nil && task.CancelAsked.IsZero() && c.view.State == CallTask
	if open {
		c.view.Task = task.with(func(t *TaskView) { t.CancelAsked = h.opts.Now() })
	}
	c.mu.Unlock()
	if !open {
		return false
	}
	c.changed(c.id)
	return h.calls.spawn(func() {
		if err := ask(context.Background()); errors.Is(err, session.ErrNotOffered) {
			c.cancel(errStopped) // it cannot be asked for; the server may go on
		}
	})
}

// Ended waits for the end of a call of this run.
func (h *Host) Ended(ctx context.Context, id string) (CallView, error) {
	c, ok := h.calls.get(id)
	if !ok {
		return CallView{}, ErrClosed
	}
	select {
	case <-c.done:
		return c.snapshot(), nil
	case <-ctx.Done():
		return c.snapshot(), ctx.Err()
	}
}

// with returns a changed copy: views share it.
func (t *TaskView) with(change func(*TaskView)) *TaskView {
	v := *t
	change(&v)
	return &v
}

// became shows that the call is a task now.
func (c *liveCall) became(t protocol.Task, start TaskStart, kept bool) {
	c.change(func(v *CallView) {
		v.State = CallTask
		v.Task = &TaskView{ID: t.ID, Since: start.At, Kept: kept}
		v.Task.take(t)
	})
}

// take takes a state over.
func (t *TaskView) take(s protocol.Task) {
	t.Status, t.Message, t.CreatedAt, t.UpdatedAt, t.Poll = s.Status, s.StatusMessage, s.CreatedAt, s.LastUpdatedAt, s.PollInterval
	if t.Expires = (time.Time{}); s.TTL != nil {
		t.Expires = t.Since.Add(*s.TTL)
	}
}

// state shows a state of the task.
func (c *liveCall) state(s protocol.Task, at time.Time) {
	c.change(func(v *CallView) {
		v.Task = v.Task.with(func(t *TaskView) {
			t.take(s)
			last := len(t.Events) - 1
			if last >= 0 && t.Events[last].Status == s.Status && t.Events[last].Message == s.StatusMessage {
				return
			}
			t.Events = append(slices.Clip(t.Events[max(0, len(t.Events)+1-taskEvents):]), TaskEvent{at, s.Status, s.StatusMessage})
		})
	})
}

// reachable shows whether the server of the task is connected, and keeps how to ask for the task to be cancelled.
func (c *liveCall) reachable(ask func(context.Context) error) {
	c.change(func(v *CallView) {
		c.task = ask
		v.Task = v.Task.with(func(t *TaskView) { t.Connected = ask != nil })
	})
}

// spawn runs f in a goroutine that Close waits for; false if the host is closing.
func (cs *calls) spawn(f func()) bool {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if !cs.closed {
		cs.wg.Go(f)
	}
	return !cs.closed
}
