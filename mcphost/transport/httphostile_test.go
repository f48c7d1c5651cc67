package transport

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/mcphost/jsonrpc"
)

// hostile starts a server that reads the head of a request and then does what it likes with the connection.
func hostile(t *testing.T, do func(c *net.TCPConn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var conns []net.Conn
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			conns = append(conns, c)
			mu.Unlock()
			wg.Go(func() {
				defer c.Close()
				if req, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
					_, _ = io.CopyN(io.Discard, req.Body, req.ContentLength) // the client may have gone
					do(c.(*net.TCPConn))
				}
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		mu.Lock()
		for _, c := range conns {
			c.Close()
		}
		mu.Unlock()
		wg.Wait()
	})
	return "http://" + l.Addr().String()
}

// say writes text, for ever if so wished; the end of the client ends it.
func say(c net.Conn, text string, forEver bool) {
	for {
		if _, err := io.WriteString(c, text); err != nil || !forEver {
			return
		}
	}
}

// waitForClient returns when the client has gone.
func waitForClient(c net.Conn) { _, _ = io.Copy(io.Discard, c) }

const (
	jsonHead   = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	eventsHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
)

// Whatever a server does to the connection, the call fails as what it is, and the next one works on its own.
func TestHTTPHostileServers(t *testing.T) {
	var exchange *ExchangeError
	unanswered := func(err error) bool { return errors.Is(err, ErrUnanswered) && !NotExecuted(err) }
	failed := func(err error) bool { return errors.As(err, &exchange) && exchange.Sent && !NotExecuted(err) }
	total := func(err error) bool { return errors.Is(err, errTotal) }
	for name, test := range map[string]struct {
		do   func(c *net.TCPConn)
		want func(error) bool
	}{
		"header fields without end": {func(c *net.TCPConn) {
			say(c, jsonHead, false)
			say(c, "X-Flood: "+strings.Repeat("x", 1000)+"\r\n", true)
		}, failed},
		"one field without end":   {func(c *net.TCPConn) { say(c, jsonHead+"X: ", false); say(c, strings.Repeat("x", 1000), true) }, failed},
		"interim responses":       {func(c *net.TCPConn) { say(c, "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n", true) }, failed},
		"no HTTP":                 {func(c *net.TCPConn) { say(c, "SSH-2.0-OpenSSH\r\n", false) }, failed},
		"nothing":                 {func(c *net.TCPConn) { c.Close() }, failed},
		"a head that stays open":  {func(c *net.TCPConn) { say(c, jsonHead, false); waitForClient(c) }, total},
		"half a head, half close": {func(c *net.TCPConn) { say(c, "HTTP/1.1 20", false); _ = c.CloseWrite(); waitForClient(c) }, failed},
		"half a body, half close": {func(c *net.TCPConn) {
			say(c, jsonHead+"Content-Length: 100\r\n\r\n{", false)
			_ = c.CloseWrite()
			waitForClient(c)
		}, unanswered},
		"half an event, half close": {func(c *net.TCPConn) { say(c, eventsHead+"data: {", false); _ = c.CloseWrite(); waitForClient(c) }, unanswered},
		"half an event, reset":      {func(c *net.TCPConn) { say(c, eventsHead+"data: {", false); _ = c.SetLinger(0) }, unanswered},
		"a length that lies":        {func(c *net.TCPConn) { say(c, jsonHead+"Content-Length: 60000000\r\n\r\n{}", false) }, unanswered},
		"a body that never ends":    {func(c *net.TCPConn) { say(c, jsonHead+"\r\n", false); waitForClient(c) }, total},
		"comments for ever":         {func(c *net.TCPConn) { say(c, eventsHead, false); say(c, ": still here\n\n", true) }, total},
		"a line for ever":           {func(c *net.TCPConn) { say(c, eventsHead+"data: ", false); say(c, strings.Repeat("x", 1<<16), true) }, total},
		"other events for ever":     {func(c *net.TCPConn) { say(c, eventsHead, false); say(c, "event: x\ndata: y\n\n", true) }, total},
		"a redirect to itself": {func(c *net.TCPConn) {
			say(c, "HTTP/1.1 307 Temporary Redirect\r\nLocation: /\r\nContent-Length: 0\r\n\r\n", false)
		}, func(err error) bool {
			var status *HTTPError
			return errors.As(err, &status) && status.Status == 307 || failed(err) // a connection that ends in between
		}},
	} {
		t.Run(name, func(t *testing.T) {
			h := dial(t, hostile(t, test.do), HTTPOptions{TotalTimeout: 300 * time.Millisecond})
			frames, err := outcome(t, h, request(t, 1, "tools/call"))
			if !test.want(err) || len(frames) != 0 {
				t.Errorf("%q, %v", frames, err)
			}
		})
	}
}

