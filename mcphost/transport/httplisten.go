package transport

// This file reads event streams, and keeps one open for what the server says unasked.

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"gatehouse/mcphost/jsonrpc"
)

const (
	firstRetry = time.Second // unless the server asks for another
	leastRetry = 50 * time.Millisecond
	mostRetry  = time.Minute // unless the server asks for more
	mostAsked  = time.Hour   // that a server can ask for
	lasting    = 10 * time.Second
	firstWait  = time.Second // for a stream that some servers answer only when they have something to say
)

// OpenStream begins to listen for messages that answer no request (MCP, "Listening for Messages from the Server").
// It belongs after initialize and replaces an earlier stream. The stream is opened again whenever it ends, until ctx
// ends or Close. That a server offers none (405) is no fault; on WireSSE it stands already.
//
// It returns when the server has answered, or after a second: the TypeScript SDK drops what it would ask while no stream
// stands, and the call that it asks for would never end.
func (h *HTTP) OpenStream(ctx context.Context) error {
	work, x, err := h.begin(ctx)
	if err != nil {
		return err
	}
	h.mu.Lock()
	if h.link != nil {
		h.mu.Unlock()
		x.end()
		return nil
	}
	h.stopListening()
	h.listener = x
	h.mu.Unlock()
	answered := make(chan struct{})
	go h.listen(work, x, h.footing(), sync.OnceFunc(func() { close(answered) }))
	late := time.NewTimer(firstWait)
	defer late.Stop()
	select {
	case <-answered:
	case <-late.C:
	}
	return nil
}

// stopListening ends the listening stream. The caller holds mu.
func (h *HTTP) stopListening() {
	if cancel := h.cancels[h.listener]; cancel != nil {
		cancel(nil)
	}
	h.listener = nil
}

// listen keeps the stream open. Answered is called after every answer of the server, or when there will be none.
func (h *HTTP) listen(ctx context.Context, x *exchange, as footing, answered func()) {
	defer x.end()
	defer answered()
	var at cursor
	for failures := 0; ; failures++ {
		h.mu.Lock()
		woken := h.woken
		h.mu.Unlock()
		once, stop := context.WithCancel(ctx)
		watch := make(chan struct{})
		go func() {
			defer close(watch)
			select {
			case <-woken:
				stop()
			case <-once.Done():
			}
		}()
		progress, again := h.listenOnce(once, as, &at, answered)
		if progress {
			failures = 0
		}
		if again {
			err := pause(once, at.delay(failures))
			again = err == nil || ctx.Err() == nil // woken
		}
		stop()
		<-watch
		if !again {
			return
		}
	}
}

// Wake drops what a sleep of this machine, or a change of its network, has left of the connections: idle ones are closed,
// and the listening stream is opened again at once where it was. What waits for an answer goes on waiting (ACC A07).
func (h *HTTP) Wake() {
	h.mu.Lock()
	close(h.woken)
	h.woken = make(chan struct{})
	h.mu.Unlock()
	h.client.CloseIdleConnections()
}

// listenOnce reads one stream to its end and reports whether it was of use and whether another is worth a try.
func (h *HTTP) listenOnce(ctx context.Context, as footing, at *cursor, answered func()) (progress, again bool) {
	resp, err := h.do(ctx, outgoing{method: http.MethodGet, as: as, lastID: at.lastID, total: h.opts.TotalTimeout, idle: true})
	answered()
	if err != nil {
		h.opts.Logger.DebugContext(ctx, "no listening stream", "error", err)
		return false, true
	}
	if !resp.isEvents() {
		resp.close()
		h.opts.Logger.DebugContext(ctx, "no listening stream", "status", resp.StatusCode)
		return false, worthRepeating(resp.StatusCode)
	}
	defer resp.close()
	begun := time.Now()
	progress, err = h.readEvents(ctx, h.events(resp, at), jsonrpc.ID{})
	h.opts.Logger.DebugContext(ctx, "listening stream ended", "error", err)
	return progress || time.Since(begun) >= lasting, true
}

// readEvents hands the messages of a stream to Read, until the stream ends or, without an error, until one has been
// handed over that answers the request id (none = for ever). Progress means that the stream brought something. An event
// that is too large is reported by Read; it ends the reading if it is the answer.
func (h *HTTP) readEvents(ctx context.Context, events *eventReader, id jsonrpc.ID) (progress bool, err error) {
	from := events.at.lastID
	for {
		ev, err := events.next()
		progress = progress || err == nil || events.at.lastID != from
		var big *jsonrpc.FrameTooLargeError
		switch {
		case errors.As(err, &big):
			if err := h.deliver(ctx, incoming{err: big}); err != nil {
				return progress, err
			}
			if !id.IsZero() && big.ID == id {
				return progress, big
			}
			continue
		case err != nil:
			return progress, err
		case ev.name != "" && ev.name != "message" || len(bytes.TrimSpace(ev.data)) == 0:
			continue
		}
		found := false
		if !id.IsZero() {
			ids, _ := answers(ev.data, &h.opts.Limits)
			found = slices.Contains(ids, id)
		}
		if err := h.deliver(ctx, incoming{frame: ev.data}); err != nil || found {
			return progress, err
		}
	}
}

// isEvents reports whether the response is an event stream.
func (r *response) isEvents() bool {
	return r.StatusCode == http.StatusOK && r.mediaType() == typeEvents
}

// worthRepeating reports whether a GET may succeed later although it failed with this status.
func worthRepeating(status int) bool {
	return status >= 500 || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout
}

// delay returns how long to wait before the stream is opened again, after so many failures in a row: what the server
// asks for, and more if that does not help.
func (c *cursor) delay(failures int) time.Duration {
	asked := firstRetry
	if c.asked {
		asked = min(max(c.retry, leastRetry), mostAsked)
	}
	if failures == 0 {
		return asked
	}
	return max(asked, min(firstRetry<<min(failures-1, 10), mostRetry))
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
