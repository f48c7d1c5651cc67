package consent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

func TestOneLine(t *testing.T) {
	for raw, want := range map[string]string{
		"":                               `{}`,
		" \t\r\n":                        `{}`,
		"{}":                             `{}`,
		"{ }":                            `{}`,
		"\n{ \"a\" : 1 ,\t\"b\":[ ] }\n": `{"a":1,"b":[]}`,
		`{"a b":" c  d\n\u0041 "}`:       `{"a b":" c  d\n\u0041 "}`,
		`{"n":[9007199254740993,1.0,-0,1E+2,0.1e-7]}`: `{"n":[9007199254740993,1.0,-0,1E+2,0.1e-7]}`,
		`{"n":123456789012345678901234567890}`:        `{"n":123456789012345678901234567890}`,
		`{"id":1,"ID":2}`:                             `{"id":1,"ID":2}`,
		`{"a":{"x":1},"b":{"x":1}}`:                   `{"a":{"x":1},"b":{"x":1}}`,
		`{"a":[true,false,null]}`:                     `{"a":[true,false,null]}`,
		`{"é":"😀\ud83d\ude00<>&"}`:                    `{"é":"😀\ud83d\ude00<>&"}`,
		"{\"a\":\"\u2028\x7f\"}":                      "{\"a\":\"\u2028\x7f\"}",
		`{"__proto__":{}}`:                            `{"__proto__":{}}`,
	} {
		got, err := OneLine([]byte(raw))
		if err != nil || string(got) != want {
			t.Errorf("%q: got %q, %v; want %q", raw, got, err, want)
		}
	}
}

func TestOneLineRefuses(t *testing.T) {
	deep := strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth)
	for raw, want := range map[string]string{
		"[]":                       `line 1, column 1: '[' where an object should be`,
		"null":                     `line 1, column 1: 'n' where an object should be`,
		"\ufeff{}":                 `line 1, column 1: '\ufeff' where an object should be`,
		"\xff":                     `line 1, column 1: invalid UTF-8`,
		"{":                        `line 1, column 2: the text ends where a key should be`,
		"{\"a\"":                   `line 1, column 5: the text ends where a colon should be`,
		"{\"a\":":                  `line 1, column 6: the text ends where a value should be`,
		"{\"a\":1":                 `line 1, column 7: the text ends where a comma or a closing brace should be`,
		"{\"a\":[1":                `line 1, column 8: the text ends where a comma or a closing bracket should be`,
		"{\"a\":1,}":               `line 1, column 8: '}' where a key should be`,
		"{\"a\":[1,]}":             `line 1, column 9: ']' where a value should be`,
		"{\"a\":1}{}":              `line 1, column 8: text after the end of the value`,
		"{\n \"a\":1,\n \"é\":x}":  `line 3, column 6: 'x' where a value should be`,
		"{'a':1}":                  `line 1, column 2: '\'' where a key should be`,
		"{\"a\":1,\n\"a\":2}":      `line 2, column 1: duplicate key "a"`,
		`{"a":1,"\u0061":2}`:       `line 1, column 8: duplicate key "a"`,
		`{"x":{"a":1,"a":2}}`:      `line 1, column 13: duplicate key "a"`,
		"{\"a\":\"\n\"}":           `line 1, column 7: an unescaped control character in a string`,
		"{\"a\":\"\xff\"}":         `line 1, column 7: invalid UTF-8`,
		"{\"a\":\"\xed\xa0\x80\"}": `line 1, column 7: invalid UTF-8`,
		"{\"\xff\":1}":             `line 1, column 3: invalid UTF-8`,
		`{"a":"x`:                  `line 1, column 6: a string that does not end`,
		`{"a":"\x"}`:               `line 1, column 7: an unknown escape`,
		`{"a":"\u12"}`:             `line 1, column 7: an incomplete \u escape`,
		`{"a":"\u12`:               `line 1, column 7: an incomplete \u escape`,
		`{"a":"\ud800"}`:           `line 1, column 7: half a surrogate pair`,
		`{"a":"\ud800\u0041"}`:     `line 1, column 7: half a surrogate pair`,
		`{"a":"\udc00"}`:           `line 1, column 7: half a surrogate pair`,
		`{"a":01}`:                 `line 1, column 7: '1' where a comma or a closing brace should be`,
		`{"a":1.}`:                 `line 1, column 8: '}' where a digit should be`,
		`{"a":-}`:                  `line 1, column 7: '}' where a digit should be`,
		`{"a":1e}`:                 `line 1, column 8: '}' where a digit should be`,
		`{"a":.5}`:                 `line 1, column 6: '.' where a value should be`,
		`{"a":+1}`:                 `line 1, column 6: '+' where a value should be`,
		`{"a":NaN}`:                `line 1, column 6: 'N' where a value should be`,
		`{"a":tru}`:                `line 1, column 6: 't' where a value should be`,
		"{\"a\":1\x00}":            `line 1, column 7: '\x00' where a comma or a closing brace should be`,
		`{"a":1 // x` + "\n}":      `line 1, column 8: '/' where a comma or a closing brace should be`,
		`{"a":` + deep + `}`:       `line 1, column 205: nested deeper than 200`,
	} {
		got, err := OneLine([]byte(raw))
		var syntax *SyntaxError
		if got != nil || !errors.As(err, &syntax) || !errors.Is(err, ErrInvalid) || err.Error() != want {
			t.Errorf("%.40q: got %.20q, %v; want %s", raw, got, err, want)
		}
	}
	if _, err := OneLine([]byte(`{"a":` + deep[1:len(deep)-1] + `}`)); err != nil {
		t.Errorf("depth %d: %v", maxDepth, err)
	}
}

