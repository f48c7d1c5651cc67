package cli

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

func TestReadConfig(t *testing.T) {
	for name, c := range map[string]struct {
		entry string
		want  mcphost.Config
		notes int
	}{
		"local": {
			`{"command":"npx","args":["-y","x ${VAR}"],"env":{"Z":"literal","A":"${TOKEN}","B":"${env:TOKEN}","C":"Bearer ${TOKEN}","D":"${TOKEN:-none}"},"cwd":"~/x"}`,
			mcphost.Config{Transport: "stdio", Command: "npx", Args: []string{"-y", "x ${VAR}"}, Dir: "~/x", Env: []consent.Var{
				{Name: "A", Ref: "env:TOKEN"},
				{Name: "B", Ref: "env:TOKEN"},
				{Name: "C", Value: "Bearer ${TOKEN}"},
				{Name: "D", Value: "${TOKEN:-none}"},
				{Name: "Z", Value: "literal"},
			}},
			0,
		},
		"least":           {`{"command":"x"}`, mcphost.Config{Transport: "stdio", Command: "x"}, 0},
		"named stdio":     {`{"type":"stdio","command":"x","cwd":null}`, mcphost.Config{Transport: "stdio", Command: "x"}, 0},
		"remote":          {`{"url":"https://h/","headers":{"Authorization":"${TOKEN}"}}`, mcphost.Config{Transport: "http", URL: "https://h/", Headers: []consent.Var{{Name: "Authorization", Ref: "env:TOKEN"}}}, 0},
		"http":            {`{"type":"http","url":"https://h/"}`, mcphost.Config{Transport: "http", URL: "https://h/"}, 0},
		"sse":             {`{"type":"sse","url":"https://h/"}`, mcphost.Config{Transport: "http", URL: "https://h/"}, 0},
		"streamable-http": {`{"type":"streamable-http","url":"https://h/"}`, mcphost.Config{Transport: "http", URL: "https://h/"}, 0},
		"disabled":        {`{"command":"x","disabled":true}`, mcphost.Config{Transport: "stdio", Command: "x", Disabled: true}, 0},
		"unknown keys":    {`{"command":"x","autoApprove":["*"],"Command":"y"}`, mcphost.Config{Transport: "stdio", Command: "x"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			path := p.write("c.json", `{"$schema":"ignored","mcpServers":{"broken":{"command":7},"Files":`+c.entry+`}}`)
			got, notes, err := readConfig(path, "files")
			if err != nil {
				t.Fatal(err)
			}
			c.want.Name, c.want.ID = "Files", adHocID("Files")
			if g, w := text(t, got), text(t, c.want); g != w {
				t.Errorf("got  %s\nwant %s", g, w)
			}
			if len(notes) != c.notes {
				t.Errorf("notes %q, want %d", notes, c.notes)
			}
		})
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestReadConfigFaults(t *testing.T) {
	for config, want := range map[string]string{
		``:                                   `it is empty`,
		`[]`:                                 `line 1, column 1`,
		"\xEF\xBB\xBF{}":                     `byte order mark`,
		`{}`:                                 `there is no "mcpServers"`,
		`{"mcpServers":[]}`:                  `mcpServers: must be an object, not a list`,
		`{"mcpServers":{"a":{}}}`:            `mcpServers.a: "command" or "url" is missing`,
		`{"mcpServers":{"a":null}}`:          `mcpServers.a: "command" or "url" is missing`,
		`{"mcpServers":{"a":7}}`:             `mcpServers.a: must be an object, not a number`,
		`{"mcpServers":{"a":{"command":7}}}`: `mcpServers.a.command: must be a string, not a number`,
		`{"mcpServers":{"a":{"command":"x","args":"y"}}}`:       `mcpServers.a.args: must be a list, not a string`,
		`{"mcpServers":{"a":{"command":"x","args":["y",1]}}}`:   `mcpServers.a.args[1]: must be a string, not a number`,
		`{"mcpServers":{"a":{"command":"x","env":{"P":80}}}}`:   `mcpServers.a.env.P: must be a string, not a number`,
		`{"mcpServers":{"a":{"command":"x","env":{"P":null}}}}`: `mcpServers.a.env.P: must be a string, not null`,
		`{"mcpServers":{"a":{"command":"x","disabled":1}}}`:     `mcpServers.a.disabled: must be true or false`,
		`{"mcpServers":{"a":{"command":"x","url":"y"}}}`:        `exclude each other`,
		`{"mcpServers":{"a":{"type":"http","command":"x"}}}`:    `mcpServers.a: "url" is missing`,
		`{"mcpServers":{"a":{"type":"stdio","url":"x"}}}`:       `mcpServers.a: "command" is missing`,
		`{"mcpServers":{"a":{"type":"sse","command":"x"}}}`:     `mcpServers.a: "url" is missing`,
		`{"mcpServers":{"a":{"type":"pipe"}}}`:                  `mcpServers.a.type: must be`,
		`{"mcpServers":{"b":{"command":"x"}}}`:                  `no such server: "a"; known are b`,
		`{"mcpServers":{}}`:                                     `no such server: "a"; there are none`,
		"{\"mcpServers\":\n {\"a\":{\"command\":\"x\",}}}":      `line 2, column 22`,
		`{"mcpServers":{"a":{"command":"x"},"a":{}}}`:           `duplicate key "a"`,
		`{"mcpServers":{"a":{"command":"x"}}} // a comment`:     `line 1, column 38`,
		`{"mcpServers":{"a":{"command":"\xff"}}}`:               `line 1, column`,
		strings.Repeat(`{"a":`, 300) + strings.Repeat("}", 300): `nested deeper`,
	} {
		p := newPlace(t)
		_, _, err := readConfig(p.write("c.json", config), "a")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s\n got %v\nwant %s", config, err, want)
		}
		var file *fileError
		if !errors.As(err, &file) || file.code != "bad-config" {
			t.Errorf("%.80s: %T", config, err)
		}
	}
}

func TestNameInTwoCases(t *testing.T) {
	p := newPlace(t)
	path := p.write("c.json", `{"mcpServers":{"a":{"command":"x"},"A":{"command":"y"}}}`)
	if c, _, err := readConfig(path, "A"); err != nil || c.Command != "y" {
		t.Errorf("A is %+v, %v", c, err)
	}
	path = p.write("c.json", `{"mcpServers":{"ab":{"command":"x"},"AB":{"command":"y"}}}`)
	if _, _, err := readConfig(path, "Ab"); !errors.Is(err, mcphost.ErrUnknownServer) {
		t.Errorf("Ab: %v", err)
	}
}

func TestHugeConfig(t *testing.T) {
	p := newPlace(t)
	if _, _, err := readConfig(p.write("c.json", strings.Repeat(" ", maxFile)+"{}"), "a"); err == nil || !strings.Contains(err.Error(), "more than 16 MiB") {
		t.Error(err)
	}
}

func TestAdHocServersAreNotStored(t *testing.T) {
	s := adHoc{mcphost.Config{ID: "x"}}
	if list, err := s.Servers(t.Context()); err != nil || len(list) != 1 {
		t.Error(list, err)
	}
	if s.PutServer(t.Context(), mcphost.Config{}) == nil || s.RemoveServer(t.Context(), "x") == nil {
		t.Error("stored")
	}
}

func TestParseFlags(t *testing.T) {
	want := []string{"s", "t", "-"}
	for _, line := range []string{
		"call --json --timeout 5s s t -",
		"call s --json t --timeout=5s -",
		"--json --timeout 5s call s t -",
		"call s t - -json -timeout 5s",
		"call --json --timeout 5s -- s t -",
	} {
		f, err := parseFlags(strings.Fields(line))
		if err != nil || f.command != "call" || !f.json || f.timeout.String() != "5s" || !slices.Equal(f.args, want) {
			t.Errorf("%s: %+v, %v", line, f, err)
		}
	}
	for line, want := range map[string]string{
		"tools s --policy":      "there is no value for --policy",
		"tools s --json=7":      `invalid boolean value "7" for --json`,
		"tools s --timeout -1x": `invalid value "-1x" for --timeout`,
	} {
		if _, err := parseFlags(strings.Fields(line)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", line, err)
		}
	}
	if f, err := parseFlags([]string{"call", "s", "--", "--t"}); err != nil || f.args[1] != "--t" {
		t.Errorf("%+v, %v", f, err)
	}
}
