package transport

// This file defines how an exchange with a remote server fails.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"gatehouse/mcphost/jsonrpc"
)

const (
	errorBody  = 4 << 10 // kept of the body of an error
	errorFrame = 1 << 20 // of an error that is a message
)

// ErrSessionGone is wrapped when the server no longer knows the session (404): it has not acted on the request, so a
// new session may repeat it ([HTTP.Renew]).
var ErrSessionGone = errors.New("the server has ended the session")

// ErrUnanswered is wrapped when a response ended before the answer and cannot be taken up again. The server may have
// acted on the request.
var ErrUnanswered = errors.New("the response ended without the answer")

// NotExecuted reports whether err, of a Write or of the call that it was for, proves that the server has not acted on
// the request: it never left this machine, or it was refused together with the session. Only then may a request that
// changes something be repeated (ACC A12).
func NotExecuted(err error) bool {
	if err == nil || errors.Is(err, ErrUnanswered) {
		return false
	}
	var (
		exchange *ExchangeError
		closed   *jsonrpc.ClosedError
	)
	switch {
	case errors.Is(err, ErrSessionGone):
		return true
	case errors.As(err, &exchange):
		return !exchange.Sent
	case errors.As(err, &closed):
		return !closed.Sent
	}
	return false
}

// An ExchangeError is a request that failed without a status: the server cannot be reached, or not to the end.
type ExchangeError struct {
	Method string
	URL    string // without its query
	Sent   bool   // the request went out, so the server may have acted on it
	Err    error  // wraps a *CertificateError or *ProxyError if it is one
}

func (e *ExchangeError) Error() string { return fmt.Sprintf("%s %s: %v", e.Method, e.URL, e.Err) }

// Unwrap returns the cause.
func (e *ExchangeError) Unwrap() error { return e.Err }

// An HTTPError is an answer whose status means failure. A redirect that is not followed is one, too.
type HTTPError struct {
	Method     string
	URL        string // without its query
	Status     int
	Body       []byte         // at most 4 KiB; the server's words: untrusted
	Answer     *jsonrpc.Error // if the body is a JSON-RPC error; HTTPError wraps it
	RetryAfter time.Duration  // the server's wish (RFC 9110, 10.2.3), 0 = none
	Challenges []string       // WWW-Authenticate of a 401 or 403; untrusted
}

func (e *HTTPError) Error() string {
	text := fmt.Sprintf("%s %s: status %d %s", e.Method, e.URL, e.Status, http.StatusText(e.Status))
	if e.Answer != nil {
		text += ": " + e.Answer.Error()
	}
	return text
}

// Unwrap returns Answer.
func (e *HTTPError) Unwrap() error {
	if e.Answer == nil {
		return nil
	}
	return e.Answer
}

// failure reads and closes a response that means failure. Frame is its body if that is a JSON-RPC error.
func (r *response) failure() (e *HTTPError, frame []byte) {
	defer r.close()
	e = &HTTPError{
		Method: r.Request.Method, URL: place(r.Request.URL), Status: r.StatusCode,
		RetryAfter: retryAfter(r.Header.Get("Retry-After")), Challenges: r.Header.Values("Www-Authenticate"),
	}
	limit := int64(errorBody)
	if r.mediaType() == typeJSON {
		limit = errorFrame
	}
	body, _ := io.ReadAll(io.LimitReader(r, limit)) // what there is of it
	e.Body = bytes.Clone(body[:min(len(body), errorBody)])
	if messages, err := jsonrpc.Parse(body, nil); err == nil && len(messages) == 1 && messages[0].Error != nil {
		e.Answer = messages[0].Error
		frame = body
	}
	return e, frame
}

// retryAfter reads seconds; a date is not worth a clock that may differ from the server's.
func retryAfter(value string) time.Duration {
	seconds, err := strconv.ParseUint(strings.TrimSpace(value), 10, 31)
	if err != nil {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// exchangeError says where a request failed, without the query of its URL.
func exchangeError(method string, u *url.URL, sent bool, err error) error {
	var e *url.Error
	if errors.As(err, &e) {
		err = e.Err
	}
	return &ExchangeError{Method: method, URL: place(u), Sent: sent, Err: err}
}

// A brokenError is a stream that ended too early. It is ErrUnanswered.
type brokenError struct {
	at    cursor
	cause error
}

func (e *brokenError) Error() string        { return ErrUnanswered.Error() + ": " + e.cause.Error() }
func (e *brokenError) Unwrap() error        { return e.cause }
func (e *brokenError) Is(target error) bool { return target == ErrUnanswered }

// RetryDelay returns how long to wait before a subscription, or another request that may be repeated, is sent again
// after it failed with err, for the failures-th time in a row (0 = it had been of use): what the server asks for, and
// more if that does not help. It never waits longer than an hour.
func RetryDelay(failures int, err error) time.Duration {
	var (
		broken *brokenError
		status *HTTPError
		at     cursor
	)
	switch {
	case errors.As(err, &status):
		at = cursor{retry: status.RetryAfter, asked: status.RetryAfter > 0}
	case errors.As(err, &broken):
		at = broken.at
	}
	return at.delay(failures)
}

// A goneError is a session that the server does not know any more. It is ErrSessionGone.
type goneError struct {
	generation int // of the session
	cause      error
}

func (e *goneError) Error() string        { return ErrSessionGone.Error() + ": " + e.cause.Error() }
func (e *goneError) Unwrap() error        { return e.cause }
func (e *goneError) Is(target error) bool { return target == ErrSessionGone }

// cancelled returns why the work of ctx ended, err if it has not.
func cancelled(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
