package mcphost_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

const (
	askModel  = `{"messages":[{"role":"user","content":{"type":"text","text":"hello"}}],"systemPrompt":"be terse","maxTokens":100}`
	askTool   = `{"messages":[{"role":"user","content":[{"type":"text","text":"hello"}]}],"maxTokens":100,"tools":[{"name":"add","inputSchema":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}}]%s}`
	byHand    = `{"role":"assistant","content":{"type":"text","text":"a word <b>"},"model":"manual/user","stopReason":"endTurn"}`
	useByHand = `{"role":"assistant","content":[{"type":"tool_use","id":"u1","name":"add","input":{"a":1}}],"model":"manual/user","stopReason":"toolUse"}`
)

var offersSampling = mcphost.Options{Offer: session.Offer{Sampling: true, SamplingTools: true}}

// sampling answers model requests so, and allows everything else.
func sampling(reply string) consent.Script {
	return func(ctx context.Context, r consent.Request) consent.Answer {
		switch {
		case r.Kind != consent.KindSample:
			return yes(ctx, r)
		case reply == "":
			return consent.Answer{By: consent.ByUser, Reason: "not now"}
		}
		return accept(reply)(ctx, r)
	}
}

// sampled runs one request for a message and returns what the server got.
func sampled(t *testing.T, o mcphost.Options, sc mcphosttest.Scenario, params, reply string) (h *house, got string) {
	t.Helper()
	h = newHouse(t, o)
	h.answer(sampling(reply))
	sc.Tools = []mcphosttest.Tool{tool("ask", mcphosttest.Ask(protocol.MethodCreateMessage, mcphosttest.Raw(params)), mcphosttest.Text("done"))}
	p := mcphosttest.Command(t, sc)
	s := h.add("srv", p)
	h.connect(s)
	_, _ = h.call(s, "ask", `{}`) // in the modern era a refusal ends the call
	for _, f := range p.Frames(t) {
		if strings.Contains(f, `"model":"manual`) || strings.Contains(f, `"error":`) {
			got += f
		}
	}
	return h, got
}

// The same request by either way is the same dialog, and exactly the reply that was decided leaves; a no is error −1
// (ACC A43, SEC E2).
func TestSamplingByHand(t *testing.T) {
	for _, era := range []string{mcphosttest.Legacy, mcphosttest.Modern} {
		h, got := sampled(t, offersSampling, mcphosttest.Scenario{Era: era}, askModel, byHand)
		if !strings.Contains(got, byHand) {
			t.Errorf("%q: sent %s", era, got)
		}
		asked := h.requests()
		if r := asked[len(asked)-1]; r.Kind != consent.KindSample || string(r.Question.Params) != askModel || len(r.Problems) != 1 {
			t.Errorf("%q: asked %+v", era, r)
		}
		if row := h.history()[0]; row.Kind != consent.KindSample || !row.Allowed {
			t.Errorf("%q: kept %+v", era, row)
		}
	}
	if _, got := sampled(t, offersSampling, mcphosttest.Scenario{}, askModel, ""); !strings.Contains(got, `"code":-1,"message":"The user rejected this request"`) {
		t.Errorf("refused, but sent %s", got)
	}
}

// A reply with a tool is one of the tools that were offered, with arguments that fit; nothing else leaves (P19, SEC E5).
func TestSamplingReplies(t *testing.T) {
	use := func(choice string) string { return fmt.Sprintf(askTool, choice) }
	required, none := `,"toolChoice":{"mode":"required"}`, `,"toolChoice":{"mode":"none"}`
	for _, c := range []struct {
		params, reply string
		sent          bool
	}{
		{use(""), useByHand, true},
		{use(required), useByHand, true},
		{use(""), byHand, true},
		{use(required), byHand, false},
		{use(none), useByHand, false},
		{askModel, useByHand, false},
		{use(""), strings.ReplaceAll(useByHand, `"add"`, `"sub"`), false},
		{use(""), strings.ReplaceAll(useByHand, `{"a":1}`, `{"a":"1"}`), false},
		{use(""), strings.ReplaceAll(useByHand, `{"a":1}`, `{}`), false},
		{use(""), strings.ReplaceAll(useByHand, "toolUse", "endTurn"), false},
		{askModel, strings.ReplaceAll(byHand, "endTurn", "toolUse"), false},
		{askModel, strings.ReplaceAll(byHand, "endTurn", "why"), false},
		{askModel, strings.ReplaceAll(byHand, "manual/user", "gpt-9"), false},
		{askModel, strings.ReplaceAll(byHand, "manual/user", "manual/"), false},
		{askModel, strings.ReplaceAll(byHand, "assistant", "user"), false},
		{askModel, strings.ReplaceAll(byHand, `"a word <b>"`, `" "`), false},
		{askModel, strings.ReplaceAll(byHand, `"text","text"`, `"image","text"`), false},
		{askModel, strings.ReplaceAll(byHand, `"stopReason"`, `"_meta":{},"stopReason"`), false},
		{askModel, strings.ReplaceAll(byHand, `"stopReason"`, `"more":{},"stopReason"`), false},
		{askModel, `{"role":"assistant","content":[],"model":"manual/user","stopReason":"endTurn"}`, false},
	} {
		_, got := sampled(t, offersSampling, mcphosttest.Scenario{}, c.params, c.reply)
		if sent := strings.Contains(got, c.reply); sent != c.sent || !sent && !strings.Contains(got, `"code":-1,`) {
			t.Errorf("%s\n%s\nsent %s", c.params, c.reply, got)
		}
	}
	list := strings.Replace(byHand, `{"type":"text","text":"a word <b>"}`, `[{"type":"text","text":"a word <b>"}]`, 1)
	for revision, sent := range map[string]bool{"2025-11-25": true, "2025-06-18": false} {
		if _, got := sampled(t, offersSampling, mcphosttest.Scenario{Revision: revision}, askModel, list); strings.Contains(got, list) != sent {
			t.Errorf("%s: a list of blocks: %s", revision, got)
		}
	}
}

