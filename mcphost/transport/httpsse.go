package transport

// This file is the transport of revision 2024-11-05 (MCP 2024-11-05, "HTTP with SSE"): one event stream that brings
// everything, and an address, told by its first event, that takes everything.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"gatehouse/mcphost/jsonrpc"
)

const endpointTime = 10 * time.Second // until the endpoint event

var errNoEndpoint = errors.New("no event stream that says where messages go")

// A link is the event stream of one session. When the stream breaks it is opened again; if the server then names
// another endpoint, it has begun another session, and the old one is gone.
type link struct {
	h *HTTP
	x *exchange

	mu       sync.Mutex // guards what follows
	endpoint *url.URL
	up       chan struct{} // closed while the stream stands
	err      error         // why it will not stand again
	waiting  map[jsonrpc.ID]chan error
}

// connect opens an event stream and waits for its endpoint.
func (h *HTTP) connect(ctx context.Context) (*link, error) {
	work, x, err := h.begin(context.WithoutCancel(ctx))
	if err != nil {
		return nil, err
	}
	l := &link{h: h, x: x, up: make(chan struct{}), waiting: map[jsonrpc.ID]chan error{}}
	h.mu.Lock()
	h.stopListening()
	h.listener = x
	h.mu.Unlock()
	go l.run(work)
	timer := time.AfterFunc(endpointTime, func() { l.end(exchangeError(http.MethodGet, h.url, true, errNoEndpoint)) })
	defer timer.Stop()
	if _, err := l.await(ctx); err != nil {
		h.mu.Lock()
		h.stopListening()
		h.mu.Unlock()
		return nil, err
	}
	return l, nil
}

// run keeps the stream open until it cannot be, or nobody wants it any more.
func (l *link) run(ctx context.Context) {
	defer l.x.end()
	var at cursor
	for failures := 0; ; failures++ {
		begun := time.Now()
		progress, err := l.read(ctx, &at)
		if progress || time.Since(begun) >= lasting {
			failures = 0
		}
		if failures >= maxResumes || !l.down(err) || pause(ctx, at.delay(failures)) != nil {
			l.end(cancelled(ctx, err))
			return
		}
	}
}

// read reads one stream to its end.
func (l *link) read(ctx context.Context, at *cursor) (progress bool, err error) {
	resp, err := l.h.do(ctx, outgoing{method: http.MethodGet, as: l.h.footing(), lastID: at.lastID, total: l.h.opts.TotalTimeout, idle: true})
	if err != nil {
		return false, err
	}
	if resp.StatusCode != http.StatusOK {
		failure, _ := resp.failure()
		return false, failure
	}
	defer resp.close()
	if !resp.isEvents() {
		return false, exchangeError(http.MethodGet, l.h.url, true, fmt.Errorf("status 200, of type %q: %w", resp.mediaType(), errNoEndpoint))
	}
	for events := l.h.events(resp, at); ; progress = true {
		ev, err := events.next()
		var big *jsonrpc.FrameTooLargeError
		switch {
		case errors.As(err, &big):
			err = l.h.deliver(ctx, incoming{err: big})
			l.settle(big.ID, big)
		case err != nil:
		case ev.name == "endpoint":
			err = l.announce(string(ev.data))
		case ev.name == "" || ev.name == "message":
			err = l.arrive(ctx, ev.data)
		}
		if err != nil {
			return progress, exchangeError(http.MethodGet, l.h.url, true, err)
		}
	}
}

// announce takes the endpoint of a stream. It must be of the server's origin: everything goes there.
func (l *link) announce(reference string) error {
	u, err := l.h.url.Parse(strings.TrimSpace(reference))
	if err != nil || u.User != nil || origin(u) != origin(l.h.url) {
		err := errors.New("the server names an endpoint of another origin")
		l.end(exchangeError(http.MethodGet, l.h.url, true, err))
		return err
	}
	u.Fragment = ""
	l.mu.Lock()
	other := l.endpoint != nil && l.endpoint.String() != u.String()
	l.endpoint = u
	select {
	case <-l.up:
	default:
		close(l.up)
	}
	l.mu.Unlock()
	if other {
		l.lose(errors.New("the server has begun another session"))
	}
	return nil
}

