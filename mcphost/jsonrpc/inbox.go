package jsonrpc

// This file hands notifications over, in order, without making the read loop wait.

import (
	"context"
	"sync"
)

// An inbox is a bounded queue of notifications.
type inbox struct {
	handler Handler
	limits  Limits
	ready   *sync.Cond // the queue, ended or handled has changed

	mu      sync.Mutex // guards the fields below
	queue   []*Message
	bytes   int    // in queue
	arrived uint64 // notifications ever queued
	handled uint64 // of those, handled or discarded
	ended   bool   // no more will arrive
}

func newInbox(h Handler, limits Limits) *inbox {
	b := &inbox{handler: h, limits: limits}
	b.ready = sync.NewCond(&b.mu)
	return b
}

// put queues m and reports whether there was room.
func (b *inbox) put(m *Message) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.queue) >= b.limits.Notifications || len(b.queue) > 0 && b.bytes+len(m.Raw) > b.limits.QueueBytes {
		return false
	}
	b.queue = append(b.queue, m)
	b.bytes += len(m.Raw)
	b.arrived++
	b.ready.Broadcast()
	return true
}

// run handles notifications until the queue has ended and is empty.
func (b *inbox) run(ctx context.Context) {
	for m := b.take(); m != nil; m = b.take() {
		b.handler.Notification(ctx, m)
		b.mu.Lock()
		b.handled++
		b.ready.Broadcast()
		b.mu.Unlock()
	}
}

// take waits for the next notification; nil means the end.
func (b *inbox) take() *Message {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.queue) == 0 {
		if b.ended {
			return nil
		}
		b.ready.Wait()
	}
	m := b.queue[0]
	b.queue[0] = nil
	b.queue = b.queue[1:]
	b.bytes -= len(m.Raw)
	return m
}

// finish says that no more will arrive.
func (b *inbox) finish() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	b.ready.Broadcast()
}

// discard is finish for now: what waits is not handled.
func (b *inbox) discard() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	b.handled += uint64(len(b.queue))
	b.queue, b.bytes = nil, 0
	b.ready.Broadcast()
}

func (b *inbox) settle(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	until := b.arrived
	if b.handled >= until {
		return nil
	}
	stop := context.AfterFunc(ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.ready.Broadcast()
	})
	defer stop()
	for b.handled < until {
		if err := ctx.Err(); err != nil {
			return err
		}
		b.ready.Wait()
	}
	return nil
}
