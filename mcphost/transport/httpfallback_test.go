package transport

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"

	"gatehouse/mcphost/jsonrpc"
)

// ACC A13.
func TestHTTPFallback(t *testing.T) {
	for status, tries := range map[int]bool{
		400: true, 404: true, 405: true, 406: true, 411: true, 415: true,
		401: false, 403: false, 429: false, 500: false, 502: false, 503: false, 410: false, 302: false,
	} {
		r := newRemote(t, map[string]http.HandlerFunc{
			http.MethodPost: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) },
			http.MethodGet:  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) },
		})
		h := dial(t, r.URL+"/mcp", HTTPOptions{})
		_, err := outcome(t, h, request(t, 1, "initialize"))
		var both *AttemptsError
		if got := len(r.requests(http.MethodGet)); errors.As(err, &both) != tries || got != map[bool]int{true: 1}[tries] || err == nil || h.Wire() != "" {
			t.Errorf("%d: %d GETs, %v", status, got, err)
		}
		if tries {
			want := fmt.Sprintf("POST %s/mcp: status %d %s; then GET %s/mcp: status 418 I'm a teapot", r.URL, status, http.StatusText(status), r.URL)
			if err.Error() != want {
				t.Errorf("%d: %q, want %q", status, err, want)
			}
		}
		if _, err := outcome(t, h, request(t, 2, "tools/list")); err == nil || len(r.requests(http.MethodGet)) != map[bool]int{true: 1}[tries] {
			t.Errorf("%d: only the opening is tried otherwise: %v", status, err)
		}
	}
}

// What only a modern server says is no reason to fall back (ACC A14).
func TestHTTPFallbackNotFromModern(t *testing.T) {
	for code, tries := range map[int]bool{-32022: false, -32021: false, -32020: false, -32600: true} {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"error":{"code":%d,"message":"m","data":{"supported":["2026-07-28"]}}}`, code)
		r := newRemote(t, onPost(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", typeJSON)
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, body)
		}))
		frames, err := outcome(t, dial(t, r.URL, HTTPOptions{}), request(t, 1, "initialize"))
		var answer *jsonrpc.Error
		if n := len(r.requests(http.MethodGet)); !errors.As(err, &answer) || answer.Code != int64(code) || n != map[bool]int{true: 1}[tries] || !slices.Equal(frames, []string{body}) {
			t.Errorf("%d: %d GETs, %q, %v", code, n, frames, err)
		}
	}
}

// A remembered HTTP+SSE that is no more: the choice starts afresh.
func TestHTTPFallbackToStreamable(t *testing.T) {
	page := func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "text/html") }
	for name, get := range map[string]http.HandlerFunc{
		"405": nil, "a page": page,
		"events without an endpoint": func(w http.ResponseWriter, r *http.Request) { sendEvents(w, ": hi\n\n"); <-r.Context().Done() },
	} {
		synctestHTTP(t, name, map[string]http.HandlerFunc{
			http.MethodGet: get, http.MethodPost: func(w http.ResponseWriter, _ *http.Request) { sendJSON(w, answer(1)) },
		}, func(t *testing.T, h *HTTP, r *remote) {
			h.opts.Wire = WireSSE
			if _, err := outcome(t, h, request(t, 1, "initialize")); err != nil || h.Wire() != WireStreamable {
				t.Errorf("%s: %q, %v", name, h.Wire(), err)
			}
		})
	}
}
