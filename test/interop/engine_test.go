//go:build interop

package interop

// This file uses the engine directly where the terminal has no words for it: what servers ask, tasks, resources.

import (
	"context"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
	"gatehouse/test/engine"
	"gatehouse/test/frames"
)

// A peer is a real server connected to an engine, with what it has asked so far.
type peer struct {
	engine *engine.Engine
	server *mcphost.Server
	roots  []protocol.Root

	mu    sync.Mutex // guards asked
	asked []string   // methods, in order
}

// connect starts the engine and connects a configuration of the terminal's form.
func connect(t *testing.T, config map[string]any, roots ...protocol.Root) *peer {
	t.Helper()
	p := &peer{roots: roots}
	trace := filepath.Join(t.TempDir(), "trace.jsonl")
	file, err := os.Create(trace)
	if err != nil {
		t.Fatal(err)
	}
	program, err := filepath.Abs(program)
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(t.Context(), engine.Options{Trace: file, Guardian: []string{program, "guardian"}, Answer: p.answer})
	if err != nil {
		t.Fatal(err)
	}
	p.engine = e
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		file.Close()
		frames.Check(t, trace)
	})
	c := mcphost.Config{Name: "real", Transport: mcphost.Stdio}
	if address, ok := config["url"].(string); ok {
		c.Transport, c.URL = mcphost.HTTP, address
	}
	c.Command, _ = config["command"].(string)
	c.Args, _ = config["args"].([]string)
	env, _ := config["env"].(map[string]string)
	for name, value := range env {
		c.Env = append(c.Env, consent.Var{Name: name, Value: value})
	}
	if p.server, err = e.Connect(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *peer) answer(ctx context.Context, q mcphost.Question) (session.Answer, error) {
	p.mu.Lock()
	p.asked = append(p.asked, q.Method)
	p.mu.Unlock()
	if q.Method == protocol.MethodRootsList {
		return session.Answer{Roots: &protocol.ListRootsResult{Roots: append([]protocol.Root{}, p.roots...)}}, nil
	}
	return engine.Willing(ctx, q)
}

// questions is how often a method was asked.
func (p *peer) questions(method string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for _, m := range p.asked {
		if m == method {
			n++
		}
	}
	return n
}

// call calls a tool and returns its result as received.
func (p *peer) call(t *testing.T, tool, arguments string) string {
	t.Helper()
	result, err := p.engine.Tool(t.Context(), p.server, tool, json.RawMessage(arguments))
	if err != nil {
		t.Error(err)
		return ""
	}
	return string(result.Raw)
}

// What server-everything asks, in every way that it knows and over every transport; tools that depend on what we
// declare are listed when the burst of changes after the start is over.
func TestEverythingAsks(t *testing.T) {
	for name, config := range everythings() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := connect(t, config(t))
			await(t, "19 tools", func() bool { return len(p.server.Tools()) == 19 })
			for _, ask := range []struct{ tool, arguments, method, want string }{
				{"trigger-sampling-request", `{"prompt":"hello"}`, protocol.MethodCreateMessage, "a word"},
				{"trigger-elicitation-request", `{}`, protocol.MethodElicit, "Favorite Integer: 42"},
				{"trigger-url-elicitation", `{"url":"https://example.com/"}`, protocol.MethodElicit, "User completed"},
				{"get-roots-list", `{}`, "", "roots"},
				{"trigger-sampling-request-async", `{"prompt":"hello"}`, protocol.MethodCreateMessage, "[COMPLETED]"},
				{"trigger-elicitation-request-async", `{}`, protocol.MethodElicit, "[COMPLETED]"},
				{"simulate-research-query", `{"topic":"python","ambiguous":true}`, protocol.MethodElicit, "Research"},
			} {
				t.Run(ask.tool, func(t *testing.T) {
					before := p.questions(ask.method)
					if got := p.call(t, ask.tool, ask.arguments); !strings.Contains(got, ask.want) {
						t.Errorf("result %s, want %q", got, ask.want)
					}
					if ask.method != "" && p.questions(ask.method) == before {
						t.Errorf("%s was not asked", ask.method)
					}
				})
			}
		})
	}
}

// The folders that the user shares replace those of the command line.
func TestRootsReplaceArguments(t *testing.T) {
	t.Parallel()
	given, shared := t.TempDir(), t.TempDir()
	root := protocol.Root{URI: (&url.URL{Scheme: "file", Path: shared}).String(), Name: "shared"}
	p := connect(t, stdio(t, "mcp-server-filesystem", given), root)
	await(t, "the question for roots", func() bool { return p.questions(protocol.MethodRootsList) > 0 })
	await(t, "the shared folder", func() bool { return strings.Contains(p.call(t, "list_allowed_directories", `{}`), shared) })
	if got := p.call(t, "list_allowed_directories", `{}`); strings.Contains(got, given) {
		t.Errorf("allowed: %s", got)
	}
}

// 101 resources and a template come whole, and one of them is read.
func TestResourcesOfMCPGo(t *testing.T) {
	t.Parallel()
	p := connect(t, map[string]any{"command": built(t, "build", "bin", "servers", mcpGo)})
	list, err := p.server.Resources(t.Context())
	if err != nil || len(list.Items) != 101 || list.Warning != "" {
		t.Fatalf("%d resources, warning %q, error %v", len(list.Items), list.Warning, err)
	}
	read, err := p.server.ReadResource(t.Context(), "test://static/resource", false)
	if err != nil || len(read.Contents) == 0 {
		t.Errorf("read %+v, %v", read, err)
	}
}

