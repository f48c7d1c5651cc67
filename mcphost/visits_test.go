package mcphost_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

// A browser remembers what it was told to open.
type browser struct {
	mu     sync.Mutex
	opened []string
	fails  error
}

func (b *browser) open(_ context.Context, url string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.opened = append(b.opened, url)
	return b.fails
}

func (b *browser) urls() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string{}, b.opened...)
}

// A travel is a house whose user is asked to open addresses.
type travel struct {
	*house
	browser *browser
	trap    *mcphosttest.Trap
	url     string
}

func newTravel(t *testing.T) *travel {
	b := &browser{}
	trap := mcphosttest.NewTrap(t)
	return &travel{newHouse(t, mcphost.Options{Offer: session.Offer{Form: true, URL: true}, Opener: b.open}), b, trap, trap.URL() + "/a?b=%20c&d=$(e)#f"}
}

// visiting answers addresses so, and allows everything else.
func visiting(answer consent.Answer) consent.Script {
	return func(ctx context.Context, r consent.Request) consent.Answer {
		if r.Kind != consent.KindURL {
			return yes(ctx, r)
		}
		if answer.Allow {
			answer.Digest = r.Digest()
		}
		answer.By = consent.ByUser
		return answer
	}
}

func (v *travel) params() mcphosttest.Raw {
	return mcphosttest.Raw(fmt.Sprintf(`{"mode":"url","message":"come","url":%q,"elicitationId":"e1"}`, v.url))
}

// required is error −32042 with one address.
func (v *travel) required() mcphosttest.Action {
	return mcphosttest.Write(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32042,"message":"first","data":{"elicitations":[` + v.params() + `]}}}` + "\n")
}

func (v *travel) calls(s *mcphost.Server, tool string) (id chan string, ended chan error) {
	id, ended = make(chan string, 1), make(chan error, 1)
	go func() {
		_, err := v.Call(v.t.Context(), mcphost.CallRequest{ServerID: s.ID(), Tool: tool, Arguments: json.RawMessage(`{}`), Started: func(c string) { id <- c }})
		ended <- err
	}()
	return id, ended
}

// nothing says that nobody has fetched the address, whatever was answered (SEC F1).
func (v *travel) nothing() {
	v.t.Helper()
	if n := v.trap.Hits(); n != 0 {
		v.t.Errorf("%d hits", n)
	}
}

// A request of a legacy server: accept as soon as the browser has taken the address, then a card that ends when the user
// says so; completion is matched to what is open (ACC A42).
func TestVisitByRequest(t *testing.T) {
	v := newTravel(t)
	v.answer(visiting(consent.Answer{Allow: true}))
	p := mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{
		tool("ask", mcphosttest.Ask(protocol.MethodElicit, v.params()), mcphosttest.Text("done")),
		tool("second", mcphosttest.Ask(protocol.MethodElicit, mcphosttest.Raw(strings.ReplaceAll(string(v.params()), "e1", "e2"))), mcphosttest.Text("done")),
		tool("finish", mcphosttest.Notify(protocol.NotificationElicitationComplete, `{"elicitationId":"other"}`), mcphosttest.Text("done")),
		tool("finished", mcphosttest.Notify(protocol.NotificationElicitationComplete, `{"elicitationId":"e1"}`), mcphosttest.Text("done")),
	}})
	s := v.add("srv", p)
	v.connect(s)
	if _, err := v.call(s, "ask", `{}`); err != nil {
		t.Fatal(err)
	}
	if got := replies(t, p); len(got) != 1 || !strings.Contains(got[0], `"result":{"action":"accept"}`) {
		t.Errorf("sent %v", got)
	}
	open := v.Visits()
	if len(open) != 1 || open[0].Goes || open[0].URL != v.url || open[0].Server.Alias != "srv" || open[0].Completed {
		t.Fatalf("open %+v", open)
	}
	if urls := v.browser.urls(); len(urls) != 1 || urls[0] != v.url {
		t.Errorf("opened %q", urls)
	}
	if row := v.history()[0]; row.Kind != consent.KindURL || !row.Allowed || row.What != "127.0.0.1" {
		t.Errorf("kept %+v", row)
	}
	for _, name := range []string{"second", "finish", "finished"} {
		if _, err := v.call(s, name, `{}`); err != nil {
			t.Fatal(err)
		}
		if got := v.Visits(); len(got) != 2 || got[0].Completed != (name == "finished") || got[1].Completed {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if err := v.EndVisit(v.Visits()[1].ID, false); err != nil {
		t.Fatal(err)
	}
	if err := v.OpenAgain(t.Context(), open[0].ID); err != nil || len(v.browser.urls()) != 3 || v.history()[0].Kind != consent.KindVisit {
		t.Errorf("again: %v, %q", err, v.browser.urls())
	}
	if err := v.EndVisit(open[0].ID, true); err != nil || len(v.Visits()) != 0 {
		t.Errorf("ended: %v", err)
	}
	if err := v.EndVisit(open[0].ID, true); !errors.Is(err, consent.ErrWithdrawn) {
		t.Errorf("ended twice: %v", err)
	}
	if err := v.OpenAgain(t.Context(), open[0].ID); !errors.Is(err, consent.ErrWithdrawn) || len(v.browser.urls()) != 3 {
		t.Errorf("opened after the end: %v", err)
	}
	v.nothing()
}

// A no never opens anything; decline and cancel go out as themselves, and so does a browser that cannot be opened.
func TestVisitRefused(t *testing.T) {
	for want, test := range map[string]struct {
		answer consent.Answer
		fails  error
	}{
		"decline": {consent.Answer{Decline: true}, nil},
		"cancel":  {consent.Answer{}, nil},
		`cancel"`: {consent.Answer{Allow: true}, errors.New("there is no browser")},
	} {
		v := newTravel(t)
		v.browser.fails = test.fails
		v.answer(visiting(test.answer))
		p := asking(t, mcphosttest.Legacy, v.params())
		s := v.add("srv", p)
		v.connect(s)
		if _, err := v.call(s, "ask", `{}`); err != nil {
			t.Fatal(err)
		}
		if got := replies(t, p); len(got) != 1 || !strings.Contains(got[0], `"action":"`+want) {
			t.Errorf("%s: sent %v", want, got)
		}
		if opened := len(v.browser.urls()); opened != 0 && test.fails == nil {
			t.Errorf("%s: opened %d times", want, opened)
		}
		if left := v.Visits(); len(left) > 0 != (test.fails != nil) || len(left) > 0 && (!left[0].Failed || left[0].Goes) {
			t.Errorf("%s: left %+v", want, left)
		}
		v.nothing()
	}
}

