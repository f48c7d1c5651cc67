package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/mcphost/jsonrpc"
)

// An oldServer speaks the transport of 2024-11-05. Every stream is a session of its own.
type oldServer struct {
	endpoint func(session int) string // the endpoint event's data
	onPost   http.HandlerFunc         // nil = answer every request

	mu      sync.Mutex // guards what follows
	streams int
	send    func(events string) // on the present stream
	cut     context.CancelFunc  // ends it
}

func (o *oldServer) handlers() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{http.MethodGet: o.get, http.MethodPost: o.post}
}

func (o *oldServer) get(w http.ResponseWriter, r *http.Request) {
	ctx, cut := context.WithCancel(r.Context())
	events := make(chan string)
	o.mu.Lock()
	o.streams++
	n := o.streams
	o.send = func(e string) {
		select {
		case events <- e:
		case <-ctx.Done():
		}
	}
	o.cut = cut
	o.mu.Unlock()
	if o.endpoint == nil {
		sendEvents(w, fmt.Sprintf("retry: 1\nevent: endpoint\ndata: /messages?session=%d\n\n", n))
	} else {
		sendEvents(w, "retry: 1\nevent: endpoint\ndata: "+o.endpoint(n)+"\n\n")
	}
	for {
		select {
		case e := <-events:
			sendEvents(w, e)
		case <-ctx.Done():
			return
		}
	}
}

func (o *oldServer) post(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path != "/messages":
		w.WriteHeader(http.StatusMethodNotAllowed)
	case o.onPost != nil:
		o.onPost(w, r)
	default:
		body, _ := io.ReadAll(r.Body)
		w.WriteHeader(http.StatusAccepted)
		if messages, err := jsonrpc.Parse(body, nil); err == nil && messages[0].IsRequest() {
			o.events("data: " + `{"jsonrpc":"2.0","id":` + messages[0].ID.String() + `,"result":{}}` + "\n\n")
		}
	}
}

func (o *oldServer) events(e string) {
	o.mu.Lock()
	send := o.send
	o.mu.Unlock()
	send(e)
}

func (o *oldServer) breakOff() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.cut()
}

func answerTo(id int64) string {
	return fmt.Sprintf("data: {\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{}}\n\n", id)
}

// peerOn is a conversation over h.
func peerOn(t *testing.T, h *HTTP) *jsonrpc.Peer {
	peer := jsonrpc.NewPeer(h, nil, nil)
	peer.Start()
	t.Cleanup(func() {
		if err := peer.Close(); err != nil {
			t.Error(err)
		}
	})
	return peer
}

