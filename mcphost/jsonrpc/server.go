package jsonrpc

// This file answers the requests of the other side.

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"sync"
)

const (
	idsRemembered = 1024 // ids of finished requests that are refused when they come again
	maxRefusals   = 64   // refusals that wait to be written; one more is left out
)

// A server runs the handler for requests, several at once, and knows which are open.
type server struct {
	handler  Handler
	limits   Limits
	respond  func(context.Context, *Message)
	refusals chan *Message
	wg       sync.WaitGroup // of the goroutines that run the handler

	mu      sync.Mutex // guards the fields below
	running int        // goroutines
	waiting []*request
	bytes   int             // in waiting
	open    map[ID]*request // running or waiting
	past    map[ID]struct{} // ids that have been open, as far as remembered
	order   []ID            // of past: a ring that begins at oldest when it is full
	oldest  int
}

// A request is one that is open.
type request struct {
	message   *Message
	cancel    context.CancelFunc // nil while it waits
	cancelled bool               // the other side wants no answer
}

func newServer(h Handler, limits Limits, respond func(context.Context, *Message)) *server {
	return &server{
		handler: h, limits: limits, respond: respond,
		refusals: make(chan *Message, maxRefusals),
		open:     make(map[ID]*request),
		past:     make(map[ID]struct{}),
	}
}

// accept takes the request m on, or refuses it and returns the kind of noise that it is. It does not wait.
func (s *server) accept(ctx context.Context, m *Message) (noise string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, past := s.past[m.ID]
	switch r := (&request{message: m}); {
	case past || s.open[m.ID] != nil:
		s.refuse(m.ID, &Error{Code: CodeInvalidRequest, Message: "this id was used before"})
		return NoiseDuplicate
	case s.running < s.limits.Requests:
		s.open[m.ID] = r
		s.running++
		s.wg.Go(func() { s.work(ctx, r) })
	case len(s.waiting) >= s.limits.Waiting || len(s.waiting) > 0 && s.bytes+len(m.Raw) > s.limits.QueueBytes:
		s.refuse(m.ID, &Error{Code: CodeBusy, Message: "too many requests at once"})
		return NoiseOverload
	default:
		s.open[m.ID] = r
		s.waiting = append(s.waiting, r)
		s.bytes += len(m.Raw)
	}
	return ""
}

// refuse answers without the handler. The read loop must not wait for a writer, so one refusal too many is left out.
func (s *server) refuse(id ID, e *Error) {
	select {
	case s.refusals <- NewErrorResponse(id, e):
	default:
	}
}

func (s *server) writeRefusals(ctx context.Context) {
	for {
		select {
		case m := <-s.refusals:
			s.respond(ctx, m)
		case <-ctx.Done():
			return
		}
	}
}

// work handles r and then those that wait. ctx ends when there is nobody to answer any more.
func (s *server) work(ctx context.Context, r *request) {
	for ; r != nil; r = s.next() {
		s.handle(ctx, r)
	}
}

// next takes the request that has waited longest; without one it ends the goroutine's time.
func (s *server) next() *request {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) == 0 {
		s.running--
		return nil
	}
	r := s.waiting[0]
	s.waiting[0] = nil
	s.waiting = s.waiting[1:]
	s.bytes -= len(r.message.Raw)
	return r
}

func (s *server) handle(ctx context.Context, r *request) {
	id := r.message.ID
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	if !s.begin(r, cancel) || ctx.Err() != nil {
		return
	}
	result, err := s.handler.Request(inner, r.message)
	if known, ok := result.(interface{ Sent() }); ok {
		defer known.Sent()
	}
	if !s.finish(r) || ctx.Err() != nil {
		return
	}
	var response *Message
	if err == nil {
		response, err = NewResponse(id, result)
	}
	if err != nil {
		response = NewErrorResponse(id, errorObject(err))
	}
	s.respond(ctx, response)
}

// errorObject returns the error that goes back. The text of an internal one stays here.
func errorObject(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Code: CodeInternal, Message: "internal error"}
}

// begin reports whether r is still wanted, and how to cancel it from now on.
func (s *server) begin(r *request, cancel context.CancelFunc) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.cancel = cancel
	if r.cancelled {
		s.close(r.message.ID)
	}
	return !r.cancelled
}

// finish reports whether r is still to be answered; cancelling has no effect any more.
func (s *server) finish(r *request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.close(r.message.ID)
	return !r.cancelled
}

// close makes an open id a past one. The caller holds mu.
func (s *server) close(id ID) {
	delete(s.open, id)
	s.past[id] = struct{}{}
	if len(s.order) < idsRemembered {
		s.order = append(s.order, id)
		return
	}
	delete(s.past, s.order[s.oldest])
	s.order[s.oldest] = id
	s.oldest = (s.oldest + 1) % idsRemembered
}

func (s *server) cancel(id ID) {
	s.mu.Lock()
	r := s.open[id]
	if r == nil {
		s.mu.Unlock()
		return
	}
	r.cancelled = true
	cancel := r.cancel
	s.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// nobody is the handler of a peer without one.
type nobody struct{}

func (nobody) Request(_ context.Context, m *Message) (any, error) {
	return nil, &Error{Code: CodeMethodNotFound, Message: "method not found"}
}

func (nobody) Notification(context.Context, *Message) {}

// guarded survives a handler that panics.
type guarded struct {
	Handler
	logger *slog.Logger
}

func (g guarded) Request(ctx context.Context, m *Message) (result any, err error) {
	defer func() {
		if r := recover(); r != nil {
			g.log(m)
			result, err = nil, &Error{Code: CodeInternal, Message: "internal error"}
		}
	}()
	return g.Handler.Request(ctx, m)
}

func (g guarded) Notification(ctx context.Context, m *Message) {
	defer func() {
		if recover() != nil {
			g.log(m)
		}
	}()
	g.Handler.Notification(ctx, m)
}

// log records where the handler panicked. The panic's value could quote a message, so it stays out.
func (g guarded) log(m *Message) {
	g.logger.Error("handler panicked", "method", m.Method, "stack", string(debug.Stack()))
}
