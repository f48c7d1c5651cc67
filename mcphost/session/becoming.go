package session

// This file bridges the moment between a server's answer that a call has become a task and the follower of that task:
// what the server sends right after the answer may be taken up before it (2025-11-25).

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"gatehouse/mcphost/protocol"
)

const (
	earlyTasks = 64          // whose state is kept
	earlyWait  = time.Second // of a question at most: its server may wait for it before it answers the call
)

// becoming is what is known while calls may become tasks. Session.mu guards it.
type becoming struct {
	calls   int                      // that have asked for it and are not settled
	early   map[string]protocol.Task // the newest states of tasks that nobody follows yet
	changed chan struct{}            // closed when a task is followed, or the last of the calls is settled
}

func newBecoming() becoming {
	return becoming{early: map[string]protocol.Task{}, changed: make(chan struct{})}
}

func (b *becoming) tell() {
	close(b.changed)
	b.changed = make(chan struct{})
}

// keep reports whether the task may be one of the calls.
func (b *becoming) keep(t protocol.Task) bool {
	_, known := b.early[t.ID]
	if b.calls == 0 || !known && len(b.early) >= earlyTasks {
		return false
	}
	b.early[t.ID] = t
	return true
}

// mayBecomeTask notes that a call has asked to become a task. Settled is to be called once the task is followed or there
// is none; more than once does no harm.
func (s *Session) mayBecomeTask() (settled func()) {
	s.mu.Lock()
	s.becoming.calls++
	s.mu.Unlock()
	return sync.OnceFunc(func() {
		var strangers []protocol.Task
		s.mu.Lock()
		if s.becoming.calls--; s.becoming.calls == 0 {
			strangers = slices.Collect(maps.Values(s.becoming.early))
			clear(s.becoming.early)
			s.becoming.tell()
		}
		s.mu.Unlock()
		for _, t := range strangers {
			s.taskNoise("unknown-task", t)
		}
	})
}

// awaitTask waits until the task that a question names is followed, if it may be that of a call.
func (s *Session) awaitTask(ctx context.Context, q Question) {
	if q.Task == "" || q.Origin != OriginRequest {
		return
	}
	limit := time.NewTimer(earlyWait)
	defer limit.Stop()
	for {
		s.mu.Lock()
		settled := s.tasks[q.Task] != nil || s.becoming.calls == 0
		changed := s.becoming.changed
		s.mu.Unlock()
		if settled {
			return
		}
		select {
		case <-changed:
		case <-limit.C:
			return
		case <-ctx.Done():
			return
		}
	}
}
