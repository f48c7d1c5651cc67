package cli

import (
	"strings"
	"testing"

	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
)

// A policy or a person answers in the place of a model, or rejects; without either sampling is not offered (ACC A40, A43).
func TestSampling(t *testing.T) {
	const rules = `{"launch":"allow","tools":{"*":"allow"}`
	const ask = `{"messages":[{"role":"user","content":{"type":"text","text":"why?"}}],"systemPrompt":"be terse","maxTokens":9}`
	const said = `"result":{"role":"assistant","content":{"type":"text","text":"a word"},"model":"manual/user","stopReason":"endTurn"}`
	for name, c := range map[string]struct {
		policy string
		typed  []string
		want   string
	}{
		"reply":        {rules + `,"sampling":{"reply":"a word"}}`, nil, said},
		"empty":        {rules + `,"sampling":{"reply":" "}}`, nil, `"code":-1`},
		"deny":         {rules + `,"sampling":"deny"}`, nil, `-32601`},
		"nobody":       {rules + `}`, nil, `-32601`},
		"typed":        {rules + `}`, []string{"a word\n"}, said},
		"typed reject": {rules + `}`, []string{"\n"}, `"code":-1`},
	} {
		p := newPlace(t)
		p.typed = c.typed
		srv := p.serve(offering(mcphosttest.Tool{
			Definition: echo, Do: []mcphosttest.Action{mcphosttest.Ask(protocol.MethodCreateMessage, ask), mcphosttest.Text("done")},
		}))
		got := p.run("call", "srv", "echo", "{}", "--config", p.file("config.json"), "--policy", p.write("policy.json", c.policy))
		if got.exit != 0 {
			t.Fatalf("%s: exit %d: %s%s", name, got.exit, got.stdout, got.stderr)
		}
		frames := strings.Join(srv.Frames(t), "\n")
		if !strings.Contains(frames, c.want) {
			t.Errorf("%s: sent %s", name, frames)
		}
		if offered := strings.Contains(frames, `"sampling":{}`); offered == strings.Contains(c.want, "-32601") {
			t.Errorf("%s: offered %t", name, offered)
		}
		if shown := p.shown.String(); c.typed != nil && (!strings.Contains(shown, "be terse") || !strings.Contains(shown, "why?")) {
			t.Errorf("%s: shown %s", name, shown)
		}
	}
}
