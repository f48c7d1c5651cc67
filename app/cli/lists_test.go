package cli

import (
	"strings"
	"testing"

	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
)

// library is a server with resources, a template, a prompt and proposals.
func library() mcphosttest.Scenario {
	return mcphosttest.Scenario{
		Capabilities: `{"tools":{},"resources":{},"prompts":{},"completions":{}}`,
		On: map[string][]mcphosttest.Action{
			protocol.MethodResourcesList: {mcphosttest.Result(`{"resources":[` +
				`{"uri":"a:tide","name":"tide","title":"Tide \u202etable","mimeType":"text/plain","size":7},{"uri":"a:berth","name":"berth"}]}`)},
			protocol.MethodResourcesTemplatesList: {mcphosttest.Result(`{"resourceTemplates":[{"uriTemplate":"a:{day}","name":"day"}]}`)},
			protocol.MethodResourcesRead:          {mcphosttest.Result(`{"contents":[{"uri":"a:tide","text":"low \u001b[31mtide"}],"n":1.0}`)},
			protocol.MethodPromptsList: {mcphosttest.Result(`{"prompts":[{"name":"hand","description":"Hands over","arguments":[` +
				`{"name":"berth","required":true},{"name":"tone"}]}]}`)},
			protocol.MethodPromptsGet: {mcphosttest.Result(`{"messages":[{"role":"user","content":{"type":"text","text":"Draft it"}},` +
				`{"role":"assistant","content":{"type":"text","text":"Gladly"}}]}`)},
			protocol.MethodComplete: {mcphosttest.Result(`{"completion":{"values":["B1","B2"],"hasMore":true}}`)},
		},
	}
}

func TestListsOnTheTerminal(t *testing.T) {
	for args, want := range map[string]string{
		"resources srv":                    "a:tide  (text/plain, 7 bytes)\n    Tide ⟦U+202E⟧table\na:berth\n    berth\na:{day}  (template)\n    day\n",
		"resources srv TIDE":               "a:tide  (text/plain, 7 bytes)\n    Tide ⟦U+202E⟧table\na:{day}  (template)\n    day\n",
		"resources srv --json":             `"resources":[{"uri":"a:tide","name":"tide","title":"Tide \u202etable"`,
		"read srv a:tide":                  "low ⟦U+001B⟧[31mtide\n",
		"read srv a:tide --json":           `"uri":"a:tide","result":{"contents":[{"uri":"a:tide","text":"low \u001b[31mtide"}],"n":1.0}`,
		"prompts srv":                      "hand  (berth*, tone)\n    Hands over\n",
		"prompts srv --json":               `"prompts":[{"name":"hand","description":"Hands over"`,
		`prompt srv hand {"berth":"B1"}`:   "[user]\nDraft it\n[assistant]\nGladly\n",
		"complete srv hand berth B":        "B1\nB2\n",
		"complete srv a:{day} day 2":       "B1\nB2\n",
		"complete srv hand berth B --json": `"result":{"completion":{"values":["B1","B2"],"hasMore":true}}`,
	} {
		p := newPlace(t)
		p.serve(library())
		policy := p.write("policy.json", `{"launch":"allow"}`)
		got := p.run(append(strings.Fields(args), "--config", p.file("config.json"), "--policy", policy)...)
		same := got.stdout == want
		if strings.HasSuffix(args, "--json") {
			same = strings.Contains(got.stdout, want)
		}
		if got.exit != 0 || !same {
			t.Errorf("%s: exit %d\n%s%s", args, got.exit, got.stdout, got.stderr)
		}
	}
}

// What a prompt requires is asked for before anything is sent; what looks like a secret, and what is no text, neither.
func TestListsThatAreRefused(t *testing.T) {
	p := newPlace(t)
	srv := p.serve(library())
	policy := p.write("policy.json", `{"launch":"allow"}`)
	for args, want := range map[string]struct {
		exit int
		code string
	}{
		"prompt srv hand":                      {exitUsage, "bad-arguments"},
		`prompt srv hand {"berth":1}`:          {exitUsage, "bad-arguments"},
		"complete srv hand password hunter22x": {exitRefused, "secret"},
	} {
		got := p.run(append(strings.Fields(args), "--json", "--config", p.file("config.json"), "--policy", policy)...)
		if got.exit != want.exit || got.code() != want.code {
			t.Errorf("%s: exit %d, %s\n%s", args, got.exit, got.code(), got.stderr)
		}
	}
	if n := srv.Count(t, protocol.MethodPromptsGet) + srv.Count(t, protocol.MethodComplete); n != 0 {
		t.Errorf("%d were sent", n)
	}
}

// A server of 2024-11-05 that can search does so; otherwise its list is narrowed here and hears of nothing. That it knows
// no templates fails nothing.
func TestSearchResources(t *testing.T) {
	for name, c := range map[string]struct {
		revision     protocol.Revision
		capabilities string
		asked        int
	}{
		"by the server":    {protocol.Revision20241105, `{"resources":{"search":true}}`, 1},
		"it cannot":        {protocol.Revision20241105, `{"resources":{}}`, 0},
		"a later revision": {protocol.Revision20250326, `{"resources":{"search":true}}`, 0},
	} {
		p := newPlace(t)
		srv := p.serve(mcphosttest.Scenario{
			Revision: string(c.revision), Capabilities: mcphosttest.Raw(c.capabilities),
			On: map[string][]mcphosttest.Action{
				protocol.MethodResourcesList: {mcphosttest.Result(`{"resources":[{"uri":"a:tide","name":"tide"},{"uri":"a:moon","name":"moon"}]}`)},
				protocol.MethodResourcesSearch: {mcphosttest.Turns(
					[]mcphosttest.Action{mcphosttest.Result(`{"resources":[{"uri":"a:1","name":"first tide"}],"nextCursor":"2"}`)},
					[]mcphosttest.Action{mcphosttest.Result(`{"resources":[{"uri":"a:2","name":"second tide"}]}`)},
				)},
			},
		})
		got := p.run("resources", "srv", "tid", "--config", p.file("config.json"), "--policy", p.write("policy.json", `{"launch":"allow"}`))
		searches := srv.Of(t, protocol.MethodResourcesSearch)
		if got.exit != 0 || strings.Contains(got.stdout, "moon") || strings.Contains(got.stdout, "second tide") != (c.asked > 0) || len(searches) != 2*c.asked {
			t.Errorf("%s: exit %d, searched %v\n%s", name, got.exit, searches, got.stdout)
		}
		if c.asked > 0 && (!strings.Contains(searches[0], `{"query":"tid"}`) || !strings.Contains(searches[1], `{"query":"tid","cursor":"2"}`)) {
			t.Errorf("%s: %v", name, searches)
		}
	}
}
