package mcphost_test

import (
	"context"
	"strings"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

// Whatever a server does in the middle of a call, its own call ends, other servers work meanwhile, and the answer that
// the user is about to give to one of them arrives, once (SEC B1, B6, C3, C4, C5, C13, C15; ACC A06, A09).
func TestMisbehavingServers(t *testing.T) {
	h := newHouse(t, mcphost.Options{Offer: session.Offer{Form: true}})
	open, answer := make(chan struct{}), make(chan struct{})
	h.answer(forms(func(ctx context.Context, r consent.Request) consent.Answer {
		close(open)
		<-answer
		return accept(filed)(ctx, r)
	}))
	asks := mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{
		tool("ask", mcphosttest.Ask(protocol.MethodElicit, who), mcphosttest.Text("done")),
	}})
	asker, neighbour := h.add("asker", asks), h.add("neighbour", mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("echo")}}))
	h.connect(asker)
	h.connect(neighbour)
	asked := make(chan error, 1)
	go func() {
		_, err := h.call(asker, "ask", `{}`)
		asked <- err
	}()
	<-open

	const many = 20_000
	lines := func(n int, line string) mcphosttest.Action {
		return mcphosttest.Write(mcphosttest.Raw(strings.Repeat(line+"\n", n)))
	}
	done := mcphosttest.Text("done")
	for name, c := range map[string]struct {
		do    []mcphosttest.Action
		fails bool // the call; the server has gone
	}{
		"log":       {[]mcphosttest.Action{lines(many, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"emergency","data":"the house burns"}}`), done}, false},
		"unknown":   {[]mcphosttest.Action{lines(many, `{"jsonrpc":"2.0","method":"notifications/none"}`), done}, false},
		"changed":   {[]mcphosttest.Action{lines(many, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`), done}, false},
		"progress":  {[]mcphosttest.Action{lines(many, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":1e308,"total":-1}}`), done}, false},
		"requests":  {[]mcphosttest.Action{lines(many, `{"jsonrpc":"2.0","id":"again","method":"sampling/createMessage","params":{}}`), done}, false},
		"stderr":    {[]mcphosttest.Action{mcphosttest.Stderr(many, strings.Repeat("x", 1000)), done}, false},
		"no JSON":   {[]mcphosttest.Action{lines(many, "\x1b[31mhalf a {\"line"), done}, false},
		"wrong ids": {[]mcphosttest.Action{lines(many, `{"jsonrpc":"2.0","id":123456789,"result":{}}`), lines(1, `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}`), lines(1, `[]`), done}, false},
		"twice":     {[]mcphosttest.Action{lines(many, `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"done"}]}}`), mcphosttest.Silence()}, false},
		"both":      {[]mcphosttest.Action{lines(1, `{"jsonrpc":"2.0","id":${id},"result":{},"error":{"code":1,"message":"m"}}`), mcphosttest.Silence()}, true},
		"dies":      {[]mcphosttest.Action{mcphosttest.Exit(7)}, true},
		"half":      {[]mcphosttest.Action{mcphosttest.Write(`{"jsonrpc":"2.0","id":${id},"res`), mcphosttest.Exit(7)}, true},
	} {
		t.Run(name, func(t *testing.T) {
			p := mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("act", c.do...), tool("echo")}})
			s := h.add(name, p)
			h.connect(s)
			ended := make(chan error, 1)
			go func() {
				_, err := h.call(s, "act", `{}`)
				ended <- err
			}()
			if _, err := h.call(neighbour, "echo", `{"n":1}`); err != nil {
				t.Errorf("a neighbour: %v", err)
			}
			if err := <-ended; (err != nil) != c.fails {
				t.Errorf("its own call: %v", err)
			}
			switch _, err := h.call(s, "echo", `{"n":2}`); {
			case c.fails && p.Count(t, protocol.MethodToolsCall) == 1: // it has gone
				waitFor(t, "its end to show", func() bool { return s.Snapshot().Status == mcphost.StatusCrashed })
			case err != nil:
				t.Errorf("its next call: %v", err)
			}
			if n := p.Count(t, protocol.MethodToolsList); n > 4 {
				t.Errorf("listed %d times", n)
			}
			kept := map[string]int{}
			for _, line := range s.Log(0) {
				if kept[line.Stream]++; kept[line.Stream] > 1000 {
					t.Fatalf("more than 1000 lines of %s are kept", line.Stream)
				}
			}
			if err := s.Stop(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}

	close(answer)
	if err := <-asked; err != nil {
		t.Error(err)
	}
	if got := replies(t, asks); len(got) != 1 || !strings.Contains(got[0], filed) {
		t.Errorf("the answer: %v", got)
	}
}

// A tool that no message could hold costs only itself, and a list that cannot be read at all only the list: the server
// stays, and its next list is taken.
func TestToolsBeyondTheLimits(t *testing.T) {
	h := newHouse(t, mcphost.Options{Restart: true})
	list := func(tools string) mcphosttest.Action {
		return mcphosttest.Write(mcphosttest.Raw(`{"jsonrpc":"2.0","id":${id},"result":{"tools":[` + tools + "]}}\n"))
	}
	depth := jsonrpc.DefaultLimits().Depth - 4 // of the schema: a message, its result, the list and the tool are around it
	deep := func(name string, n int) string {
		return `{"name":"` + name + `","inputSchema":{"type":"object","x":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}}`
	}
	s := h.add("Scripted", mcphosttest.Command(t, mcphosttest.Scenario{
		Tools: []mcphosttest.Tool{tool("echo")},
		On: map[string][]mcphosttest.Action{protocol.MethodToolsList: {mcphosttest.Turns(
			[]mcphosttest.Action{list(`{"name":1,"name":2}],"tools":[`)},
			[]mcphosttest.Action{list(deep("n", depth) + `,` + deep("over", depth+1) + `,{"name":"echo","inputSchema":{"type":"object"}}`)},
		)}},
	}))
	h.connect(s)
	if snap := s.Snapshot(); snap.Status != mcphost.StatusReady || snap.Crashes != 0 || !strings.Contains(snap.Warning, "duplicate key") {
		t.Errorf("status %s, warning %q", snap.Status, snap.Warning)
	}
	if err := s.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if snap := s.Snapshot(); snap.Tools != 2 || snap.Warning != `the tool "over" was left out: nested too deeply` {
		t.Errorf("%d tools, warning %q", snap.Tools, snap.Warning)
	}
	if _, err := h.call(s, "echo", `{"n":1}`); err != nil {
		t.Error(err)
	}
}
