package jsonrpc_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gatehouse/mcphost/jsonrpc"
)

func TestOutgoingIsOneLineAndParses(t *testing.T) {
	type value struct {
		A string `json:"a"`
	}
	for name, c := range map[string]struct {
		params any
		want   string
	}{
		"none":          {nil, `{"jsonrpc":"2.0","id":1,"method":"m\"\\\u0001é"}`},
		"verbatim":      {json.RawMessage(`{"b": 1.0, "a":"<&>` + "\u2028" + `"}`), `{"jsonrpc":"2.0","id":1,"method":"m\"\\\u0001é","params":{"b": 1.0, "a":"<&>` + "\u2028" + `"}}`},
		"several lines": {json.RawMessage("{\r\n \"a\":\n\"\\n\"}"), `{"jsonrpc":"2.0","id":1,"method":"m\"\\\u0001é","params":{ "a":"\n"}}`},
		"a value":       {value{"<a>\n"}, `{"jsonrpc":"2.0","id":1,"method":"m\"\\\u0001é","params":{"a":"<a>\n"}}`},
		"empty":         {json.RawMessage(nil), `{"jsonrpc":"2.0","id":1,"method":"m\"\\\u0001é"}`},
	} {
		m, err := jsonrpc.NewRequest(jsonrpc.IntID(1), "m\"\\\x01é", c.params)
		if err != nil || string(m.Raw) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, m.Raw, c.want)
			continue
		}
		back := one(t, string(m.Raw))
		if back.Method != m.Method || back.ID != m.ID || string(back.Params) != string(m.Params) {
			t.Errorf("%s: parses as %+v", name, back)
		}
	}
}

func TestOutgoingRefusesWhatWouldSpoilTheFrame(t *testing.T) {
	for _, params := range []string{`{},"method":"x"`, `{"a":1,"a":2}`, `{`, "\"\xff\""} {
		if m, err := jsonrpc.NewNotification("m", json.RawMessage(params)); err == nil {
			t.Errorf("%s: %s", params, m.Raw)
		}
	}
	if _, err := jsonrpc.NewNotification("", nil); err == nil {
		t.Error("no method")
	}
	if _, err := jsonrpc.NewRequest(jsonrpc.ID{}, "m", nil); err == nil {
		t.Error("no id")
	}
	if _, err := jsonrpc.NewNotification("m", make(chan int)); err == nil {
		t.Error("a channel")
	}
}

func TestResponses(t *testing.T) {
	m, err := jsonrpc.NewResponse(jsonrpc.StringID("a\n"), nil)
	if err != nil || string(m.Raw) != `{"jsonrpc":"2.0","id":"a\u000a","result":{}}` || string(m.Result) != "{}" {
		t.Errorf("%s, %v", m.Raw, err)
	}
	e := &jsonrpc.Error{Code: -1, Message: "no\n" + strings.Repeat("é", 3), Data: json.RawMessage("[\n1]")}
	if raw := string(jsonrpc.NewErrorResponse(jsonrpc.IntID(2), e).Raw); raw != `{"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"no\u000aééé","data":[1]}}` {
		t.Errorf("%s", raw)
	}
	e.Data = json.RawMessage(`}`)
	if raw := string(jsonrpc.NewErrorResponse(jsonrpc.ID{}, e).Raw); raw != `{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"no\u000aééé"}}` {
		t.Errorf("%s", raw)
	}
}
