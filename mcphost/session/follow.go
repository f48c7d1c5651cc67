package session

// This file waits for the end of one task: polls, what is told unasked, input, result (2025-11-25, "Tasks"; the extension
// io.modelcontextprotocol/tasks).

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/transport"
)

const (
	taskPoll     = 5 * time.Second        // between polls, unless the server says otherwise (P27)
	taskFloor    = 500 * time.Millisecond // at least between two states that are taken over (P27)
	taskFailures = 3                      // polls in a row that may fail
)

// A follower follows one task. Only its own goroutine uses it, but for news.
type follower struct {
	s       *Session
	call    *call
	o       CallOptions
	news    chan protocol.Task // the newest state that was told unasked
	task    protocol.Task      // the last state
	created time.Time
	rounds  int             // of input
	asked   map[string]bool // keys of input requests that were put to the user (extension)
	errand  *errand         // under way, nil if none
	tried   bool            // tasks/result was asked for during this input_required
	failed  int             // polls in a row
}

// An errand is what goes on beside the polls: tasks/result that waits for the end, or input for the extension.
type errand struct {
	cancel context.CancelFunc
	done   chan struct{}
	result *protocol.CallToolResult // nil if it brings none; read after done, like err
	err    error
}

// follow waits for the end of a task.
func (s *Session) follow(ctx context.Context, c *call, t protocol.Task, created time.Time, o CallOptions) (*protocol.CallToolResult, error) {
	ctx = transport.WithFields(ctx, nil) // the arguments are no part of what follows
	f := &follower{
		s: s, call: c, o: o, task: t, created: created,
		news: make(chan protocol.Task, 1), asked: map[string]bool{},
	}
	if o.Total == 0 { // its time to live bounds it
		c.clock.unlimited()
	}
	if err := s.attachTask(f); err != nil {
		return nil, err
	}
	defer s.detachTask(f)
	defer f.dismiss()
	for !f.task.Final() {
		if err := f.act(ctx); err != nil {
			return nil, err
		}
		next, result, err := f.next(ctx)
		if result != nil || err != nil {
			return result, err
		}
		f.take(next)
	}
	return f.end(ctx)
}

// act begins what the task needs now, and ends what it no longer needs.
func (f *follower) act(ctx context.Context) error {
	modern := f.s.Info().Revision.Modern()
	if f.task.Status != protocol.TaskInputRequired {
		f.tried = false
		if modern { // what was asked is answered, or void
			f.dismiss()
		}
		return nil
	}
	if f.errand != nil || !modern && f.tried {
		return nil
	}
	var fresh []protocol.InputRequest
	for _, r := range f.task.Requests {
		if !f.asked[r.Key] {
			fresh = append(fresh, r)
		}
	}
	if modern && len(fresh) == 0 {
		return nil
	}
	if f.rounds++; f.rounds > f.s.opts.Limits.TaskRounds {
		return fmt.Errorf("%s: %w", protocol.MethodTasksGet, ErrRounds)
	}
	if !modern { // the server's questions come while this waits
		f.tried = true
		f.start(ctx, f.result)
		return nil
	}
	for _, r := range fresh {
		f.asked[r.Key] = true
	}
	f.start(ctx, func(ctx context.Context) (*protocol.CallToolResult, error) {
		responses, err := f.s.AnswerInput(ctx, fresh, Question{Origin: OriginTask, Call: f.call.id, Task: f.task.ID})
		if err != nil {
			return nil, err
		}
		return nil, f.s.ask(ctx, protocol.MethodTasksUpdate, nil, text("taskId", f.task.ID), member{"inputResponses", responses})
	})
	return nil
}

func (f *follower) start(ctx context.Context, do func(context.Context) (*protocol.CallToolResult, error)) {
	ctx, cancel := context.WithCancel(ctx)
	e := &errand{cancel: cancel, done: make(chan struct{})}
	f.errand = e
	go func() { // dismiss waits for it
		defer close(e.done)
		e.result, e.err = do(ctx)
	}()
}

func (f *follower) dismiss() {
	if f.errand != nil {
		f.errand.cancel()
		<-f.errand.done
		f.errand = nil
	}
}

// next waits for the next state of the task: told, or asked for when it is due. A result instead ends the task.
func (f *follower) next(ctx context.Context) (protocol.Task, *protocol.CallToolResult, error) {
	floor, due := time.NewTimer(taskFloor), time.NewTimer(f.pause())
	defer floor.Stop()
	defer due.Stop()
	var told *protocol.Task
	rested := false
	for {
		var done chan struct{}
		if f.errand != nil {
			done = f.errand.done
		}
		select {
		case t := <-f.news:
			f.call.clock.alive()
			if rested || t.Final() {
				return t, nil, nil
			}
			told = &t
		case <-floor.C:
			if rested = true; told != nil {
				return *told, nil, nil
			}
		case <-due.C:
			return f.poll(ctx)
		case <-done:
			if result, err := f.returned(); result != nil || err != nil {
				return f.task, result, err
			}
		case <-f.s.Done():
			return f.task, nil, &jsonrpc.ClosedError{Cause: f.s.Err(), Sent: true}
		case <-ctx.Done():
			return f.task, nil, context.Cause(ctx)
		}
	}
}

// returned takes what an errand has brought. That tasks/result did not wait for the end is no reason to give up; that a
// question was not answered is.
func (f *follower) returned() (*protocol.CallToolResult, error) {
	e := f.errand
	f.dismiss()
	if f.s.Info().Revision.Modern() || e.err == nil {
		return e.result, e.err
	}
	return nil, nil
}

// PollEvery is how often a task is polled whose server wishes for this interval, 0 = not stated (P27). The clocks of a call
// can make it more often.
func PollEvery(wish time.Duration) time.Duration { return max(cmp.Or(wish, taskPoll), taskFloor) }

