package cli

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"gatehouse/mcphost/mcphosttest"
)

func TestExitCodes(t *testing.T) {
	p := newPlace(t)
	p.write("policy.json", allowAll)
	gone := mcphosttest.Command(t, mcphosttest.Scenario{
		On: map[string][]mcphosttest.Action{"initialize": {mcphosttest.Stderr(60, "last words"), mcphosttest.Exit(3)}},
	})
	silent := mcphosttest.Command(t, mcphosttest.Scenario{
		On: map[string][]mcphosttest.Action{"initialize": {mcphosttest.Silence()}},
	})
	strict := mcphosttest.Command(t, offering(
		mcphosttest.Tool{Definition: `{"name":"sum","inputSchema":{"type":"object","properties":{"a":{"type":"number"}},"required":["a"]}}`},
		mcphosttest.Tool{Definition: `{"name":"wait","inputSchema":{"type":"object"}}`, Do: []mcphosttest.Action{mcphosttest.Silence()}},
		mcphosttest.Tool{Definition: `{"name":"die","inputSchema":{"type":"object"}}`, Do: []mcphosttest.Action{mcphosttest.Exit(7)}},
	))
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(secure.Close)
	p.configure(map[string]any{
		"secure":  map[string]any{"url": secure.URL},
		"gone":    map[string]any{"command": gone.Path, "args": append(gone.Args, "--api-key", "sk-0123456789abcdef0123"), "env": map[string]any{"API_TOKEN": "tok-0123456789abcdef"}},
		"silent":  map[string]any{"command": silent.Path, "args": silent.Args},
		"strict":  map[string]any{"command": strict.Path, "args": strict.Args},
		"missing": map[string]any{"command": "npx-of-nowhere"},
		"off":     map[string]any{"command": strict.Path, "disabled": true},
		"ref":     map[string]any{"command": strict.Path, "args": []string{"${NOT_SET_ANYWHERE}"}},
		"refused": map[string]any{"url": "http://127.0.0.1:1/mcp"},
	})
	p.write("broken.json", "{\n  \"mcpServers\": {,}\n}")
	p.write("file", "")
	for name, c := range map[string]struct {
		args string
		exit int
		code string
		says string
	}{
		"no command":        {"", 2, "usage", "a command is missing"},
		"unknown command":   {"frobnicate", 2, "usage", `no command "frobnicate"`},
		"unknown flag":      {"tools strict --frob", 2, "usage", "unknown flag --frob"},
		"bad duration":      {"tools strict --timeout soon", 2, "usage", "timeout"},
		"no time":           {"tools strict --timeout 0s", 2, "usage", "--timeout"},
		"too few":           {"call strict", 2, "usage", "too few arguments"},
		"too many":          {"tools strict more", 2, "usage", "too many arguments"},
		"empty value":       {"tools strict --policy=", 2, "usage", "--policy needs a value"},
		"no level":          {"tools strict --log loud", 2, "usage", "--log must be one of debug"},
		"no such config":    {"tools strict --config DIR/none.json", 2, "bad-config", "none.json: no such file"},
		"broken config":     {"tools strict --config DIR/broken.json", 2, "bad-config", "line 2, column 18"},
		"no such policy":    {"tools strict --policy DIR/none.json", 2, "bad-policy", "none.json: no such file"},
		"trace in nowhere":  {"tools strict --trace DIR/none/trace", 2, "bad-trace", "no such file"},
		"unknown server":    {"tools nobody", 2, "unknown-server", `"nobody"; known are gone, missing`},
		"unknown tool":      {"call strict none", 2, "unknown-tool", `no such tool: "none"`},
		"arguments no JSON": {"call strict sum {a:1}", 2, "bad-arguments", "line 1, column 2"},
		"arguments twice":   {`call strict sum {"a":1,"a":2}`, 2, "bad-arguments", "duplicate"},
		"arguments a list":  {"call strict sum []", 2, "bad-arguments", "object"},
		"arguments no file": {"call strict sum @DIR/none.json", 2, "bad-arguments", "none.json: no such file"},
		"arguments unfit":   {`call strict sum {"a":"x"}`, 2, "bad-arguments", "/a: got string, want number"},
		"command missing":   {"tools missing", 2, "command-not-found", `"npx-of-nowhere" was not found in`},
		"disabled":          {"tools off", 2, "server-disabled", "disabled"},
		"open reference":    {"tools ref", 2, "bad-config", "args[0]: the environment has no variable NOT_SET_ANYWHERE"},
		"data in a file":    {"tools strict --data-dir DIR/file", 3, "data-read-only", "--data-dir"},
		"ends":              {"tools gone", 4, "server-exited", "exited with code 3"},
		"no answer":         {"tools silent --timeout 1s", 4, "timeout", "has not answered within 1s"},
		"nobody listens":    {"tools refused", 4, "", "refused"},
		"no trust":          {"tools secure", 4, "certificate", "check the address"},
		"call without end":  {"call strict wait --timeout 3s", 4, "timeout", ""},
		"dies in the call":  {"call strict die", 4, "server-exited", "exited with code 7"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := strings.Fields(strings.ReplaceAll(c.args, "DIR", p.dir))
			if len(args) > 1 && !strings.Contains(c.args, "--config") {
				args = append(args, "--config", p.file("config.json"))
			}
			if len(args) > 1 && !strings.Contains(c.args, "--policy") {
				args = append(args, "--policy", p.file("policy.json"))
			}
			got := p.run(append(args, "--json")...)
			var d struct{ Error problem }
			if err := json.Unmarshal([]byte(got.stdout), &d); err != nil {
				t.Fatal(err)
			}
			if got.exit != c.exit || c.code != "" && d.Error.Code != c.code || !strings.Contains(d.Error.Message, c.says) {
				t.Errorf("exit %d, want %d; %+v, want code %q\n%s", got.exit, c.exit, d.Error, c.code, got.stderr)
			}
			for _, secret := range []string{"sk-0123456789", "tok-0123456789"} {
				if strings.Contains(got.stdout+got.stderr, secret) {
					t.Errorf("%s in %s%s", secret, got.stdout, got.stderr)
				}
			}
		})
	}
	t.Run("last words", func(t *testing.T) {
		t.Parallel()
		got := p.run("tools", "gone", "--config", p.file("config.json"), "--policy", p.file("policy.json"))
		if got.exit != 4 || got.stdout != "" || !strings.Contains(got.stderr, "gatehouse: gone: the server exited with code 3") {
			t.Errorf("exit %d, stdout %q, stderr %s", got.exit, got.stdout, got.stderr)
		}
		if n := strings.Count(got.stderr, "last words"); n != 55 || !strings.Contains(got.stderr, "(5 lines left out)") {
			t.Errorf("%d lines of stderr, want the first 5 and the last 50 of 60, and how many are left out:\n%s", n, got.stderr)
		}
		if !strings.Contains(got.stderr, "started as: "+gone.Path) || !strings.Contains(got.stderr, "--api-key ••••••") {
			t.Errorf("no masked command line in %s", got.stderr)
		}
	})
}

