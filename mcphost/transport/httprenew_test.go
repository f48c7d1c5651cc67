package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"gatehouse/mcphost/jsonrpc"
)

// A forgetful server knows one session at a time, "s<n>", and can forget it.
type forgetful struct {
	*remote
	session atomic.Int64
	known   atomic.Bool
}

func newForgetful(t *testing.T) *forgetful {
	f := &forgetful{}
	f.remote = newRemote(t, onPost(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		messages, err := jsonrpc.Parse(body, nil)
		switch {
		case err != nil:
			t.Error(err)
		case messages[0].Method == "initialize":
			w.Header().Set("Mcp-Session-Id", fmt.Sprint("s", f.session.Add(1)))
			f.known.Store(true)
			fallthrough
		case f.known.Load() && r.Header.Get("Mcp-Session-Id") == fmt.Sprint("s", f.session.Load()):
			sendJSON(w, `{"jsonrpc":"2.0","id":`+messages[0].ID.String()+`,"result":{}}`)
		case r.Header.Get("Mcp-Session-Id") == "":
			w.WriteHeader(http.StatusBadRequest)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	return f
}

func (f *forgetful) inits() (n int) {
	for _, s := range f.requests(http.MethodPost) {
		if strings.Contains(s.body, `"initialize"`) {
			n++
		}
	}
	return n
}

// ACC A12: ten requests that fail with 404 at once bring one new session, and each is repeated once.
func TestHTTPRenew(t *testing.T) {
	f := newForgetful(t)
	h, err := DialHTTP(f.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	peer := jsonrpc.NewPeer(h, nil, nil)
	peer.Start()
	defer peer.Close()
	open := func(ctx context.Context) error {
		_, err := peer.Call(ctx, "initialize", nil, nil)
		return err
	}
	if err := open(t.Context()); err != nil {
		t.Fatal(err)
	}
	for round := range 20 {
		f.known.Store(false)
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				_, err := peer.Call(t.Context(), "tools/call", nil, nil)
				if err == nil {
					return // it came after the new session
				}
				if !errors.Is(err, ErrSessionGone) || !NotExecuted(err) {
					t.Errorf("got %v", err)
				}
				if err := h.Renew(t.Context(), err, open); err != nil {
					t.Error(err)
				}
				if _, err := peer.Call(t.Context(), "tools/call", nil, nil); err != nil {
					t.Errorf("again: %v", err)
				}
			})
		}
		wg.Wait()
		if n := f.inits(); n != round+2 {
			t.Fatalf("round %d: %d times initialized", round, n)
		}
	}
	for _, s := range f.requests(http.MethodPost) {
		if s.header.Get("Mcp-Session-Id") == "" && !strings.Contains(s.body, `"initialize"`) {
			t.Errorf("went out between sessions: %s", s.body)
		}
	}
}

// When no new session comes, everybody who waits hears why, and later requests are not sent without one.
func TestHTTPRenewFails(t *testing.T) {
	f := newForgetful(t)
	h := dial(t, f.URL, HTTPOptions{})
	if _, err := outcome(t, h, request(t, 1, "initialize")); err != nil {
		t.Fatal(err)
	}
	f.known.Store(false)
	_, gone := outcome(t, h, request(t, 2, "x"))
	refused := errors.New("refused")
	if err := h.Renew(t.Context(), gone, func(context.Context) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("got %v", err)
	}
	before := len(f.requests(http.MethodPost))
	_, err := outcome(t, h, request(t, 3, "x"))
	if !errors.Is(err, ErrSessionGone) || !NotExecuted(err) || len(f.requests(http.MethodPost)) != before {
		t.Errorf("without a session: %v", err)
	}
	if err := h.Renew(t.Context(), err, func(ctx context.Context) error { _, err := outcomeOf(ctx, h, request(t, 4, "initialize")); return err }); err != nil {
		t.Errorf("the second attempt: %v", err)
	}
	if _, err := outcome(t, h, request(t, 5, "x")); err != nil {
		t.Error(err)
	}
	other := errors.New("other")
	if err := h.Renew(t.Context(), other, nil); err != other {
		t.Errorf("another cause: %v", err)
	}
}

// reopened runs f in a bubble, on a connection whose session is gone.
func reopened(t *testing.T, f func(t *testing.T, h *HTTP, r *remote, gone error)) {
	known := true
	var mu sync.Mutex
	synctestHTTP(t, "gone", onPost(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		body, _ := io.ReadAll(r.Body)
		switch {
		case strings.Contains(string(body), `"initialize"`):
			w.Header().Set("Mcp-Session-Id", "s")
			sendJSON(w, answer(1))
		case known:
			known = false
			w.WriteHeader(http.StatusNotFound)
		default:
			sendJSON(w, answer(2))
		}
	}), func(t *testing.T, h *HTTP, r *remote) {
		if _, err := outcome(t, h, request(t, 1, "initialize")); err != nil {
			t.Fatal(err)
		}
		_, gone := outcome(t, h, request(t, 2, "x"))
		f(t, h, r, gone)
	})
}

