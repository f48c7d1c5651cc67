package transport

import (
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"
)

// MCP 2026-07-28, "Schema Extension"; SEC B15.
func TestMirrorOf(t *testing.T) {
	for _, test := range []struct{ name, schema, fault string }{
		{"none", `{"type":"object","properties":{"a":{"type":"string"}}}`, ""},
		{"plain", `{"properties":{"a":{"type":"string","x-mcp-header":"Region"}}}`, ""},
		{"the keyword is escaped", `{"properties":{"a":{"type":"number","x\u002dmcp\u002dheader":"Region"}}}`, "only a string"},
		{"nested", `{"properties":{"a":{"type":"object","properties":{"b":{"type":"integer","x-mcp-header":"B"}}}}}`, ""},
		{"a property of that name", `{"properties":{"x-mcp-header":{"type":"object"}}}`, ""},
		{"data that looks like it", `{"properties":{"a":{"default":{"x-mcp-header":1},"enum":[{"x-mcp-header":1}]}}}`, ""},
		{"named like a field of ours", `{"properties":{"a":{"type":"string","x-mcp-header":"Method"}}}`, ""},
		{"empty", `{"properties":{"a":{"type":"string","x-mcp-header":""}}}`, "name cannot"},
		{"no text", `{"properties":{"a":{"type":"string","x-mcp-header":1}}}`, "name cannot"},
		{"space", `{"properties":{"a":{"type":"string","x-mcp-header":"My Region"}}}`, "name cannot"},
		{"CRLF", `{"properties":{"a":{"type":"string","x-mcp-header":"A\r\nB"}}}`, "name cannot"},
		{"not ASCII", `{"properties":{"a":{"type":"string","x-mcp-header":"Région"}}}`, "name cannot"},
		{"credentials", `{"properties":{"a":{"type":"string","x-mcp-header":"Authorization"}}}`, "reserved"},
		{"number", `{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}`, "only a string"},
		{"object", `{"properties":{"a":{"type":"object","x-mcp-header":"A"}}}`, "only a string"},
		{"several types", `{"properties":{"a":{"type":["string","null"],"x-mcp-header":"A"}}}`, "only a string"},
		{"no type", `{"properties":{"a":{"x-mcp-header":"A"}}}`, "only a string"},
		{"twice", `{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"object","properties":{"c":{"type":"string","x-mcp-header":"a"}}}}}`, "twice"},
		{"root", `{"type":"string","x-mcp-header":"A"}`, "only a property"},
		{"items", `{"properties":{"a":{"items":{"properties":{"b":{"type":"string","x-mcp-header":"A"}}}}}}`, "only a property"},
		{"anyOf", `{"anyOf":[{"properties":{"b":{"type":"string","x-mcp-header":"A"}}}]}`, "only a property"},
		{"if", `{"if":{"properties":{"b":{"type":"string","x-mcp-header":"A"}}}}`, "only a property"},
		{"$defs", `{"$defs":{"d":{"type":"string","x-mcp-header":"A"}}}`, "only a property"},
		{"no JSON", `{"x-mcp-header":`, "input schema"},
		{"true", `true`, ""},
	} {
		_, err := MirrorOf(json.RawMessage(test.schema))
		if test.fault == "" && err != nil || test.fault != "" && (err == nil || !strings.Contains(err.Error(), test.fault)) {
			t.Errorf("%s: %v, want %q", test.name, err, test.fault)
		}
	}
}

