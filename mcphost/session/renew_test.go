package session_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
	"gatehouse/mcphost/transport"
)

// dial opens a session with a scripted server on loopback.
func dial(t *testing.T, sc mcphosttest.Scenario, h *mcphosttest.HTTPOptions, o *session.Options) (*session.Session, *mcphosttest.HTTP) {
	t.Helper()
	web := mcphosttest.NewHTTP(t, sc, h)
	stream, err := transport.DialHTTP(web.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Open(t.Context(), stream, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		checkFrames(t, web.Record, s.Info().Revision)
	})
	return s, web
}

// A session that the server has ended is opened once more for however many calls; each of them is made once more, and
// level and subscriptions are restored (ACC A12, P8).
func TestSessionGone(t *testing.T) {
	renewed, updated := make(chan struct{}, 9), make(chan string, 9)
	sc := listing(mcphosttest.Legacy)
	sc.Tools = append(sc.Tools, tool("echo"))
	s, web := dial(t, sc, nil, &session.Options{Renewed: func() { renewed <- struct{}{} }, Updated: func(uri string) { updated <- uri }})
	if err := errors.Join(s.SetLevel(t.Context(), "alert"), s.Subscribe(t.Context(), "file:///a")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ListPrompts(t.Context()); err != nil {
		t.Fatal(err)
	}
	web.Forget()
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			want := fmt.Sprintf(`{"n":%d}`, i)
			r, err := s.CallTool(t.Context(), "echo", json.RawMessage(want), session.CallOptions{})
			if err != nil || r.Content[0].Text != want {
				t.Error(r, err)
			}
		})
	}
	wg.Wait()
	<-renewed
	if uri := <-updated; uri != "file:///a" {
		t.Errorf("%s is read anew", uri)
	}
	if n := web.Count(t, protocol.MethodInitialize); n != 2 {
		t.Errorf("initialized %d times", n)
	}
	if l, u := web.Count(t, protocol.MethodSetLevel), web.Count(t, protocol.MethodResourcesSubscribe); l != 2 || u != 2 {
		t.Errorf("level set %d times, subscribed %d times", l, u)
	}
	if _, err := s.ListPrompts(t.Context()); err != nil || web.Count(t, protocol.MethodPromptsList) != 2 {
		t.Errorf("the old list was kept: %v", err)
	}
}

// The stream of HTTP+SSE breaks, and with it the session, while a list is fetched and a call is under way: the list comes
// from a new session; the call, which may have been executed, does not go out again, but the next one does.
func TestSessionGoneWithItsStream(t *testing.T) {
	dir := t.TempDir()
	begun, on := filepath.Join(dir, "begun"), filepath.Join(dir, "on")
	sc := mcphosttest.Scenario{
		Capabilities: `{"tools":{},"prompts":{}}`, Tools: []mcphosttest.Tool{tool("wait", mcphosttest.Silence()), tool("echo")},
		On: map[string][]mcphosttest.Action{protocol.MethodPromptsList: {mcphosttest.Touch(begun), mcphosttest.WaitFile(on), mcphosttest.Result(`{"prompts":[{"name":"p"}]}`)}},
	}
	s, web := dial(t, sc, &mcphosttest.HTTPOptions{SSE: true}, nil)
	opened := web.Count(t, protocol.MethodInitialize)
	var wg sync.WaitGroup
	wg.Go(func() {
		if list, err := s.ListPrompts(t.Context()); err != nil || len(list.Items) != 1 {
			t.Errorf("the list: %v, %v", list, err)
		}
	})
	wg.Go(func() {
		if _, err := s.CallTool(t.Context(), "wait", json.RawMessage(`{}`), session.CallOptions{}); !errors.Is(err, transport.ErrUnanswered) {
			t.Errorf("the call: %v", err)
		}
	})
	waitFor(t, func() bool {
		_, err := os.Stat(begun)
		return err == nil && web.Count(t, protocol.MethodToolsCall) == 1
	})
	web.Cut()
	waitFor(t, func() bool { return web.Count(t, protocol.MethodInitialize) > opened })
	if err := os.WriteFile(on, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	if n := web.Count(t, protocol.MethodInitialize) - opened; n != 1 || web.Count(t, protocol.MethodToolsCall) != 1 {
		t.Errorf("initialized %d times more, called %d times", n, web.Count(t, protocol.MethodToolsCall))
	}
	if r, err := s.CallTool(t.Context(), "echo", json.RawMessage(`{"n":1}`), session.CallOptions{}); err != nil || r.Content[0].Text != `{"n":1}` {
		t.Errorf("%v, %v", r, err)
	}
}

// When the new session is gone at once the error is shown, and there is no loop.
func TestSessionGoneAgain(t *testing.T) {
	var gone atomic.Bool
	s, web := dial(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("echo")}}, &mcphosttest.HTTPOptions{Intercept: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if gone.Load() && r.Header.Get("Mcp-Session-Id") != "" {
				http.Error(w, "no such session", http.StatusNotFound)
				return
			}
			next.ServeHTTP(w, r)
		})
	}}, nil)
	gone.Store(true)
	if _, err := s.CallTool(t.Context(), "echo", json.RawMessage(`{}`), session.CallOptions{}); err == nil {
		t.Error("no error")
	}
	if n := web.Count(t, protocol.MethodInitialize); n != 2 {
		t.Errorf("initialized %d times", n)
	}
}

