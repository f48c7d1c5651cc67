package transport

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/mcphost/jsonrpc"
)

// The stream that answers a call breaks; its rest comes by GET from the last event on.
func TestHTTPResume(t *testing.T) {
	note := `{"jsonrpc":"2.0","method":"notifications/progress"}`
	var gets atomic.Int32
	synctestHTTP(t, "rest", map[string]http.HandlerFunc{
		http.MethodPost: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Mcp-Session-Id", "s")
			sendEvents(w, "retry: 1\nid: one\ndata:\n\n", "id: two\ndata: "+note+"\n\n")
		},
		http.MethodGet: func(w http.ResponseWriter, req *http.Request) {
			switch gets.Add(1) {
			case 1:
				w.WriteHeader(http.StatusServiceUnavailable)
			case 2:
				sendEvents(w, "id: three\ndata:\n\n")
			case 3:
				sendEvents(w, "data: "+answer(1)+"\n\n")
			default:
				w.WriteHeader(http.StatusMethodNotAllowed)
			}
		},
	}, func(t *testing.T, h *HTTP, r *remote) {
		frames, err := outcome(t, h, request(t, 1, "initialize"))
		if want := []string{note, answer(1)}; err != nil || !slices.Equal(frames, want) {
			t.Errorf("got %q, %v", frames, err)
		}
		var ids []string
		for _, s := range r.requests(http.MethodGet) {
			ids = append(ids, s.header.Get("Last-Event-ID"))
			if s.header.Get("Accept") != typeEvents || s.header.Get("Mcp-Session-Id") != "s" || s.header.Get("Content-Type") != "" {
				t.Errorf("asked with %v", s.header)
			}
		}
		if want := []string{"two", "two", "three"}; !slices.Equal(ids, want) {
			t.Errorf("asked from %q, want %q", ids, want)
		}
		if n := len(r.requests(http.MethodPost)); n != 1 {
			t.Errorf("%d posts", n)
		}
	})
}

// What cannot be taken up again fails its call, and says why.
func TestHTTPResumeFails(t *testing.T) {
	for _, test := range []struct {
		name, events string
		status, gets int
	}{
		{"no id", "data: {}\n\n", 200, 0},
		{"no GET", "retry: 1\nid: 1\ndata\n\n", 405, 1},
		{"session gone", "retry: 1\nid: 1\ndata\n\n", 404, 1},
		{"nothing ever comes", "retry: 1\nid: 1\ndata\n\n", 200, maxResumes},
	} {
		synctestHTTP(t, test.name, map[string]http.HandlerFunc{
			http.MethodPost: func(w http.ResponseWriter, _ *http.Request) { sendEvents(w, test.events) },
			http.MethodGet: func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", typeEvents)
				w.WriteHeader(test.status)
			},
		}, func(t *testing.T, h *HTTP, r *remote) {
			_, err := outcome(t, h, request(t, 1, "tools/call"))
			var e *HTTPError
			if !errors.Is(err, ErrUnanswered) || errors.Is(err, ErrSessionGone) || errors.As(err, &e) != (test.status != 200) {
				t.Errorf("%s: %v", test.name, err)
			}
			if n := len(r.requests(http.MethodGet)); n != test.gets {
				t.Errorf("%s: %d attempts, want %d", test.name, n, test.gets)
			}
		})
	}
}

