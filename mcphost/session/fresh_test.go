package session_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

const offersAll = `{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true},"logging":{},"completions":{}}`

// listing is a server with one thing of each kind.
func listing(era string) mcphosttest.Scenario {
	return mcphosttest.Scenario{Era: era, Capabilities: offersAll, Tools: []mcphosttest.Tool{
		tool("change", mcphosttest.Notify(protocol.NotificationResourcesListChanged, ""), mcphosttest.Notify(protocol.NotificationResourceUpdated, `{"uri":"file:///a/b"}`)),
		tool("drop", mcphosttest.Drop(false)), tool("tear", mcphosttest.Drop(true)),
	}, On: map[string][]mcphosttest.Action{
		protocol.MethodResourcesList:          {mcphosttest.Result(`{"resources":[{"uri":"file:///a","name":"a","title":"A","size":3,"metadata":{"type":"file"}},{"name":"none"}]}`)},
		protocol.MethodResourcesTemplatesList: {mcphosttest.Result(`{"resourceTemplates":[{"uriTemplate":"file:///{x}","name":"t"}]}`)},
		protocol.MethodPromptsList:            {mcphosttest.Result(`{"prompts":[{"name":"p","arguments":[{"name":"x","required":true}]}]}`)},
		protocol.MethodResourcesRead:          {mcphosttest.Result(`{"contents":[{"uri":"file:///a","text":"t"},{"uri":"file:///b","blob":"AA="},7]}`)},
		protocol.MethodPromptsGet:             {mcphosttest.Result(`{"messages":[{"role":"user","content":{"type":"text","text":"t"}}]}`)},
		protocol.MethodComplete:               {mcphosttest.Result(`{"completion":{"values":["a","b"],"total":9,"hasMore":true}}`)},
		protocol.MethodResourcesSubscribe:     {mcphosttest.Result(`{}`)},
		protocol.MethodResourcesUnsubscribe:   {mcphosttest.Result(`{}`)},
		protocol.MethodSetLevel:               {mcphosttest.Result(`{}`)},
	}}
}

// Both eras list, read, expand and complete alike.
func TestFeatureTwins(t *testing.T) {
	seen := map[string]string{}
	for _, era := range []string{mcphosttest.Legacy, mcphosttest.Modern} {
		s, _ := open(t, listing(era), nil)
		resources, err := s.ListResources(t.Context())
		templates, err1 := s.ListResourceTemplates(t.Context())
		prompts, err2 := s.ListPrompts(t.Context())
		read, err3 := s.ReadResource(t.Context(), "file:///a", session.CallOptions{})
		got, err4 := s.GetPrompt(t.Context(), "p", map[string]string{"x": "1"}, session.CallOptions{})
		completed, err5 := s.Complete(t.Context(), protocol.CompleteParams{
			Ref: protocol.CompletionRef{Type: protocol.RefPrompt, Name: "p"}, Argument: protocol.CompletionArgument{Name: "x", Value: "1"},
			Context: &protocol.CompletionContext{Arguments: map[string]string{"y": "2"}},
		})
		if err := errors.Join(err, err1, err2, err3, err4, err5); err != nil {
			t.Fatalf("%q: %v", era, err)
		}
		seen[era] = fmt.Sprint(resources.Items[0].DisplayTitle(), *resources.Items[0].Size, string(resources.Items[0].Metadata), resources.Items[1].Err,
			templates.Items[0].URITemplate, prompts.Items[0].Arguments, read.Contents, got.Messages[0].Content.Text,
			completed.Values, *completed.Total, completed.HasMore)
	}
	if seen[mcphosttest.Legacy] != seen[mcphosttest.Modern] || !strings.Contains(seen[mcphosttest.Modern], "the data is no base64") {
		t.Errorf("%v", seen)
	}
}

