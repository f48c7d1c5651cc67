package mcphosttest

// This file runs a scenario on loopback HTTP: Streamable HTTP in both profiles, or the transport before it.

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
	SSE        bool                                 // speak HTTP+SSE of 2024-11-05 instead
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
	cut      func()       // ends it
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
	h.mu.Lock()
	send := h.listener
	h.mu.Unlock()
	if send != nil {
		send(b)
	}
}

func (h *HTTP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.headers = append(h.headers, r.Header.Clone())
	h.mu.Unlock()
	modern := h.server.script.Era == Modern
	switch {
	case r.Method == http.MethodPost:
		h.post(w, r)
	case r.Method == http.MethodGet && h.opts.SSE:
		h.listenSSE(w, r)
	case r.Method == http.MethodGet && !modern:
		if h.known(w, r) {
			h.listen(w, r)
		}
	case r.Method == http.MethodDelete && !modern && !h.opts.SSE:
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
	stream := &eventStream{w: w}
	defer stream.leave()
	var answer answer = stream
	if h.opts.JSON {
		answer = &jsonBody{push: h.push}
	}
	t := h.server.receive(body, answer.send)
	switch {
	case t == nil:
		http.Error(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}`, http.StatusBadRequest)
	case h.opts.SSE:
		h.postSSE(w, r, t)
	case t.in.Method == "initialize":
		if !h.opts.NoSessions {
			w.Header().Set("Mcp-Session-Id", h.newSession())
		}
		h.answer(w, r, t, answer)
	case t.in.isModern() && t.in.ID != nil && t.script.Era != Legacy:
		if t.in.Method == "subscriptions/listen" {
			stream.over(string(t.in.ID))
			answer = stream
		}
		h.modern(w, r, t, body, answer)
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
		var over <-chan struct{} // if the answer comes later
		if m, ok := a.(*modernAnswer); ok {
			if s, ok := m.answer.(*eventStream); ok {
				over = s.over(string(t.in.ID))
			}
		}
		select {
		case <-r.Context().Done():
		case <-h.done:
		case <-over:
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
	defer stream.leave()
	stream.open()
	cut := make(chan struct{})
	h.mu.Lock()
	h.listener = stream.send
	h.cut = func() { close(cut) }
	h.mu.Unlock()
	select {
	case <-r.Context().Done():
	case <-h.done:
	case <-cut:
	}
}

// An answer carries what the server sends while it serves one request.
type answer interface {
	send(line []byte)
	finish(w http.ResponseWriter)
}

// An eventStream sends every line as one event, until its handler leaves.
type eventStream struct {
	mu      sync.Mutex // guards what follows
	w       http.ResponseWriter
	opened  bool
	left    bool
	awaited string        // the id whose answer ends it, "" = none
	ended   chan struct{} // closed by that answer
}

func (s *eventStream) open() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.openLocked()
}

func (s *eventStream) isOpen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opened
}

func (s *eventStream) openLocked() {
	if !s.opened {
		s.opened = true
		s.w.Header().Set("Content-Type", "text/event-stream")
		s.w.WriteHeader(http.StatusOK)
		s.w.(http.Flusher).Flush()
	}
}

// leave makes what is sent from now on go nowhere: the response is over.
func (s *eventStream) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left = true
}

// over returns a channel that is closed when the answer to id has been sent.
func (s *eventStream) over(id string) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended == nil {
		s.awaited, s.ended = id, make(chan struct{})
	}
	return s.ended
}

func (s *eventStream) send(line []byte) {
	var event bytes.Buffer
	for part := range bytes.SplitSeq(bytes.TrimSuffix(line, []byte("\n")), []byte("\n")) {
		event.WriteString("data: " + string(part) + "\n")
	}
	s.raw(event.String() + "\n")
	s.mu.Lock()
	defer s.mu.Unlock()
	var f frame
	if s.awaited != "" && json.Unmarshal(line, &f) == nil && f.Method == "" && string(f.ID) == s.awaited {
		close(s.ended)
		s.awaited = ""
	}
}

// raw sends text of an event stream as it stands.
func (s *eventStream) raw(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left {
		return
	}
	s.openLocked()
	_, _ = io.WriteString(s.w, text) // a client that has gone ends the handler
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