func TestHTTPListen(t *testing.T) {
	note := `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"n":%d}}`
	var gets atomic.Int32
	r := newRemote(t, map[string]http.HandlerFunc{
		http.MethodGet: func(w http.ResponseWriter, req *http.Request) {
			n := gets.Add(1)
			sendEvents(w, fmt.Sprintf("retry: 1\nid: %d\ndata: "+note+"\n\n", n, n))
			if n == 3 {
				<-req.Context().Done()
			}
		},
	})
	h := dial(t, r.URL, HTTPOptions{})
	if err := h.OpenStream(t.Context()); err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		frame, err := h.Read(t.Context())
		if want := fmt.Sprintf(note, n+1); err != nil || string(frame) != want {
			t.Errorf("got %s, %v, want %s", frame, err, want)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, s := range r.requests(http.MethodGet) {
		ids = append(ids, s.header.Get("Last-Event-ID"))
	}
	if want := []string{"", "1", "2"}; !slices.Equal(ids, want) {
		t.Errorf("asked from %q, want %q", ids, want)
	}
}

// The stream stands when OpenStream returns, so that nothing that the server asks from then on is lost. A server that
// answers the GET only when it has something to say holds nobody up for long; one that refuses it, not at all.
func TestHTTPListenStands(t *testing.T) {
	for _, test := range []struct {
		name       string
		slow, want time.Duration
		status     int
	}{
		{"slow", 900 * time.Millisecond, 900 * time.Millisecond, 200},
		{"silent", time.Hour, firstWait, 200},
		{"refused", 0, 0, 405},
	} {
		synctestHTTP(t, test.name, map[string]http.HandlerFunc{
			http.MethodGet: func(w http.ResponseWriter, req *http.Request) {
				select {
				case <-time.After(test.slow):
				case <-req.Context().Done():
				}
				w.Header().Set("Content-Type", typeEvents)
				w.WriteHeader(test.status)
				if test.status == http.StatusOK {
					w.(http.Flusher).Flush()
					<-req.Context().Done()
				}
			},
		}, func(t *testing.T, h *HTTP, r *remote) {
			began := time.Now()
			if err := h.OpenStream(t.Context()); err != nil {
				t.Fatal(err)
			}
			if d := time.Since(began); d != test.want {
				t.Errorf("%s: returned after %v, want %v", test.name, d, test.want)
			}
		})
	}
}

// A server without a listening stream (405) is asked once; one that is out of order is asked again, ever less often.
func TestHTTPListenRefused(t *testing.T) {
	for _, test := range []struct{ status, want int }{{405, 1}, {404, 1}, {400, 1}, {401, 1}, {503, 7}, {429, 7}, {204, 1}} {
		synctestHTTP(t, fmt.Sprint(test.status), map[string]http.HandlerFunc{
			http.MethodGet: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(test.status) },
		}, func(t *testing.T, h *HTTP, r *remote) {
			if err := h.OpenStream(t.Context()); err != nil {
				t.Fatal(err)
			}
			time.Sleep(40 * time.Second) // 0, 1, 2, 4, 8, 16, 32 s after the first, by the bubble's clock
			synctest.Wait()
			if n := len(r.requests(http.MethodGet)); n != test.want {
				t.Errorf("%d: asked %d times, want %d", test.status, n, test.want)
			}
		})
	}
}

// An event that is too large is reported, and the stream goes on.
func TestHTTPListenLimit(t *testing.T) {
	r := newRemote(t, map[string]http.HandlerFunc{
		http.MethodGet: func(w http.ResponseWriter, req *http.Request) {
			sendEvents(w, "data: "+strings.Repeat("x", 101)+"\n\ndata: {}\n\n")
			<-req.Context().Done()
		},
	})
	h := dial(t, r.URL, HTTPOptions{Limits: jsonrpc.Limits{FrameBytes: 100}})
	if err := h.OpenStream(t.Context()); err != nil {
		t.Fatal(err)
	}
	var big *jsonrpc.FrameTooLargeError
	if _, err := h.Read(t.Context()); !errors.As(err, &big) || big.Size != 101 {
		t.Errorf("got %v", err)
	}
	if frame, err := h.Read(t.Context()); err != nil || string(frame) != "{}" {
		t.Errorf("got %q, %v", frame, err)
	}
}

// A new session ends the listening stream of the old one, and so does a second one.
func TestHTTPListenIsReplaced(t *testing.T) {
	left := make(chan struct{}, 10)
	r := newRemote(t, map[string]http.HandlerFunc{
		http.MethodPost: func(w http.ResponseWriter, _ *http.Request) { sendJSON(w, answer(1)) },
		http.MethodGet: func(w http.ResponseWriter, req *http.Request) {
			sendEvents(w, ": hi\n\n")
			<-req.Context().Done()
			left <- struct{}{}
		},
	})
	h := dial(t, r.URL, HTTPOptions{})
	for n := range 2 {
		if err := h.OpenStream(t.Context()); err != nil {
			t.Fatal(err)
		}
		eventually(t, "a stream", func() bool { return len(r.requests(http.MethodGet)) == n+1 })
	}
	<-left
	if _, err := outcome(t, h, request(t, 1, "initialize")); err != nil {
		t.Fatal(err)
	}
	<-left
}

