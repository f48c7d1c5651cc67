package transport

// This file shows what goes over HTTP to whoever watches, without its secrets.

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"gatehouse/mcphost/jsonrpc"
)

const masked = "••••••" // of fixed length: it says nothing about the secret's

// A Record is one HTTP request, or what came back. What may be a secret is masked: the values of configured fields, of
// fields that carry credentials, cookies or a session, and of the query.
type Record struct {
	Exchange  int64 // the same for a request and its response
	At        time.Time
	Direction jsonrpc.Direction
	Method    string // HTTP's
	URL       string
	Status    int // of a response, 0 = none came
	Header    http.Header
	Size      int64      // of the body, -1 = not known yet
	Message   string     // JSON-RPC's method, if the request carries a message
	ID        jsonrpc.ID // of that message
	Err       error      // why no response came
	Event     *Event     // of the response's stream; nil = the record is a request or response
}

// An Event is what an event stream says beside its messages: an event of another name, an id, a time to wait.
type Event struct {
	Name  string // "" = message
	ID    string // "" = none, or that of the event before
	Retry time.Duration
	Data  string // of one that is no message; of an address without its secrets
}

type exchangeKey struct{}

// A recorded is a request whose number is known once it has gone out.
type recorded struct {
	message *jsonrpc.Message // nil = none
	number  int64
}

// A recorder passes requests on and shows them.
type recorder struct {
	h    *HTTP
	next http.RoundTripper
}

// RoundTrip implements [http.RoundTripper].
func (r recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	h := r.h
	rec := Record{
		Exchange: h.exchanges.Add(1), At: h.opts.Now(), Direction: jsonrpc.Outgoing, Method: req.Method, URL: maskURL(req.URL),
		Header: h.maskHeader(req.Header), Size: req.ContentLength,
	}
	if x, ok := req.Context().Value(exchangeKey{}).(*recorded); ok {
		x.number = rec.Exchange
		if x.message != nil {
			rec.Message, rec.ID = x.message.Method, x.message.ID
		}
	}
	h.opts.Record(rec)
	resp, err := r.next.RoundTrip(req)
	rec.At, rec.Direction, rec.Header, rec.Size, rec.Err = h.opts.Now(), jsonrpc.Incoming, nil, 0, cancelled(req.Context(), err)
	if err == nil {
		rec.Err = nil
		rec.Status, rec.Header, rec.Size = resp.StatusCode, h.maskHeader(resp.Header), resp.ContentLength
	}
	h.opts.Record(rec)
	return resp, err
}

// CloseIdleConnections makes [http.Client.CloseIdleConnections] work.
func (r recorder) CloseIdleConnections() {
	if c, ok := r.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// events returns a reader of a response's events that are recorded.
func (h *HTTP) events(resp *response, at *cursor) *eventReader {
	e := newEventReader(resp, h.opts.Limits.FrameBytes, at)
	x, ok := resp.Request.Context().Value(exchangeKey{}).(*recorded)
	if h.opts.Record == nil || !ok {
		return e
	}
	e.seen = func(ev Event, size int) {
		if ev.Name == "endpoint" {
			ev.Data = h.maskReference(ev.Data)
		}
		h.opts.Record(Record{Exchange: x.number, At: h.opts.Now(), Direction: jsonrpc.Incoming, Size: int64(size), Event: &ev})
	}
	return e
}

// maskReference masks what an address may hold of secrets.
func (h *HTTP) maskReference(reference string) string {
	u, err := url.Parse(strings.TrimSpace(reference))
	if err != nil || u.User != nil {
		return masked
	}
	return maskURL(u)
}

// telling are parts of names of fields whose values may be secrets.
var telling = []string{"auth", "cookie", "credential", "key", "passw", "secret", "session", "signature", "token"}

func (h *HTTP) maskHeader(header http.Header) http.Header {
	shown := header.Clone()
	for name, values := range shown {
		for i := range values {
			switch {
			case name == "Www-Authenticate" || name == "Proxy-Authenticate": // a question, not an answer
			case h.opts.Header[name] != nil || containsAny(strings.ToLower(name), telling):
				values[i] = masked
			case name == "Location" || name == "Content-Location":
				values[i] = h.maskReference(values[i])
			}
		}
	}
	return shown
}

// maskURL returns a URL whose query has names only.
func maskURL(u *url.URL) string {
	text := place(u)
	if u.Scheme == "" {
		text = u.Path
	}
	for i, part := range strings.FieldsFunc(u.RawQuery, func(r rune) bool { return r == '&' || r == ';' }) {
		name, _, given := strings.Cut(part, "=")
		switch {
		case i == 0:
			text += "?"
		default:
			text += "&"
		}
		if given {
			text += name + "="
		}
		text += masked
	}
	return text
}

func containsAny(s string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}
