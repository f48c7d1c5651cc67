package mcphost_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/mcphosttest"
)

// Schemas of each dialect check arguments as that dialect says; nothing is fetched for one (SEC C7).
func TestDialects(t *testing.T) {
	trap := mcphosttest.NewTrap(t)
	pair := `{"type":"object","properties":{"p":%s}%s}`
	cases := []struct{ schema, good, bad string }{
		{fmt.Sprintf(pair, `{"type":"array","prefixItems":[{"type":"string"}],"items":false}`, ``), `{"p":["a"]}`, `{"p":["a",1]}`},
		{fmt.Sprintf(pair, `{"type":"array","prefixItems":[{"type":"string"}],"items":false}`, `,"$schema":"https://json-schema.org/draft/2020-12/schema"`), `{"p":["a"]}`, `{"p":[1]}`},
		{fmt.Sprintf(pair, `{"type":"array","items":[{"type":"string"}],"additionalItems":false}`, `,"$schema":"http://json-schema.org/draft-07/schema#"`), `{"p":["a"]}`, `{"p":["a",1]}`},
		{fmt.Sprintf(pair, `{"$ref":"#/definitions/d"}`, `,"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"d":{"type":"integer"}}`), `{"p":1}`, `{"p":"1"}`},
		{fmt.Sprintf(pair, `{"$ref":"#/$defs/n"}`, `,"$defs":{"n":{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}}}}`), `{"p":{"n":{"n":{}}}}`, `{"p":{"n":{"n":1}}}`},
		{fmt.Sprintf(pair, `{"type":"string","pattern":"^(a+)+$"}`, ``), `{"p":"aaaa"}`, `{"p":"` + strings.Repeat("a", 9999) + `b"}`},
		{fmt.Sprintf(pair, `{"type":"string","pattern":"^(?!x)"}`, ``), `{"p":"x"}`, `{"p":1}`}, // RE2 cannot run it: the server checks it
		// Cannot be used, whatever the arguments are:
		{fmt.Sprintf(pair, `{"$ref":"`+trap.URL()+`/s.json"}`, ``), ``, `{"p":1}`},
		{fmt.Sprintf(pair, `{}`, `,"$schema":"`+trap.URL()+`/dialect"`), ``, `{}`},
		{fmt.Sprintf(pair, `{"$ref":"#/$defs/none"}`, ``), ``, `{}`},
		{fmt.Sprintf(pair, `{"$ref":"#/$defs/a"}`, `,"$defs":{"a":{"$ref":"#/$defs/a"}}`), ``, `{"p":1}`},
		{fmt.Sprintf(pair, `{"enum":["`+strings.Repeat("x", 1<<20)+`"]}`, ``), ``, `{}`},
	}
	var tools []mcphosttest.Tool
	for i, c := range cases {
		tools = append(tools, mcphosttest.Tool{Definition: mcphosttest.Raw(fmt.Sprintf(`{"name":"t%d","inputSchema":%s}`, i, c.schema))})
	}
	h := newHouse(t, mcphost.Options{})
	s := h.add("srv", mcphosttest.Command(t, mcphosttest.Scenario{Tools: tools}))
	h.connect(s)
	for i, c := range cases {
		tool, err := s.Tool(fmt.Sprint("t", i))
		if err != nil {
			t.Fatal(err)
		}
		if c.good != "" {
			if p := tool.Check(json.RawMessage(c.good)); p != nil {
				t.Errorf("%.200s: %s: %v", c.schema, c.good, p)
			}
		}
		if p := tool.Check(json.RawMessage(c.bad)); len(p) == 0 {
			t.Errorf("%.200s: %.100s was accepted", c.schema, c.bad)
		}
	}
	if n := trap.Hits(); n != 0 {
		t.Errorf("%d connections were made for a schema", n)
	}
}