// Lists and reads are fetched once, until they change (P5); an update below a subscribed resource counts (P7).
func TestKept(t *testing.T) {
	for _, era := range []string{mcphosttest.Legacy, mcphosttest.Modern} {
		changed, updated := make(chan string, 99), make(chan string, 9)
		sc := listing(era)
		sc.TTL = 60_000
		sc.On[protocol.MethodResourcesRead] = []mcphosttest.Action{mcphosttest.Result(`{"contents":[],"ttlMs":60000}`)}
		s, stream := open(t, sc, &session.Options{Changed: func(list string) { changed <- list }, Updated: func(uri string) { updated <- uri }})
		use := func() {
			t.Helper()
			for range 3 {
				_, err := s.ListResources(t.Context())
				_, err1 := s.ReadResource(t.Context(), "file:///a", session.CallOptions{})
				if err := errors.Join(err, err1); err != nil {
					t.Fatal(err)
				}
			}
		}
		count := func(want int) {
			t.Helper()
			if l, r := stream.Count(t, protocol.MethodResourcesList), stream.Count(t, protocol.MethodResourcesRead); l != want || r != want {
				t.Errorf("%q: listed %d times, read %d times, want %d", era, l, r, want)
			}
		}
		use()
		count(1)
		if err := s.Subscribe(t.Context(), "file:///a"); err != nil {
			t.Fatal(err)
		}
		if era == mcphosttest.Modern { // the stream that carries it
			waitFor(t, func() bool {
				of := stream.Of(t, protocol.MethodSubscriptionsListen)
				return len(of) > 0 && strings.Contains(of[len(of)-1], `"resourceSubscriptions":["file:///a"]`)
			})
		}
		if _, err := s.CallTool(t.Context(), "change", json.RawMessage(`{}`), session.CallOptions{}); err != nil {
			t.Fatal(err)
		}
		if a, b := <-changed, <-changed; a != protocol.MethodResourcesList || b != protocol.MethodResourcesTemplatesList {
			t.Errorf("%q: changed %s, %s", era, a, b)
		}
		if uri := <-updated; uri != "file:///a" {
			t.Errorf("%q: updated %s", era, uri)
		}
		use()
		count(2)
		s.Invalidate()
		s.Forget("file:///a")
		use()
		count(3)
		if err := s.Unsubscribe(t.Context(), "file:///a"); err != nil || len(s.Subscriptions()) != 0 {
			t.Errorf("%v, %v", err, s.Subscriptions())
		}
	}
}

// In the modern era a list holds for as long as the server says.
func TestTTL(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sc := listing(mcphosttest.Modern)
		sc.TTL = 1000
		s, stream := open(t, sc, nil)
		for _, c := range []struct {
			wait time.Duration
			want int
		}{{0, 1}, {999 * time.Millisecond, 1}, {time.Millisecond, 2}} {
			time.Sleep(c.wait)
			if _, err := s.ListPrompts(t.Context()); err != nil {
				t.Fatal(err)
			}
			if n := stream.Count(t, protocol.MethodPromptsList); n != c.want {
				t.Errorf("after %v: fetched %d times, want %d", c.wait, n, c.want)
			}
		}
	})
}