// A ui:// resource of MCP Apps is an ordinary resource to us.
func TestResourceOfAnApp(t *testing.T) {
	t.Parallel()
	p := connect(t, stdio(t, "mcp-server-basic-vanillajs", "--stdio"))
	list, err := p.server.Resources(t.Context())
	if err != nil || len(list.Items) != 1 || !strings.HasPrefix(list.Items[0].URI, "ui://") {
		t.Fatalf("resources %+v, %v", list.Items, err)
	}
	read, err := p.server.ReadResource(t.Context(), list.Items[0].URI, false)
	if err != nil || len(read.Contents) != 1 || !strings.Contains(string(read.Raw), "<html") {
		t.Errorf("read %d contents, %v", len(read.Contents), err)
	}
}

// What go-sdk's server asks is the same in both eras: by requests in the one, by rounds of input in the other.
func TestTwinsAsk(t *testing.T) {
	for mode, tools := range map[string]map[string]string{
		"-stateless=false": {
			"test_sampling": `{"prompt":"p"}`, "test_elicitation": `{"message":"m"}`, "test_elicitation_sep1034_defaults": `{}`,
		},
		"-stateless=true": {
			"test_input_required_result_elicitation": `{}`, "test_input_required_result_sampling": `{}`,
			"test_input_required_result_list_roots": `{}`, "test_input_required_result_request_state": `{}`,
			"test_input_required_result_multiple_inputs": `{}`, "test_input_required_result_multi_round": `{}`,
			"test_input_required_result_capabilities": `{}`,
		},
	} {
		t.Run(mode, func(t *testing.T) {
			p := connect(t, goServer(t, mode))
			for tool, arguments := range tools {
				before := len(p.asked)
				if got := p.call(t, tool, arguments); got == "" || len(p.asked) == before {
					t.Errorf("%s: %d questions, result %s", tool, len(p.asked)-before, got)
				}
			}
		})
	}
}

// Error −32042 leads to the dialogs that it lists; once they are done, and only then, the call is made again by itself.
func TestURLElicitationByError(t *testing.T) {
	t.Parallel()
	p := connect(t, stdio(t, "mcp-server-everything", "stdio"))
	await(t, "the tool", func() bool { _, err := p.server.Tool("trigger-url-elicitation"); return err == nil })
	const arguments = `{"url":"https://example.com/","errorPath":true}`
	if got := p.call(t, "trigger-url-elicitation", arguments); !strings.Contains(got, "User completed the URL elicitation flow") {
		t.Errorf("result %s", got)
	}
	if n := p.questions(protocol.MethodElicit); n != 2 {
		t.Errorf("%d questions, want the error's and that of the call made again", n)
	}
}

// Prompts, completion, live resources and log of server-everything; its end is an end, not a crash, though it leaves
// timers running.
func TestEverythingElse(t *testing.T) {
	for name, config := range everythings() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := connect(t, config(t))
			completesPrompt(t, p)
			hearsOfResource(t, p)
			p.call(t, "toggle-simulated-logging", `{}`)
			await(t, "a message of the log", func() bool {
				return slices.ContainsFunc(p.server.Log(0), func(l mcphost.LogLine) bool { return l.Stream == "log" })
			})
			stopping, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			if err := p.server.Stop(stopping); err != nil {
				t.Fatal(err)
			}
			if s := p.server.Snapshot(); s.Status != mcphost.StatusStopped || s.Failure != nil {
				t.Errorf("status %s, failure %+v", s.Status, s.Failure)
			}
		})
	}
}

func completesPrompt(t *testing.T, p *peer) {
	t.Helper()
	result, err := p.server.Complete(t.Context(), protocol.CompleteParams{
		Ref:      protocol.CompletionRef{Type: protocol.RefPrompt, Name: "completable-prompt"},
		Argument: protocol.CompletionArgument{Name: "name", Value: "B"},
		Context:  &protocol.CompletionContext{Arguments: map[string]string{"department": "Engineering"}},
	}, true)
	if err != nil || !slices.Equal(result.Values, []string{"Bob"}) {
		t.Fatalf("completion %+v, %v", result, err)
	}
	prompt, err := p.server.GetPrompt(t.Context(), "completable-prompt", map[string]string{"department": "Engineering", "name": "Bob"})
	if err != nil || !strings.Contains(string(prompt.Raw), "Bob") {
		t.Errorf("prompt %+v, %v", prompt, err)
	}
}

func hearsOfResource(t *testing.T, p *peer) {
	t.Helper()
	list, err := p.server.Resources(t.Context())
	if err != nil || len(list.Items) == 0 {
		t.Fatalf("resources %+v, %v", list, err)
	}
	uri := list.Items[0].URI
	updated := make(chan struct{}, 1)
	defer p.engine.Subscribe(func(n mcphost.Numbered) {
		if u, ok := n.Event.(mcphost.ResourceUpdated); ok && u.URI == uri {
			select {
			case updated <- struct{}{}:
			default:
			}
		}
	})()
	if err := p.server.Subscribe(t.Context(), uri); err != nil {
		t.Fatal(err)
	}
	p.call(t, "toggle-subscriber-updates", `{}`)
	select {
	case <-updated:
	case <-time.After(20 * time.Second):
		t.Error("no word of the resource for 20 s")
	}
	if err := p.server.Unsubscribe(t.Context(), uri); err != nil {
		t.Error(err)
	}
}