func mustDial(t *testing.T, url string, o *HTTPOptions) *HTTP {
	h, err := DialHTTP(url, o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// A server that knows only HTTP+SSE is found by the POST that it refuses, and then serves calls.
func TestSSE(t *testing.T) {
	o := &oldServer{}
	r := newRemote(t, o.handlers())
	h := mustDial(t, r.URL+"/sse", &HTTPOptions{Header: http.Header{"Authorization": {"Bearer x"}}})
	peer := peerOn(t, h)
	if _, err := peer.Call(t.Context(), "initialize", nil, nil); err != nil {
		t.Fatal(err)
	}
	if h.Wire() != WireSSE {
		t.Errorf("the wire is %q", h.Wire())
	}
	if err := h.OpenStream(t.Context()); err != nil {
		t.Error(err)
	}
	if err := peer.Notify(t.Context(), "notifications/initialized", nil); err != nil {
		t.Error(err)
	}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := peer.Call(t.Context(), "tools/call", nil, nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := len(r.requests(http.MethodGet)); n != 1 {
		t.Errorf("%d streams", n)
	}
	for _, s := range append(r.requests(http.MethodPost), r.requests(http.MethodGet)...) {
		if s.header.Get("Authorization") != "Bearer x" {
			t.Errorf("%s without the configured header", s.method)
		}
	}
	// Remembered, it is tried first: no POST but those to the endpoint.
	before := len(r.requests(http.MethodPost))
	again := peerOn(t, mustDial(t, r.URL+"/sse", &HTTPOptions{Wire: WireSSE}))
	if _, err := again.Call(t.Context(), "initialize", nil, nil); err != nil {
		t.Error(err)
	}
	if n := len(r.requests(http.MethodPost)) - before; n != 1 {
		t.Errorf("%d posts", n)
	}
}

// The endpoint must stay at the server's origin.
func TestSSEEndpoint(t *testing.T) {
	trap := newRemote(t, nil)
	for _, endpoint := range []string{trap.URL + "/messages", "//127.0.0.1:1/messages", "https://example.com/", "file:///messages", "http://user@HOST/messages", "javascript:1", "http://[::1"} {
		o := &oldServer{}
		r := newRemote(t, o.handlers())
		o.endpoint = func(int) string { return strings.ReplaceAll(endpoint, "HOST", strings.TrimPrefix(r.URL, "http://")) }
		h := dial(t, r.URL, HTTPOptions{Header: http.Header{"Authorization": {"Bearer x"}}})
		if _, err := outcome(t, h, request(t, 1, "initialize")); err == nil || !strings.Contains(err.Error(), "another origin") {
			t.Errorf("%s: %v", endpoint, err)
		}
		if n := len(r.requests(http.MethodPost)); n != 1 { // the first attempt
			t.Errorf("%s: %d posts", endpoint, n)
		}
	}
	if n := len(trap.seen); n != 0 {
		t.Errorf("the trap was hit %d times", n)
	}
	for _, endpoint := range []string{"/messages?x=1", "messages", "  /messages  ", "HOST/messages#x"} {
		o := &oldServer{}
		r := newRemote(t, o.handlers())
		o.endpoint = func(int) string { return strings.ReplaceAll(endpoint, "HOST", r.URL) }
		if _, err := outcome(t, dial(t, r.URL+"/sse", HTTPOptions{}), request(t, 1, "initialize")); err != nil {
			t.Errorf("%s: %v", endpoint, err)
		}
	}
}

// A stream that comes back with the same endpoint goes on; what waits for an answer still gets it.
func TestSSEReconnect(t *testing.T) {
	o := &oldServer{endpoint: func(int) string { return "/messages?session=1" }}
	arrived := make(chan struct{})
	o.onPost = func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.WriteHeader(http.StatusAccepted)
		if strings.Contains(string(body), "initialize") {
			o.events("id: 7\n" + answerTo(1))
			return
		}
		close(arrived)
	}
	r := newRemote(t, o.handlers())
	peer := peerOn(t, mustDial(t, r.URL, nil))
	if _, err := peer.Call(t.Context(), "initialize", nil, nil); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { _, err := peer.Call(t.Context(), "tools/call", nil, nil); done <- err }()
	<-arrived
	o.breakOff()
	eventually(t, "a second stream", func() bool { return len(r.requests(http.MethodGet)) == 2 })
	eventually(t, "its handler", func() bool { o.mu.Lock(); defer o.mu.Unlock(); return o.streams == 2 })
	o.events(answerTo(2))
	if err := <-done; err != nil {
		t.Error(err)
	}
	if id := r.requests(http.MethodGet)[1].header.Get("Last-Event-ID"); id != "7" {
		t.Errorf("asked from %q", id)
	}
}

// A stream that comes back with another endpoint is another session: what waits has failed, and a new one is opened once.
func TestSSESessionGone(t *testing.T) {
	o := &oldServer{}
	arrived := make(chan struct{}, 10)
	o.onPost = func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.WriteHeader(http.StatusAccepted)
		switch messages, err := jsonrpc.Parse(body, nil); {
		case err != nil:
			t.Error(err)
		case messages[0].Method == "hangs":
			arrived <- struct{}{}
		default:
			o.events("data: {\"jsonrpc\":\"2.0\",\"id\":" + messages[0].ID.String() + ",\"result\":{}}\n\n")
		}
	}
	r := newRemote(t, o.handlers())
	h := mustDial(t, r.URL, nil)
	peer := peerOn(t, h)
	open := func(ctx context.Context) error { _, err := peer.Call(ctx, "initialize", nil, nil); return err }
	if err := open(t.Context()); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			_, err := peer.Call(t.Context(), "hangs", nil, nil)
			if !errors.Is(err, ErrUnanswered) || errors.Is(err, ErrSessionGone) || NotExecuted(err) {
				t.Errorf("got %v", err)
			}
			_, err = peer.Call(t.Context(), "x", nil, nil)
			if err == nil {
				return // it came after the new session
			}
			if !errors.Is(err, ErrSessionGone) || !NotExecuted(err) {
				t.Errorf("then %v", err)
			}
			if err := h.Renew(t.Context(), err, open); err != nil {
				t.Error(err)
			}
		})
	}
	for range 10 {
		<-arrived
	}
	o.breakOff()
	wg.Wait()
	if _, err := peer.Call(t.Context(), "tools/call", nil, nil); err != nil {
		t.Error(err)
	}
	var inits int
	for _, s := range r.requests(http.MethodPost) {
		if strings.Contains(s.body, "initialize") {
			inits++
		}
	}
	if inits != 3 { // the first went to the other wire
		t.Errorf("%d times initialized", inits)
	}
}

// A server that is gone is not asked for ever, and the next request says so without being sent.
func TestSSEGivesUp(t *testing.T) {
	o := &oldServer{}
	handlers := o.handlers()
	var broken bool
	var mu sync.Mutex
	handlers[http.MethodGet] = func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		down := broken
		mu.Unlock()
		if down {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		o.get(w, r)
	}
	synctestHTTP(t, "503", handlers, func(t *testing.T, h *HTTP, r *remote) {
		if _, err := outcome(t, h, request(t, 1, "initialize")); err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		broken = true
		mu.Unlock()
		o.breakOff()
		time.Sleep(10 * time.Minute) // by the bubble's clock
		synctest.Wait()
		if n := len(r.requests(http.MethodGet)); n != 1+maxResumes {
			t.Errorf("asked %d times", n)
		}
		if _, err := outcome(t, h, request(t, 2, "x")); !errors.Is(err, ErrSessionGone) || !NotExecuted(err) {
			t.Errorf("got %v", err)
		}
	})
}

// Over the limit, a call fails as what it is, wherever its id stands; its neighbours live.
func TestSSELimit(t *testing.T) {
	const limit = 1000
	for _, size := range []int{limit, limit + 1, 100 * limit} {
		o := &oldServer{}
		o.onPost = func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			w.WriteHeader(http.StatusAccepted)
			if strings.Contains(string(body), "initialize") {
				o.events(answerTo(1))
				return
			}
			frame := `{"result":{"x":""},"jsonrpc":"2.0","id":2}`
			o.events("data: " + strings.Replace(frame, `""`, `"`+strings.Repeat("x", size-len(frame))+`"`, 1) + "\n\n")
		}
		peer := peerOn(t, mustDial(t, newRemote(t, o.handlers()).URL, &HTTPOptions{Limits: jsonrpc.Limits{FrameBytes: limit}}))
		if _, err := peer.Call(t.Context(), "initialize", nil, nil); err != nil {
			t.Fatal(err)
		}
		_, err := peer.Call(t.Context(), "x", nil, nil)
		var big *jsonrpc.FrameTooLargeError
		if size <= limit && err != nil || size > limit && (!errors.As(err, &big) || big.Size != int64(size)) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}
