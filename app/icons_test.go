package app

import (
	"bytes"
	"encoding/base64"
	"image/png"
	"strings"
	"testing"

	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
)

// P18: each thing that a server names has its icon, drawn by us; what is not drawn, and what is only an address, is none.
func TestIcons(t *testing.T) {
	svg := func(colour string) mcphosttest.Raw {
		return mcphosttest.Raw(`{"src":"data:image/svg+xml,<svg viewBox='0 0 9 9'><title>canary</title><rect width='9' height='9' fill='` + colour + `'/></svg>"}`)
	}
	s := mcphosttest.Scenario{
		Info:         mcphosttest.Raw(`{"name":"scripted","version":"1","icons":[` + svg("red") + `]}`),
		Capabilities: `{"tools":{},"resources":{},"prompts":{}}`,
		Tools: []mcphosttest.Tool{
			{Definition: `{"name":"drawn","inputSchema":{"type":"object"},"icons":[` + svg("blue") + `]}`},
			{Definition: `{"name":"elsewhere","inputSchema":{"type":"object"},"icons":[{"src":"https://icons.example/a.png"}]}`},
			{Definition: `{"name":"without","inputSchema":{"type":"object"}}`},
		},
		On: map[string][]mcphosttest.Action{
			protocol.MethodResourcesList:          {mcphosttest.Result(`{"resources":[{"uri":"a:b","name":"b","icons":[` + svg("green") + `]}]}`)},
			protocol.MethodResourcesTemplatesList: {mcphosttest.Result(`{"resourceTemplates":[{"uriTemplate":"a:{b}","name":"b","icons":[` + svg("lime") + `]}]}`)},
			protocol.MethodPromptsList:            {mcphosttest.Result(`{"prompts":[{"name":"p","icons":[` + svg("navy") + `]}]}`)},
		},
	}
	w := openWindow(t)
	id := w.openServer(s)
	if url, err := w.servers.Icon(id, "prompt", "p", "dark"); url != "" || err != nil {
		t.Errorf("an icon of a list that nobody has asked for: %.40q, %v", url, err)
	}
	if _, err := w.sources.ListResources(id, false); err != nil {
		t.Fatal(err)
	}
	if _, err := w.prompts.ListPrompts(id, false); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for kind, name := range map[string]string{"server": "", "tool": "drawn", "resource": "a:b", "template": "a:{b}", "prompt": "p"} {
		url, err := w.servers.Icon(id, kind, name, "dark")
		b, ok := strings.CutPrefix(url, "data:image/png;base64,")
		if err != nil || !ok || seen[url] {
			t.Errorf("%s: %.40q, %v", kind, url, err)
			continue
		}
		seen[url] = true
		data, err := base64.StdEncoding.DecodeString(b)
		if err != nil || bytes.Contains(data, []byte("canary")) {
			t.Errorf("%s: not our picture: %v", kind, err)
		}
		if _, err := png.Decode(bytes.NewReader(data)); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
	for kind, name := range map[string]string{"tool": "elsewhere", "resource": "a:c", "prompt": "q"} {
		if url, err := w.servers.Icon(id, kind, name, "light"); url != "" || err != nil {
			t.Errorf("%s %s: %.40q, %v", kind, name, url, err)
		}
	}
	if url, err := w.servers.Icon(id, "tool", "without", "light"); url != "" || err != nil {
		t.Errorf("%.40q, %v", url, err)
	}
	for _, bad := range [][3]string{{"tool", "unknown", "light"}, {"window", "", "light"}, {"server", "", "pink"}} {
		if _, err := w.servers.Icon(id, bad[0], bad[1], bad[2]); err == nil {
			t.Errorf("%q has an answer", bad)
		}
	}
}

// What is drawn is kept, and not without end.
func TestIconsAreKept(t *testing.T) {
	var v icons
	for i := range maxIcons {
		v.url([]byte(strings.Repeat(" ", i+1)), "light")
	}
	if len(v.drawn) != maxIcons {
		t.Fatalf("%d kept", len(v.drawn))
	}
	if v.url([]byte("[]"), "light"); len(v.drawn) != 1 {
		t.Errorf("%d kept after one more", len(v.drawn))
	}
}
