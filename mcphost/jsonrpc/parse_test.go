package jsonrpc_test

import (
	"errors"
	"strings"
	"testing"

	"gatehouse/mcphost/jsonrpc"
)

func one(t *testing.T, frame string) *jsonrpc.Message {
	t.Helper()
	list, err := jsonrpc.Parse([]byte(frame), nil)
	if err != nil {
		t.Fatalf("%s: %v", frame, err)
	}
	if len(list) != 1 {
		t.Fatalf("%s: %d messages", frame, len(list))
	}
	return list[0]
}

func TestParseKeepsTheBytes(t *testing.T) {
	const frame = `{"jsonrpc":"2.0", "id" : 9007199254740993 ,"result":{"n":1.0e+2,"s":"<\u00e9é>" , "big":9007199254740993}}`
	m := one(t, "\ufeff"+frame+"\r")
	if string(m.Raw) != frame {
		t.Errorf("raw: %s", m.Raw)
	}
	if want := `{"n":1.0e+2,"s":"<\u00e9é>" , "big":9007199254740993}`; string(m.Result) != want {
		t.Errorf("result: %s", m.Result)
	}
	if m.ID.String() != "9007199254740993" || !m.IsResponse() || m.IsRequest() || m.IsNotification() {
		t.Errorf("id %s", m.ID)
	}
}

func TestParseKinds(t *testing.T) {
	request := one(t, `{"id":"a\u0062","jsonrpc":"2.0","method":"tools\/call","params":[1]}`)
	if !request.IsRequest() || request.Method != "tools/call" || string(request.Params) != "[1]" || request.ID.String() != `"a\u0062"` {
		t.Errorf("request: %+v", request)
	}
	notification := one(t, `{"jsonrpc":"2.0","\u006dethod":"n","params":null}`)
	if !notification.IsNotification() || notification.Method != "n" || notification.Params != nil {
		t.Errorf("notification: %+v", notification)
	}
	failure := one(t, `{"jsonrpc":"2.0","id":-3,"error":{"code":-32601,"message":"no \"x\"","data":[1, 2]}}`)
	if e := failure.Error; e == nil || e.Code != -32601 || e.Message != `no "x"` || string(e.Data) != "[1, 2]" {
		t.Errorf("error: %+v", failure.Error)
	}
	null := one(t, `{"jsonrpc":"2.0","id":1,"result":null}`)
	if string(null.Result) != "null" || null.Error != nil {
		t.Errorf("null result: %+v", null)
	}
	for _, frame := range []string{
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse"}}`,
		`{"jsonrpc":"2.0","error":{"code":-32700,"message":"parse"}}`,
		`{"jsonrpc":"2.0","error":{"code":-32700}}`,
	} {
		if m := one(t, frame); !m.ID.IsZero() || m.Error == nil || !m.IsResponse() {
			t.Errorf("%s: %+v", frame, m)
		}
	}
	if m := one(t, `{"jsonrpc":"2.0","method":"x","extra":{"id":1,"ID":2,"Method":3}}`); m.Method != "x" {
		t.Errorf("case variants in data: %+v", m)
	}
}

