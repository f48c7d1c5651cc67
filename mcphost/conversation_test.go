package mcphost_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

// A server that exits at the question for its era is started again under the same approval, and is not asked that
// question the next time.
func TestEraIsRemembered(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	p := mcphosttest.Command(t, mcphosttest.Scenario{Era: mcphosttest.Exits, Tools: []mcphosttest.Tool{tool("echo")}})
	s := h.add("srv", p)
	h.connect(s)
	if pids := p.Pids(t); len(pids) != 2 || len(h.requests()) != 1 {
		t.Errorf("started %d times after %d questions", len(pids), len(h.requests()))
	}
	if _, err := h.call(s, "echo", `{}`); err != nil {
		t.Fatal(err)
	}
	if err := s.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.connect(s)
	if pids := p.Pids(t); len(pids) != 3 || p.Count(t, protocol.MethodDiscover) != 1 {
		t.Errorf("started %d times, asked %d times", len(pids), p.Count(t, protocol.MethodDiscover))
	}
	if rows := h.history(); len(rows) != 3 { // a launch, a call, a launch that rests on the first
		t.Errorf("%d decisions", len(rows))
	}
}

// A verdict that rests on silence is kept, so that the next start does not wait, but not for long; one that was said holds
// for a week.
func TestEraIsAskedAgain(t *testing.T) {
	for era, days := range map[string]int{mcphosttest.Silent: 1, mcphosttest.Legacy: 7} {
		now := time.Now()
		h := newHouse(t, mcphost.Options{Now: func() time.Time { return now }, Limits: session.Limits{Probe: 500 * time.Millisecond}})
		p := mcphosttest.Command(t, mcphosttest.Scenario{Era: era})
		s := h.add("srv", p)
		for _, c := range []struct{ hours, want int }{{0, 1}, {24*days - 1, 1}, {2, 2}} {
			now = now.Add(time.Duration(c.hours) * time.Hour)
			h.connect(s)
			if n := p.Count(t, protocol.MethodDiscover); n != c.want {
				t.Errorf("%q: asked %d times, want %d", era, n, c.want)
			}
			if err := s.Stop(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The same server in both eras, as a process: the same lists, results and answers to what it asks.
func TestEraTwins(t *testing.T) {
	for _, era := range []string{mcphosttest.Legacy, mcphosttest.Modern} {
		a := &answerer{offer: session.Offer{Form: true}}
		h := newHouse(t, mcphost.Options{Answerer: a})
		p := mcphosttest.Command(t, mcphosttest.Scenario{Era: era, Capabilities: `{"tools":{},"resources":{},"prompts":{}}`, Tools: []mcphosttest.Tool{
			tool("ask", mcphosttest.Ask(protocol.MethodElicit, `{"message":"who?","requestedSchema":{"type":"object","properties":{}}}`)),
		}, On: map[string][]mcphosttest.Action{
			protocol.MethodResourcesList: {mcphosttest.Result(`{"resources":[{"uri":"a:b","name":"r"}]}`)},
			protocol.MethodPromptsList:   {mcphosttest.Result(`{"prompts":[{"name":"p","arguments":[{"name":"x","required":true}]}]}`)},
			protocol.MethodResourcesRead: {mcphosttest.Result(`{"contents":[{"uri":"a:b","text":"t"}]}`)},
			protocol.MethodPromptsGet:    {mcphosttest.Result(`{"messages":[]}`)},
		}})
		s := h.add("srv", p)
		h.connect(s)
		if want := map[string]session.Era{mcphosttest.Legacy: session.EraLegacy, mcphosttest.Modern: session.EraModern}[era]; s.Snapshot().Info.Era() != want {
			t.Errorf("%q is taken for %s", era, s.Snapshot().Info.Era())
		}
		view, err := h.call(s, "ask", `{"n":1.0}`)
		if err != nil || view.Result.Content[0].Text != `{"n":1.0}` {
			t.Fatalf("%q: %v, %v", era, view.Result, err)
		}
		if q := a.last(); q.Server.Alias != "srv" || q.Server.Claimed != "scripted" || q.Call != view.ID || q.Elicit.Message != "who?" {
			t.Errorf("%q: %+v", era, q)
		}
		resources, err := s.Resources(t.Context())
		prompts, err1 := s.Prompts(t.Context())
		read, err2 := s.ReadResource(t.Context(), "a:b", false)
		_, err3 := s.GetPrompt(t.Context(), "p", map[string]string{"x": ""})
		if err := errors.Join(err, err1, err2, err3); err != nil {
			t.Fatalf("%q: %v", era, err)
		}
		if resources.Items[0].Name != "r" || prompts.Items[0].Name != "p" || read.Contents[0].Text != "t" {
			t.Errorf("%q: %+v %+v %+v", era, resources, prompts, read)
		}
		var missing *mcphost.ArgumentsError
		if _, err := s.GetPrompt(t.Context(), "p", nil); !errors.As(err, &missing) || p.Count(t, protocol.MethodPromptsGet) != 1 {
			t.Errorf("%q: a required argument is missing: %v", era, err)
		}
	}
}

// Twenty notifications at once cause one fetch, or two at most (ACC A20); a list that cannot be fetched stays, marked.
func TestOtherListsAreKeptFresh(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	var burst []mcphosttest.Action
	for range 20 {
		burst = append(burst, mcphosttest.Notify(protocol.NotificationPromptsListChanged, ""))
	}
	p := mcphosttest.Command(t, mcphosttest.Scenario{
		Capabilities: `{"tools":{},"prompts":{"listChanged":true}}`, Tools: []mcphosttest.Tool{tool("burst", burst...)},
		On: map[string][]mcphosttest.Action{protocol.MethodPromptsList: {mcphosttest.Result(`{"prompts":[{"name":"p"}]}`)}},
	})
	s := h.add("srv", p)
	h.connect(s)
	changed := make(chan struct{}, 99)
	defer h.Subscribe(func(n mcphost.Numbered) {
		if c, ok := n.Event.(mcphost.ListChanged); ok && c.List == protocol.MethodPromptsList {
			changed <- struct{}{}
		}
	})()
	if _, err := h.call(s, "burst", `{}`); err != nil { // nobody has asked for the list yet
		t.Fatal(err)
	}
	<-changed
	if n := p.Count(t, protocol.MethodPromptsList); n != 0 {
		t.Errorf("fetched %d times unasked", n)
	}
	if _, err := s.Prompts(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := h.call(s, "burst", `{}`); err != nil {
		t.Fatal(err)
	}
	<-changed
	if n := p.Count(t, protocol.MethodPromptsList); n != 2 && n != 3 {
		t.Errorf("fetched %d times", n)
	}
}

// The tool's time wins over the server's, and both over the default (ACC A16).
func TestTimes(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	s := h.add("srv", mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("a", mcphosttest.Silence()), tool("b", mcphosttest.Silence())}}))
	h.connect(s)
	err := h.Converse(t.Context(), s.ID(), mcphost.Conversation{
		Times: mcphost.Times{Inactive: time.Hour, Total: 50 * time.Millisecond}, Tools: map[string]mcphost.Times{"b": {Inactive: 20 * time.Millisecond, Total: time.Hour}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.call(s, "a", `{}`); !errors.Is(err, session.ErrTotal) {
		t.Errorf("the server's: %v", err)
	}
	if _, err := h.call(s, "b", `{}`); !errors.Is(err, session.ErrInactive) {
		t.Errorf("the tool's: %v", err)
	}
	for _, bad := range []mcphost.Conversation{{Era: "stone"}, {LogLevel: "loud"}, {Times: mcphost.Times{Total: -1}}} {
		var config *mcphost.ConfigError
		if err := h.Converse(t.Context(), s.ID(), bad); !errors.As(err, &config) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	c := s.Config()
	c.Name, c.Conversation = "other", mcphost.Conversation{}
	if err := h.Update(t.Context(), c); err != nil || s.Config().Conversation.Times.Inactive != time.Hour {
		t.Errorf("the definition took the times with it: %v", err)
	}
}

// A patient call is shown as overdue and goes on when the user says so.
func TestKeepWaiting(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	s := h.add("srv", mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("silent", mcphosttest.Silence())}}))
	h.connect(s)
	id := make(chan string, 1)
	var waits atomic.Int32
	defer h.Subscribe(func(n mcphost.Numbered) {
		c, ok := n.Event.(mcphost.CallChanged)
		if !ok {
			return
		}
		if v, ok := h.CallView(c.ID); ok && v.Overdue {
			if waits.Add(1) < 3 {
				h.KeepWaiting(c.ID)
			} else {
				h.StopCall(c.ID)
			}
		}
	})()
	view, err := h.Call(t.Context(), mcphost.CallRequest{
		ServerID: s.ID(), Tool: "silent", Arguments: json.RawMessage(`{}`), Actor: consent.Actor{Kind: consent.ActorUser},
		Inactive: 20 * time.Millisecond, Patient: true, Started: func(call string) { id <- call },
	})
	if err == nil || view.State != mcphost.CallState(mcphost.CallStopped) || waits.Load() < 3 || view.Overdue {
		t.Errorf("%v, %s after %d", err, view.State, waits.Load())
	}
	if !strings.EqualFold(<-id, view.ID) {
		t.Error("another call")
	}
}

// An answerer accepts every form.
type answerer struct {
	offer session.Offer
	asked atomic.Pointer[mcphost.Question]
}

func (a *answerer) Offer(mcphost.Config) session.Offer { return a.offer }

func (a *answerer) Answer(_ context.Context, q mcphost.Question) (session.Answer, error) {
	a.asked.Store(&q)
	return session.Answer{Elicit: &protocol.ElicitResult{Action: protocol.ElicitAccept, Content: json.RawMessage(`{}`)}}, nil
}

func (a *answerer) last() mcphost.Question { return *a.asked.Load() }