// What may not be opened is refused with −32602 and nobody is asked (SEC F2).
func TestAddressesAreRefused(t *testing.T) {
	for _, url := range []string{"javascript:alert(1)", "https://bank.com@evil.example/", "-flag", "http://remote.example/"} {
		v := newTravel(t)
		v.url = url
		v.answer(visiting(consent.Answer{Allow: true}))
		p := asking(t, mcphosttest.Legacy, v.params())
		s := v.add("srv", p)
		v.connect(s)
		if _, err := v.call(s, "ask", `{}`); err != nil {
			t.Fatal(err)
		}
		if got := replies(t, p); len(got) != 1 || !strings.Contains(got[0], "-32602") || len(v.browser.urls()) != 0 {
			t.Errorf("%s: sent %v, opened %q", url, got, v.browser.urls())
		}
		if asked := v.requests(); asked[len(asked)-1].Kind != consent.KindToolCall {
			t.Errorf("%s was asked", url)
		}
	}
}

// A result that needs input, and error −32042: what was asked for is made again when the user has finished, never by
// itself; who no longer waits cancels.
func TestVisitThenAgain(t *testing.T) {
	for _, era := range []string{mcphosttest.Modern, mcphosttest.Legacy} {
		for _, finished := range []bool{true, false} {
			v := newTravel(t)
			v.answer(visiting(consent.Answer{Allow: true}))
			p := asking(t, mcphosttest.Modern, v.params())
			if era == mcphosttest.Legacy {
				p = mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("ask", mcphosttest.Turns(
					[]mcphosttest.Action{v.required(), mcphosttest.Notify(protocol.NotificationElicitationComplete, `{"elicitationId":"e1"}`), mcphosttest.Silence()},
					[]mcphosttest.Action{mcphosttest.Text("done")},
				))}})
			}
			s := v.add("srv", p)
			v.connect(s)
			_, ended := v.calls(s, "ask")
			waitFor(t, "the visit", func() bool { return len(v.browser.urls()) == 1 })
			open := v.Visits()
			if len(open) != 1 || !open[0].Goes || p.Count(t, protocol.MethodToolsCall) != 1 {
				t.Fatalf("%q: %+v, %d calls", era, open, p.Count(t, protocol.MethodToolsCall))
			}
			if err := v.EndVisit(open[0].ID, finished); err != nil {
				t.Fatal(err)
			}
			err := <-ended
			calls, actions := p.Count(t, protocol.MethodToolsCall), strings.Join(p.Frames(t), "\n")
			switch {
			case finished && (err != nil || calls != 2):
				t.Errorf("%q: %v, %d calls", era, err, calls)
			case !finished && era == mcphosttest.Legacy && (err == nil || calls != 1):
				t.Errorf("%q: %v, %d calls", era, err, calls)
			case era == mcphosttest.Modern && strings.Contains(actions, `"action":"accept"`) != finished:
				t.Errorf("finished %t: %s", finished, actions)
			}
			if len(v.Visits()) != 0 || len(v.browser.urls()) != 1 {
				t.Errorf("%q: left %+v, opened %q", era, v.Visits(), v.browser.urls())
			}
			v.nothing()
		}
	}
}