// pause is how long to wait before the next poll. The last one is when the time to live is over.
func (f *follower) pause() time.Duration {
	d := min(PollEvery(f.task.PollInterval), f.call.clock.limit/2)
	if expires := f.expires(f.task); !expires.IsZero() {
		d = min(d, time.Until(expires))
	}
	return max(d, taskFloor)
}

// expires is when the time to live of a state is over, zero = never. It counts by our clock: the server's may be wrong.
func (f *follower) expires(t protocol.Task) time.Time {
	if t.TTL == nil {
		return time.Time{}
	}
	return f.created.Add(*t.TTL)
}

// poll asks for the state. A server that does not know the task any more has lost it; other failures may pass.
func (f *follower) poll(ctx context.Context) (protocol.Task, *protocol.CallToolResult, error) {
	var t protocol.Task
	err := f.s.ask(ctx, protocol.MethodTasksGet, &t, text("taskId", f.task.ID))
	if err == nil && t.ID != f.task.ID {
		err = &jsonrpc.InvalidResponseError{Reason: "the state of another task", Raw: t.Raw}
	}
	var answer *jsonrpc.Error
	var closed *jsonrpc.ClosedError
	switch {
	case err == nil:
		f.failed = 0
		f.call.clock.alive()
		if expires := f.expires(t); !t.Final() && !expires.IsZero() && !time.Now().Before(expires) {
			return t, nil, fmt.Errorf("%w: it was not done when the time for which the server keeps it was over", ErrTaskLost)
		}
		return t, nil, nil
	case ctx.Err() != nil:
		return t, nil, context.Cause(ctx)
	case errors.As(err, &closed):
		return t, nil, err
	case errors.As(err, &answer) && (answer.Code == jsonrpc.CodeInvalidParams || answer.Code == jsonrpc.CodeMethodNotFound):
		return t, nil, fmt.Errorf("%w: the server does not know it any more (%w)", ErrTaskLost, lostAnswer{answer})
	}
	var status *transport.HTTPError
	if ofNetwork(err) || errors.As(err, &status) && status.Status >= 500 {
		return f.task, nil, nil // while it lasts there is no sign of life
	}
	if f.failed++; f.failed >= taskFailures {
		return t, nil, err
	}
	return f.task, nil, nil
}

// lostAnswer is the server's word for a task that it does not know. It is no answer to the call.
type lostAnswer struct{ answer *jsonrpc.Error }

func (e lostAnswer) Error() string { return e.answer.Error() }

// take takes a state over. One that there is not is ignored (2025-11-25, "Task Status Lifecycle").
func (f *follower) take(t protocol.Task) {
	if !t.Known() {
		f.s.taskNoise("unknown-task-status", t)
		return
	}
	old := f.task
	f.task = t
	if f.o.Status != nil && !same(old, t) {
		f.o.Status(t)
	}
}

// same reports whether nothing changed that anybody would show.
func same(a, b protocol.Task) bool {
	ttl := func(t protocol.Task) time.Duration {
		if t.TTL == nil {
			return math.MaxInt64
		}
		return *t.TTL
	}
	return a.Status == b.Status && a.StatusMessage == b.StatusMessage && a.LastUpdatedAt == b.LastUpdatedAt &&
		a.PollInterval == b.PollInterval && ttl(a) == ttl(b)
}

// end fetches what the task has led to.
func (f *follower) end(ctx context.Context) (*protocol.CallToolResult, error) {
	if f.task.Status == protocol.TaskCancelled {
		return nil, &TaskError{f.task}
	}
	if !f.s.Info().Revision.Modern() {
		if f.errand != nil {
			<-f.errand.done // it waits for nothing but this end
			if f.errand.err == nil || ctx.Err() != nil {
				return f.errand.result, f.errand.err
			}
		}
		return f.result(ctx)
	}
	if f.task.Result == nil && f.task.Error == nil { // a task that had ended when it was made
		t, _, err := f.poll(ctx)
		if err != nil {
			return nil, err
		}
		f.task = t
	}
	switch {
	case f.task.Status == protocol.TaskCompleted && f.task.Result != nil:
		return decodeResult(f.task.Result)
	case f.task.Status == protocol.TaskFailed && f.task.Error != nil:
		var answer jsonrpc.Error
		if json.Unmarshal(f.task.Error, &answer) == nil {
			return nil, &answer
		}
	}
	return nil, &jsonrpc.InvalidResponseError{Reason: "a task ended as " + clip(f.task.Status) + " without saying how", Raw: f.task.Raw}
}

// result asks for the result, and waits for it as long as the task takes (2025-11-25, "Result Retrieval"). A network
// failure does not lose it.
func (f *follower) result(ctx context.Context) (*protocol.CallToolResult, error) {
	m, err := f.s.request(ctx, protocol.MethodTasksResult, f.s.params(0, text("taskId", f.task.ID)), true)
	if err != nil {
		return nil, err
	}
	var related protocol.TaskParams
	if raw := protocol.MetaValue(m.Result, protocol.MetaRelatedTask); raw != nil && protocol.Decode(raw, &related) == nil && related.TaskID != f.task.ID {
		return nil, &jsonrpc.InvalidResponseError{Reason: "the result of another task", Raw: m.Raw}
	}
	return decodeResult(m.Result)
}

func decodeResult(raw json.RawMessage) (*protocol.CallToolResult, error) {
	var result protocol.CallToolResult
	if err := protocol.Decode(raw, &result); err != nil {
		return nil, &jsonrpc.InvalidResponseError{Reason: err.Error(), Raw: raw}
	}
	result.Task = nil
	return &result, nil
}
