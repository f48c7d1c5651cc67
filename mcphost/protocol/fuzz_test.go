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
		`{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}},"requestState":"s\u00e9"}`,
		`{"supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":1e300,"cacheScope":"x","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s"}}}`,
		`{"contents":[{"uri":"a:b","blob":"!"}],"resources":[{"uri":"a:b","size":-1}],"prompts":[{"name":"p","arguments":[{}]}],"messages":[7]}`,
		`{"messages":[{"role":"user","content":[{"type":"tool_result","toolUseId":"t","content":[{"type":"tool_result","content":[]}]}]}],"maxTokens":1e99}`,
		`{"taskId":"t","status":"working","ttlMs":1e300,"pollIntervalMs":-1}`, `{"elicitations":[{"mode":"url","url":"u"}]}`,
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
			new(protocol.InitializeResult), new(protocol.Tool), new(protocol.ProgressParams),
			new(protocol.CancelledParams), new(protocol.LoggingMessageParams), new(protocol.DiscoverResult), new(protocol.UnsupportedVersionData),
			new(protocol.InputRequired), new(protocol.Resource), new(protocol.ResourceTemplate), new(protocol.ReadResourceResult),
			new(protocol.ResourceUpdatedParams), new(protocol.Prompt), new(protocol.GetPromptResult), new(protocol.CompleteResult),
			new(protocol.RootParams), new(protocol.ElicitParams), new(protocol.ElicitationCompleteParams), new(protocol.URLElicitationData),
			new(protocol.CreateMessageParams), new(protocol.Task), new(protocol.TaskParams), new(protocol.Skill), new(protocol.AcknowledgedParams),
		} {
			_ = protocol.Decode(data, v)
		}
		_, _, _ = protocol.DecodePage[protocol.Tool](data, "tools")
		_, _, _ = protocol.DecodePage[protocol.Task](data, "tasks")
		protocol.Icons(data)
		protocol.MetaValue(data, protocol.MetaSubscription)
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
