package cli

import (
	"strings"
	"testing"

	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
)

const mailForm = `{"message":"who?","requestedSchema":{"type":"object","properties":{"mail":{"type":"string","format":"email"}},"required":["mail"]}}`

// A policy or a person answers a form; without either none is offered (ACC A40, A41).
func TestForms(t *testing.T) {
	const rules = `{"launch":"allow","tools":{"*":"allow"}`
	for name, c := range map[string]struct {
		policy string
		typed  []string
		want   string // in what the server gets
	}{
		"accept":          {rules + `,"elicitation":{"accept":{"mail": "a@b.example"}}}`, nil, `"result":{"action":"accept","content":{"mail":"a@b.example"}}`},
		"accept, invalid": {rules + `,"elicitation":{"accept":{"mail":"nobody"}}}`, nil, `"result":{"action":"cancel"}`},
		"decline":         {rules + `,"elicitation":"decline"}`, nil, `"result":{"action":"decline"}`},
		"cancel":          {rules + `,"elicitation":"cancel"}`, nil, `"result":{"action":"cancel"}`},
		"nobody":          {rules + `}`, nil, `-32601`},
		"typed": {
			rules + `}`,
			[]string{"{\"mail\":\"nobody\"}\n{\"mail\": \"a@b.example\"}\n"},
			`"result":{"action":"accept","content":{"mail":"a@b.example"}}`,
		},
		"typed decline": {rules + `}`, []string{"decline\n"}, `"result":{"action":"decline"}`},
		"typed yes":     {rules + `}`, []string{"yes\n"}, `"result":{"action":"cancel"}`},
	} {
		p := newPlace(t)
		p.typed = c.typed
		srv := p.serve(offering(mcphosttest.Tool{
			Definition: echo, Do: []mcphosttest.Action{mcphosttest.Ask(protocol.MethodElicit, mailForm), mcphosttest.Text("done")},
		}))
		got := p.run("call", "srv", "echo", "{}", "--config", p.file("config.json"), "--policy", p.write("policy.json", c.policy))
		if got.exit != 0 {
			t.Fatalf("%s: exit %d: %s%s", name, got.exit, got.stdout, got.stderr)
		}
		frames := strings.Join(srv.Frames(t), "\n")
		if !strings.Contains(frames, c.want) {
			t.Errorf("%s: sent %s", name, frames)
		}
		if offered := strings.Contains(frames, `"elicitation":{"form":{}`); offered == (name == "nobody") {
			t.Errorf("%s: offered %t", name, offered)
		}
		if shown := p.shown.String(); c.typed != nil && (!strings.Contains(shown, "who?") ||
			!strings.Contains(shown, "mail (required)") || !strings.Contains(shown, "Only give information you trust “srv” with")) {
			t.Errorf("%s: shown %s", name, shown)
		}
	}
}
