package transport

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/mcphost/jsonrpc"
)

func TestHTTPAnswers(t *testing.T) {
	note := `{"jsonrpc":"2.0","method":"notifications/progress"}`
	for _, test := range []struct {
		name  string
		serve http.HandlerFunc
		want  []string
	}{
		{"JSON", func(w http.ResponseWriter, _ *http.Request) { sendJSON(w, answer(1)) }, []string{answer(1)}},
		{"JSON in chunks", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.(http.Flusher).Flush()
			sendJSON(w, answer(1))
		}, []string{answer(1)}},
		{"error answer", func(w http.ResponseWriter, _ *http.Request) {
			sendJSON(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`)
		}, []string{`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`}},
		{"batch", func(w http.ResponseWriter, _ *http.Request) { sendJSON(w, "["+note+","+answer(1)+"]") }, []string{"[" + note + "," + answer(1) + "]"}},
		{"answer for the peer to refuse", func(w http.ResponseWriter, _ *http.Request) {
			sendJSON(w, `{"jsonrpc":"2.0","id":1,"result":{},"Result":{}}`)
		}, []string{`{"jsonrpc":"2.0","id":1,"result":{},"Result":{}}`}},
		{"event stream", func(w http.ResponseWriter, _ *http.Request) {
			sendEvents(w, ": hello\n\n", "id: 1\ndata:\n\n", "data: "+note+"\n\n", "event: message\ndata: "+answer(1)+"\n\n")
		}, []string{note, answer(1)}},
		{"other events", func(w http.ResponseWriter, _ *http.Request) {
			sendEvents(w, "event: endpoint\ndata: /x\n\ndata: "+answer(1)+"\n\n")
		}, []string{answer(1)}},
		{"accepted", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }, nil},
	} {
		h := dial(t, newRemote(t, onPost(test.serve)).URL, HTTPOptions{})
		frames, err := outcome(t, h, request(t, 1, "tools/list"))
		if err != nil || !slices.Equal(frames, test.want) {
			t.Errorf("%s: got %q, %v", test.name, frames, err)
		}
	}
}

// What is no request is done when it is accepted, however that is said.
func TestHTTPNotifications(t *testing.T) {
	for name, serve := range map[string]http.HandlerFunc{
		"202":                func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) },
		"204":                func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
		"200 and a body":     func(w http.ResponseWriter, _ *http.Request) { sendJSON(w, "{}") },
		"an open stream":     func(w http.ResponseWriter, r *http.Request) { sendEvents(w, ": hi\n\n"); <-r.Context().Done() },
		"an endless message": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.Copy(w, letterReader{}) },
	} {
		h := dial(t, newRemote(t, onPost(serve)).URL, HTTPOptions{})
		if frames, err := outcome(t, h, notification(t, "notifications/initialized")); err != nil || frames != nil {
			t.Errorf("%s: got %q, %v", name, frames, err)
		}
	}
}

func TestHTTPHeaders(t *testing.T) {
	r := newRemote(t, map[string]http.HandlerFunc{
		http.MethodPost: func(w http.ResponseWriter, req *http.Request) {
			if req.Header.Get("Mcp-Session-Id") == "" {
				w.Header().Set("Mcp-Session-Id", "s3cret")
			} else {
				w.Header().Set("Mcp-Session-Id", "another") // only initialize names the session
			}
			sendJSON(w, answer(1))
		},
		http.MethodDelete: func(http.ResponseWriter, *http.Request) {},
	})
	h := dial(t, r.URL, HTTPOptions{Header: http.Header{"authorization": {"Bearer x"}, "X-Two": {"a", "b"}}})
	for _, m := range []*jsonrpc.Message{request(t, 1, "initialize"), request(t, 1, "tools/list"), request(t, 1, "tools/list")} {
		if _, err := outcome(t, h, m); err != nil {
			t.Fatal(err)
		}
		h.SetRevision("2025-06-18")
	}
	if _, err := outcome(t, h, request(t, 1, "initialize")); err != nil {
		t.Fatal(err)
	}
	h.SetRevision("2025-11-25")
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	posts, deletes := r.requests(http.MethodPost), r.requests(http.MethodDelete)
	if len(posts) != 4 || len(deletes) != 1 {
		t.Fatalf("%d posts, %d deletes", len(posts), len(deletes))
	}
	for i, want := range []struct{ session, revision string }{{"", ""}, {"s3cret", "2025-06-18"}, {"s3cret", "2025-06-18"}, {"", ""}} {
		got := posts[i].header
		if got.Get("Mcp-Session-Id") != want.session || got.Get("Mcp-Protocol-Version") != want.revision {
			t.Errorf("post %d: %v", i, got)
		}
		if got.Get("Accept") != "application/json, text/event-stream" || got.Get("Content-Type") != "application/json" ||
			got.Get("Authorization") != "Bearer x" || !slices.Equal(got.Values("X-Two"), []string{"a", "b"}) || got.Get("Accept-Encoding") != "" {
			t.Errorf("post %d: %v", i, got)
		}
	}
	if got := deletes[0].header; got.Get("Mcp-Session-Id") != "s3cret" || got.Get("Mcp-Protocol-Version") != "2025-11-25" {
		t.Errorf("delete: %v", got)
	}
	if want := string(request(t, 1, "initialize").Raw); posts[0].body != want {
		t.Errorf("sent %s, want %s", posts[0].body, want)
	}
}

// ACC A13: the status is told exactly, with a bounded body, and concerns one request only.
func TestHTTPStatus(t *testing.T) {
	for _, status := range []int{400, 401, 403, 404, 405, 406, 411, 415, 429, 500, 503} {
		r := newRemote(t, onPost(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.Copy(w, letterReader{}) // SEC B3: endless
		}))
		h := dial(t, r.URL+"/mcp?token=canary", HTTPOptions{})
		_, err := outcome(t, h, request(t, 1, "initialize"))
		var e *HTTPError
		if !errors.As(err, &e) || e.Status != status || e.Method != "POST" || e.URL != r.URL+"/mcp" || len(e.Body) != errorBody {
			t.Errorf("%d: %v", status, err)
		}
		if errors.Is(err, ErrSessionGone) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%d: %v", status, err)
		}
	}
}

// ACC A12: a session that the server has forgotten is a matter of its own, and a new one can be opened.
func TestHTTPSessionGone(t *testing.T) {
	session := "one"
	r := newRemote(t, map[string]http.HandlerFunc{
		http.MethodPost: func(w http.ResponseWriter, req *http.Request) {
			switch req.Header.Get("Mcp-Session-Id") {
			case "":
				w.Header().Set("Mcp-Session-Id", session)
				sendJSON(w, answer(1))
			case "one":
				http.NotFound(w, req)
			default:
				sendJSON(w, answer(1))
			}
		},
	})
	h := dial(t, r.URL, HTTPOptions{})
	call := func(method string) error { _, err := outcome(t, h, request(t, 1, method)); return err }
	if err := call("initialize"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var e *HTTPError
		if err := call("tools/call"); !errors.Is(err, ErrSessionGone) || !errors.As(err, &e) || e.Status != 404 {
			t.Errorf("got %v", err)
		}
	}
	session = "two"
	if err := errors.Join(call("initialize"), call("tools/call")); err != nil {
		t.Error(err)
	}
}

// SEC B14.
func TestHTTPSessionRefused(t *testing.T) {
	for _, id := range []string{"with space", "ünïcode", "tab\tbed", strings.Repeat("x", maxSessionID+1)} {
		r := newRemote(t, onPost(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Mcp-Session-Id", id)
			sendJSON(w, answer(1))
		}))
		h := dial(t, r.URL, HTTPOptions{})
		if _, err := outcome(t, h, request(t, 1, "initialize")); err == nil || strings.Contains(err.Error(), id) {
			t.Errorf("%.20q: %v", id, err)
		}
	}
	for id, want := range map[string]bool{
		"": false, "a\r\nb": false, "a\x00": false, "\x7f": false, "!~": true, strings.Repeat("x", maxSessionID): true, strings.Repeat("x", maxSessionID+1): false,
	} {
		if got := validSession(id); got != want {
			t.Errorf("%.20q: %t", id, got)
		}
	}
}

// An answer that is none fails its call precisely.
func TestHTTPInvalidAnswers(t *testing.T) {
	var invalid *jsonrpc.InvalidResponseError
	var refusal *jsonrpc.Error
	for _, test := range []struct {
		name, kind, body string
		frames           int
		is               func(error) bool
	}{
		{"other id", typeJSON, answer(2), 1, func(err error) bool { return errors.As(err, &invalid) }},
		{"no JSON", typeJSON, "<html>", 1, func(err error) bool { return errors.As(err, &invalid) }},
		{"nothing", typeJSON, "", 1, func(err error) bool { return errors.As(err, &invalid) }},
		{"error without id", typeJSON, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse"}}`, 1, func(err error) bool {
			return errors.As(err, &refusal) && refusal.Code == -32700
		}},
		{"a page", "text/html", "<html>", 0, func(err error) bool { return strings.Contains(err.Error(), "text/html") }},
		{"no type", "", "x", 0, func(err error) bool { return err != nil }},
		{"empty stream", typeEvents, "", 0, func(err error) bool { return errors.Is(err, ErrUnanswered) }},
		{"stream without the answer", typeEvents, "data: " + answer(2) + "\n\n", 1, func(err error) bool { return errors.Is(err, ErrUnanswered) }},
	} {
		h := dial(t, newRemote(t, onPost(func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = []string{test.kind}
			_, _ = io.WriteString(w, test.body)
		})).URL, HTTPOptions{})
		frames, err := outcome(t, h, request(t, 1, "tools/call"))
		if err == nil || !test.is(err) || len(frames) != test.frames {
			t.Errorf("%s: %q, %v", test.name, frames, err)
		}
	}
}

