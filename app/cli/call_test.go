package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"gatehouse/mcphost/mcphosttest"
)

const (
	echo     = mcphosttest.Raw(`{"name":"echo","description":"Says it again","inputSchema":{"type":"object"}}`)
	allowAll = `{"launch":"allow","tools":{"*":"allow"}}`
)

func offering(tools ...mcphosttest.Tool) mcphosttest.Scenario {
	return mcphosttest.Scenario{Tools: tools}
}

func TestCallUnderPolicy(t *testing.T) {
	p := newPlace(t)
	// A server may write JSON as it likes; encoding/json would write most of this differently.
	answer := `{"content":[ {"type":"text","text":"<&> \u00e9 é"} ],"_meta":{"a.b/c":1.0,"n":10000000000000000000001}}`
	srv := p.serve(offering(mcphosttest.Tool{Definition: echo, Do: []mcphosttest.Action{mcphosttest.Result(mcphosttest.Raw(answer))}}))
	policy := `{"launch":"allow","tools":{"echo":"allow","*":"deny"}}`
	file := p.write("policy.json", policy)

	got := p.run("call", "srv", "echo", "{ \"n\": 1.0,\n \"big\":10000000000000000000001, \"s\":\"\\u200b\\/é\" }",
		"--config", p.file("config.json"), "--policy", file, "--json", "--trace", p.file("trace.jsonl"))
	if got.exit != 0 {
		t.Fatalf("exit %d: %s%s", got.exit, got.stdout, got.stderr)
	}
	sent := srv.Of(t, "tools/call")
	if want := `"arguments":{"n":1.0,"big":10000000000000000000001,"s":"\u200b\/é"}`; len(sent) != 1 || !strings.Contains(sent[0], want) {
		t.Errorf("sent %s, want one frame with %s", sent, want)
	}
	if !strings.Contains(got.stdout, `"result":`+answer+`,"decision"`) {
		t.Errorf("the result is not as received:\n%s", got.stdout)
	}
	var d struct {
		Server, Tool, ProtocolVersion, Decision string
		IsError                                 *bool
		DurationMs                              *int
	}
	if err := json.Unmarshal([]byte(got.stdout), &d); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(policy))
	if want := "policy " + file + ", " + hex.EncodeToString(sum[:]); d.Decision != want {
		t.Errorf("decision %q, want %q", d.Decision, want)
	}
	if d.Server != "srv" || d.Tool != "echo" || d.ProtocolVersion != "2025-11-25" || d.IsError == nil || *d.IsError || d.DurationMs == nil {
		t.Errorf("document %s", got.stdout)
	}
	checkTrace(t, p.file("trace.jsonl"))
}

// checkTrace expects a line for every frame of a connection with one call.
func checkTrace(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the trace has mode %v", info.Mode())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var methods []string
	for line := range strings.Lines(string(text)) {
		var l struct {
			T, Server, Dir string
			Frame          struct{ Method string }
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil || l.T == "" || l.Server != "srv" {
			t.Errorf("trace line %s: %v", line, err)
		}
		if l.Dir == "out" {
			methods = append(methods, l.Frame.Method)
		}
	}
	if got := strings.Join(methods, " "); got != "server/discover initialize notifications/initialized tools/list tools/call" {
		t.Errorf("traced %s", got)
	}
}

func TestArguments(t *testing.T) {
	p := newPlace(t)
	srv := p.serve(offering(mcphosttest.Tool{Definition: echo}))
	policy := p.write("policy.json", allowAll)
	p.write("arguments.json", "{\"from\": \"file\"}\n")
	p.stdin = strings.NewReader(`{"from": "stdin"}`)
	for source, want := range map[string]string{
		"@" + p.file("arguments.json"): `{"from":"file"}`,
		"-":                            `{"from":"stdin"}`,
		`{"from":"here"}`:              `{"from":"here"}`,
		"":                             `{}`,
	} {
		args := []string{"call", "--policy", policy, "srv", "--config", p.file("config.json"), "echo"}
		if source != "" {
			args = append(args, source)
		}
		if got := p.run(args...); got.exit != 0 || got.stdout != want+"\n" {
			t.Errorf("%q: exit %d, stdout %q, want %q\n%s", source, got.exit, got.stdout, want, got.stderr)
		}
	}
	if n := srv.Count(t, "tools/call"); n != 4 {
		t.Errorf("%d calls", n)
	}
}

func TestContentAsText(t *testing.T) {
	p := newPlace(t)
	p.serve(offering(mcphosttest.Tool{Definition: echo, Do: []mcphosttest.Action{mcphosttest.Content(
		`{"type":"text","text":"one\n\u001b[2Jtwo\u202e"}`,
		`{"type":"image","mimeType":"image/png","data":"AAECAw=="}`,
		`{"type":"resource_link","name":"n","uri":"file:///x"}`,
		`{"type":"resource","resource":{"uri":"file:///y","text":"inside"}}`,
		`{"type":"hologram","depth":3}`,
	)}}))
	got := p.run("call", "srv", "echo", "--config", p.file("config.json"), "--policy", p.write("policy.json", allowAll))
	want := "one\n⟦U+001B⟧[2Jtwo⟦U+202E⟧\n[image, image/png, 4 bytes]\n[link to n: file:///x]\n[resource file:///y]\ninside\n{\"type\":\"hologram\",\"depth\":3}\n"
	if got.stdout != want {
		t.Errorf("stdout\n%s\nwant\n%s\n%s", got.stdout, want, got.stderr)
	}
}

func TestToolError(t *testing.T) {
	p := newPlace(t)
	answer := `{"content":[{"type":"text","text":"no such row"}],"isError":true}`
	p.serve(offering(
		mcphosttest.Tool{Definition: echo, Do: []mcphosttest.Action{mcphosttest.Result(mcphosttest.Raw(answer))}},
		mcphosttest.Tool{Definition: `{"name":"fail","inputSchema":{"type":"object"}}`, Do: []mcphosttest.Action{mcphosttest.Fail(-32001, "out of \x1b[31mpaper")}},
	))
	common := []string{"--config", p.file("config.json"), "--policy", p.write("policy.json", allowAll), "--json"}
	got := p.run(append([]string{"call", "srv", "echo"}, common...)...)
	if got.exit != 1 || !strings.Contains(got.stdout, `"isError":true,"result":`+answer) {
		t.Errorf("exit %d, stdout %s", got.exit, got.stdout)
	}
	got = p.run(append([]string{"call", "srv", "fail"}, common...)...)
	if got.exit != 1 || got.code() != "server-error" || !strings.Contains(got.stdout, "-32001: out of ⟦U+001B⟧[31mpaper") {
		t.Errorf("exit %d, stdout %s", got.exit, got.stdout)
	}
}

func TestInterrupt(t *testing.T) {
	p := newPlace(t)
	srv := p.serve(offering(mcphosttest.Tool{Definition: echo, Do: []mcphosttest.Action{mcphosttest.Silence()}}))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan result)
	policy := p.write("policy.json", allowAll)
	go func() {
		done <- p.runWith(ctx, "call", "srv", "echo", "--config", p.file("config.json"), "--policy", policy, "--json")
	}()
	eventually(t, "the call arrives", func() bool { return srv.Count(t, "tools/call") == 1 })
	cancel()
	got := <-done
	if got.exit != 130 || got.code() != "interrupted" {
		t.Errorf("exit %d, stdout %s", got.exit, got.stdout)
	}
	if srv.Count(t, "notifications/cancelled") != 1 {
		t.Error("the call was not cancelled on the wire")
	}
}

