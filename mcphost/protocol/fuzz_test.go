package protocol_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"gatehouse/mcphost/protocol"
)

// Any bytes at all decode without panic; valid JSON decodes like encoding/json would and keeps its bytes.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"content":[{"type":"text","text":"\ud83d\ude00\ud800\n\u00e9\/"},{"type":"image","data":"AAE="}],"isError":false}`,
		`{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"s","version":"1"}}`,
		`{"tools":[{"name":"x","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}],"nextCursor":"c"}`,
		`{"progressToken":1,"progress":0.5e+1}`, `{"level":"info","data":[{}]}`, `{"type":"text","text":"\u12`, ` [1,{"a":"\"}"}] `, `{"a":1:2}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := bytes.Clone(data)
		var content protocol.Content
		var result protocol.CallToolResult
		contentErr := protocol.Decode(data, &content)
		resultErr := protocol.Decode(data, &result)
		for _, v := range []protocol.Decodable{
			new(protocol.InitializeResult), new(protocol.ListToolsResult), new(protocol.Tool), new(protocol.ProgressParams),
			new(protocol.CancelledParams), new(protocol.LoggingMessageParams),
		} {
			_ = protocol.Decode(data, v)
		}
		if !bytes.Equal(data, before) {
			t.Fatal("the bytes were changed")
		}
		if !json.Valid(data) || !utf8.Valid(data) {
			return
		}
		trimmed := strings.Trim(string(data), " \t\r\n")
		if contentErr != nil || string(content.Raw) != trimmed {
			t.Fatalf("%q: raw %q, %v", data, content.Raw, contentErr)
		}
		if resultErr == nil && string(result.Raw) != trimmed {
			t.Fatalf("%q: raw %q", data, result.Raw)
		}
		var members map[string]json.RawMessage
		if isObject := json.Unmarshal(data, &members) == nil && trimmed != "null"; isObject != (resultErr == nil) {
			t.Fatalf("%q: %v", data, resultErr)
		}
		var text string
		if json.Unmarshal(members["text"], &text) == nil && string(members["text"]) != "null" && strings.Count(trimmed, "text") == 1 && content.Text != text {
			t.Fatalf("%q: text %q, want %q", data, content.Text, text)
		}
	})
}
