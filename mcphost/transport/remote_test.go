package transport

// This file is the other end of remote connections in tests.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"

	"gatehouse/mcphost/jsonrpc"
)

// A remote is a scripted server; it keeps what it was asked.
type remote struct {
	*httptest.Server
	mu   sync.Mutex
	seen []seen
}

type seen struct {
	method, from string
	header       http.Header
	body         string
}

// newRemote starts a server that answers with these handlers, by HTTP method. A method without one gets 405.
func newRemote(t *testing.T, handlers map[string]http.HandlerFunc) *remote {
	t.Helper()
	r := &remote{}
	r.Server = httptest.NewServer(r.record(handlers))
	t.Cleanup(func() {
		r.CloseClientConnections()
		r.Close()
	})
	return r
}

func (r *remote) record(handlers map[string]http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return
		}
		r.mu.Lock()
		r.seen = append(r.seen, seen{req.Method, req.RemoteAddr, req.Header.Clone(), string(body)})
		r.mu.Unlock()
		req.Body = io.NopCloser(bytes.NewReader(body))
		if f := handlers[req.Method]; f != nil {
			f(w, req)
			return
		}
		w.WriteHeader(http.StatusMethodNotAllowed)
	})
}

// requests returns what was asked with one method.
func (r *remote) requests(method string) []seen {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []seen
	for _, s := range r.seen {
		if s.method == method {
			list = append(list, s)
		}
	}
	return list
}

func onPost(f http.HandlerFunc) map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{http.MethodPost: f}
}

func dial(t *testing.T, url string, o HTTPOptions) *HTTP {
	t.Helper()
	h, err := DialHTTP(url, &o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

func request(t *testing.T, id int64, method string) *jsonrpc.Message {
	t.Helper()
	m, err := jsonrpc.NewRequest(jsonrpc.IntID(id), method, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func notification(t *testing.T, method string) *jsonrpc.Message {
	t.Helper()
	m, err := jsonrpc.NewNotification(method, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func answer(id int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, id) }

func sendJSON(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = io.WriteString(w, body)
}

// sendEvents writes pieces of an event stream, each at once.
func sendEvents(w http.ResponseWriter, pieces ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, p := range pieces {
		_, _ = io.WriteString(w, p)
		w.(http.Flusher).Flush()
	}
}

func requestWith(t *testing.T, id int64, method, params string) *jsonrpc.Message {
	t.Helper()
	m, err := jsonrpc.NewRequest(jsonrpc.IntID(id), method, json.RawMessage(params))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// outcome is what an exchange came to: the frames that it brought and the error of Write.
func outcome(t *testing.T, h *HTTP, m *jsonrpc.Message) (frames []string, err error) {
	t.Helper()
	return outcomeOf(t.Context(), h, m)
}

func outcomeOf(ctx context.Context, h *HTTP, m *jsonrpc.Message) (frames []string, err error) {
	reading, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			frame, err := h.Read(reading)
			if err != nil {
				return
			}
			frames = append(frames, string(frame))
		}
	}()
	err = h.Write(ctx, m)
	cancel()
	<-done
	return frames, err
}

// synctestHTTP runs f in a bubble, where waiting costs no time, against a server in memory.
func synctestHTTP(t *testing.T, name string, handlers map[string]http.HandlerFunc, f func(t *testing.T, h *HTTP, r *remote)) {
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r, conns := &remote{}, make(pipeListener)
			server := &http.Server{Handler: r.record(handlers)}
			served := make(chan struct{})
			go func() { defer close(served); _ = server.Serve(conns) }() // until Close
			h, err := DialHTTP("http://localhost/mcp", &HTTPOptions{Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
				ours, theirs := net.Pipe()
				select {
				case conns <- theirs:
					return ours, nil
				case <-ctx.Done():
					return nil, ctx.Err()
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			f(t, h, r)
			if err := h.Close(); err != nil {
				t.Error(err)
			}
			_ = server.Close() // closes conns
			<-served
		})
	})
}

// A pipeListener accepts what is sent to it.
type pipeListener chan net.Conn

func (l pipeListener) Accept() (net.Conn, error) {
	if c, ok := <-l; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

// Close is called once.
func (l pipeListener) Close() error {
	close(l)
	return nil
}

func (l pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

func discardLog() *log.Logger { return log.New(io.Discard, "", 0) }
