package transport

// This file makes one request of a remote connection and bounds its response in time and size.

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"time"

	"gatehouse/mcphost/jsonrpc"
)

const (
	sessionField  = "Mcp-Session-Id"
	revisionField = "Mcp-Protocol-Version"
	eventField    = "Last-Event-Id"

	typeJSON   = "application/json"
	typeEvents = "text/event-stream"
)

var (
	errIdle  = errors.New("the server has been silent for too long")
	errTotal = errors.New("the response has taken too long")
)

// A response is what came back. It must be closed.
type response struct {
	*http.Response
	session string // under which the request went out
	idle    *time.Timer
	reset   func() // idle, for as long as the response may be silent
	total   *time.Timer
	cancel  context.CancelCauseFunc
}

// do sends a request; total bounds the exchange. A lastID other than "" asks for what followed that event.
func (h *HTTP) do(ctx context.Context, method string, body []byte, lastID string, total time.Duration) (*response, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	r := &response{cancel: cancel}
	r.idle = time.AfterFunc(h.opts.IdleTimeout, func() { cancel(errIdle) })
	r.reset = func() { r.idle.Reset(h.opts.IdleTimeout) }
	r.total = time.AfterFunc(total, func() { cancel(errTotal) })
	req, err := http.NewRequestWithContext(ctx, method, h.url.String(), bytes.NewReader(body))
	if err == nil {
		r.session = h.dress(req, lastID)
		r.Response, err = h.client.Do(req)
	}
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		r.stop()
		return nil, exchangeError(method, h.url, err)
	}
	return r, nil
}

// dress sets the header fields and returns the session that the request belongs to.
func (h *HTTP) dress(req *http.Request, lastID string) (session string) {
	req.Header = h.opts.Header.Clone()
	if req.Header.Get("User-Agent") == "" {
		req.Header.Set("User-Agent", "gatehouse")
	}
	switch req.Method {
	case http.MethodPost:
		req.Header.Set("Accept", typeJSON+", "+typeEvents)
		req.Header.Set("Content-Type", typeJSON)
	case http.MethodGet:
		req.Header.Set("Accept", typeEvents)
	}
	if lastID != "" {
		req.Header.Set(eventField, lastID)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.revision != "" {
		req.Header.Set(revisionField, h.revision)
	}
	if h.session != "" {
		req.Header.Set(sessionField, h.session)
	}
	return h.session
}

// Read reads the body. The idle time runs while it waits for the server, not while a frame waits for its reader.
func (r *response) Read(p []byte) (int, error) {
	r.reset()
	n, err := r.Body.Read(p)
	r.idle.Stop()
	if err != nil && err != io.EOF && r.Request.Context().Err() != nil {
		err = context.Cause(r.Request.Context())
	}
	return n, err
}

func (r *response) stop() {
	r.idle.Stop()
	r.total.Stop()
	r.cancel(nil)
}

func (r *response) close() {
	r.Body.Close() // what is unread is of no use
	r.stop()
}

// mediaType returns the type of the body in lower case, "" if it has none that can be read.
func (r *response) mediaType() string {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return kind
}

// frame reads the body as one frame.
func (r *response) frame(limit int) ([]byte, error) {
	if r.ContentLength > int64(limit) {
		return nil, &jsonrpc.FrameTooLargeError{Limit: limit, Size: r.ContentLength}
	}
	if r.ContentLength >= 0 {
		frame := make([]byte, r.ContentLength)
		_, err := io.ReadFull(r, frame)
		return frame, err
	}
	frame, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if len(frame) > limit {
		return nil, &jsonrpc.FrameTooLargeError{Limit: limit, Size: int64(len(frame)), Head: bytes.Clone(frame[:min(headBytes, len(frame))])}
	}
	return frame, err
}

// discard reads a short body to its end, so that the connection can be used again.
func (r *response) discard() {
	_, _ = io.CopyN(io.Discard, r, errorBody) // what there is of it
}