// arrive hands a message to Read, and then tells whose answer it is.
func (l *link) arrive(ctx context.Context, frame []byte) error {
	if len(bytes.TrimSpace(frame)) == 0 {
		return nil
	}
	ids, _ := answers(frame, &l.h.opts.Limits)
	if err := l.h.deliver(ctx, incoming{frame: frame}); err != nil {
		return err
	}
	for _, id := range ids {
		l.settle(id, nil)
	}
	return nil
}

// down notes that the stream has ended and reports whether it is worth opening again.
func (l *link) down(err error) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	var status *HTTPError
	if l.err != nil || l.endpoint == nil || errors.As(err, &status) && !worthRepeating(status.Status) {
		return false
	}
	select {
	case <-l.up:
		l.up = make(chan struct{})
	default:
	}
	return true
}

// end says why the stream will not stand again, for the first time it is asked.
func (l *link) end(err error) {
	l.mu.Lock()
	first := l.err == nil && (l.endpoint == nil || !errors.Is(err, errNoEndpoint))
	if first {
		l.err = err
		select {
		case <-l.up:
		default:
			close(l.up)
		}
	}
	l.mu.Unlock()
	if first {
		l.lose(err)
	}
}

// lose fails what waits for an answer in the session that is no more, and has a new one opened.
func (l *link) lose(cause error) {
	l.h.mu.Lock()
	if l.h.link == l {
		l.h.lost = true // before anybody who has waited tries again
	}
	l.h.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, done := range l.waiting {
		done <- exchangeError(http.MethodPost, l.h.url, true, &brokenError{cause: cause})
		delete(l.waiting, id)
	}
}

// await waits until the stream stands, and returns where messages go.
func (l *link) await(ctx context.Context) (*url.URL, error) {
	for {
		l.mu.Lock()
		endpoint, up, err := l.endpoint, l.up, l.err
		l.mu.Unlock()
		if err != nil {
			return nil, err
		}
		select {
		case <-up:
			if endpoint != nil {
				return endpoint, nil
			}
		case <-ctx.Done():
			return nil, exchangeError(http.MethodGet, l.h.url, false, context.Cause(ctx))
		}
	}
}

// exchange sends the message of p and, if it is a request, waits for its answer.
func (l *link) exchange(ctx context.Context, p *post) error {
	endpoint, err := l.await(ctx)
	if err != nil {
		return &goneError{p.as.generation, err}
	}
	out := outgoing{method: http.MethodPost, url: endpoint, as: p.as, message: p.m, total: l.h.opts.ShortTimeout}
	answered := make(chan error, 1)
	if p.m.IsRequest() {
		out.total = l.h.opts.TotalTimeout
		l.mu.Lock()
		l.waiting[p.m.ID] = answered
		l.mu.Unlock()
		defer l.settle(p.m.ID, nil)
	}
	resp, err := l.h.do(ctx, out)
	switch {
	case err != nil:
		return err
	case resp.StatusCode/100 != 2:
		return p.refused(ctx, resp)
	}
	if !p.m.IsRequest() {
		p.trail(resp, resp.discard)
		return nil
	}
	drained := make(chan struct{})
	go func() { // some servers end this response only when they have answered
		defer close(drained)
		resp.discard()
	}()
	defer func() {
		resp.stop()
		<-drained
		resp.close()
	}()
	select {
	case err := <-answered:
		return err
	case <-ctx.Done():
		return fmt.Errorf("waiting for the answer: %w", context.Cause(ctx))
	}
}

// settle ends the wait for an answer.
func (l *link) settle(id jsonrpc.ID, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if done, ok := l.waiting[id]; ok {
		delete(l.waiting, id)
		done <- err
	}
}
