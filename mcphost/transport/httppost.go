package transport

// This file sends messages: one POST each, answered by JSON, by an event stream, or by nothing.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

const (
	tailTime   = 5 * time.Second // for what follows an answer, so that the connection can be used again
	maxResumes = 5               // in a row that bring nothing
)

// Write sends m. For a request it returns when the answer has been handed to Read, so that its error is the failure of
// exactly this request: *HTTPError, *ExchangeError, one that wraps ErrSessionGone or ErrUnanswered,
// *jsonrpc.FrameTooLargeError, *jsonrpc.InvalidResponseError, or the *jsonrpc.Error of an answer that names no request.
// When ctx ends after the request has gone out, Write stops waiting and returns nil.
func (h *HTTP) Write(ctx context.Context, m *jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if m.Method == protocol.MethodInitialize {
		h.forgetSession()
	}
	as, err := h.settled(ctx)
	if err != nil {
		return err
	}
	work, x, err := h.begin(ctx)
	if err != nil {
		return err
	}
	p := &post{h: h, x: x, m: m, as: as}
	switch {
	case m.Method == protocol.MethodInitialize:
		err = p.open(work)
	case as.link != nil:
		err = as.link.exchange(work, p)
	default:
		err = p.run(work)
	}
	if !p.trailing {
		x.end()
	}
	var exchange *ExchangeError
	sent := !errors.As(err, &exchange) || exchange.Sent
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jsonrpc.ErrClosed):
		return &jsonrpc.ClosedError{Cause: jsonrpc.ErrClosed, Sent: sent}
	case ctx.Err() != nil && sent:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	default:
		return err
	}
}

// forgetSession makes room for a new session: initialize goes out without an id.
func (h *HTTP) forgetSession() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.session, h.revision, h.lost, h.link = "", "", false, nil
	h.stopListening()
}

// adoptSession keeps the id that the answer to initialize carries. Nothing else may change the session.
func (h *HTTP) adoptSession(resp *response) error {
	id := resp.Header.Get(sessionField)
	if id != "" && !validSession(id) {
		return errors.New("the server names the session with characters that cannot be sent back")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.session, h.wire = id, WireStreamable
	h.generation++
	return nil
}

// A post is the exchange of one message.
type post struct {
	h        *HTTP
	x        *exchange
	m        *jsonrpc.Message
	as       footing
	cursor   cursor // in the event stream of the answer
	trailing bool   // the exchange goes on after Write
}

func (p *post) run(ctx context.Context) error {
	out := outgoing{method: http.MethodPost, message: p.m, as: p.as, total: p.h.opts.ShortTimeout}
	if p.m.IsRequest() {
		out.total = p.h.opts.TotalTimeout
		out.idle = p.m.Method == protocol.MethodSubscriptionsListen
	}
	if p.as.modern() {
		out.fields = modernFields(ctx, p.m)
	}
	resp, err := p.h.do(ctx, out)
	if err != nil {
		return err
	}
	return p.take(ctx, resp)
}

// modernFields are the fields that repeat what the message says (MCP 2026-07-28, "Request Metadata").
func modernFields(ctx context.Context, m *jsonrpc.Message) Fields {
	fields := Fields{}
	if given, ok := ctx.Value(fieldsKey{}).(Fields); ok {
		maps.Copy(fields, given)
	}
	if m.Method != "" {
		fields[methodField] = m.Method
	}
	if name, ok := mirroredName(m.Method, m.Params); ok {
		fields[nameField] = encodeField(name)
	}
	return fields
}

// trail reads what is left of a response after Write has returned, for a short time, so that the connection can be
// used again.
func (p *post) trail(resp *response, rest func()) {
	p.trailing = true
	p.x.hold() // the caller has what it waited for
	resp.total.Reset(tailTime)
	go func() { // Close ends it and waits for it
		defer p.x.end()
		defer resp.close()
		rest()
	}()
}

// take reads the response, whatever it is, and closes it.
func (p *post) take(ctx context.Context, resp *response) error {
	if resp.StatusCode/100 != 2 {
		return p.refused(ctx, resp)
	}
	if encoding := resp.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		resp.close()
		return p.fault(fmt.Errorf("the answer is encoded as %q, which was not asked for", encoding))
	}
	if p.m.Method == protocol.MethodInitialize {
		if err := p.h.adoptSession(resp); err != nil {
			resp.close()
			return err
		}
		p.as = p.h.footing()
	}
	if p.m.IsRequest() && resp.isEvents() {
		return p.takeEvents(ctx, resp)
	}
	if !p.m.IsRequest() || resp.StatusCode == http.StatusAccepted { // an answer would come on the listening stream
		p.trail(resp, resp.discard)
		return nil
	}
	defer resp.close()
	switch kind := resp.mediaType(); kind {
	case typeJSON:
		return p.takeJSON(ctx, resp)
	default:
		return p.fault(fmt.Errorf("the answer is of type %q, neither JSON nor an event stream", kind))
	}
}