// The head of a response has its limit, with a test at n and n + 1.
func TestHTTPHeadLimit(t *testing.T) {
	for _, size := range []int{maxHead, maxHead + 1} {
		h := dial(t, hostile(t, func(c *net.TCPConn) {
			head := fmt.Sprintf("%sContent-Length: %d\r\nX: ", jsonHead, len(answer(1)))
			say(c, head+strings.Repeat("x", size-len(head)-4)+"\r\n\r\n"+answer(1), false)
		}), HTTPOptions{})
		_, err := outcome(t, h, request(t, 1, "x"))
		var exchange *ExchangeError
		if size <= maxHead && err != nil || size > maxHead && !errors.As(err, &exchange) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

// A body that was compressed although nobody asked is not unpacked, however small it is.
func TestHTTPCompressed(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	if _, err := z.Write([]byte(`{"jsonrpc":"2.0","id":1,"result":"` + strings.Repeat("0", 10<<20) + `"}`)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{typeJSON, typeEvents} {
		for encoding, works := range map[string]bool{"gzip": false, "br": false, "identity": true, "Identity": true} {
			h := dial(t, newRemote(t, onPost(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Accept-Encoding") != "" {
					t.Error("compression was asked for")
				}
				w.Header().Set("Content-Encoding", encoding)
				w.Header().Set("Content-Type", kind)
				switch {
				case !works:
					_, _ = w.Write(bomb.Bytes())
				case kind == typeJSON:
					sendJSON(w, answer(1))
				default:
					sendEvents(w, "data: "+answer(1)+"\n\n")
				}
			})).URL, HTTPOptions{})
			frames, err := outcome(t, h, request(t, 1, "x"))
			if works != (err == nil) || !works && (len(frames) != 0 || !strings.Contains(err.Error(), encoding)) {
				t.Errorf("%s, %s: %d frames, %v", kind, encoding, len(frames), err)
			}
		}
	}
}

// One server that floods its listening stream does not hold up another, nor its own end.
func TestHTTPFloodAndNeighbour(t *testing.T) {
	flood := newRemote(t, map[string]http.HandlerFunc{
		http.MethodGet: func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				sendEvents(w, `data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`+"\n\n")
			}
		},
		http.MethodPost: func(w http.ResponseWriter, _ *http.Request) { sendJSON(w, answer(1)) },
	})
	h := mustDial(t, flood.URL, nil)
	peer := jsonrpc.NewPeer(h, nil, nil)
	peer.Start()
	if err := h.OpenStream(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := peer.Call(t.Context(), "x", nil, nil); err != nil {
		t.Errorf("under its own flood: %v", err)
	}
	other := dial(t, newRemote(t, onPost(func(w http.ResponseWriter, _ *http.Request) { sendJSON(w, answer(1)) })).URL, HTTPOptions{})
	if _, err := outcome(t, other, request(t, 1, "x")); err != nil {
		t.Error(err)
	}
	if err := peer.Close(); err != nil {
		t.Error(err)
	}
}

// In the modern profile nothing is taken up again, and the end of the caller's patience is the end of the stream.
func TestHTTPModernStreams(t *testing.T) {
	left := make(chan struct{})
	r := newRemote(t, onPost(func(w http.ResponseWriter, req *http.Request) {
		sendEvents(w, "id: 1\nretry: 7000\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n")
		if req.Header.Get("Mcp-Method") == "subscriptions/listen" {
			<-req.Context().Done()
			close(left)
		}
	}))
	h := dial(t, r.URL, HTTPOptions{})
	h.SetRevision("2026-07-28")
	frames, err := outcome(t, h, request(t, 1, "tools/call"))
	if !errors.Is(err, ErrUnanswered) || NotExecuted(err) || len(frames) != 1 || len(r.requests(http.MethodGet)) != 0 {
		t.Errorf("%q, %v", frames, err)
	}
	if d := RetryDelay(0, err); d != 7*time.Second {
		t.Errorf("to be repeated after %v", d)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- h.Write(ctx, request(t, 2, "subscriptions/listen")) }()
	if _, err := h.Read(t.Context()); err != nil {
		t.Error(err)
	}
	cancel()
	<-left
	if err := <-done; err != nil {
		t.Errorf("the listener gave up: %v", err)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if n := len(r.requests(http.MethodDelete)); n != 0 {
		t.Errorf("%d sessions ended that there are not", n)
	}
}

// An event of a subscription that is too large is skipped, not the subscription.
func TestHTTPModernLargeEvent(t *testing.T) {
	h := dial(t, newRemote(t, onPost(func(w http.ResponseWriter, _ *http.Request) {
		sendEvents(w, `data: {"jsonrpc":"2.0","method":"x","params":{"x":"`+strings.Repeat("x", 100)+`"}}`+"\n\n", "data: "+answer(1)+"\n\n")
	})).URL, HTTPOptions{Limits: jsonrpc.Limits{FrameBytes: 100}})
	h.SetRevision("2026-07-28")
	done := make(chan error)
	go func() { done <- h.Write(t.Context(), request(t, 1, "subscriptions/listen")) }()
	var big *jsonrpc.FrameTooLargeError
	if _, err := h.Read(t.Context()); !errors.As(err, &big) || !big.ID.IsZero() {
		t.Errorf("got %v", err)
	}
	if frame, err := h.Read(t.Context()); err != nil || string(frame) != answer(1) {
		t.Errorf("got %q, %v", frame, err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestRetryDelay(t *testing.T) {
	after := func(seconds string) error {
		h := dial(t, newRemote(t, onPost(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", seconds)
			w.WriteHeader(http.StatusServiceUnavailable)
		})).URL, HTTPOptions{})
		_, err := outcome(t, h, request(t, 1, "x"))
		return err
	}
	for _, test := range []struct {
		failures int
		err      error
		want     time.Duration
	}{
		{0, nil, firstRetry},
		{3, io.EOF, 4 * time.Second},
		{100, io.EOF, mostRetry},
		{0, after("7"), 7 * time.Second},
		{0, after("3600"), time.Hour},
		{0, after("3601"), time.Hour},
		{0, after("-1"), firstRetry},
		{0, after("Wed, 21 Oct 2026 07:28:00 GMT"), firstRetry},
	} {
		if got := RetryDelay(test.failures, test.err); got != test.want {
			t.Errorf("%d, %v: %v, want %v", test.failures, test.err, got, test.want)
		}
	}
}
