package transport

// This file makes one request of a remote connection and bounds its response in time and size.

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"mime"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"time"

	"gatehouse/mcphost/jsonrpc"
)

const (
	sessionField  = "Mcp-Session-Id"
	revisionField = "Mcp-Protocol-Version"
	eventField    = "Last-Event-Id"
	methodField   = "Mcp-Method"
	nameField     = "Mcp-Name"

	trusted = 4 << 20 // a length that is taken at its word

	typeJSON   = "application/json"
	typeEvents = "text/event-stream"
)

var (
	errIdle  = errors.New("the server has been silent for too long")
	errTotal = errors.New("the response has taken too long")
)

// An outgoing is a request before it is dressed for the way.
type outgoing struct {
	method  string
	url     *url.URL         // nil = the server's
	message *jsonrpc.Message // nil = no body
	lastID  string           // "" = none; asks for what followed that event
	as      footing
	fields  Fields
	total   time.Duration // bounds the exchange
	idle    bool          // silence bounds it, too: nobody waits for an answer with a clock of his own
}

// A response is what came back. It must be closed.
type response struct {
	*http.Response
	idle   *time.Timer
	reset  func() // idle, for as long as the response may be silent
	total  *time.Timer
	cancel context.CancelCauseFunc
}

// do sends a request. Its error is an *ExchangeError.
func (h *HTTP) do(ctx context.Context, out outgoing) (*response, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	var sent atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }})
	quiet := time.Duration(math.MaxInt64)
	if out.idle {
		quiet = h.opts.IdleTimeout
	}
	r := &response{cancel: cancel}
	r.idle = time.AfterFunc(quiet, func() { cancel(errIdle) })
	r.reset = func() { r.idle.Reset(quiet) }
	r.total = time.AfterFunc(out.total, func() { cancel(errTotal) })
	if out.url == nil {
		out.url = h.url
	}
	var body io.Reader
	if out.message != nil {
		body = bytes.NewReader(out.message.Raw)
	}
	if h.opts.Record != nil {
		ctx = context.WithValue(ctx, exchangeKey{}, &recorded{message: out.message})
	}
	req, err := http.NewRequestWithContext(ctx, out.method, out.url.String(), body)
	if err == nil {
		h.dress(req, out)
		r.Response, err = h.client.Do(req)
	}
	if err != nil {
		err = cancelled(ctx, certificateError(out.url.Hostname(), h.opts.Proxy.proxyError(out.url, err)))
		r.stop()
		return nil, exchangeError(out.method, out.url, sent.Load(), err)
	}
	return r, nil
}

// dress sets the header fields.
func (h *HTTP) dress(req *http.Request, out outgoing) {
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
	if out.lastID != "" {
		req.Header.Set(eventField, out.lastID)
	}
	out.fields.set(req.Header)
	if out.as.revision != "" {
		req.Header.Set(revisionField, out.as.revision)
	}
	if out.as.session != "" && !out.as.modern() {
		req.Header.Set(sessionField, out.as.session)
	}
}

// Read reads the body. The idle time runs while it waits for the server, not while a frame waits for its reader.
func (r *response) Read(p []byte) (int, error) {
	r.reset()
	n, err := r.Body.Read(p)
	r.idle.Stop()
	if err != nil && err != io.EOF {
		err = cancelled(r.Request.Context(), err)
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
	if r.ContentLength >= 0 && r.ContentLength <= trusted {
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
