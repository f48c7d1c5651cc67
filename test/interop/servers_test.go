//go:build interop

package interop

// This file connects to one server after the other, lists its tools and calls one.

import (
	"os/exec"
	"reflect"
	"strings"
	"testing"
)

// A server is a real one and what it is known to do.
type server struct {
	name            string
	config          func(*testing.T) map[string]any
	revision        string // "" = either
	tools           int
	tool, arguments string
	answer          string // in the text of the result
	also            func(t *testing.T, list, call output)
}

const (
	mcpGo = "everything"        // github.com/mark3labs/mcp-go/examples/everything
	goSDK = "everything-server" // github.com/modelcontextprotocol/go-sdk/conformance/everything-server
)

func realServers() []server {
	return []server{
		{
			name: "sequential-thinking", revision: "2025-11-25", tools: 1, tool: "sequentialthinking",
			arguments: `{"thought":"a","nextThoughtNeeded":false,"thoughtNumber":1,"totalThoughts":1}`, answer: `"thoughtHistoryLength": 1`,
			config: func(t *testing.T) map[string]any { return stdio(t, "mcp-server-sequential-thinking") },
			also:   thinks,
		},
		{ // without a network its failure is an ordinary answer; modern, but on a busy machine it starts too slowly to say so
			name: "context7", tools: 2, tool: "resolve-library-id",
			arguments: `{"query":"svelte","libraryName":"svelte"}`, answer: "fetch failed",
			config: func(t *testing.T) map[string]any { return stdio(t, "context7-mcp") },
		},
		{
			name: "basic-vanillajs", revision: "2025-11-25", tools: 1, tool: "get-time", arguments: `{}`, answer: "T",
			config: func(t *testing.T) map[string]any { return stdio(t, "mcp-server-basic-vanillajs", "--stdio") },
		},
		{
			name: "mcp-go", revision: "2026-07-28", tools: 6, tool: "add", arguments: `{"a":1,"b":2}`, answer: "3.000000",
			config: func(t *testing.T) map[string]any {
				return map[string]any{"command": built(t, "build", "bin", "servers", mcpGo)}
			},
			also: func(t *testing.T, list, _ output) {
				if _, described := list.tool("notify")["description"]; described {
					t.Error("notify has a description now: it was here because it had none")
				}
			},
		},
		{
			name: "go-sdk, stateless", revision: "2026-07-28", tools: 28, tool: "test_simple_text", arguments: `{}`, answer: "simple text",
			config: func(t *testing.T) map[string]any { return goServer(t, "-stateless=true") },
		},
		{
			name: "go-sdk, with sessions", revision: "2025-11-25", tools: 28, tool: "test_simple_text", arguments: `{}`, answer: "simple text",
			config: func(t *testing.T) map[string]any { return goServer(t, "-stateless=false") },
		},
		{
			name: "mcp-proxy, HTTP", revision: "2026-07-28", tools: 13, tool: "get-sum", arguments: `{"a":2,"b":3}`, answer: "2 and 3 is 5",
			config: func(t *testing.T) map[string]any { return proxy(t, "/mcp") },
		},
		{
			name: "mcp-proxy, HTTP+SSE", revision: "2025-11-25", tools: 13, tool: "get-sum", arguments: `{"a":2,"b":3}`, answer: "2 and 3 is 5",
			config: func(t *testing.T) map[string]any { return proxy(t, "/sse") },
		},
	}
}

func goServer(t *testing.T, mode string) map[string]any {
	return serve(t, "/mcp", func(port string) *exec.Cmd {
		return exec.Command(built(t, "build", "bin", "servers", goSDK), "-http", "127.0.0.1:"+port, mode)
	})
}

// proxy is mcp-proxy in front of server-everything.
func proxy(t *testing.T, path string) map[string]any {
	return serve(t, path, func(port string) *exec.Cmd {
		return exec.Command("node", script(t, "mcp-proxy"), "--host", "127.0.0.1", "--port", port, "node", script(t, "mcp-server-everything"), "stdio")
	})
}