func TestSubscriptionsEnd(t *testing.T) {
	s, _ := open(t, listing(mcphosttest.Legacy), &session.Options{Limits: session.Limits{Subscriptions: 2}})
	for i, want := range []error{nil, nil, session.ErrSubscriptions} {
		if err := s.Subscribe(t.Context(), fmt.Sprint("a:", i)); !errors.Is(err, want) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if err := s.Subscribe(t.Context(), "a:1"); err != nil {
		t.Errorf("one that is there already: %v", err)
	}
}

// What the server did not declare is not sent.
func TestNotOffered(t *testing.T) {
	for _, era := range []string{mcphosttest.Legacy, mcphosttest.Modern} {
		s, stream := open(t, mcphosttest.Scenario{Era: era, Capabilities: `{}`}, nil)
		before := len(stream.Frames(t))
		_, err := s.ReadResource(t.Context(), "a:b", session.CallOptions{})
		_, err1 := s.GetPrompt(t.Context(), "p", nil, session.CallOptions{})
		_, err2 := s.Complete(t.Context(), protocol.CompleteParams{})
		_, err3 := s.SearchResources(t.Context(), "x")
		for _, err := range []error{err, err1, err2, err3, s.Subscribe(t.Context(), "a:b"), s.SetLevel(t.Context(), "info")} {
			if !errors.Is(err, session.ErrNotOffered) {
				t.Errorf("%q: %v", era, err)
			}
		}
		tools, _ := s.ListTools(t.Context())
		prompts, _ := s.ListPrompts(t.Context())
		if n := len(stream.Frames(t)); n > before && era == mcphosttest.Legacy || len(tools.Items)+len(prompts.Items) > 0 {
			t.Errorf("%q: %d frames were sent: %v", era, n-before, stream.Frames(t))
		}
	}
}

// Searching and completing with a server of 2024-11-05.
func TestOldest(t *testing.T) {
	s, stream := open(t, mcphosttest.Scenario{Revision: "2024-11-05", Capabilities: `{"resources":{"search":true}}`, On: map[string][]mcphosttest.Action{
		protocol.MethodResourcesSearch: {mcphosttest.Result(`{"resources":[{"uri":"a:b","name":"found"}]}`)},
	}}, nil)
	if list, err := s.SearchResources(t.Context(), "x<"); err != nil || list.Items[0].Name != "found" || !strings.Contains(stream.Of(t, protocol.MethodResourcesSearch)[0], `{"query":"x<"}`) {
		t.Errorf("%+v, %v", list, err)
	}
	for range 2 {
		ref := protocol.CompletionRef{Type: protocol.RefResource, URI: "a:{x}"}
		if _, err := s.Complete(t.Context(), protocol.CompleteParams{Ref: ref, Argument: protocol.CompletionArgument{Name: "x"}}); !errors.Is(err, session.ErrNotOffered) {
			t.Errorf("%v", err)
		}
	}
	if n := stream.Count(t, protocol.MethodComplete); n != 1 {
		t.Errorf("tried %d times", n)
	}
}

// A subscription that drops is opened again, and whatever it brings counts as changed; one that the server tears down is
// not cancelled.
func TestReopen(t *testing.T) {
	for _, how := range []string{"drop", "tear"} {
		synctest.Test(t, func(t *testing.T) {
			var changes atomic.Int32
			s, stream := open(t, listing(mcphosttest.Modern), &session.Options{Changed: func(string) { changes.Add(1) }})
			synctest.Wait()
			if n := stream.Count(t, protocol.MethodSubscriptionsListen); n != 1 || changes.Load() != 0 {
				t.Fatalf("%s: %d streams, %d changes", how, n, changes.Load())
			}
			if _, err := s.CallTool(t.Context(), how, json.RawMessage(`{}`), session.CallOptions{}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(5 * time.Second)
			synctest.Wait()
			if n := stream.Count(t, protocol.MethodSubscriptionsListen); n != 2 || changes.Load() != 4 {
				t.Errorf("%s: %d streams, %d changes", how, n, changes.Load())
			}
			if n := stream.Count(t, protocol.NotificationCancelled); n != 0 {
				t.Errorf("%s: cancelled %d times", how, n)
			}
		})
	}
}

// A server of the modern era without subscriptions is left in peace.
func TestNoSubscriptions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sc := listing(mcphosttest.Modern)
		sc.On[protocol.MethodSubscriptionsListen] = []mcphosttest.Action{mcphosttest.Fail(-32601, "no")}
		_, stream := open(t, sc, nil)
		time.Sleep(time.Hour)
		if n := stream.Count(t, protocol.MethodSubscriptionsListen); n != 1 {
			t.Errorf("asked %d times", n)
		}
	})
}

func TestLogLevel(t *testing.T) {
	s, stream := open(t, listing(mcphosttest.Modern), nil)
	if err := s.SetLevel(t.Context(), "error"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ListPrompts(t.Context()); err != nil || !strings.Contains(stream.Of(t, protocol.MethodPromptsList)[0], `"io.modelcontextprotocol/logLevel":"error"`) {
		t.Errorf("%v", stream.Of(t, protocol.MethodPromptsList))
	}
	s, stream = open(t, listing(mcphosttest.Legacy), nil)
	if err := s.SetLevel(t.Context(), "error"); err != nil || stream.Count(t, protocol.MethodSetLevel) != 1 {
		t.Errorf("%v", err)
	}
}

// What changes while it is fetched is not kept.
func TestChangedMeanwhile(t *testing.T) {
	seen := filepath.Join(t.TempDir(), "seen")
	touch := func(string) {
		if err := os.WriteFile(seen, nil, 0o600); err != nil {
			t.Error(err)
		}
	}
	sc := listing(mcphosttest.Legacy)
	for method, change := range map[string]mcphosttest.Action{
		protocol.MethodPromptsList:   mcphosttest.Notify(protocol.NotificationPromptsListChanged, ""),
		protocol.MethodResourcesRead: mcphosttest.Notify(protocol.NotificationResourceUpdated, `{"uri":"file:///a"}`),
	} {
		sc.On[method] = append([]mcphosttest.Action{change, mcphosttest.WaitFile(seen)}, sc.On[method]...)
	}
	s, stream := open(t, sc, &session.Options{Changed: touch, Updated: touch})
	if err := s.Subscribe(t.Context(), "file:///a"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, err := s.ListPrompts(t.Context())
		if err := errors.Join(err, os.Remove(seen)); err != nil {
			t.Fatal(err)
		}
		_, err = s.ReadResource(t.Context(), "file:///a", session.CallOptions{})
		if err := errors.Join(err, os.Remove(seen)); err != nil {
			t.Fatal(err)
		}
	}
	if l, r := stream.Count(t, protocol.MethodPromptsList), stream.Count(t, protocol.MethodResourcesRead); l != 2 || r != 2 {
		t.Errorf("listed %d times, read %d times", l, r)
	}
}
