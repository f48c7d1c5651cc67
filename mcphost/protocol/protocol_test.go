package protocol_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"gatehouse/mcphost/protocol"
)

func decode[T any, P interface {
	*T
	protocol.Decodable
	json.Unmarshaler
}](t *testing.T, raw string) T {
	t.Helper()
	var v, w T
	if err := protocol.Decode(json.RawMessage(raw), P(&v)); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	if err := json.Unmarshal([]byte(raw), P(&w)); err != nil || !reflect.DeepEqual(v, w) {
		t.Fatalf("json.Unmarshal differs: %v\n%+v\n%+v", err, w, v)
	}
	return v
}

func TestInitializeResult(t *testing.T) {
	const raw = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"prompts":{},"resources":{"subscribe":true,"search":false},
		"logging":{},"completions":true,"tasks":{"list":{},"requests":{"tools":{"call":{}}}},"experimental":{"x":{"y":1.0}},"other":[{}]},
		"serverInfo":{"name":"s","title":"S","version":"1","description":"d","websiteUrl":"https://x","icons":[{"src":"data:"}],"later":1},
		"instructions":"Be\nkind.","_meta":{"a":1},"more":"}{"}`
	v := decode[protocol.InitializeResult](t, raw)
	c := v.Capabilities
	if v.ProtocolVersion != protocol.Latest || v.Instructions != "Be\nkind." || string(v.Meta) != `{"a":1}` || string(v.Raw) != raw {
		t.Errorf("%+v", v)
	}
	if c.Tools == nil || !c.Tools.ListChanged || c.Prompts == nil || c.Prompts.ListChanged || !c.Logging || !c.Completions ||
		*c.Resources != (protocol.ResourcesCapability{Subscribe: true}) || *c.Tasks != (protocol.TasksCapability{List: true, ToolsCall: true}) ||
		string(c.Experimental) != `{"x":{"y":1.0}}` || !strings.HasPrefix(string(c.Raw), `{"tools"`) || !strings.HasSuffix(string(c.Raw), `[{}]}`) {
		t.Errorf("capabilities: %+v", c)
	}
	want := protocol.Implementation{Name: "s", Title: "S", Version: "1", Description: "d", WebsiteURL: "https://x", Icons: json.RawMessage(`[{"src":"data:"}]`)}
	if !reflect.DeepEqual(v.ServerInfo, want) {
		t.Errorf("serverInfo: %+v", v.ServerInfo)
	}
}

func TestInitializeResultOfWrongTypes(t *testing.T) {
	v := decode[protocol.InitializeResult](t, `{"protocolVersion":"2024-11-05","capabilities":{"tools":null,"prompts":false,"resources":"yes","logging":0,"tasks":true,
		"completions":{"x":{}}},"serverInfo":{"name":5,"version":["1"],"title":"T"},"instructions":{},"_meta":[]}`)
	c := v.Capabilities
	if c.Tools != nil || c.Prompts != nil || c.Resources != nil || c.Logging || c.Tasks != nil || !c.Completions || v.Instructions != "" || v.Meta != nil {
		t.Errorf("%+v", v)
	}
	if want := (protocol.Implementation{Title: "T"}); !reflect.DeepEqual(v.ServerInfo, want) {
		t.Errorf("serverInfo: %+v", v.ServerInfo)
	}
	if v := decode[protocol.InitializeResult](t, `{"protocolVersion":"x","capabilities":[],"serverInfo":"s"}`); v.Capabilities.Tools != nil || string(v.Capabilities.Raw) != "[]" {
		t.Errorf("%+v", v)
	}
}

func TestTools(t *testing.T) {
	const echo = `{"name":"echo", "title":"Echo","description":"Says \u00e9\/\ud83d\ude00\ud800 back","inputSchema":{"type":"object","properties":{"n":{"maximum":1.0e2}}},
		"outputSchema":{"type":"object"},"annotations":{"title":"E","readOnlyHint":true,"destructiveHint":false,"openWorldHint":"no"},
		"execution":{"taskSupport":"optional"},"icons":[],"_meta":{"k":"v"},"future":{"inputSchema":1}}`
	const raw = ` {"tools" : [ ` + echo + ` , {"name":"old","inputSchema":null},5,{"inputSchema":{}},{"name":7},{"name":"odd","inputSchema":true},{"name":"odder","outputSchema":[]}],"nextCursor":"","_meta":null}`
	page, tools, err := protocol.DecodePage[protocol.Tool](json.RawMessage(raw), "tools")
	if err != nil || string(page.Raw) != strings.TrimSpace(raw) || page.NextCursor == nil || *page.NextCursor != "" || page.Meta != nil || len(tools) != 7 {
		t.Fatalf("%+v, %+v, %v", page, tools, err)
	}
	yes, no := true, false
	want := protocol.Tool{
		Entry: protocol.Entry{
			Name: "echo", Title: "Echo", Description: "Says é/😀\ufffd back",
			Icons: json.RawMessage(`[]`), Meta: json.RawMessage(`{"k":"v"}`), Raw: json.RawMessage(echo),
		},
		InputSchema:  json.RawMessage(`{"type":"object","properties":{"n":{"maximum":1.0e2}}}`),
		OutputSchema: json.RawMessage(`{"type":"object"}`), Annotations: protocol.ToolAnnotations{
			Title: "E", ReadOnlyHint: &yes, DestructiveHint: &no,
			Raw: json.RawMessage(`{"title":"E","readOnlyHint":true,"destructiveHint":false,"openWorldHint":"no"}`),
		},
		Execution: protocol.ToolExecution{TaskSupport: "optional"},
	}
	if !reflect.DeepEqual(tools[0], want) {
		t.Errorf("got\n%+v\nwant\n%+v", tools[0], want)
	}
	for i, want := range []string{"", "", "the definition is no object", "the definition has no name", "the definition has no name", "inputSchema is no object", "outputSchema is no object"} {
		if tools[i].Err != want {
			t.Errorf("tool %d: %q, want %q", i, tools[i].Err, want)
		}
	}
	if string(tools[2].Raw) != "5" || string(tools[4].Raw) != `{"name":7}` {
		t.Error("a spoilt definition is not kept")
	}
}

func TestDisplayTitle(t *testing.T) {
	for raw, want := range map[string]string{
		`{"name":"n","title":"t","annotations":{"title":"a"}}`: "t",
		`{"name":"n","annotations":{"title":"a"}}`:             "a",
		`{"name":"n","annotations":[]}`:                        "n",
	} {
		if got := decode[protocol.Tool](t, raw).DisplayTitle(); got != want {
			t.Errorf("%s: %s", raw, got)
		}
	}
	for raw, want := range map[string][3]string{
		`{"name":"n","uri":"u","uriTemplate":"u","title":"t","annotations":{"title":"a"}}`: {"t", "t", "t"},
		`{"name":"n","uri":"u","uriTemplate":"u","annotations":{"title":"a"}}`:             {"n", "n", "n"},
		`{"name":"","uri":"u","uriTemplate":"u"}`:                                          {"u", "u", ""},
	} {
		got := [3]string{
			decode[protocol.Resource](t, raw).DisplayTitle(), decode[protocol.ResourceTemplate](t, raw).DisplayTitle(),
			decode[protocol.Prompt](t, raw).DisplayTitle(),
		}
		if got != want {
			t.Errorf("%s: %q", raw, got)
		}
	}
}

func TestCursors(t *testing.T) {
	for raw, want := range map[string]string{
		`{"tools":[]}`: "none", `{"tools":[],"nextCursor":null}`: "none", `{"tools":[],"nextCursor":"a"}`: "a",
	} {
		got := "none"
		page, _, err := protocol.DecodePage[protocol.Tool](json.RawMessage(raw), "tools")
		if page.NextCursor != nil {
			got = *page.NextCursor
		}
		if err != nil || got != want {
			t.Errorf("%s: %s, %v", raw, got, err)
		}
	}
}

func TestUnusablePages(t *testing.T) {
	for _, raw := range []string{`[]`, `{}`, `{"tools":{}}`, `{"tools":[],"nextCursor":7}`, `{"tools":[{"name":"x"`, `{"tools":[[[`, `{"tools":[,]}`} {
		if _, _, err := protocol.DecodePage[protocol.Tool](json.RawMessage(raw), "tools"); err == nil {
			t.Errorf("%s accepted", raw)
		}
	}
}

// What is no task is left out; an entry that is found by its URI needs no name.
func TestEntries(t *testing.T) {
	_, tasks, err := protocol.DecodePage[protocol.Task](json.RawMessage(`{"tasks":[7,{"taskId":"t"},{"taskId":"t","status":"working"}]}`), "tasks")
	if err != nil || len(tasks) != 1 || tasks[0].ID != "t" {
		t.Errorf("tasks: %+v, %v", tasks, err)
	}
	_, resources, err := protocol.DecodePage[protocol.Resource](json.RawMessage(`{"resources":[{"uri":"a:b"},{"name":"n","uri":7},{"uri":""}]}`), "resources")
	if err != nil || len(resources) != 3 || resources[2].Err == "" || resources[0].Err != "" || resources[1].Err != "the resource has no uri" || resources[1].Name != "n" {
		t.Errorf("resources: %+v, %v", resources, err)
	}
}

func TestUnusable(t *testing.T) {
	for _, c := range []struct {
		into protocol.Decodable
		raws []string
	}{
		{new(protocol.InitializeResult), []string{`[]`, `null`, `{}`, `{"protocolVersion":1}`, `{"protocolVersion":"x"`, `{"protocolVersion":"x"}}`, ``, `{"a`, `{"a":`, `{x}`, `{"a" 1}`, `{"a":1 "b":2}`}},
		{new(protocol.CallToolResult), []string{`[1]`, `"x"`, `{"content":["\u12`}},
		{new(protocol.ProgressParams), []string{`1`, `{}`, `{"progressToken":1}`, `{"progressToken":null,"progress":1}`, `{"progressToken":1,"progress":"1"}`, `{"progressToken":1,"progress":1e999}`}},
		{new(protocol.CancelledParams), []string{`1`}},
		{new(protocol.LoggingMessageParams), []string{`1`, `{"level":"info"}`, `{"data":1}`, `{"level":1,"data":1}`}},
	} {
		for _, raw := range c.raws {
			if err := protocol.Decode(json.RawMessage(raw), c.into); err == nil {
				t.Errorf("%T: %s accepted", c.into, raw)
			}
			reflect.ValueOf(c.into).Elem().SetZero()
		}
	}
}

func TestNotifications(t *testing.T) {
	total := 2e2
	progress := decode[protocol.ProgressParams](t, `{"progressToken":"a\u0062","progress":-0.5,"total":2e2,"message":"m","x":[]}`)
	if want := (protocol.ProgressParams{ProgressToken: json.RawMessage(`"a\u0062"`), Progress: -0.5, Total: &total, Message: "m"}); !reflect.DeepEqual(progress, want) {
		t.Errorf("%+v", progress)
	}
	if p := decode[protocol.ProgressParams](t, `{"progressToken":9007199254740993,"progress":1,"total":"many","message":1}`); string(p.ProgressToken) != "9007199254740993" || p.Total != nil || p.Message != "" {
		t.Errorf("%+v", p)
	}
	cancelled := decode[protocol.CancelledParams](t, `{"requestId":12,"reason":"r"}`)
	if out, _ := json.Marshal(cancelled); string(out) != `{"requestId":12,"reason":"r"}` {
		t.Errorf("%s", out)
	}
	if c := decode[protocol.CancelledParams](t, `{"requestId":null}`); c.RequestID != nil {
		t.Errorf("%+v", c)
	}
	if l := decode[protocol.LoggingMessageParams](t, `{"level":"loud","logger":"l","data":null}`); l.Level != "loud" || l.Logger != "l" || string(l.Data) != "null" {
		t.Errorf("%+v", l)
	}
}

func TestRevisions(t *testing.T) {
	all := []protocol.Revision{
		protocol.Revision20241007, protocol.Revision20241105, protocol.Revision20250326, protocol.Revision20250618, protocol.Revision20251125, protocol.Revision20260728,
	}
	for i, r := range all {
		if !r.Known() || r.Legacy() != (i < 5) {
			t.Errorf("%s: known %t, legacy %t", r, r.Known(), r.Legacy())
		}
		for j, other := range all {
			if r.AtLeast(other) != (i >= j) {
				t.Errorf("%s at least %s: %t", r, other, r.AtLeast(other))
			}
		}
	}
	if r := protocol.Revision("2025-01-01"); r.Known() || r.Legacy() {
		t.Error("an unknown revision is known")
	}
}

func TestOutgoing(t *testing.T) {
	p := protocol.InitializeParams{ProtocolVersion: protocol.Latest, ClientInfo: protocol.Implementation{Name: "gatehouse", Version: "1"}}
	if out, _ := json.Marshal(p); string(out) != `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"gatehouse","version":"1"}}` {
		t.Errorf("%s", out)
	}
	p.Capabilities = protocol.ClientCapabilities{
		Roots: &protocol.RootsCapability{ListChanged: true}, Sampling: &protocol.SamplingCapability{},
		Elicitation: &protocol.ElicitationCapability{URL: &protocol.Present{}},
	}
	if out, _ := json.Marshal(p.Capabilities); string(out) != `{"roots":{"listChanged":true},"sampling":{},"elicitation":{"url":{}}}` {
		t.Errorf("%s", out)
	}
}
