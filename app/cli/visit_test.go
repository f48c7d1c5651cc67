package cli

import (
	"os"
	"strings"
	"testing"

	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
)

const (
	payment  = "https://login.payport.example/consent?a=%20b&c='d'"
	visitAsk = `{"mode":"url","message":"come","url":"` + payment + `","elicitationId":"e1"}`
)

// A policy or a person opens an address, declines or cancels; without either none is offered (ACC A40, A42).
func TestAddresses(t *testing.T) {
	const rules = `{"launch":"allow","tools":{"*":"allow"}`
	for name, c := range map[string]struct {
		policy string
		typed  []string
		want   string // in what the server gets
		opens  bool
	}{
		"open":          {rules + `,"url":"open"}`, nil, `"result":{"action":"accept"}`, true},
		"decline":       {rules + `,"url":"decline"}`, nil, `"result":{"action":"decline"}`, false},
		"cancel":        {rules + `,"url":"cancel"}`, nil, `"result":{"action":"cancel"}`, false},
		"nobody":        {rules + `}`, nil, `-32601`, false},
		"typed":         {rules + `}`, []string{"yes\n"}, `"result":{"action":"accept"}`, true},
		"typed decline": {rules + `}`, []string{"decline\n"}, `"result":{"action":"decline"}`, false},
		"typed no":      {rules + `}`, []string{"no\n"}, `"result":{"action":"cancel"}`, false},
	} {
		p := newPlace(t)
		p.typed = c.typed
		srv := p.serve(offering(mcphosttest.Tool{
			Definition: echo, Do: []mcphosttest.Action{mcphosttest.Ask(protocol.MethodElicit, visitAsk), mcphosttest.Text("done")},
		}))
		got := p.run("call", "srv", "echo", "{}", "--config", p.file("config.json"), "--policy", p.write("policy.json", c.policy))
		if got.exit != 0 {
			t.Fatalf("%s: exit %d: %s%s", name, got.exit, got.stdout, got.stderr)
		}
		frames := strings.Join(srv.Frames(t), "\n")
		if !strings.Contains(frames, c.want) {
			t.Errorf("%s: sent %s", name, frames)
		}
		if offered := strings.Contains(frames, `"url":{}`); offered == (name == "nobody") {
			t.Errorf("%s: offered %t", name, offered)
		}
		if opened := p.opened(); opened != map[bool]string{true: payment + "\n"}[c.opens] {
			t.Errorf("%s: opened %q", name, opened)
		}
		if shown := p.shown.String(); c.typed != nil && (!strings.Contains(shown, "come") || !strings.Contains(shown, payment) ||
			!strings.Contains(shown, "Domain   │ payport.example")) {
			t.Errorf("%s: shown %s", name, shown)
		}
	}
}

// opened are the addresses that the browser has, one a line.
func (p *place) opened() string {
	text, err := os.ReadFile(p.file("data/opened"))
	if err != nil && !os.IsNotExist(err) {
		p.t.Fatal(err)
	}
	return string(text)
}

// After error −32042 the call is made again when the person says that they have finished; without a terminal the server
// says it.
func TestAddressThenAgain(t *testing.T) {
	required := mcphosttest.Write(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32042,"message":"first","data":{"elicitations":[` + visitAsk + `]}}}` + "\n")
	for name, c := range map[string]struct {
		policy string
		typed  []string
		exit   int
	}{
		"finished":        {`{"launch":"allow","tools":{"*":"allow"}}`, []string{"yes\n", "yes\n"}, 0},
		"stopped":         {`{"launch":"allow","tools":{"*":"allow"}}`, []string{"yes\n", "\n"}, exitAnswered},
		"the server says": {`{"launch":"allow","tools":{"*":"allow"},"url":"open"}`, nil, 0},
	} {
		p := newPlace(t)
		p.typed = c.typed
		first := []mcphosttest.Action{required}
		if c.typed == nil {
			first = append(first, mcphosttest.WaitFile(p.file("data/opened")), mcphosttest.Notify(protocol.NotificationElicitationComplete, `{"elicitationId":"e1"}`))
		}
		srv := p.serve(offering(mcphosttest.Tool{
			Definition: echo, Do: []mcphosttest.Action{mcphosttest.Turns(append(first, mcphosttest.Silence()), []mcphosttest.Action{mcphosttest.Text("done")})},
		}))
		got := p.run("call", "srv", "echo", "{}", "--config", p.file("config.json"), "--policy", p.write("policy.json", c.policy))
		calls := srv.Count(t, protocol.MethodToolsCall)
		if got.exit != c.exit || calls != map[bool]int{true: 2, false: 1}[c.exit == 0] || p.opened() != payment+"\n" {
			t.Errorf("%s: exit %d, %d calls, opened %q: %s%s", name, got.exit, calls, p.opened(), got.stdout, got.stderr)
		}
	}
}