// A tools/call whose connection breaks is not made again; a list is, once (P6).
func TestBroken(t *testing.T) {
	s, web := dial(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("cut", mcphosttest.Exit(1))}, On: on(protocol.MethodToolsList, mcphosttest.Exit(1))}, nil, nil)
	if _, err := s.CallTool(t.Context(), "cut", json.RawMessage(`{}`), session.CallOptions{}); err == nil || web.Count(t, protocol.MethodToolsCall) != 1 {
		t.Errorf("%v after %d calls", err, web.Count(t, protocol.MethodToolsCall))
	}
	if _, err := s.ListTools(t.Context()); err == nil || web.Count(t, protocol.MethodToolsList) != 2 {
		t.Errorf("%v after %d lists", err, web.Count(t, protocol.MethodToolsList))
	}
}

// Over HTTP the era is found by what the first POST is answered with.
func TestEraOverHTTP(t *testing.T) {
	for era, want := range map[string]session.Era{mcphosttest.Legacy: session.EraLegacy, mcphosttest.Modern: session.EraModern, mcphosttest.Both: session.EraModern} {
		s, _ := dial(t, mcphosttest.Scenario{Era: era, Tools: []mcphosttest.Tool{tool("ask", mcphosttest.Ask(protocol.MethodElicit, form))}}, nil,
			&session.Options{Offer: everything, Asker: &asker{answer: agreeable}})
		if s.Info().Era() != want {
			t.Errorf("%q is taken for %s", era, s.Info().Era())
		}
		r, err := s.CallTool(t.Context(), "ask", json.RawMessage(`{"n":1.0}`), session.CallOptions{})
		if err != nil || r.Content[0].Text != `{"n":1.0}` {
			t.Errorf("%q: %v, %v", era, r, err)
		}
	}
	for _, status := range []int{401, 403, 429, 500, 503} {
		posts := 0
		web := mcphosttest.NewHTTP(t, mcphosttest.Scenario{}, &mcphosttest.HTTPOptions{Intercept: func(http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { posts++; http.Error(w, "no", status) })
		}})
		stream, err := transport.DialHTTP(web.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = session.Open(t.Context(), stream, nil)
		var answer *transport.HTTPError
		if !errors.As(err, &answer) || answer.Status != status || posts != 1 {
			t.Errorf("%d: %v after %d requests", status, err, posts)
		}
	}
}

// In the modern era Stop closes the response over HTTP, and nothing is sent; over a stream the server is told (ACC A18).
func TestModernStop(t *testing.T) {
	left := make(chan struct{}, 1)
	s, web := dial(t, mcphosttest.Scenario{Era: mcphosttest.Modern, Tools: []mcphosttest.Tool{tool("wait", mcphosttest.Progress(1, "begun"), mcphosttest.Silence())}},
		&mcphosttest.HTTPOptions{Intercept: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				next.ServeHTTP(w, r)
				if r.Context().Err() != nil && r.Header.Get("Mcp-Method") == protocol.MethodToolsCall {
					left <- struct{}{}
				}
			})
		}}, nil)
	stop := func(s *session.Session) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		_, err := s.CallTool(ctx, "wait", json.RawMessage(`{}`), session.CallOptions{Progress: func(protocol.ProgressParams) { cancel() }})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	}
	stop(s)
	<-left
	if n := web.Count(t, protocol.NotificationCancelled); n != 0 {
		t.Errorf("%d notifications were sent", n)
	}
	s, stream := open(t, mcphosttest.Scenario{Era: mcphosttest.Modern, Tools: []mcphosttest.Tool{tool("wait", mcphosttest.Progress(1, "begun"), mcphosttest.Silence())}}, nil)
	stop(s)
	waitFor(t, func() bool { return stream.Count(t, protocol.NotificationCancelled) == 1 })
}
