package mcphosttest

// This file runs a scenario on loopback HTTP: the Streamable HTTP transport of 2025-03-26 to 2025-11-25.

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
)

// HTTPOptions are the choices that the transport leaves to a server.
type HTTPOptions struct {
	JSON       bool                                 // answer requests with one JSON body, not with an event stream
	NoSessions bool                                 // hand out no session id
	Intercept  func(next http.Handler) http.Handler // sees every request first; nil = nothing
}

// An HTTP is a scripted server on loopback HTTP.
type HTTP struct {
	URL string
	Record
	server *server
	opts   HTTPOptions
	done   chan struct{}

	mu       sync.Mutex // guards what follows
	session  string     // "" = none open
	sessions int
	headers  []http.Header
	listener func([]byte) // the client's GET stream, nil if it has none
}

// NewHTTP starts a scripted server on loopback that ends with the test. Start actions are not played; Exit cuts the
// connection of the request that is being served.
func NewHTTP(t testing.TB, s Scenario, o *HTTPOptions) *HTTP {
	t.Helper()
	h := &HTTP{Record: Record(filepath.Join(t.TempDir(), "received.jsonl")), done: make(chan struct{})}
	if o != nil {
		h.opts = *o
	}
	h.server = newServer(s, h.done, func(int) { panic(http.ErrAbortHandler) })
	var handler http.Handler = h
	if h.opts.Intercept != nil {
		handler = h.opts.Intercept(handler)
	}
	web := httptest.NewServer(handler)
	h.URL = web.URL + "/mcp"
	t.Cleanup(func() {
		close(h.done)
		web.CloseClientConnections()
		web.Close()
	})
	return h
}

// Headers are the header fields of every request so far.
func (h *HTTP) Headers() []http.Header {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]http.Header(nil), h.headers...)
}

// Forget ends the session on the server's side: the next request is answered with 404.
func (h *HTTP) Forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.session = ""
}

// Notify sends a notification on the client's GET stream; it is lost if there is none.
func (h *HTTP) Notify(method string, params Raw) {
	(&turn{server: h.server, send: h.push}).act(Notify(method, params))
}

func (h *HTTP) push(b []byte) {
	h.mu.Lock() // held while sending: a listener that leaves must not be written to
	defer h.mu.Unlock()
	if h.listener != nil {
		h.listener(b)
	}
}

func (h *HTTP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.headers = append(h.headers, r.Header.Clone())
	h.mu.Unlock()
	switch r.Method {
	case http.MethodPost:
		h.post(w, r)
	case http.MethodGet:
		if h.known(w, r) {
			h.listen(w, r)
		}
	case http.MethodDelete:
		if h.known(w, r) {
			h.Forget()
		}
	default:
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	}
}

func (h *HTTP) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	if err := appendLine(string(h.Record), bytes.Clone(body)); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	var answer answer = &eventStream{w: w}
	if h.opts.JSON {
		answer = &jsonBody{push: h.push}
	}
	t := h.server.receive(body, answer.send)
	switch {
	case t == nil:
		http.Error(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}`, http.StatusBadRequest)
	case t.in.Method == "initialize":
		if !h.opts.NoSessions {
			w.Header().Set("Mcp-Session-Id", h.newSession())
		}
		h.answer(w, r, t, answer)
	case t.in.isModern() && t.in.ID != nil && t.script.Era != Legacy:
		h.answer(w, r, t, answer)
	case !h.known(w, r):
	case t.in.ID == nil || t.in.Method == "":
		t.send = h.push
		t.run()
		w.WriteHeader(http.StatusAccepted)
	default:
		h.answer(w, r, t, answer)
	}
}

func (h *HTTP) answer(w http.ResponseWriter, r *http.Request, t *turn, a answer) {
	t.run()
	if t.silent {
		select {
		case <-r.Context().Done():
		case <-h.done:
		}
		return
	}
	a.finish(w)
}

func (h *HTTP) newSession() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sessions++
	h.session = "session-" + strconv.Itoa(h.sessions)
	return h.session
}

// known reports whether the request belongs to the open session, and answers it if it does not.
func (h *HTTP) known(w http.ResponseWriter, r *http.Request) bool {
	h.mu.Lock()
	session := h.session
	h.mu.Unlock()
	switch id := r.Header.Get("Mcp-Session-Id"); {
	case h.opts.NoSessions || id != "" && id == session:
		return true
	case id == "":
		http.Error(w, "no session id", http.StatusBadRequest)
	default:
		http.Error(w, "no such session", http.StatusNotFound)
	}
	return false
}

// listen serves the client's GET stream until the client or the test ends it.
func (h *HTTP) listen(w http.ResponseWriter, r *http.Request) {
	stream := &eventStream{w: w}
	stream.open()
	h.mu.Lock()
	h.listener = stream.send
	h.mu.Unlock()
	select {
	case <-r.Context().Done():
	case <-h.done:
	}
	h.mu.Lock()
	h.listener = nil
	h.mu.Unlock()
}

// An answer carries what the server sends while it serves one request.
type answer interface {
	send(line []byte)
	finish(w http.ResponseWriter)
}

// An eventStream sends every line as one event.
type eventStream struct {
	mu     sync.Mutex // guards w and opened
	w      http.ResponseWriter
	opened bool
}

func (s *eventStream) open() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.openLocked()
}

func (s *eventStream) openLocked() {
	if !s.opened {
		s.opened = true
		s.w.Header().Set("Content-Type", "text/event-stream")
		s.w.WriteHeader(http.StatusOK)
		s.w.(http.Flusher).Flush()
	}
}

func (s *eventStream) send(line []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.openLocked()
	for part := range bytes.SplitSeq(bytes.TrimSuffix(line, []byte("\n")), []byte("\n")) {
		_, _ = s.w.Write([]byte("data: " + string(part) + "\n")) // a client that has gone ends the handler
	}
	_, _ = s.w.Write([]byte("\n"))
	s.w.(http.Flusher).Flush()
}

func (s *eventStream) finish(http.ResponseWriter) {}

// A jsonBody keeps the response for the body and sends everything else on the GET stream.
type jsonBody struct {
	push func([]byte)
	body []byte
}

func (j *jsonBody) send(line []byte) {
	var f frame
	if json.Unmarshal(line, &f) == nil && f.Method != "" {
		j.push(line)
		return
	}
	j.body = append(j.body, line...)
}

func (j *jsonBody) finish(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(j.body) // a client that has gone does not matter
}