// When the caller gives up after the request went out, that is no failure of Write: the peer cancels the call.
func TestHTTPCallerGivesUp(t *testing.T) {
	arrived, left := make(chan struct{}), make(chan struct{})
	h := dial(t, newRemote(t, onPost(func(_ http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done()
		close(left)
	})).URL, HTTPOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	if err := h.Write(ctx, request(t, 1, "x")); err != nil {
		t.Error(err)
	}
	<-left
	if err := h.Write(ctx, request(t, 2, "x")); !errors.Is(err, context.Canceled) {
		t.Errorf("before it went out: %v", err)
	}
}

func TestHTTPClose(t *testing.T) {
	arrived := make(chan struct{})
	hangs := func(_ http.ResponseWriter, r *http.Request) { arrived <- struct{}{}; <-r.Context().Done() }
	r := newRemote(t, map[string]http.HandlerFunc{
		http.MethodPost: func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Mcp-Session-Id") != "" {
				hangs(w, r)
			}
			w.Header().Set("Mcp-Session-Id", "s")
			sendJSON(w, answer(1))
		},
		http.MethodDelete: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	})
	h := dial(t, r.URL, HTTPOptions{ShortTimeout: 5 * time.Second})
	if _, err := outcome(t, h, request(t, 1, "initialize")); err != nil {
		t.Fatal(err)
	}
	read, written := make(chan error), make(chan error)
	go func() { _, err := h.Read(context.Background()); read <- err }()
	go func() { written <- h.Write(context.Background(), request(t, 2, "x")) }()
	<-arrived
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if err := h.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	var closed *jsonrpc.ClosedError
	if err := <-written; !errors.As(err, &closed) || !closed.Sent {
		t.Errorf("write: %v", err)
	}
	if err := <-read; err != io.EOF {
		t.Errorf("read: %v", err)
	}
	wg.Wait()
	if err := h.Write(t.Context(), request(t, 3, "x")); !errors.As(err, &closed) || closed.Sent {
		t.Errorf("write after close: %v", err)
	}
	if err := h.OpenStream(t.Context()); !errors.As(err, &closed) {
		t.Errorf("listening after close: %v", err)
	}
	if n := len(r.requests(http.MethodDelete)); n != 1 {
		t.Errorf("%d deletes", n)
	}
}