func TestCallOverHTTP(t *testing.T) {
	p := newPlace(t)
	srv := mcphosttest.NewHTTP(t, offering(mcphosttest.Tool{Definition: echo}), nil)
	p.configure(map[string]any{"web": map[string]any{"url": srv.URL, "headers": map[string]any{"X-Canary": "Bearer ${CANARY}"}}})
	got := p.run("call", "web", "echo", `{"a":1}`, "--config", p.file("config.json"), "--policy", p.write("policy.json", allowAll))
	if got.exit != 0 || got.stdout != "{\"a\":1}\n" {
		t.Fatalf("exit %d, stdout %s, stderr %s", got.exit, got.stdout, got.stderr)
	}
	for _, h := range srv.Headers() {
		if h.Get("X-Canary") != "Bearer canary" {
			t.Errorf("header %q", h.Get("X-Canary"))
		}
	}
}

// A call that becomes a task is waited for, with its states on stderr; an interrupt asks for it to be cancelled.
func TestCallAsTask(t *testing.T) {
	const task = `"taskId":"t","createdAt":"2026-01-02T03:04:05Z","lastUpdatedAt":"2026-01-02T03:04:05Z","ttl":null,"pollInterval":1`
	sc := offering(mcphosttest.Tool{
		Definition: `{"name":"slow","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}`,
		Do:         []mcphosttest.Action{mcphosttest.Result(`{"task":{` + task + `,"status":"working","statusMessage":"half\nway"}}`)},
	})
	sc.Capabilities = `{"tools":{},"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}}`
	working := []mcphosttest.Action{mcphosttest.Result(`{` + task + `,"status":"working"}`)}
	sc.On = map[string][]mcphosttest.Action{
		"tasks/get":    {mcphosttest.Result(`{` + task + `,"status":"completed"}`)},
		"tasks/result": {mcphosttest.Result(`{"content":[{"type":"text","text":"done"}]}`)},
		"tasks/cancel": working,
	}
	p := newPlace(t)
	p.serve(sc)
	policy := p.write("policy.json", allowAll)
	call := []string{"call", "srv", "slow", "--task", "--config", p.file("config.json"), "--policy", policy}
	got := p.run(call...)
	if got.exit != 0 || got.stdout != "done\n" || !strings.Contains(got.stderr, "the call runs as a task: working, half⟦U+000A⟧way\n") {
		t.Errorf("exit %d: %s%s", got.exit, got.stdout, got.stderr)
	}

	sc.On["tasks/get"] = working
	p = newPlace(t)
	srv := p.serve(sc)
	policy = p.write("policy.json", allowAll)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	p.hears = func(text string) {
		if strings.Contains(text, "the call runs as a task") {
			interrupt()
		}
	}
	got = p.runWith(ctx, "call", "srv", "slow", "--task", "--config", p.file("config.json"), "--policy", policy)
	if got.exit != 130 || srv.Count(t, "tasks/cancel") != 1 || !strings.Contains(got.stderr, "asked to cancel the task") {
		t.Errorf("exit %d, %d requests to cancel: %s", got.exit, srv.Count(t, "tasks/cancel"), got.stderr)
	}
}
