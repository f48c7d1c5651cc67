//go:build interop

package interop

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const allowAll = `{"launch":"allow","tools":{"*":"allow"}}`

func TestEverything(t *testing.T) {
	for name, config := range everythings() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, config(t), allowAll)
			t.Run("lists its tools", func(t *testing.T) { listsTools(t, h.in(t)) })
			t.Run("echoes", func(t *testing.T) {
				o := h.in(t).call("echo", `{"message":"héllo\n世界"}`)
				if got := o.text(); got != "Echo: héllo\n世界" {
					t.Errorf("result %q", got)
				}
				if o.stdout.Server != "real" || o.stdout.Tool != "echo" || !strings.Contains(string(o.stdout.Decision), "policy ") {
					t.Errorf("document %+v", o.stdout)
				}
			})
			t.Run("sends every kind of content", func(t *testing.T) {
				for call, want := range map[[2]string]string{
					{"get-tiny-image", `{}`}:                                                 "text image text",
					{"get-resource-links", `{"count":2}`}:                                    "text resource_link resource_link",
					{"get-resource-reference", `{"resourceType":"Text","resourceId":1}`}:     "text resource text",
					{"get-annotated-message", `{"messageType":"error","includeImage":true}`}: "text image",
				} {
					if got := h.in(t).call(call[0], call[1]).types(); got != want {
						t.Errorf("%s: content %q, want %q", call[0], got, want)
					}
				}
			})
			t.Run("sends structured content", func(t *testing.T) {
				o := h.in(t).call("get-structured-content", `{"location":"Chicago"}`)
				if o.stdout.Result.StructuredContent["conditions"] == nil {
					t.Errorf("structured content %v", o.stdout.Result.StructuredContent)
				}
			})
			t.Run("reports progress", func(t *testing.T) {
				o := h.in(t).call("trigger-long-running-operation", `{"duration":1,"steps":4}`)
				if n := o.count("in", "notifications/progress"); n != 4 {
					t.Errorf("%d progress notifications, want 4", n)
				}
			})
			t.Run("is not bothered with invalid arguments", func(t *testing.T) {
				o := h.in(t).run("call", "real", "echo", `{"message":1}`)
				if o.exit != 2 || o.stdout.Error == nil || o.count("out", "tools/call") != 0 {
					t.Errorf("exit %d, error %+v, %d calls sent", o.exit, o.stdout.Error, o.count("out", "tools/call"))
				}
			})
		})
	}
}

func listsTools(t *testing.T, h *host) {
	o := h.succeed("tools", "real")
	if o.stdout.Server != "real" || o.stdout.ProtocolVersion != "2025-11-25" {
		t.Errorf("server %q, revision %q", o.stdout.Server, o.stdout.ProtocolVersion)
	}
	if len(o.stdout.Tools) < 13 {
		t.Errorf("%d tools, want at least 13", len(o.stdout.Tools))
	}
	echo := slices.IndexFunc(o.stdout.Tools, func(tool map[string]any) bool { return tool["name"] == "echo" })
	if echo < 0 || o.stdout.Tools[echo]["inputSchema"] == nil {
		t.Error("no echo with its schema")
	}
}

// SEC A8: the server sees the base environment and what was configured, nothing else.
func TestEnvironmentOfARealServer(t *testing.T) {
	t.Setenv("AWS_SECRET_ACCESS_KEY", canary)
	h := newHost(t, stdio(t, "mcp-server-everything", "stdio"), allowAll)
	env := h.call("get-env", `{}`).text()
	for _, want := range []string{`"CONFIGURED": "yes"`, `"PATH"`, `"HOME"`} {
		if !strings.Contains(env, want) {
			t.Errorf("%s is missing from the server's environment:\n%s", want, env)
		}
	}
	for _, bad := range []string{canary, "AWS_SECRET_ACCESS_KEY", "DBUS_SESSION_BUS_ADDRESS"} {
		if strings.Contains(env, bad) {
			t.Errorf("%s is in the server's environment", bad)
		}
	}
}

func TestPolicyRefuses(t *testing.T) {
	for name, policy := range map[string]string{
		"the launch":          `{"launch":"deny","tools":{"*":"allow"}}`,
		"the tool":            `{"launch":"allow","tools":{"*":"allow","echo":"deny"}}`,
		"what it leaves open": `{"launch":"allow","tools":{"get-sum":"allow"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t, stdio(t, "mcp-server-everything", "stdio"), policy)
			o := h.run("call", "real", "echo", `{"message":"x"}`)
			if o.exit != 3 || o.stdout.Error == nil {
				t.Errorf("exit %d, error %+v", o.exit, o.stdout.Error)
			}
			if n := o.count("out", "tools/call"); n != 0 {
				t.Errorf("%d calls were sent", n)
			}
			if name == "the launch" && len(o.frames) != 0 {
				t.Errorf("%d frames without consent to start", len(o.frames))
			}
		})
	}
}

func TestFilesystem(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "note.txt"), []byte("from the file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h := newHost(t, stdio(t, "mcp-server-filesystem", dir), allowAll)
	if got := h.call("read_text_file", `{"path":"`+filepath.Join(dir, "note.txt")+`"}`).text(); got != "from the file\n" {
		t.Errorf("read %q", got)
	}
	h.call("write_file", `{"path":"`+filepath.Join(dir, "new.txt")+`","content":"by a tool"}`)
	if b, err := os.ReadFile(filepath.Join(dir, "new.txt")); err != nil || string(b) != "by a tool" {
		t.Errorf("the file holds %q, %v", b, err)
	}
	o := h.run("call", "real", "read_text_file", `{"path":"/etc/hostname"}`)
	if o.exit != 1 || !o.stdout.IsError {
		t.Errorf("a path outside: exit %d, isError %v", o.exit, o.stdout.IsError)
	}
}

func TestMemory(t *testing.T) {
	t.Parallel()
	h := newHost(t, stdio(t, "mcp-server-memory"), allowAll)
	h.call("create_entities", `{"entities":[{"name":"Ada","entityType":"person","observations":["wrote the first program"]}]}`)
	o := h.call("read_graph", `{}`)
	entities, _ := o.stdout.Result.StructuredContent["entities"].([]any)
	if len(entities) != 1 {
		t.Errorf("structured content %v", o.stdout.Result.StructuredContent)
	}
}