// Stopping the call ends its visit; nothing is made again, and the call is one that was stopped.
func TestStopDuringVisit(t *testing.T) {
	v := newTravel(t)
	v.answer(visiting(consent.Answer{Allow: true}))
	p := mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("ask", v.required(), mcphosttest.Silence())}})
	s := v.add("srv", p)
	v.connect(s)
	ids, ended := v.calls(s, "ask")
	waitFor(t, "the visit", func() bool { return len(v.browser.urls()) == 1 })
	id := <-ids
	v.StopCall(id)
	<-ended
	if view, _ := v.CallView(id); view.State != mcphost.CallState(mcphost.CallStopped) || len(v.Visits()) != 0 || p.Count(t, protocol.MethodToolsCall) != 1 {
		t.Errorf("%s, %+v", view.State, v.Visits())
	}
}

// A server that answers −32042 for ever is asked so many times, each by the user (SEC F9).
func TestRequiredForEver(t *testing.T) {
	v := newTravel(t)
	v.answer(visiting(consent.Answer{Allow: true}))
	p := mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("ask", v.required(), mcphosttest.Silence())}})
	s := v.add("srv", p)
	v.connect(s)
	_, ended := v.calls(s, "ask")
	most := session.DefaultLimits().Rounds
	for n := range most {
		waitFor(t, "the visit", func() bool { return len(v.browser.urls()) == n+1 && len(v.Visits()) == 1 })
		if err := v.EndVisit(v.Visits()[0].ID, true); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-ended; !errors.Is(err, session.ErrRounds) || p.Count(t, protocol.MethodToolsCall) != most+1 {
		t.Errorf("%v after %d calls", err, p.Count(t, protocol.MethodToolsCall))
	}
}

// Of one server only so many idle visits are kept; a host without a browser offers none.
func TestVisitsAreFew(t *testing.T) {
	v := newTravel(t)
	v.answer(visiting(consent.Answer{Allow: true}))
	p := asking(t, mcphosttest.Legacy, v.params())
	s := v.add("srv", p)
	v.connect(s)
	const most = 10
	for range most + 1 {
		if _, err := v.call(s, "ask", `{}`); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(v.Visits()); n != most {
		t.Errorf("%d are kept", n)
	}

	h := newHouse(t, mcphost.Options{Offer: session.Offer{Form: true, URL: true}})
	q := asking(t, mcphosttest.Legacy, v.params())
	h.connect(h.add("srv", q))
	if hello := q.Frames(t); !strings.Contains(strings.Join(hello, ""), `"elicitation":{"form":{}}`) {
		t.Errorf("declared %s", hello)
	}
}