func TestCursorDelay(t *testing.T) {
	for _, test := range []struct {
		at       cursor
		failures int
		want     time.Duration
	}{
		{cursor{}, 0, time.Second},
		{cursor{}, 1, time.Second},
		{cursor{}, 4, 8 * time.Second},
		{cursor{}, 100, time.Minute},
		{cursor{retry: 500 * time.Millisecond, asked: true}, 0, 500 * time.Millisecond},
		{cursor{retry: 3 * time.Second, asked: true}, 1, 3 * time.Second},
		{cursor{retry: mostAsked, asked: true}, 100, mostAsked},
		{cursor{retry: mostAsked + 1, asked: true}, 0, mostAsked},
		{cursor{asked: true}, 0, leastRetry},
		{cursor{asked: true}, 1, time.Second},
	} {
		if got := test.at.delay(test.failures); got != test.want {
			t.Errorf("%+v after %d failures: %v, want %v", test.at, test.failures, got, test.want)
		}
	}
}

// The peer sees the failure of a call as what it is, while another call goes on.
func TestHTTPUnderAPeer(t *testing.T) {
	release := make(chan struct{})
	r := newRemote(t, onPost(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		messages, err := jsonrpc.Parse(body, nil)
		if err != nil {
			t.Error(err)
			return
		}
		id := messages[0].ID.String()
		switch messages[0].Method {
		case "slow":
			<-release
			sendJSON(w, `{"jsonrpc":"2.0","id":`+id+`,"result":"slow"}`)
		case "lost":
			sendEvents(w, ": nothing\n\n")
		case "refused":
			w.WriteHeader(http.StatusForbidden)
		case "asks": // the server asks before it answers
			sendEvents(w, `data: {"jsonrpc":"2.0","id":"q","method":"ping"}`+"\n\n")
			<-release
			sendEvents(w, `data: {"jsonrpc":"2.0","id":`+id+`,"result":"asked"}`+"\n\n")
		default: // the answer to what it asked
			if messages[0].IsResponse() && messages[0].ID == jsonrpc.StringID("q") {
				close(release)
			}
			w.WriteHeader(http.StatusAccepted)
		}
	}))
	h, err := DialHTTP(r.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	peer := jsonrpc.NewPeer(h, nil, nil)
	peer.Start()
	defer peer.Close()
	results := make(chan string, 2)
	for _, method := range []string{"slow", "asks"} {
		go func() {
			m, err := peer.Call(t.Context(), method, nil, nil)
			if err != nil {
				t.Errorf("%s: %v", method, err)
				m = &jsonrpc.Message{}
			}
			results <- string(m.Result)
		}()
	}
	var status *HTTPError
	if _, err := peer.Call(t.Context(), "refused", nil, nil); !errors.As(err, &status) || status.Status != http.StatusForbidden {
		t.Errorf("refused: %v", err)
	}
	if _, err := peer.Call(t.Context(), "lost", nil, nil); !errors.Is(err, ErrUnanswered) {
		t.Errorf("lost: %v", err)
	}
	if err := peer.Notify(t.Context(), "notifications/x", nil); err != nil {
		t.Error(err)
	}
	got := []string{<-results, <-results}
	slices.Sort(got)
	if want := []string{`"asked"`, `"slow"`}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// ACC A07: after a sleep the listening stream is opened again at once, from where it was, even out of a long pause.
func TestHTTPWake(t *testing.T) {
	var gets atomic.Int32
	synctestHTTP(t, "wake", map[string]http.HandlerFunc{
		http.MethodGet: func(w http.ResponseWriter, req *http.Request) {
			switch gets.Add(1) {
			case 1:
				sendEvents(w, "retry: 3600000\nid: one\ndata:\n\n")
				<-req.Context().Done()
			case 2:
				w.WriteHeader(http.StatusServiceUnavailable)
			default:
				sendEvents(w, ": here\n\n")
				<-req.Context().Done()
			}
		},
	}, func(t *testing.T, h *HTTP, r *remote) {
		if err := h.OpenStream(t.Context()); err != nil {
			t.Fatal(err)
		}
		for n := range 3 {
			synctest.Wait()
			seen := r.requests(http.MethodGet)
			if len(seen) != n+1 || n > 0 && seen[n].header.Get("Last-Event-ID") != "one" {
				t.Fatalf("%d streams", len(seen))
			}
			h.Wake()
		}
	})
}