func TestHelp(t *testing.T) {
	p := newPlace(t)
	for args, want := range map[string]string{
		"help":      "Exit codes:",
		"--help":    "gatehouse call SERVER TOOL [ARGUMENTS]",
		"help call": "Usage: gatehouse call SERVER TOOL [ARGUMENTS]",
		"call -h":   "Usage: gatehouse call SERVER TOOL [ARGUMENTS]",
	} {
		if got := p.run(strings.Fields(args)...); got.exit != 0 || !strings.Contains(got.stdout, want) || got.stderr != "" {
			t.Errorf("%s: exit %d\n%s%s", args, got.exit, got.stdout, got.stderr)
		}
	}
}

// What a command does stands apart from how it is written.
func TestHelpColumns(t *testing.T) {
	for verb, c := range commands() {
		if line := "gatehouse " + verb + " " + c.synopsis + "  "; !strings.Contains(usage("0", ""), line) {
			t.Errorf("no %q in the help", line)
		}
	}
}

func TestHelpThatIsNotTaken(t *testing.T) {
	_, stdout := io.Pipe()
	stdout.Close()
	program := &Program{Stdout: stdout, Stderr: io.Discard, ErrorCodes: func(error) (string, bool) { return "", false }}
	if exit := program.Run(t.Context(), []string{"help"}); exit != exitUsage {
		t.Errorf("exit %d", exit)
	}
}
