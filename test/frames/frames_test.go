//go:build interop

package frames

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Conversations, and what must be found wrong with them; "" is nothing.
var conversations = []struct{ name, trace, revision, want string }{
	{
		"legacy", `
		out {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"g","version":"1"}}}
		in  {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
		out {"jsonrpc":"2.0","method":"notifications/initialized"}
		in  {"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}
		out {"jsonrpc":"2.0","id":"q","result":{"action":"decline"}}
		out {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a","arguments":{}}}`,
		"2025-06-18", "",
	},
	{"no clientInfo", `out {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}`, "", "clientInfo"},
	{"a batch", `out [{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "2025-11-25", "batch"},
	{"a name that is a number", `out {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":1}}`, "2025-11-25", "CallToolRequest"},
	{"an unasked answer", `out {"jsonrpc":"2.0","id":1,"result":{}}`, "2025-11-25", "nobody asked"},
	{"an unknown method", `out {"jsonrpc":"2.0","id":1,"method":"tools/do","params":{}}`, "2025-11-25", "not of revision"},
	{
		"a wrong answer", `
		in  {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}
		out {"jsonrpc":"2.0","id":1,"result":{"action":"yes"}}`,
		"2025-11-25", "ElicitResult",
	},
	{
		"tasks before they were there", `
		out {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"g","version":"1"}}}
		in  {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
		out {"jsonrpc":"2.0","id":2,"method":"tasks/list","params":{}}`,
		"2025-06-18", "not of revision",
	},
	{
		"modern", `out {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		"2026-07-28", "",
	},
	{
		"modern without capabilities", `out {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
		"2026-07-28", "clientCapabilities",
	},
	{
		"a task of the extension", `out {"jsonrpc":"2.0","id":1,"method":"tasks/update","params":{"taskId":"t","inputResponses":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		"2026-07-28", "",
	},
}

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for i, c := range conversations {
		var trace strings.Builder
		for line := range strings.Lines(strings.TrimSpace(c.trace)) {
			way, frame, _ := strings.Cut(strings.TrimSpace(line), " ")
			fmt.Fprintf(&trace, `{"server":"s","dir":%q,"frame":%s}`+"\n", way, strings.TrimSpace(frame))
		}
		files = append(files, filepath.Join(dir, fmt.Sprint(i)))
		if err := os.WriteFile(files[i], []byte(trace.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i, found := range check(t, files...) {
		c := conversations[i]
		if c.revision != "" && !slices.Contains(found.Revisions, c.revision) {
			t.Errorf("%s: spoke %v, want %s", c.name, found.Revisions, c.revision)
		}
		if text := fmt.Sprintf("%s", found.Faults); (c.want == "") != (len(found.Faults) == 0) || !strings.Contains(text, c.want) {
			t.Errorf("%s: found %s, want %q", c.name, text, c.want)
		}
	}
}
