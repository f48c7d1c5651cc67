package protocol_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"gatehouse/mcphost/protocol"
)

func BenchmarkTools(b *testing.B) {
	tool := `{"name":"tool_%d","description":"` + strings.Repeat("Does a thing. ", 30) + `","inputSchema":{"type":"object","properties":{` +
		strings.Repeat(`"p":{"type":"string","description":"a parameter"},`, 9) + `"q":{"type":"number"}}},"annotations":{"readOnlyHint":true}}`
	list := make([]string, 10_000)
	for i := range list {
		list[i] = fmt.Sprintf(tool, i)
	}
	raw := json.RawMessage(`{"tools":[` + strings.Join(list, ",") + `]}`)
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		if _, tools, err := protocol.DecodePage[protocol.Tool](raw, "tools"); err != nil || len(tools) != len(list) {
			b.Fatal(err)
		}
	}
}

func BenchmarkResult(b *testing.B) {
	for name, text := range map[string]string{"plain": strings.Repeat("plain text of a result, ", 40_000), "escaped": strings.Repeat(`{\"id\": 12, \"name\": \"Ada\"},\n`, 30_000)} {
		raw := json.RawMessage(`{"content":[{"type":"text","text":"` + text + `"}],"isError":false}`)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				var v protocol.CallToolResult
				if err := protocol.Decode(raw, &v); err != nil || len(v.Content) != 1 {
					b.Fatal(err)
				}
			}
		})
	}
}
