package cli

import (
	"context"
	"errors"
	"strings"
	"testing"

	"gatehouse/mcphost/consent"
)

func TestPolicyFile(t *testing.T) {
	for policy, want := range map[string]string{ // "" = accepted
		`{}`: ``,
		`{"launch":"allow","tools":{"echo":"allow","*":"deny"},"sampling":"deny","elicitation":"decline","url":"open","roots":["/a"],"rootAdd":"deny","signIn":"allow"}`: ``,
		`{"sampling":{"reply":"text"},"elicitation":{"accept":{"a":1}},"url":"cancel"}`:                                                                                  ``,
		`{"elicitation":"cancel","url":"decline","roots":[]}`:                                                                                                            ``,

		``:                                    `it is empty`,
		`{"launch":}`:                         `line 1, column 11`,
		`{"launch":"allow","launch":"deny"}`:  `line 1, column 19: duplicate key "launch"`,
		`{"lunch":"allow"}`:                   `lunch: is not a rule`,
		`{"Launch":"allow"}`:                  `Launch: is not a rule`,
		`{"launch":"ask"}`:                    `launch: must be allow or deny, not "ask"`,
		`{"launch":true}`:                     `launch: must be allow or deny, not true or false`,
		`{"launch":null}`:                     `launch: must not be null`,
		`{"tools":"allow"}`:                   `tools: must be an object, not a string`,
		`{"tools":null}`:                      `tools: must not be null`,
		`{"tools":{"echo":"yes"}}`:            `tools.echo: must be allow or deny, not "yes"`,
		`{"tools":{"echo":null}}`:             `tools.echo: must be allow or deny, not null`,
		`{"sampling":"allow"}`:                `sampling: must be deny, not "allow"`,
		`{"sampling":{"reply":1}}`:            `sampling.reply: must be a string, not a number`,
		`{"sampling":{}}`:                     `sampling: "reply" is missing`,
		`{"sampling":{"reply":"x","then":1}}`: `sampling.then: is not a rule`,
		`{"sampling":[]}`:                     `sampling: must be deny or {"reply": …}`,
		`{"elicitation":"accept"}`:            `elicitation: must be decline or cancel, not "accept"`,
		`{"elicitation":{"accept":"x"}}`:      `elicitation.accept: must be an object, not a string`,
		`{"url":"allow"}`:                     `url: must be open or decline or cancel`,
		`{"roots":"/a"}`:                      `roots: must be a list`,
		`{"roots":["/a","b"]}`:                `roots[1]: "b" is not an absolute path`,
		`{"rootAdd":"ask"}`:                   `rootAdd: must be allow or deny`,
		`{"signIn":1}`:                        `signIn: must be allow or deny, not a number`,
	} {
		p := newPlace(t)
		got, err := readPolicy(p.write("policy.json", policy))
		var file *fileError
		switch {
		case want == "" && (err != nil || !strings.HasPrefix(got.by, "policy "+p.file("policy.json")+", ")):
			t.Errorf("%s: %v", policy, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), "policy.json: "+want) || !errors.As(err, &file) || file.code != "bad-policy"):
			t.Errorf("%s\n got %v\nwant %s", policy, err, want)
		}
	}
}

func TestPolicyRules(t *testing.T) {
	call := func(tool, previous string) consent.Request {
		c := &consent.ToolCall{Tool: tool, Definition: []byte(`{}`), Arguments: []byte(`{}`)}
		if previous != "" {
			c.Previous = []byte(previous)
		}
		return consent.Request{Kind: consent.KindToolCall, ToolCall: c}
	}
	launch := consent.Request{Kind: consent.KindLaunch, Launch: &consent.Launch{Command: "/x"}}
	relaunch := launch
	relaunch.Before = &consent.Launch{Command: "/y"}
	all := &policy{by: "policy p, 0", launch: allow, tools: map[string]string{"*": allow, "rm": deny}}
	some := &policy{by: "policy p, 0", tools: map[string]string{"echo": allow}}
	none := &policy{by: "policy p, 0", launch: deny, tools: map[string]string{"echo": allow, "*": deny}}
	const allows, denies, asks = "allows", "denies", "asks"
	for _, c := range []struct {
		name   string
		policy *policy
		r      consent.Request
		want   string
	}{
		{"launch allowed", all, launch, allows},
		{"launch changed", all, relaunch, asks},
		{"launch not named", some, launch, asks},
		{"launch denied", none, launch, denies},
		{"changed launch denied", none, relaunch, denies},
		{"any tool", all, call("echo", ""), allows},
		{"any changed tool", all, call("echo", `{"a":1}`), asks},
		{"exact name beats *, deny", all, call("rm", ""), denies},
		{"exact name beats *, allow", none, call("echo", ""), allows},
		{"exact name, changed", none, call("echo", `{"a":1}`), asks},
		{"names are exact", none, call("Echo", ""), denies},
		{"not named", some, call("other", ""), asks},
		{"changed tool denied", none, call("other", `{"a":1}`), denies},
	} {
		asked := false
		next := consent.Script(func(context.Context, consent.Request) consent.Answer {
			asked = true
			return consent.Answer{By: consent.ByUser, Reason: "asked"}
		})
		answer, err := policyAsker{c.policy, next}.Ask(t.Context(), c.r)
		if err != nil {
			t.Fatal(err)
		}
		got := denies
		switch {
		case asked:
			got = asks
		case answer.Allow && answer.Digest == c.r.Digest():
			got = allows
		}
		if got != c.want || !asked && answer.By != c.policy.by {
			t.Errorf("%s: it %s, want that it %s (%+v)", c.name, got, c.want, answer)
		}
	}
}
