package jsonrpc_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"gatehouse/mcphost/jsonrpc"
)

// refusable reports whether CheckValue should refuse data, by encoding/json and a walk over its tokens.
func refusable(data []byte, limits jsonrpc.Limits) bool {
	if !json.Valid(data) || !utf8.Valid(data) {
		return true
	}
	type object struct {
		keys   map[string]bool
		inKeys bool // the next token is a key
	}
	var open []*object // nil for an array
	keys := 0
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	for {
		token, err := dec.Token()
		if err != nil {
			return err != io.EOF
		}
		var top *object
		if len(open) > 0 {
			top = open[len(open)-1]
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			if top != nil {
				top.inKeys = true
			}
			var o *object
			if token == json.Delim('{') {
				o = &object{map[string]bool{}, true}
			}
			if open = append(open, o); len(open) > limits.Depth {
				return true
			}
			continue
		case json.Delim('}'), json.Delim(']'):
			if open = open[:len(open)-1]; top != nil {
				keys -= len(top.keys)
			}
			continue
		}
		if top == nil {
			continue
		}
		if top.inKeys {
			key := token.(string)
			if keys++; top.keys[key] || keys > limits.Keys {
				return true
			}
			top.keys[key] = true
		}
		top.inKeys = !top.inKeys
	}
}

func FuzzCheckValue(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-0.5e+7,"x\u00e9\n",true,false,null,{}],"b":{"a":{"a":1}}}`, `{"\ud83d\ude00":1,"😀":2}`, "[[[[[[[[[[]]]]]]]]]]",
		`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1,"m":1,"a":1}`, "\"12345678\xff\"", " 1 ", "{\"\x00\":1}",
	} {
		f.Add([]byte(seed))
	}
	limits := jsonrpc.Limits{Depth: 8, Keys: 24}
	f.Fuzz(func(t *testing.T, data []byte) {
		err := jsonrpc.CheckValue(data, &limits)
		if want := refusable(data, limits); (err != nil) != want {
			t.Fatalf("%q: %v, want refused = %t", data, err, want)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":1}}}`,
		`{"result":{"content":[]},"jsonrpc":"2.0","id":"a\n"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m","data":{}}}`,
		`[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"b","Method":1}]`, "\ufeff{\"jsonrpc\":\"2.0\",\"\\u006dethod\":\"n\"}\r",
		`{"jsonrpc":"2.0","id":5,"result":{"half`, `{"jsonrpc":"2.0","id":99999999999999999999,"result":-0}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		before := bytes.Clone(frame)
		list, err := jsonrpc.Parse(frame, nil)
		if !bytes.Equal(frame, before) {
			t.Fatal("the frame was changed")
		}
		if err == nil && len(list) == 0 {
			t.Fatal("neither messages nor an error")
		}
		for _, m := range list {
			sameAsDecoded(t, m)
		}
	})
}

// sameAsDecoded compares m with what encoding/json reads from its bytes.
func sameAsDecoded(t *testing.T, m *jsonrpc.Message) {
	t.Helper()
	if refusable(m.Raw, jsonrpc.DefaultLimits()) {
		t.Fatalf("accepted %q", m.Raw)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(m.Raw, &members); err != nil {
		t.Fatalf("%q: %v", m.Raw, err)
	}
	var method string
	if raw, ok := members["method"]; ok {
		if err := json.Unmarshal(raw, &method); err != nil {
			t.Fatal(err)
		}
	}
	if method != m.Method {
		t.Fatalf("%q: method %q", m.Raw, m.Method)
	}
	if params := string(members["params"]); method != "" && params != "null" && params != string(m.Params) {
		t.Fatalf("%q: params %q", m.Raw, m.Params)
	}
	if method == "" && string(members["result"]) != string(m.Result) {
		t.Fatalf("%q: result %q", m.Raw, m.Result)
	}
	if id := string(members["id"]); id != "null" && id != m.ID.String() {
		t.Fatalf("%q: id %s", m.Raw, m.ID)
	}
	if raw, ok := members["error"]; ok {
		var want jsonrpc.Error
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		if m.Error == nil || m.Error.Code != want.Code || m.Error.Message != want.Message || string(m.Error.Data) != string(want.Data) {
			t.Fatalf("%q: error %+v", m.Raw, m.Error)
		}
	}
	kinds := 0
	for _, is := range []bool{m.IsRequest(), m.IsNotification(), m.IsResponse()} {
		if is {
			kinds++
		}
	}
	if kinds != 1 {
		t.Fatalf("%q is %d kinds of message", m.Raw, kinds)
	}
}

func FuzzLineStream(f *testing.F) {
	f.Add([]byte("{\"a\":1}\r\n\n  \nhello\n{\"id\":7,\"result\":\"a line beyond the limit of forty bytes\"}\n{}"), uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, limit uint8) {
		limits := jsonrpc.Limits{FrameBytes: int(limit) + 1}
		s := jsonrpc.LineStream(iotest.HalfReader(bytes.NewReader(data)), io.Discard, nil, &jsonrpc.LineOptions{Limits: limits})
		defer s.Close()
		lines := bytes.Split(data, []byte("\n"))
		for {
			frame, err := s.Read(context.Background())
			var big *jsonrpc.FrameTooLargeError
			switch {
			case err == io.EOF:
				for _, line := range lines {
					if len(bytes.Trim(line, " \t\r")) > 0 {
						t.Fatalf("%q was lost", line)
					}
				}
				return
			case errors.As(err, &big):
			case err == io.ErrUnexpectedEOF && len(frame) > 0 && len(lines) > 0 && bytes.Equal(frame, lines[len(lines)-1]): // cut off
			case err != nil:
				t.Fatal(err)
			}
			for len(lines) > 0 && len(bytes.Trim(lines[0], " \t\r")) == 0 && len(lines[0]) <= limits.FrameBytes {
				lines = lines[1:]
			}
			switch want := lines[0]; {
			case big != nil && (len(want) <= limits.FrameBytes || int(big.Size) != len(want) || !bytes.HasPrefix(want, big.Head)):
				t.Fatalf("%q: %+v", want, big)
			case big == nil && !bytes.Equal(frame, want):
				t.Fatalf("%q, want %q", frame, want)
			}
			lines = lines[1:]
		}
	})
}