// What no model could be asked is refused with −32602, and so are tools that are not offered; nobody is asked.
func TestSamplingRefused(t *testing.T) {
	message := func(messages string) string { return `{"messages":[` + messages + `],"maxTokens":1}` }
	const useA = `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"x","input":{}}]}`
	const resultA = `{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[]}]}`
	tools := mcphost.Options{Offer: session.Offer{Sampling: true}}
	for _, c := range []struct {
		o      mcphost.Options
		params string
		asked  bool
	}{
		{tools, fmt.Sprintf(askTool, ""), false},
		{tools, `{"messages":[],"maxTokens":1,"toolChoice":{"mode":"none"}}`, false},
		{tools, askModel, true},
		{offersSampling, message(useA + "," + resultA), true},
		{offersSampling, message(useA), false},
		{offersSampling, message(resultA), false},
		{offersSampling, message(useA + "," + strings.ReplaceAll(resultA, `"a"`, `"b"`)), false},
		{offersSampling, message(useA + "," + strings.Replace(resultA, `}]}`, `},{"type":"text","text":"t"}]}`, 1)), false},
		{offersSampling, message(strings.Replace(useA, "assistant", "user", 1) + "," + resultA), false},
		{offersSampling, message(`{"role":"system","content":{"type":"text","text":"t"}}`), false},
		{offersSampling, fmt.Sprintf(askTool, `,"toolChoice":{"mode":"some"}`), false},
		{offersSampling, `{"messages":[],"maxTokens":1,"toolChoice":{"mode":"required"}}`, false},
		{offersSampling, strings.Replace(fmt.Sprintf(askTool, ""), `"type":"object"`, `"type":"none"`, 1), false},
		{offersSampling, `{"messages":[]}`, false},
		{offersSampling, message(strings.Repeat(`{"role":"user","content":{"type":"text","text":"t"}},`, 1000) + `{"role":"user","content":{"type":"text","text":"t"}}`), false},
	} {
		h, got := sampled(t, c.o, mcphosttest.Scenario{}, c.params, byHand)
		asked := h.requests()
		if was := asked[len(asked)-1].Kind == consent.KindSample; was != c.asked || !was && !strings.Contains(got, "-32602") {
			t.Errorf("%.200s: asked %t, sent %.300s", c.params, was, got)
		}
	}
}

// A server may ask so often a minute; what is more gets one neutral sentence (SEC E4, P22).
func TestSamplingPace(t *testing.T) {
	const most = 10
	h := newHouse(t, offersSampling)
	h.answer(sampling(byHand))
	p := mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("ask", mcphosttest.Ask(protocol.MethodCreateMessage, askModel), mcphosttest.Text("done"))}})
	s := h.add("srv", p)
	h.connect(s)
	for n := range most + 1 {
		if _, err := h.call(s, "ask", `{}`); err != nil {
			t.Fatal(err)
		}
		if refused := strings.Contains(strings.Join(p.Frames(t), "\n"), `"code":-32603,"message":"Sampling is not available now"`); refused != (n == most) {
			t.Errorf("request %d: refused %t", n+1, refused)
		}
	}
}

// Of a long request only its length is kept; the reply is kept whole.
func TestLongSamplingIsNotKept(t *testing.T) {
	params := strings.Replace(askModel, "hello", strings.Repeat("x", 300<<10), 1)
	h, _ := sampled(t, offersSampling, mcphosttest.Scenario{}, params, byHand)
	entry, err := h.store.HistoryEntry(t.Context(), h.history()[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if q := entry.Decision.Question; string(q.Params) != fmt.Sprintf(`{"bytes":%d,"omitted":true}`, len(params)) || string(q.Reply) != byHand {
		t.Errorf("kept %.100s, %s", q.Params, q.Reply)
	}
}
