package mcphost_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

const (
	who   = `{"message":"who?","requestedSchema":{"type":"object","properties":{"mail":{"type":"string","format":"email"},"n":{"type":"integer","default":3}},"required":["mail"]}}`
	filed = `{"mail":"a@b.example","n":3}`
)

// forms answers forms so, and allows everything else.
func forms(fill func(context.Context, consent.Request) consent.Answer) consent.Script {
	return func(ctx context.Context, r consent.Request) consent.Answer {
		if r.Kind != consent.KindForm {
			return yes(ctx, r)
		}
		return fill(ctx, r)
	}
}

func accept(reply string) func(context.Context, consent.Request) consent.Answer {
	return func(_ context.Context, r consent.Request) consent.Answer {
		return consent.Answer{Allow: true, By: consent.ByUser, Digest: r.Answered(json.RawMessage(reply)).Digest(), Arguments: json.RawMessage(reply)}
	}
}

func asking(t *testing.T, era string, params mcphosttest.Raw) *mcphosttest.Process {
	return mcphosttest.Command(t, mcphosttest.Scenario{
		Era: era, Tools: []mcphosttest.Tool{tool("ask", mcphosttest.Ask(protocol.MethodElicit, params), mcphosttest.Text("done"))},
	})
}

// replies are the frames that answer the server's question, in either era.
func replies(t *testing.T, p *mcphosttest.Process) (frames []string) {
	for _, f := range p.Frames(t) {
		if strings.Contains(f, `"action":`) || strings.Contains(f, `"error":`) {
			frames = append(frames, f)
		}
	}
	return frames
}

// The same form by a request and by a result that needs input is the same dialog and the same answer (ACC A40, A41).
func TestFormAtTheGate(t *testing.T) {
	for _, era := range []string{mcphosttest.Legacy, mcphosttest.Modern} {
		for want, fill := range map[string]func(context.Context, consent.Request) consent.Answer{
			`{"action":"accept","content":` + filed + `}`: accept(filed),
			`{"action":"decline"}`: func(context.Context, consent.Request) consent.Answer {
				return consent.Answer{By: consent.ByUser, Decline: true}
			},
			`{"action":"cancel"}`: func(context.Context, consent.Request) consent.Answer { return consent.Answer{By: consent.ByUser} },
		} {
			h := newHouse(t, mcphost.Options{Offer: session.Offer{Form: true}})
			h.answer(forms(fill))
			p := asking(t, era, who)
			s := h.add("srv", p)
			h.connect(s)
			if _, err := h.call(s, "ask", `{}`); err != nil {
				t.Fatalf("%q %s: %v", era, want, err)
			}
			got := replies(t, p)
			if len(got) != 1 || !strings.Contains(got[0], want) {
				t.Errorf("%q: sent %v, want %s", era, got, want)
			}
			asked := h.requests()
			r := asked[len(asked)-1]
			via := map[string]string{mcphosttest.Legacy: "request", mcphosttest.Modern: "input"}[era]
			if r.Kind != consent.KindForm || r.Actor.Kind != consent.ActorServer || r.Server.Alias != "srv" || r.Question.Via != via ||
				string(r.Question.Params) != who || r.Question.Launch.IsZero() || len(r.Problems) != 1 {
				t.Errorf("%q: asked %+v", era, r)
			}
			if rows := h.history(); rows[0].Kind != consent.KindForm || rows[0].Allowed != strings.Contains(want, "accept") {
				t.Errorf("%q %s: kept %+v", era, want, rows[0])
			}
		}
	}
}

// What does not fit the form does not leave, whoever allowed it; the server gets a cancel.
func TestInvalidAnswerDoesNotLeave(t *testing.T) {
	for _, reply := range []string{`{"n":3}`, `{"mail":"nobody"}`, `{"mail":"a@b.example","n":1.5}`} {
		h := newHouse(t, mcphost.Options{Offer: session.Offer{Form: true}})
		h.answer(forms(accept(reply)))
		p := asking(t, mcphosttest.Legacy, who)
		s := h.add("srv", p)
		h.connect(s)
		if _, err := h.call(s, "ask", `{}`); err != nil {
			t.Fatal(err)
		}
		if got := replies(t, p); len(got) != 1 || !strings.Contains(got[0], `"action":"cancel"`) {
			t.Errorf("%s: sent %v", reply, got)
		}
	}
}

