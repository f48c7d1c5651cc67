package mcphost_test

// This file tries limits at n and at n+1 that no test of their feature tries.

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
)

// There may be 200 roots.
func TestMostRoots(t *testing.T) {
	h := newHouse(t, offersRoots)
	dir := folder(t)
	for i := range 201 {
		path := filepath.Join(dir, fmt.Sprint(i))
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := h.AddRoot(t.Context(), path); (err == nil) != (i < 200) || i == 200 && !errors.Is(err, mcphost.ErrTooMany) {
			t.Fatalf("root %d: %v", i+1, err)
		}
	}
}

// A prompt may expand to a megabyte, with 50 resources in it (P29).
func TestLongestPrompt(t *testing.T) {
	text := func(n int) string {
		const around = `{"messages":[{"role":"user","content":{"type":"text","text":""}}]}`
		return strings.Replace(around, `"text":""`, `"text":"`+strings.Repeat("x", n-len(around))+`"`, 1)
	}
	resources := func(n int) string {
		const one = `{"role":"user","content":{"type":"resource","resource":{"uri":"a:b","text":"t"}}}`
		return `{"messages":[` + strings.TrimSuffix(strings.Repeat(one+",", n), ",") + `]}`
	}
	for name, c := range map[string]struct {
		result string
		fits   bool
	}{
		"n bytes": {text(1 << 20), true}, "n+1 bytes": {text(1<<20 + 1), false},
		"n resources": {resources(50), true}, "n+1 resources": {resources(51), false},
	} {
		h := newHouse(t, mcphost.Options{})
		s := h.add("srv", mcphosttest.Command(t, mcphosttest.Scenario{Capabilities: `{"prompts":{}}`, On: map[string][]mcphosttest.Action{
			protocol.MethodPromptsList: {mcphosttest.Result(`{"prompts":[{"name":"p"}]}`)},
			protocol.MethodPromptsGet:  {mcphosttest.Result(mcphosttest.Raw(c.result))},
		}}))
		h.connect(s)
		if _, err := s.GetPrompt(t.Context(), "p", nil); (err == nil) != c.fits || !c.fits && !errors.Is(err, mcphost.ErrPromptTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A server may hand over 1000 messages and 200 tools when it asks for a model's answer (SEC E4).
func TestMostOfSampling(t *testing.T) {
	const message = `{"role":"user","content":{"type":"text","text":"t"}}`
	several := func(n int, one func(int) string) string {
		all := make([]string, n)
		for i := range all {
			all[i] = one(i)
		}
		return strings.Join(all, ",")
	}
	messages := func(n int) string {
		return `{"messages":[` + several(n, func(int) string { return message }) + `],"maxTokens":1}`
	}
	tools := func(n int) string {
		return `{"messages":[` + message + `],"maxTokens":1,"tools":[` +
			several(n, func(i int) string { return fmt.Sprintf(`{"name":"t%d","inputSchema":{"type":"object"}}`, i) }) + `]}`
	}
	for name, c := range map[string]struct {
		params string
		asked  bool
	}{
		"n messages": {messages(1000), true}, "n+1 messages": {messages(1001), false},
		"n tools": {tools(200), true}, "n+1 tools": {tools(201), false},
	} {
		h, got := sampled(t, offersSampling, mcphosttest.Scenario{}, c.params, byHand)
		asked := h.requests()
		if was := asked[len(asked)-1].Kind == consent.KindSample; was != c.asked || !was && !strings.Contains(got, "-32602") {
			t.Errorf("%s: asked %t, sent %.300s", name, was, got)
		}
	}
}

// A schema of a megabyte is used, a longer one is not (SEC C7).
func TestLongestSchema(t *testing.T) {
	schema := func(n int) string {
		const around = `{"type":"object","title":""}`
		return strings.Replace(around, `"title":""`, `"title":"`+strings.Repeat("x", n-len(around))+`"`, 1)
	}
	h := newHouse(t, mcphost.Options{})
	var tools []mcphosttest.Tool
	for name, n := range map[string]int{"fits": 1 << 20, "long": 1<<20 + 1} {
		tools = append(tools, mcphosttest.Tool{Definition: mcphosttest.Raw(fmt.Sprintf(`{"name":%q,"inputSchema":%s}`, name, schema(n)))})
	}
	s := h.add("srv", mcphosttest.Command(t, mcphosttest.Scenario{Tools: tools}))
	h.connect(s)
	for name, fits := range map[string]bool{"fits": true, "long": false} {
		tool, err := s.Tool(name)
		if err != nil {
			t.Fatal(err)
		}
		if problems := tool.Check(json.RawMessage(`{}`)); (len(problems) == 0) != fits {
			t.Errorf("%s: %v", name, problems)
		}
	}
}
