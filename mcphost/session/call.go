package session

// This file makes requests that may take long and may ask for input: tools/call, resources/read, prompts/get.

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

// CallOptions of a request that may take long. Zero durations take the session's limits.
type CallOptions struct {
	ID       string                        // names the call in Question.Call
	Progress func(protocol.ProgressParams) // growing progress only; called in order, from the session's goroutine
	Inactive time.Duration                 // without progress of this call; questions to the user do not count
	Total    time.Duration                 // whatever progress comes; questions to the user do not count

	// Again makes a call again after error −32042, once all its URLs were answered with accept: it was not executed. The
	// Asker answers so when the user wants that. At most Limits.Rounds times.
	Again bool

	// Overdue asks whether to wait on for a call that has been silent for Inactive. Its ctx ends when the call shows a
	// sign of life or ends. Nil = no.
	Overdue func(ctx context.Context) (wait bool)

	// Task asks for the call to become a task (tools/call, 2025-11-25); nil = no.
	Task *protocol.TaskMetadata

	// Became is told that the call has become a task, before anything else is sent. Its error ends the call. From then on
	// every answered poll is a sign of life, and without a Total of its own the call may take as long as the task lives.
	Became func(t protocol.Task) error

	// Status is told of every later state of the task, in order, from the call's goroutine.
	Status func(t protocol.Task)
}

// A call is one request under way, whatever rounds it takes.
type call struct {
	id       string
	progress func(protocol.ProgressParams)
	clock    *clock
	token    int64  // of its progress, 0 = none; only the call's own goroutine uses it
	settled  func() // see mayBecomeTask; nil = it does not ask to become a task

	mu   sync.Mutex // guards what follows
	last float64
	any  bool
}

// run makes a request with its rounds. When ctx ends or a limit is reached the server is told and a later answer is
// dropped.
func (s *Session) run(ctx context.Context, method string, o CallOptions, read func(*jsonrpc.Message) (string, error), members ...member) error {
	return s.timed(ctx, o, func(ctx context.Context, c *call) error { return s.rounds(ctx, c, method, members, read) })
}

// timed does what a call consists of within its time.
func (s *Session) timed(ctx context.Context, o CallOptions, do func(context.Context, *call) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c := &call{id: o.ID, progress: o.Progress, clock: newClock(o, cancel)}
	defer c.clock.end()
	defer s.untrack(c)
	err := do(ctx, c)
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// long bounds a request that may take long.
func (s *Session) long(o CallOptions) CallOptions {
	o.Inactive = cmp.Or(o.Inactive, s.opts.Limits.Inactive)
	o.Total = cmp.Or(o.Total, s.opts.Limits.Total)
	return o
}

// short bounds a request that is expected to be answered soon, unless it asks the user.
func (s *Session) short(o CallOptions) CallOptions {
	o.Inactive = cmp.Or(o.Inactive, s.opts.Limits.Request)
	o.Total = cmp.Or(o.Total, s.opts.Limits.Total)
	return o
}

// track gives a call a progress token. The one of a task holds until its end (2025-11-25, "Task Progress").
func (s *Session) track(c *call) {
	c.mu.Lock()
	c.any = false // another request of the same call may begin at zero
	c.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.token++
	c.token = s.token
	s.calls[c.token] = c
}

func (s *Session) untrack(c *call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.calls, c.token)
}

// hold lets the clocks of the calls stand still that a request of the server may belong to: it does not say which that
// is, unless it names a task. The other questions belong to what has asked for them.
func (s *Session) hold(q *Question) (release func()) {
	var held []*call
	s.mu.Lock()
	f := s.tasks[q.Task]
	switch {
	case f != nil && q.Origin == OriginRequest:
		q.Origin = OriginTask
		fallthrough
	case f != nil && q.Origin == OriginTask:
		held = []*call{f.call}
	case q.Origin == OriginRequest:
		q.Task = "" // it names none of ours
		held = slices.Collect(maps.Values(s.calls))
	}
	s.mu.Unlock()
	if len(held) == 1 {
		q.Call = held[0].id
	}
	releases := make([]func(), len(held))
	for i, c := range held {
		releases[i] = c.clock.hold()
	}
	return func() {
		for _, release := range releases {
			release()
		}
	}
}

// progressed delivers progress to its call. A foreign token and progress that does not grow are ignored.
func (s *Session) progressed(p protocol.ProgressParams) {
	token, err := strconv.ParseInt(string(p.ProgressToken), 10, 64)
	if err != nil {
		return
	}
	s.mu.Lock()
	c := s.calls[token]
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
	c.clock.alive()
	if c.progress != nil {
		c.progress(p)
	}
}
