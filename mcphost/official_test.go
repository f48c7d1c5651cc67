package mcphost_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/protocol"
)

// What is built in is byte for byte what the frames of all tests are held against.
func TestOfficialFiles(t *testing.T) {
	files, err := filepath.Glob("../test/servers/schema/*.json")
	if err != nil || len(files) != 6 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		packed, err := os.Open(filepath.Join("official", filepath.Base(file)+".gz"))
		if err != nil {
			t.Fatal(err)
		}
		defer packed.Close()
		r, err := gzip.NewReader(packed)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is another one, %v", file, err)
		}
	}
}

// Every kind of message finds its definition in each revision, and what does not fit is named with its place.
func TestOfficialCheck(t *testing.T) {
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}`
	var o mcphost.Official
	for _, c := range []struct {
		revision   protocol.Revision
		asked      string
		message    string
		definition string
		problem    string // a part of the first one, "" = it fits
	}{
		{"2024-11-05", "", call, "CallToolRequest", ""},
		{"2024-10-07", "", call, "CallToolRequest", ""},
		{"2025-03-26", "", call, "CallToolRequest", ""},
		{"2025-06-18", "", call, "CallToolRequest", ""},
		{"2025-11-25", "", call, "CallToolRequest", ""},
		{"2026-07-28", "", call, "CallToolRequest", "/params"},
		{"2025-11-25", "", strings.Replace(call, `"a"`, `7`, 1), "CallToolRequest", "/params/name"},
		{"2025-11-25", "", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "InitializedNotification", ""},
		{"2025-11-25", "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a"}]}}`, "CallToolResult", ""},
		{"2025-11-25", "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text"}]}}`, "CallToolResult", "/result/content/0"},
		{"2025-11-25", "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{}}}`, "CallToolResult", "/result "},
		{"2025-11-25", "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"task":{}}}`, "CreateTaskResult", "/result/task"},
		{"2025-06-18", "ping", `{"jsonrpc":"2.0","id":1,"result":{}}`, "EmptyResult", ""},
		{"2024-11-05", "ping", `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"m"}}`, "JSONRPCError", ""},
		{"2026-07-28", "tools/call", `{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":"m"}}`, "JSONRPCErrorResponse", "/error/code"},
		{"2026-07-28", "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required"}}`, "InputRequiredResult", ""},
		{"2026-07-28", "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"task"}}`, "CreateTaskResult", "/result"},
		{"2025-11-25", "resources/list", `{"jsonrpc":"2.0","id":1,"result":{"resources":[{"name":"a","uri":"a:••••••"}]}}`, "ListResourcesResult", ""},
		{"2025-06-18", "resources/list", `{"jsonrpc":"2.0","id":1,"result":{"resources":[{"name":"a","uri":"a:••••••"}]}}`, "ListResourcesResult", ""},
		{"2025-11-25", "elicitation/create", `{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"n":1.5}}}`, "ElicitResult", ""},
		{"2026-07-28", "", `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{}}`, "GetTaskRequest", "/params"},
	} {
		definition, problems, err := o.Check(c.revision, c.asked, json.RawMessage(c.message))
		first := ""
		if len(problems) > 0 {
			first = problems[0].Pointer + " " + problems[0].Message
		}
		if err != nil || definition != c.definition || (c.problem == "") != (first == "") || !strings.HasPrefix(first, c.problem) {
			t.Errorf("%s %s %s: %s, %q, %v", c.revision, c.asked, c.message, definition, first, err)
		}
	}
	for _, c := range []struct {
		revision       protocol.Revision
		asked, message string
	}{
		{"2024-11-05", "", `{"jsonrpc":"2.0","id":1,"method":"resources/search","params":{"query":"a"}}`},
		{"2024-11-05", "resources/search", `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{"2025-06-18", "", `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{}}`},
		{"1999-01-01", "", call},
		{"", "", call},
		{"../x", "", call},
	} {
		if definition, problems, err := o.Check(c.revision, c.asked, json.RawMessage(c.message)); !errors.Is(err, mcphost.ErrNoSchema) {
			t.Errorf("%s %s: %s, %v, %v", c.revision, c.message, definition, problems, err)
		}
	}
}