// refused reads a response whose status means failure. If it answers the request nevertheless, Read sees it.
func (p *post) refused(ctx context.Context, resp *response) error {
	failure, frame := resp.failure()
	if frame != nil {
		if err := p.h.deliver(ctx, incoming{frame: frame}); err != nil {
			return err
		}
	}
	if failure.Status == http.StatusNotFound && !p.as.modern() && (p.as.session != "" || p.as.link != nil) {
		return &goneError{p.as.generation, failure}
	}
	return failure
}

// fault is a failure after the request went out.
func (p *post) fault(err error) error { return exchangeError(http.MethodPost, p.h.url, true, err) }

// broken is the failure of a response that ended before the answer.
func (p *post) broken(cause error) error { return p.fault(&brokenError{p.cursor, cause}) }

// takeJSON reads an answer that is one body.
func (p *post) takeJSON(ctx context.Context, resp *response) error {
	frame, err := resp.frame(p.h.opts.Limits.FrameBytes)
	var big *jsonrpc.FrameTooLargeError
	if errors.As(err, &big) {
		big.ID = p.m.ID
		return big
	}
	if err != nil {
		return p.broken(err)
	}
	ids, stray := answers(frame, &p.h.opts.Limits)
	if err := p.h.deliver(ctx, incoming{frame: frame}); err != nil || slices.Contains(ids, p.m.ID) {
		return err
	}
	if stray != nil {
		return stray
	}
	return &jsonrpc.InvalidResponseError{Reason: "the body does not answer the request", Raw: frame}
}

// answers returns the requests that a frame answers, legibly or not. Stray is an error in it that names no request.
func answers(frame []byte, limits *jsonrpc.Limits) (ids []jsonrpc.ID, stray error) {
	messages, err := jsonrpc.Parse(frame, limits)
	for _, m := range messages {
		switch {
		case m.IsResponse() && !m.ID.IsZero():
			ids = append(ids, m.ID)
		case m.IsResponse() && m.Error != nil:
			stray = m.Error
		}
	}
	faults := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		faults = joined.Unwrap()
	}
	for _, err := range faults {
		var fault *jsonrpc.FrameError
		if errors.As(err, &fault) && !fault.ID.IsZero() {
			ids = append(ids, fault.ID)
		}
	}
	return ids, stray
}

// takeEvents reads an event stream until the answer has come. When the stream ends before and its events have ids, it
// is taken up again (MCP, "Resumability and Redelivery").
func (p *post) takeEvents(ctx context.Context, resp *response) error {
	for failures := 0; ; {
		events := p.h.events(resp, &p.cursor)
		progress, err := p.h.readEvents(ctx, events, p.m.ID)
		if err == nil {
			p.trail(resp, func() { _, _ = p.h.readEvents(ctx, events, jsonrpc.ID{}) }) // until it ends
			return nil
		}
		resp.close()
		if big := (*jsonrpc.FrameTooLargeError)(nil); errors.As(err, &big) {
			return big
		}
		if progress {
			failures = 0
		}
		if resp, err = p.resume(ctx, &failures, err); err != nil {
			return err
		}
	}
}

// resume asks for the rest of a stream that ended because of cause. The modern profile knows no such thing.
func (p *post) resume(ctx context.Context, failures *int, cause error) (*response, error) {
	for {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if p.as.modern() || p.cursor.lastID == "" || *failures >= maxResumes {
			return nil, p.broken(cause)
		}
		if err := pause(ctx, p.cursor.delay(*failures)); err != nil {
			return nil, err
		}
		*failures++
		resp, err := p.h.do(ctx, outgoing{method: http.MethodGet, as: p.as, lastID: p.cursor.lastID, total: p.h.opts.TotalTimeout})
		if err != nil {
			cause = err
			continue
		}
		if resp.isEvents() {
			return resp, nil
		}
		cause, _ = resp.failure()
		if !worthRepeating(resp.StatusCode) {
			return nil, p.broken(cause)
		}
	}
}