func TestRealServers(t *testing.T) {
	for _, s := range realServers() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, s.config(t), allowAll)
			list := h.succeed("tools", "real")
			if spoken := list.stdout.ProtocolVersion; s.revision != "" && spoken != s.revision {
				t.Errorf("spoke %s, want %s", spoken, s.revision)
			}
			if n := len(list.stdout.Tools); n != s.tools {
				t.Errorf("%d tools, want %d", n, s.tools)
			}
			call := h.call(s.tool, s.arguments)
			if call.stdout.IsError || !strings.Contains(call.text(), s.answer) {
				t.Errorf("%s answered %q, error %v, want %q", s.tool, call.text(), call.stdout.IsError, s.answer)
			}
			if s.also != nil {
				s.also(t, list, call)
			}
		})
	}
}

// tool is a listed tool's definition.
func (o output) tool(name string) map[string]any {
	for _, tool := range o.stdout.Tools {
		if tool["name"] == name {
			return tool
		}
	}
	return nil
}

// thinks: a long description comes whole, and a drawing with emoji on stderr is a log, not noise in the protocol.
func thinks(t *testing.T, list, call output) {
	if s, _ := list.tool("sequentialthinking")["description"].(string); len(s) < 2500 {
		t.Errorf("the description has %d bytes", len(s))
	}
	if call.stdout.Result.StructuredContent["thoughtHistoryLength"] != 1.0 {
		t.Errorf("structured content %v", call.stdout.Result.StructuredContent)
	}
}

// One server with and without sessions gives the same results.
func TestTwins(t *testing.T) {
	t.Parallel()
	stateless, stateful := newHost(t, goServer(t, "-stateless=true"), allowAll), newHost(t, goServer(t, "-stateless=false"), allowAll)
	if a, b := stateless.succeed("tools", "real").stdout.Tools, stateful.succeed("tools", "real").stdout.Tools; !reflect.DeepEqual(a, b) {
		t.Errorf("tools\n%v\n%v", a, b)
	}
	for _, tool := range []string{"test_simple_text", "test_image_content", "test_audio_content", "test_embedded_resource", "test_multiple_content_types", "test_error_handling"} {
		a, b := stateless.run("call", "real", tool, `{}`), stateful.run("call", "real", tool, `{}`)
		if a.exit != b.exit || a.stdout.IsError != b.stdout.IsError || !reflect.DeepEqual(a.stdout.Result, b.stdout.Result) {
			t.Errorf("%s: exits %d and %d\n%+v\n%+v", tool, a.exit, b.exit, a.stdout, b.stdout)
		}
	}
}

// A server that ends at once says why only on stderr: its words are shown.
func TestKubernetesWithoutConfiguration(t *testing.T) {
	t.Parallel()
	h := newHost(t, stdio(t, "kubernetes-mcp-server"), allowAll)
	o := h.run("tools", "real")
	if o.exit != 4 || o.stdout.Error == nil || o.stdout.Error.Code != "server-exited" {
		t.Errorf("exit %d, error %+v", o.exit, o.stdout.Error)
	}
	// It writes the reason first, and then a page of usage.
	if !strings.Contains(o.stderr, "no current-context is set") {
		t.Errorf("the reason is not shown:\n%s", o.stderr)
	}
}

// server-everything announces changed lists in a burst when it starts: one more list is fetched, not one for each.
func TestBurstOfChanges(t *testing.T) {
	t.Parallel()
	h := newHost(t, stdio(t, "mcp-server-everything", "stdio"), allowAll)
	o := h.call("trigger-long-running-operation", `{"duration":2,"steps":1}`)
	changes, lists := o.count("in", "notifications/tools/list_changed"), o.count("out", "tools/list")
	if changes == 0 || lists != 2 {
		t.Errorf("%d changes, %d lists, want some and 2", changes, lists)
	}
	if strings.Contains(o.stderr, "crashed") {
		t.Errorf("its end looks like a crash:\n%s", o.stderr)
	}
}
