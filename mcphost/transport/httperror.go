package transport

// This file defines how an exchange with a remote server fails.

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

const errorBody = 4 << 10 // kept of the body of an error

// ErrSessionGone is wrapped when the server no longer knows the session (404): it has not acted on the request, so a
// new session may repeat it. The connection has dropped the session; the next initialize opens a new one.
var ErrSessionGone = errors.New("the server has ended the session")

// ErrUnanswered is wrapped when a response ended before the answer and cannot be taken up again. The server may have
// acted on the request.
var ErrUnanswered = errors.New("the response ended without the answer")

// An HTTPError is an answer whose status means failure. A redirect that is not followed is one, too.
type HTTPError struct {
	Method string
	URL    string // without its query
	Status int
	Body   []byte // at most 4 KiB; the server's words: untrusted
}

func (e *HTTPError) Error() string {
	return fmt.Sprintf("%s %s: status %d %s", e.Method, e.URL, e.Status, http.StatusText(e.Status))
}

// failure reads and closes a response that means failure.
func (r *response) failure() *HTTPError {
	defer r.close()
	body, _ := io.ReadAll(io.LimitReader(r, errorBody)) // what there is of it
	return &HTTPError{Method: r.Request.Method, URL: place(r.Request.URL), Status: r.StatusCode, Body: body}
}

// exchangeError says where a request failed, without the query of its URL.
func exchangeError(method string, u *url.URL, err error) error {
	var e *url.Error
	if errors.As(err, &e) {
		err = e.Err
	}
	return fmt.Errorf("%s %s: %w", method, place(u), err)
}