// Neither errors nor the log hold what may be a secret.
func TestHTTPKeepsSecrets(t *testing.T) {
	var log bytes.Buffer
	r := newRemote(t, map[string]http.HandlerFunc{
		http.MethodPost: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Mcp-Session-Id", "canary")
			sendJSON(w, answer(1))
		},
		http.MethodGet: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) },
	})
	h := dial(t, r.URL+"/?key=canary", HTTPOptions{
		Header: http.Header{"Authorization": {"canary"}},
		Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	if _, err := outcome(t, h, request(t, 1, "initialize")); err != nil {
		t.Fatal(err)
	}
	if err := h.OpenStream(t.Context()); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the listening stream", func() bool { return len(r.requests(http.MethodGet)) == 1 })
	r.CloseClientConnections()
	r.Close()
	_, err := outcome(t, h, request(t, 2, "x"))
	if err == nil || strings.Contains(err.Error(), "canary") {
		t.Errorf("got %v", err)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if strings.Contains(log.String(), "canary") || log.Len() == 0 {
		t.Errorf("log: %s", log.String())
	}
}

// The rest of an event stream is read, so that one connection serves many calls.
func TestHTTPConnectionIsReused(t *testing.T) {
	r := newRemote(t, onPost(func(w http.ResponseWriter, _ *http.Request) {
		sendEvents(w, "data: "+answer(1)+"\n\n", ": the end\n\n")
	}))
	h := dial(t, r.URL, HTTPOptions{})
	for range 20 {
		if _, err := outcome(t, h, request(t, 1, "x")); err != nil {
			t.Fatal(err)
		}
		h.active.Wait()
	}
	for _, s := range r.requests(http.MethodPost) {
		if first := r.requests(http.MethodPost)[0].from; s.from != first {
			t.Errorf("a second connection, from %s", s.from)
		}
	}
}