// Nothing goes out while a session is being opened, but what opens it.
func TestHTTPRenewHoldsOthers(t *testing.T) {
	reopened(t, func(t *testing.T, h *HTTP, r *remote, gone error) {
		var other sync.WaitGroup
		if err := h.Renew(t.Context(), gone, func(ctx context.Context) error {
			other.Go(func() {
				if _, err := outcome(t, h, request(t, 2, "held")); err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
			if n := len(r.requests(http.MethodPost)); n != 2 {
				t.Errorf("%d requests before the session", n)
			}
			return h.Write(ctx, notification(t, "initialized")) // instead of all that belongs here
		}); err != nil {
			t.Error(err)
		}
		other.Wait()
		posts := r.requests(http.MethodPost)
		if last := posts[len(posts)-1]; len(posts) != 4 || !strings.Contains(last.body, "held") {
			t.Errorf("%d requests, the last %s", len(posts), last.body)
		}
	})
}

// If the one who opens gives up, another one who waits opens.
func TestHTTPRenewPassesOn(t *testing.T) {
	reopened(t, func(t *testing.T, h *HTTP, r *remote, gone error) {
		first, giveUp := context.WithCancel(t.Context())
		failed, waits := make(chan error, 1), make(chan error, 1)
		go func() {
			failed <- h.Renew(first, gone, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
		}()
		synctest.Wait()
		opened := false
		go func() {
			waits <- h.Renew(t.Context(), gone, func(context.Context) error { opened = true; return nil })
		}()
		synctest.Wait()
		giveUp()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("the first: %v", err)
		}
		if err := <-waits; err != nil || !opened {
			t.Errorf("the second: %t, %v", opened, err)
		}
	})
}

func TestNotExecuted(t *testing.T) {
	gone := &goneError{1, errors.New("x")}
	for _, test := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{errors.New("x"), false},
		{fmt.Errorf("send: %w", gone), true},
		{&ExchangeError{Err: &net.OpError{}}, true},
		{&ExchangeError{Sent: true, Err: errTotal}, false},
		{&ExchangeError{Sent: true, Err: &brokenError{cause: &ExchangeError{}}}, false},
		{&brokenError{cause: gone}, false},
		{&jsonrpc.ClosedError{Cause: io.EOF}, true},
		{&jsonrpc.ClosedError{Cause: io.EOF, Sent: true}, false},
		{&HTTPError{Status: 500}, false},
	} {
		if got := NotExecuted(test.err); got != test.want {
			t.Errorf("%v: %t", test.err, got)
		}
	}
}

// What cannot be reached was not asked; what breaks off was.
func TestExchangeErrorSent(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	var e *ExchangeError
	h := dial(t, "http://"+l.Addr().String(), HTTPOptions{})
	if _, err := outcome(t, h, request(t, 1, "x")); !errors.As(err, &e) || e.Sent || !NotExecuted(err) {
		t.Errorf("nobody there: %v", err)
	}
	r := newRemote(t, onPost(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	if _, err := outcome(t, dial(t, r.URL, HTTPOptions{}), request(t, 1, "x")); !errors.As(err, &e) || !e.Sent || NotExecuted(err) {
		t.Errorf("broken off: %v", err)
	}
}