func TestParseRefuses(t *testing.T) {
	for name, frames := range map[string][]string{
		"syntax": {
			"", " ", "hello", "1", `"x"`, "null", "{", "{}", "[]", "[ ]", "[[]]", "[1]",
			`{"jsonrpc":"2.0","method":"x"`, `{"jsonrpc":"2.0","method":"x"}}`, `{"jsonrpc":"2.0","method":"x"}{}`,
			`{"jsonrpc":"2.0","method":"x",}`, `{"jsonrpc":"2.0" "method":"x"}`, `{'jsonrpc':'2.0'}`,
			`{"jsonrpc":"2.0","method":"x","params":[01]}`, `{"jsonrpc":"2.0","method":"x","params":[1.]}`,
			`{"jsonrpc":"2.0","method":"x","params":[+1]}`, `{"jsonrpc":"2.0","method":"x","params":[1e]}`,
			`{"jsonrpc":"2.0","method":"x","params":[-]}`, `{"jsonrpc":"2.0","method":"x","params":[nul]}`,
			`{"jsonrpc":"2.0","method":"x","params":["\x"]}`, `{"jsonrpc":"2.0","method":"x","params":["\u12g4"]}`,
			"{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":[\"a\tb\"]}", "\x00{}", "\x1b[31mred\x1b[0m",
			`{"jsonrpc":"2.0","method":"x"` + "\x00}", `{"jsonrpc":"2.0","method":"x","params":NaN}`,
		},
		"utf-8": {
			"{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":[\"\xff\"]}", "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"\xc3\":1}",
			"{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":[\"\xed\xa0\x80\"]}", "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":[\"12345678\xe4\xb8\"]}",
		},
		"duplicate keys": {
			`{"jsonrpc":"2.0","method":"x","method":"y"}`, `{"jsonrpc":"2.0","method":"x","params":{"a":[{"b":1,"b":1}]}}`,
			`{"jsonrpc":"2.0","method":"x","\u006dethod":"y"}`, `{"jsonrpc":"2.0","method":"x","z":1,"z":1}`,
			`{"jsonrpc":"2.0","method":"x","params":{"\ud83d\ude00":1,"😀":2}}`, `{"jsonrpc":"2.0","method":"x","params":{"\ud800":1,"\udfff":2}}`,
			`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"","code":1}}`, `{"jsonrpc":"2.0","method":"x","params":{"":1,"":1}}`,
			`{"jsonrpc":"2.0","method":"x","params":{"a/":1,"a\/":1}}`,
		},
		"look-alike keys": {
			`{"jsonrpc":"2.0","method":"x","Method":"y"}`, `{"JSONRPC":"2.0","method":"x"}`, `{"jsonrpc":"2.0","ID":1,"method":"x"}`,
			`{"jsonrpc":"2.0","method":"x","method\u0000":"y"}`, `{"jsonrpc":"2.0","method":"x","id\u0000z":1}`, `{"jsonrpc":"2.0","method":"x","param\u017f":{}}`,
			`{"jsonrpc":"2.0","id":1,"result":{},"Error":null}`, `{"jsonrpc":"2.0","id":1,"re\u0053ult":{}}`,
			`{"jsonrpc":"2.0","id":1,"error":{"code":1,"Code":2,"message":""}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"","data\u0000":1}}`,
		},
		"rules": {
			`{"method":"x"}`, `{"jsonrpc":"1.0","method":"x"}`, `{"jsonrpc":2.0,"method":"x"}`, `{"jsonrpc":"2.0"}`,
			`{"jsonrpc":"2.0","method":1}`, `{"jsonrpc":"2.0","method":""}`, `{"jsonrpc":"2.0","method":null,"id":1}`,
			`{"jsonrpc":"2.0","method":"x","id":null}`, `{"jsonrpc":"2.0","method":"x","id":1.0}`, `{"jsonrpc":"2.0","method":"x","id":1e3}`,
			`{"jsonrpc":"2.0","method":"x","id":true}`, `{"jsonrpc":"2.0","method":"x","id":{}}`,
			`{"jsonrpc":"2.0","method":"x","params":1}`, `{"jsonrpc":"2.0","method":"x","params":"p"}`,
			`{"jsonrpc":"2.0","method":"x","id":1,"result":{}}`, `{"jsonrpc":"2.0","method":"x","error":{"code":1,"message":""}}`,
			`{"jsonrpc":"2.0","id":1}`, `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}`, `{"jsonrpc":"2.0","id":1,"result":{},"error":null}`,
			`{"jsonrpc":"2.0","id":null,"result":{}}`, `{"jsonrpc":"2.0","result":{}}`, `{"jsonrpc":"2.0","id":1.5,"result":{}}`,
			`{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":""}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":1e2,"message":""}}`,
			`{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":""}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":99999999999999999999,"message":""}}`,
			`{"jsonrpc":"2.0","id":1,"error":{"message":""}}`, `{"jsonrpc":"2.0","id":1,"error":"x"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":2}}`,
			`{"jsonrpc":"2.0","id":1,"error":{}}`,
		},
	} {
		for _, frame := range frames {
			list, err := jsonrpc.Parse([]byte(frame), nil)
			var fault *jsonrpc.FrameError
			if len(list) > 0 || !errors.As(err, &fault) {
				t.Errorf("%s: %q: %d messages, %v", name, frame, len(list), err)
			}
		}
	}
}

func TestParseBatch(t *testing.T) {
	list, err := jsonrpc.Parse([]byte(` [ {"jsonrpc":"2.0","method":"a"} , {"jsonrpc":"2.0","id":7,"result":1,"error":null},
		{"jsonrpc":"2.0","id":8,"result":{}}, 5 ] `), nil)
	if len(list) != 2 || list[0].Method != "a" || list[1].ID != jsonrpc.IntID(8) || string(list[1].Raw) != `{"jsonrpc":"2.0","id":8,"result":{}}` {
		t.Fatalf("%d messages: %v", len(list), list)
	}
	faults, ok := err.(interface{ Unwrap() []error })
	if !ok || len(faults.Unwrap()) != 2 {
		t.Fatalf("faults: %v", err)
	}
	var fault *jsonrpc.FrameError
	if !errors.As(err, &fault) || fault.ID != jsonrpc.IntID(7) {
		t.Errorf("first fault: %+v", fault)
	}
	if list, err := jsonrpc.Parse([]byte(`[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"b","x":{"y":1,"y":2}}]`), nil); err == nil || list != nil {
		t.Errorf("a batch with a duplicate key: %v, %v", list, err)
	}
}

func TestFaultNamesTheCall(t *testing.T) {
	for frame, want := range map[string]string{
		`{"jsonrpc":"2.0","id":5,"result":{"a":` + "\"\xff\"}}":                          "5",
		`{"result":{"a":"` + "\xff" + `\"}{[","id":1},"jsonrpc":"2.0","id":5}`:           "5",
		`{"result":{"a":1,"a":2},"id":"x","jsonrpc":"2.0"}`:                              `"x"`,
		`{"jsonrpc":"2.0","id":5,"result":{},"error":{"code":1,"message":""}}`:           "5",
		`{"jsonrpc":"2.0","id":5,"result":{"half`:                                        "5",
		"\ufeff" + `{"jsonrpc":"2.0","id" : 5 ,"error":{"code":0.5}}`:                    "5",
		`{"jsonrpc":"2.0","id":5`:                                                        "", // 5 may be the beginning of 51
		`{"jsonrpc":"2.0","id":5,"id":6,"result":{}}`:                                    "",
		`{"jsonrpc":"2.0","id":5,"method":"x","params":1}`:                               "", // a request
		`{"jsonrpc":"2.0","id":5.5,"result":{}}`:                                         "",
		`{"jsonrpc":"2.0","id":{"id":5},"result":{}}`:                                    "",
		`{"jsonrpc":"2.0","result":{"id":5}}`:                                            "",
		`log: {"id":5}`:                                                                  "",
		`{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 300) + `","result":0,"error":0}`: "",
	} {
		_, err := jsonrpc.Parse([]byte(frame), nil)
		var fault *jsonrpc.FrameError
		if !errors.As(err, &fault) || fault.ID.String() != want {
			t.Errorf("%s: %+v, want id %s", frame, fault, want)
		}
	}
}

func TestFaultSaysWhere(t *testing.T) {
	for value, want := range map[string]string{
		`{"a":1,"a":2}`:   "duplicate key at byte 12",
		`[1,2`:            "unexpected end at byte 4",
		`[1 2]`:           "invalid JSON at byte 3",
		"[\"abcdefgh\xff": "invalid UTF-8 at byte 10",
		`"\q"`:            "invalid escape at byte 1",
		"\"\x01\"":        "control character in a string at byte 1",
		`1 1`:             "more than one value at byte 2",
	} {
		if err := jsonrpc.CheckValue([]byte(value), nil); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", value, err, want)
		}
	}
}

func TestParseLimits(t *testing.T) {
	request := func(params string) string { return `{"jsonrpc":"2.0","method":"x","params":` + params + `}` }
	nest := func(n int) string { return request(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	keys := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = `"` + strings.Repeat("k", i) + `":{}`
		}
		return request("{" + strings.Join(list, ",") + "}")
	}
	batch := func(n int) string { return "[" + strings.Repeat(request("[]")+",", n-1) + request("[]") + "]" }
	id := func(n int) string {
		return `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", n-2) + `","result":0}`
	}
	frame := func(n int) string { return request("[]") + strings.Repeat(" ", n-len(request("[]"))) }
	d := jsonrpc.DefaultLimits()
	for name, c := range map[string]struct {
		limits jsonrpc.Limits
		make   func(int) string
		most   int
	}{
		"frame":            {jsonrpc.Limits{FrameBytes: 100}, frame, 100},
		"depth":            {jsonrpc.Limits{Depth: 9}, nest, 8}, // the message itself is one level
		"depth by default": {jsonrpc.Limits{}, nest, d.Depth - 1},
		"keys":             {jsonrpc.Limits{Keys: 40}, keys, 37}, // the message has three
		"batch":            {jsonrpc.Limits{Batch: 5}, batch, 5},
		"batch by default": {jsonrpc.Limits{}, batch, d.Batch},
		"id":               {jsonrpc.Limits{IDBytes: 20}, id, 20},
		"id by default":    {jsonrpc.Limits{}, id, d.IDBytes},
	} {
		if _, err := jsonrpc.Parse([]byte(c.make(c.most)), &c.limits); err != nil {
			t.Errorf("%s: %d refused: %v", name, c.most, err)
		}
		if _, err := jsonrpc.Parse([]byte(c.make(c.most+1)), &c.limits); err == nil {
			t.Errorf("%s: %d accepted", name, c.most+1)
		}
	}
	if err := jsonrpc.CheckValue([]byte(strings.Repeat("[", 1e5)), nil); err == nil {
		t.Error("depth 100000 accepted")
	}
}

// Objects above the size up to which keys are compared pairwise.
func TestDuplicateAmongManyKeys(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		b.WriteString(`"` + strings.Repeat("a", i%7) + strings.Repeat("b", i/7) + `":0,`)
	}
	members := b.String()
	if err := jsonrpc.CheckValue([]byte("{"+members+`"z":0}`), nil); err != nil {
		t.Error(err)
	}
	for _, again := range []string{"", "aab", "bbb", `\u0061`} {
		if err := jsonrpc.CheckValue([]byte("{"+members+`"`+again+`":0}`), nil); err == nil {
			t.Errorf("%q twice accepted", again)
		}
	}
}
