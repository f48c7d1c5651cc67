package cli

import (
	"strings"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
)

// A policy names the roots that servers are told; without one nobody is there to ask, and none are offered (ACC A40, A44).
func TestRoots(t *testing.T) {
	for policy, want := range map[string]string{
		`,"roots":["DIR"]`: `{"roots":[{"uri":"URI"`, `,"roots":[]`: `{"roots":[]}`, ``: `-32601`,
	} {
		p := newPlace(t)
		policy, want := strings.ReplaceAll(policy, "DIR", p.dir), strings.ReplaceAll(want, "URI", mcphost.RootURI(p.dir))
		srv := p.serve(offering(mcphosttest.Tool{
			Definition: echo, Do: []mcphosttest.Action{mcphosttest.Ask(protocol.MethodRootsList, ""), mcphosttest.Text("done")},
		}))
		got := p.run("call", "srv", "echo", "{}", "--config", p.file("config.json"), "--policy", p.write("policy.json", `{"launch":"allow","tools":{"*":"allow"}`+policy+`}`))
		frames := strings.Join(srv.Frames(t), "\n")
		if got.exit != 0 || !strings.Contains(frames, want) || strings.Contains(frames, `"listChanged":true`) == (policy == "") {
			t.Errorf("%s: exit %d, sent %s", policy, got.exit, frames)
		}
	}
}

// A policy lets servers add roots for the run, or does not; without a rule nobody is there to say yes (2024-11-05).
func TestRootAdd(t *testing.T) {
	for policy, want := range map[string]string{
		`,"rootAdd":"allow"`: `"result":{}`, `,"rootAdd":"deny"`: `"code":-32000`, ``: `"code":-32000`,
	} {
		p := newPlace(t)
		sc := offering(mcphosttest.Tool{Definition: echo, Do: []mcphosttest.Action{
			mcphosttest.Ask(protocol.MethodRootsAdd, mcphosttest.Raw(`{"uri":"`+mcphost.RootURI(p.dir)+`"}`)),
			mcphosttest.Ask(protocol.MethodRootsList, ""), mcphosttest.Text("done"),
		}})
		sc.Revision = string(protocol.Revision20241105)
		srv := p.serve(sc)
		got := p.run("call", "srv", "echo", "{}", "--config", p.file("config.json"), "--policy", p.write("policy.json", `{"launch":"allow","tools":{"*":"allow"},"roots":[]`+policy+`}`))
		frames := strings.Join(srv.Frames(t), "\n")
		if got.exit != 0 || !strings.Contains(frames, want) || strings.Contains(frames, mcphost.RootURI(p.dir)) != strings.Contains(policy, allow) {
			t.Errorf("%s: exit %d, sent %s", policy, got.exit, frames)
		}
	}
}
