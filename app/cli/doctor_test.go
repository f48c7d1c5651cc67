package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"gatehouse/mcphost/mcphosttest"
)

func TestDoctor(t *testing.T) {
	answering := func(method string, actions ...mcphosttest.Action) map[string]any {
		process := mcphosttest.Command(t, mcphosttest.Scenario{
			Tools: []mcphosttest.Tool{{Definition: echo}}, On: map[string][]mcphosttest.Action{method: actions},
		})
		return map[string]any{"command": process.Path, "args": process.Args}
	}
	web := mcphosttest.NewHTTP(t, offering(mcphosttest.Tool{Definition: echo}), nil)
	p := newPlace(t)
	p.configure(map[string]any{
		"good":     answering("ping"),
		"web":      map[string]any{"url": web.URL},
		"wrong":    map[string]any{"command": 1},
		"off":      map[string]any{"command": "x", "disabled": true},
		"ref":      map[string]any{"command": "/bin/sh", "args": []string{"${NOT_SET}"}},
		"secret":   map[string]any{"command": "/bin/sh", "env": map[string]any{"A": "${NOT_SET}"}},
		"missing":  map[string]any{"command": "uvx-of-nowhere"},
		"nobody":   map[string]any{"url": "http://127.0.0.1:1/mcp"},
		"exits":    answering("initialize", mcphosttest.Stderr(1, "why"), mcphosttest.Exit(3)),
		"refuses":  answering("initialize", mcphosttest.Fail(-32602, "no")),
		"future":   answering("initialize", mcphosttest.Result(`{"protocolVersion":"2099-01-01","capabilities":{},"serverInfo":{"name":"x","version":"1"}}`)),
		"no tools": answering("tools/list", mcphosttest.Fail(-32603, "broken")),
	})
	allowed, denied := p.write("allow.json", allowAll), p.write("deny.json", `{"launch":"deny"}`)
	for name, c := range map[string]struct {
		policy string
		exit   int
		failed string // the name of the check, "" = none
		cause  string
	}{
		"good":     {allowed, 0, "", ""},
		"web":      {allowed, 0, "", ""},
		"wrong":    {allowed, 2, "configuration", "must be a string"},
		"off":      {allowed, 2, "configuration", "disabled"},
		"ref":      {allowed, 2, "configuration", "NOT_SET"},
		"secret":   {allowed, 2, "configuration", "NOT_SET"},
		"missing":  {allowed, 2, "command", "uvx-of-nowhere"},
		"nobody":   {allowed, 4, "answer", "refused"},
		"exits":    {allowed, 4, "process", "exited with code 3"},
		"refuses":  {allowed, 1, "protocol", "-32602"},
		"future":   {allowed, 4, "protocol", "2099-01-01"},
		"no tools": {allowed, 1, "tools", "-32603"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p.examine(t, name, c.policy, c.exit, c.failed, c.cause)
		})
	}
	t.Run("denied", func(t *testing.T) {
		other := newPlace(t)
		other.serve(offering())
		other.examine(t, "srv", denied, 3, "launch consent", "policy")
	})
}

// examine runs the doctor and expects every check before the failed one to be ok, and none after it to be tried.
func (p *place) examine(t *testing.T, server, policy string, exit int, failed, cause string) {
	t.Helper()
	got := p.run("doctor", server, "--config", p.file("config.json"), "--policy", policy, "--json")
	var d struct {
		Server string
		Checks []check
		Error  *problem
	}
	if err := json.Unmarshal([]byte(got.stdout), &d); err != nil {
		t.Fatal(err)
	}
	if got.exit != exit || d.Server != server || len(d.Checks) != 6 || (d.Error != nil) != (failed != "") {
		t.Fatalf("exit %d, want %d: %s%s", got.exit, exit, got.stdout, got.stderr)
	}
	for _, c := range d.Checks {
		if c.Status != checkFailed {
			continue
		}
		if c.Name != failed || !strings.Contains(c.Cause, cause) || c.Fix == "" {
			t.Errorf("%+v, want %s to fail with %q", c, failed, cause)
		}
		failed = ""
	}
	if failed != "" {
		t.Errorf("%s did not fail: %s", failed, got.stdout)
	}
	plain := p.run("doctor", server, "--config", p.file("config.json"), "--policy", policy)
	if plain.exit != exit || strings.Count(plain.stdout, "\n") < 6 {
		t.Errorf("plain: exit %d\n%s", plain.exit, plain.stdout)
	}
}

func TestTools(t *testing.T) {
	second := mcphosttest.Raw(`{"name":"second", "description":"line\n\u001b[1mtwo","inputSchema":{"type":"object"},"x":1.0}`)
	p := newPlace(t)
	p.serve(mcphosttest.Scenario{Tools: []mcphosttest.Tool{{Definition: echo}, {Definition: second}}, PageSize: 1})
	args := []string{"tools", "srv", "--config", p.file("config.json"), "--policy", p.write("policy.json", allowAll)}
	got := p.run(append(args, "--json")...)
	if want := `{"server":"srv","protocolVersion":"2025-11-25","tools":[` + string(echo) + `,` + string(second) + "]}\n"; got.exit != 0 || got.stdout != want {
		t.Errorf("exit %d\n got %swant %s%s", got.exit, got.stdout, want, got.stderr)
	}
	got = p.run(args...)
	if want := "second  (unknown)\n    line\n    ⟦U+001B⟧[1mtwo\n"; got.exit != 0 || !strings.HasSuffix(got.stdout, want) {
		t.Errorf("exit %d\n%s", got.exit, got.stdout)
	}
}