// Shapes that a form cannot have, and floods, are refused with -32602 and nobody is asked (ACC A41, SEC F7).
func TestFormsThatAreNone(t *testing.T) {
	fields := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"f%d":{"type":"string"}`, i)
		}
		return `{"type":"object","properties":{` + b.String()[1:] + `}}`
	}
	options := func(n int) string {
		return `{"type":"object","properties":{"a":{"type":"string","enum":["x"` + strings.Repeat(`,"x"`, n-1) + `]}}}`
	}
	field := func(f string) string { return `{"type":"object","properties":{"a":` + f + `}}` }
	schemas := map[string]bool{
		fields(200): false, fields(201): true, fields(10_000): true, options(501): true,
		`{"type":"string"}`:                                                                           true,
		`{"type":"object"}`:                                                                           false,
		field(`{"type":"object","properties":{}}`):                                                    true,
		field(`{"type":"array","items":{"type":"object"}}`):                                           true,
		field(`{"type":"array","items":{"type":"string"}}`):                                           true,
		field(`{"type":["string","null"]}`):                                                           true,
		field(`{"$ref":"https://x.example/s"}`):                                                       true,
		field(`{"type":"string","$ref":"file:///etc/passwd"}`):                                        true,
		field(`{"type":"string","enum":[1]}`):                                                         true,
		field(`{"type":"string","oneOf":[{"title":"t"}]}`):                                            true,
		field(`{"type":"string","title":"<b>","enumNames":[]}`):                                       false,
		field(`{"type":"string","enum":["a"],"enumNames":["A"],"default":"a"}`):                       false,
		field(`{"type":"string","oneOf":[{"const":"a","title":"A"}]}`):                                false,
		field(`{"type":"array","minItems":1,"items":{"type":"string","enum":["a"]}}`):                 false,
		field(`{"type":"array","maxItems":1,"items":{"anyOf":[{"const":"a","title":"A"}]}}`):          false,
		field(`{"type":"number","minimum":1,"maximum":2}`):                                            false,
		field(`{"type":"string","description":"` + strings.Repeat("x", 300<<10) + `"}`):               true,
		field(`{"type":"string","minLength":1,"maxLength":9,"format":"date-time","pattern":"(?=a)"}`): false,
	}
	var tools []mcphosttest.Tool
	for schema := range schemas {
		ask := mcphosttest.Ask(protocol.MethodElicit, mcphosttest.Raw(`{"message":"?","requestedSchema":`+schema+`}`))
		tools = append(tools, tool(consent.DefinitionDigest([]byte(schema)).String(), ask, mcphosttest.Text("done")))
	}
	h := newHouse(t, mcphost.Options{Offer: session.Offer{Form: true}})
	h.answer(forms(func(context.Context, consent.Request) consent.Answer { return consent.Answer{By: consent.ByUser} }))
	p := mcphosttest.Command(t, mcphosttest.Scenario{Tools: tools})
	s := h.add("srv", p)
	h.connect(s)
	for schema, refused := range schemas {
		before := len(h.requests())
		if _, err := h.call(s, consent.DefinitionDigest([]byte(schema)).String(), `{}`); err != nil {
			t.Fatal(err)
		}
		asked := len(h.requests()) == before+2 // beside the call
		got := replies(t, p)
		if last := got[len(got)-1]; asked == refused || refused != strings.Contains(last, `-32602`) {
			t.Errorf("%.200s: asked %t, sent %.300s", schema, asked, last)
		}
	}
}

// A form that the server withdraws, or whose server dies, is taken away and nothing is sent.
func TestFormWithdrawn(t *testing.T) {
	for name, after := range map[string][]mcphosttest.Action{
		"cancelled": {mcphosttest.Notify("notifications/cancelled", `{"requestId":"q1"}`), mcphosttest.Text("done")},
		"died":      {mcphosttest.Exit(1)},
	} {
		h := newHouse(t, mcphost.Options{Offer: session.Offer{Form: true}})
		open, gone := make(chan struct{}), make(chan struct{})
		h.answer(forms(func(ctx context.Context, r consent.Request) consent.Answer {
			close(open)
			<-ctx.Done()
			defer close(gone)
			return accept(filed)(ctx, r) // too late
		}))
		mark := t.TempDir() + "/go"
		do := append([]mcphosttest.Action{
			mcphosttest.Write(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":` + who + "}\n"), mcphosttest.WaitFile(mark),
		}, after...)
		p := mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("ask", do...)}})
		s := h.add("srv", p)
		h.connect(s)
		ended := make(chan error, 1)
		go func() {
			_, err := h.call(s, "ask", `{}`)
			ended <- err
		}()
		<-open
		touch(t, mark)
		<-gone
		if err := <-ended; (err == nil) != (name == "cancelled") {
			t.Errorf("%s: %v", name, err)
		}
		waitFor(t, "a row", func() bool { return h.history()[0].Kind == consent.KindForm })
		if row := h.history()[0]; row.Allowed || row.By != consent.ByHost {
			t.Errorf("%s: kept %+v", name, row)
		}
		if got := replies(t, p); len(got) != 0 {
			t.Errorf("%s: sent %v", name, got)
		}
	}
}

// A server that floods is answered for what is too much, and nobody is asked for more than the queue takes (SEC F9).
func TestFormFlood(t *testing.T) {
	const flood = 60
	h := newHouse(t, mcphost.Options{Offer: session.Offer{Form: true}})
	queue := consent.NewQueue(nil)
	h.answer(forms(func(ctx context.Context, r consent.Request) consent.Answer {
		answer, _ := queue.Ask(ctx, r)
		return answer
	}))
	var do []mcphosttest.Action
	for i := range flood {
		do = append(do, mcphosttest.Write(mcphosttest.Raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":"q%d","method":"elicitation/create","params":%s}`+"\n", i, who))))
	}
	p := mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("ask", append(do, mcphosttest.Text("done"))...)}})
	s := h.add("srv", p)
	h.connect(s)
	if _, err := h.call(s, "ask", `{}`); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the rest to be answered", func() bool { return len(replies(t, p)) == flood-consent.DefaultPerServer })
	if n := len(queue.Pending()); n != consent.DefaultPerServer {
		t.Errorf("%d wait", n)
	}
	queue.Close()
	waitFor(t, "all to be answered", func() bool { return len(replies(t, p)) == flood })
	for _, f := range replies(t, p) {
		if strings.Contains(f, `"accept"`) {
			t.Errorf("sent %s", f)
		}
	}
}

func touch(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}
