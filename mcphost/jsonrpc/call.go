package jsonrpc

// This file makes requests and matches them with their answers.

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// cancelTime is how long Options.CancelRequest may take.
const cancelTime = 10 * time.Second

// Call sends a request and waits for its answer. Params is nil, a json.RawMessage that goes out as it is, or a value
// for encoding/json. OnID, if not nil, learns the id before the request goes out.
//
// An error answer is returned as the message and as its *Error. When ctx ends first, Call returns ctx's error; if the
// request is out, Options.CancelRequest is called and a late answer is dropped. Other errors are *ClosedError,
// *InvalidResponseError, *FrameTooLargeError, or the stream's wrapped error if it could not write.
func (p *Peer) Call(ctx context.Context, method string, params any, onID func(ID)) (*Message, error) {
	n, answer, err := p.calls.open()
	if err != nil {
		return nil, err
	}
	id := IntID(n)
	m, err := NewRequest(id, method, params)
	if err != nil {
		p.calls.forget(n)
		return nil, err
	}
	if onID != nil {
		onID(id)
	}
	if err := p.send(ctx, m); err != nil {
		p.calls.forget(n)
		return nil, sendError(method, err)
	}
	select {
	case a := <-answer:
		return a.result()
	case <-ctx.Done():
	}
	if !p.calls.forget(n) {
		a := <-answer // it came at the same time
		return a.result()
	}
	p.cancelCall(ctx, id)
	return nil, ctx.Err()
}

// Notify sends a notification; params as for [Peer.Call].
func (p *Peer) Notify(ctx context.Context, method string, params any) error {
	m, err := NewNotification(method, params)
	if err != nil {
		return err
	}
	if cause := p.Err(); cause != nil {
		return &ClosedError{Cause: cause}
	}
	if err := p.send(ctx, m); err != nil {
		return sendError(method, err)
	}
	return nil
}

func sendError(method string, err error) error {
	var closed *ClosedError
	if errors.As(err, &closed) {
		return closed
	}
	return fmt.Errorf("send %s: %w", method, err)
}

func (p *Peer) cancelCall(ctx context.Context, id ID) {
	if p.options.CancelRequest == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closing {
		return
	}
	p.cancels.Go(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
		defer cancel()
		p.options.CancelRequest(ctx, id)
	})
}

// An answer ends a call.
type answer struct {
	message *Message
	err     error
}

func (a answer) result() (*Message, error) {
	if a.err == nil && a.message.Error != nil {
		return a.message, a.message.Error
	}
	return a.message, a.err
}

// calls are the requests of this side that wait for an answer. The zero value is ready.
type calls struct {
	mu      sync.Mutex // guards the fields below
	last    int64      // the last id given
	waiting map[int64]chan answer
	err     error // why there are no more answers
}

// open begins a call: its id, and where the answer will be.
func (c *calls) open() (int64, <-chan answer, error) {
	ch := make(chan answer, 1)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return 0, nil, &ClosedError{Cause: c.err}
	}
	if c.waiting == nil {
		c.waiting = make(map[int64]chan answer)
	}
	c.last++
	c.waiting[c.last] = ch
	return c.last, ch, nil
}

// forget ends a call without an answer. It reports false if the answer is already there.
func (c *calls) forget(n int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.waiting[n]
	delete(c.waiting, n)
	return ok
}

// settle ends the call id. If there is none it returns the kind of noise that this is.
func (c *calls) settle(id ID, m *Message, err error) string {
	if id.kind != idInt {
		return NoiseUnknownID
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	ch, ok := c.waiting[id.num]
	if ok {
		delete(c.waiting, id.num)
		ch <- answer{m, err}
		return ""
	}
	if id.num > 0 && id.num <= c.last {
		return NoiseLate
	}
	return NoiseUnknownID
}

// end fails every call that waits or is opened later.
func (c *calls) end(cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = cause
	for n, ch := range c.waiting {
		delete(c.waiting, n)
		ch <- answer{err: &ClosedError{Cause: cause, Sent: true}}
	}
}

func (c *calls) cause() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}