func TestMirrorFields(t *testing.T) {
	m, err := MirrorOf(json.RawMessage(`{"properties":{
		"s":{"type":"string","x-mcp-header":"S"}, "i":{"type":"integer","x-mcp-header":"I"}, "b":{"type":"boolean","x-mcp-header":"B"},
		"o":{"type":"object","properties":{"s":{"type":"string","x-mcp-header":"OS"}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		arguments string
		want      Fields // nil = refused
	}{
		{`{"s":"us-west1","i":42,"b":true,"o":{"s":"x"},"other":1}`, Fields{"Mcp-Param-S": "us-west1", "Mcp-Param-I": "42", "Mcp-Param-B": "true", "Mcp-Param-OS": "x"}},
		{`{"s":null,"b":false,"o":3}`, Fields{"Mcp-Param-B": "false"}},
		{`{"S":"other name"}`, Fields{}},
		{``, Fields{}},
		{`{"i":42.0}`, Fields{"Mcp-Param-I": "42"}},
		{`{"i":-4.2e1}`, Fields{"Mcp-Param-I": "-42"}},
		{`{"i":9007199254740991}`, Fields{"Mcp-Param-I": "9007199254740991"}},
		{`{"i":-9007199254740991}`, Fields{"Mcp-Param-I": "-9007199254740991"}},
		{`{"i":9007199254740992}`, nil},
		{`{"i":-9007199254740992}`, nil},
		{`{"i":1e400}`, nil},
		{`{"i":1e30}`, nil},
		{`{"i":1.5}`, nil},
		{`{"i":"1"}`, nil},
		{`{"s":1}`, nil},
		{`{"b":"true"}`, nil},
		{`{"s":["x"]}`, nil},
	} {
		got, err := m.Fields(json.RawMessage(test.arguments))
		if !maps.Equal(got, test.want) || (err == nil) != (test.want != nil) {
			t.Errorf("%s: %v, %v, want %v", test.arguments, got, err, test.want)
		}
	}
}

// The examples of MCP 2026-07-28, "Value Encoding", and their neighbours.
func TestEncodeField(t *testing.T) {
	for value, want := range map[string]string{
		"us-west1":           "us-west1",
		"Hello, 世界":          "=?base64?SGVsbG8sIOS4lueVjA==?=",
		" padded ":           "=?base64?IHBhZGRlZCA=?=",
		"line1\nline2":       "=?base64?bGluZTEKbGluZTI=?=",
		"=?base64?literal?=": "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=",
		"=?base64?literal":   "=?base64?literal",
		"in the middle":      "in the middle",
		"a\tb":               "=?base64?YQli?=",
		"\x7f":               "=?base64?fw==?=",
		"":                   "",
	} {
		if got := encodeField(value); got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}

// The modern profile: no session, no resume, no DELETE; every request says in its header what it is.
func TestHTTPModern(t *testing.T) {
	r := newRemote(t, map[string]http.HandlerFunc{
		http.MethodPost: func(w http.ResponseWriter, req *http.Request) {
			w.Header().Set("Mcp-Session-Id", "unasked")
			sendJSON(w, answer(1))
		},
	})
	h := dial(t, r.URL, HTTPOptions{})
	h.SetRevision("2026-07-28")
	for _, test := range []struct {
		method, params, name, region string
	}{
		{"server/discover", `{}`, "", ""},
		{"tools/call", `{"name":"wetter für alle","NAME":"x","arguments":{}}`, "=?base64?d2V0dGVyIGbDvHIgYWxsZQ==?=", "west"},
		{"prompts/get", `{"name":"p","uri":"u"}`, "p", ""},
		{"resources/read", `{"name":"p","uri":"file:///u"}`, "file:///u", ""},
		{"tasks/get", `{"taskId":"t","name":"p"}`, "t", ""},
		{"tasks/update", `{"taskId":"tä"}`, "=?base64?dMOk?=", ""},
		{"tasks/cancel", `{"taskId":"t"}`, "t", ""},
		{"tools/list", `{"name":"p","uri":"u"}`, "", ""},
	} {
		ctx := t.Context()
		if test.region != "" {
			ctx = WithFields(ctx, Fields{"Mcp-Param-Region": test.region})
		}
		if _, err := outcomeOf(ctx, h, requestWith(t, 1, test.method, test.params)); err != nil {
			t.Fatalf("%s: %v", test.method, err)
		}
		posts := r.requests(http.MethodPost)
		got := posts[len(posts)-1].header
		if got.Get("Mcp-Protocol-Version") != "2026-07-28" || got.Get("Mcp-Method") != test.method || got.Get("Mcp-Name") != test.name ||
			got.Get("Mcp-Param-Region") != test.region || got.Get("Mcp-Session-Id") != "" {
			t.Errorf("%s: %v", test.method, got)
		}
	}
	// A legacy opening afterwards is free of all that.
	if _, err := outcomeOf(WithFields(t.Context(), Fields{"Mcp-Param-Region": "x"}), h, request(t, 1, "initialize")); err != nil {
		t.Fatal(err)
	}
	posts := r.requests(http.MethodPost)
	for name := range posts[len(posts)-1].header {
		if strings.HasPrefix(name, "Mcp-") {
			t.Errorf("initialize carries %s", name)
		}
	}
}

// Whatever a schema and arguments say, a field can be sent, and says what the argument says.
func FuzzMirror(f *testing.F) {
	f.Add(`{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}`, `{"a":"é\r\n"}`)
	f.Add(`{"properties":{"a":{"properties":{"b":{"type":"integer","x-mcp-header":"B"}}}}}`, `{"a":{"b":1e2}}`)
	f.Add(`{"properties":{"a":{"type":"boolean","x-mcp-header":"C"}},"anyOf":[true]}`, `{"a":true}`)
	f.Fuzz(func(t *testing.T, schema, arguments string) {
		m, err := MirrorOf(json.RawMessage(schema))
		if err != nil {
			return
		}
		fields, err := m.Fields(json.RawMessage(arguments))
		if err != nil {
			return
		}
		for name, value := range fields {
			if !isToken(name) || strings.Trim(value, " ") != value || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Errorf("%q: %q", name, value)
			}
		}
	})
}