// FuzzOneLine: what is accepted is one line, stays as it is when read again, and has the same tokens for another reader.
func FuzzOneLine(f *testing.F) {
	for _, seed := range []string{
		"", "{}", `{"a":1}`, "{ \"a\" : [1, 2.50, \"x y\\u0041\"] }", `{"a":1,"a":2}`, `{"a":"\ud83d\ude00"}`, `{"a":"\ud800"}`, "{\"\xff\":1}",
		`{"a":{"b":[[[]]]}}`, `{"a":-0.1e+5}`, `{"a":tru}`, "{\"a\":\"\u2028\"}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		line, err := OneLine(raw)
		if err != nil {
			return
		}
		if bytes.ContainsAny(line, "\n\r") || !json.Valid(line) {
			t.Fatalf("%q becomes %q", raw, line)
		}
		again, err := OneLine(line)
		if err != nil || !bytes.Equal(again, line) {
			t.Fatalf("%q becomes %q, %v", line, again, err)
		}
		if len(bytes.TrimSpace(raw)) > 0 && !reflect.DeepEqual(tokens(t, raw), tokens(t, line)) {
			t.Fatalf("%q and %q differ", raw, line)
		}
		canonical, err := canonicalJSON(line)
		if err != nil || !json.Valid(canonical) {
			t.Fatalf("%q has the canonical form %q, %v", line, canonical, err)
		}
		if DefinitionDigest(canonical) != DefinitionDigest(raw) && len(bytes.TrimSpace(raw)) > 0 {
			t.Fatalf("%q and %q have different digests", raw, canonical)
		}
		CallRisk(Server{}, json.RawMessage(line), line)
	})
}

func tokens(t *testing.T, raw []byte) []json.Token {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var all []json.Token
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
		all = append(all, token)
	}
}

func TestCanonicalJSON(t *testing.T) {
	for raw, want := range map[string]string{
		`{"b":1,"a":2}`:                                             `{"a":2,"b":1}`,
		`{"a":{"z":1,"y":[3,1,2]}}`:                                 `{"a":{"y":[3,1,2],"z":1}}`,
		` [ true , null , false ] `:                                 `[true,null,false]`,
		`"\u0041\u000a\u0007\/\"\\"`:                                `"A\n\u0007/\"\\"`,
		`"\b\t\n\f\r\u000b<>&\u2028"`:                               "\"\\b\\t\\n\\f\\r\\u000b<>&\u2028\"",
		`{"b":{"d":["b",{"f":"a","e":{}}],"c":[]},"aa":"b","a":{}}`: `{"a":{},"aa":"b","b":{"c":[],"d":["b",{"e":{},"f":"a"}]}}`,
		`{"\u0062":"b","a":"\u0061","":","}`:                        `{"":",","a":"a","b":"b"}`,
		`1.0`:                                                       `1.0`,
		`9007199254740993`:                                          `9007199254740993`,
		// RFC 8785 §3.2.3: by UTF-16 code units, so U+1F600 (D83D …) stands before U+FB33.
		`{"\ufb33":1,"😀":2,"\u0080":3,"1":4,"\r":5,"€":6,"ö":7}`: "{\"\\r\":5,\"1\":4,\"\u0080\":3,\"ö\":7,\"€\":6,\"😀\":2,\"\ufb33\":1}",
	} {
		got, err := canonicalJSON([]byte(raw))
		if err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v; want %s", raw, got, err, want)
		}
	}
}

// Few names are compared, many are hashed.
func TestDuplicateNames(t *testing.T) {
	for n := range 2*fewNames + 2 {
		var members []string
		for i := range n {
			members = append(members, fmt.Sprintf(`"%d":0`, i))
		}
		if _, err := OneLine([]byte("{" + strings.Join(members, ",") + "}")); err != nil {
			t.Errorf("%d names: %v", n, err)
		}
		for i := range n {
			again := append(members, fmt.Sprintf(`"\u%04x%s":0`, strconv.Itoa(i)[0], strconv.Itoa(i)[1:]))
			if _, err := OneLine([]byte("{" + strings.Join(again, ",") + "}")); !errors.Is(err, ErrInvalid) {
				t.Errorf("%d names, and the one of %d again: %v", n, i, err)
			}
		}
	}
}
