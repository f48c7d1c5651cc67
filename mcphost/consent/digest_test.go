package consent

import (
	"encoding/json"
	"reflect"
	"testing"
)

func full() Launch {
	return Launch{
		Transport: "stdio", Command: "/bin/x", Args: []string{"a", "b"}, Dir: "/d",
		Env: []Var{{Name: "N", Value: "v", Ref: "r"}}, URL: "https://h", Headers: []Var{{Name: "H", Value: "v", Ref: "r"}},
	}
}

// Every field counts, also one that is added later and forgotten in Digest.
func TestLaunchDigestCoversEveryField(t *testing.T) {
	seen := map[Digest]string{full().Digest(): "the original"}
	note := func(what string, l Launch) {
		d := l.Digest()
		if other, dup := seen[d]; dup {
			t.Errorf("%s has the digest of %s", what, other)
		}
		seen[d] = what
	}
	for i := range reflect.TypeFor[Launch]().NumField() {
		name := reflect.TypeFor[Launch]().Field(i).Name
		changed := full()
		switch f := reflect.ValueOf(&changed).Elem().Field(i); f.Kind() {
		case reflect.String:
			f.SetString(f.String() + "x")
			note(name, changed)
		case reflect.Slice:
			f.SetLen(0)
			note(name+" emptied", changed)
			if f.Type() != reflect.TypeFor[[]Var]() {
				continue
			}
			for k := range reflect.TypeFor[Var]().NumField() {
				changed := full()
				f := reflect.ValueOf(&changed).Elem().Field(i).Index(0).Field(k)
				f.SetString(f.String() + "x")
				note(name+"."+reflect.TypeFor[Var]().Field(k).Name, changed)
			}
		default:
			t.Errorf("%s: a kind of field that Digest does not know", name)
		}
	}
}

func TestLaunchDigestIsUnambiguous(t *testing.T) {
	pairs := [][2]Launch{
		{{Args: []string{"a", "b"}}, {Args: []string{"ab"}}},
		{{Args: []string{"a b"}}, {Args: []string{"a", "b"}}},
		{{Args: []string{"a", "b"}}, {Args: []string{"b", "a"}}},
		{{Args: []string{""}}, {}},
		{{Command: "a"}, {Dir: "a"}},
		{{Env: []Var{{Name: "A", Value: "b"}}}, {Headers: []Var{{Name: "A", Value: "b"}}}},
		{{Env: []Var{{Name: "A", Value: "b"}}}, {Env: []Var{{Name: "A", Ref: "b"}}}},
		{{Args: []string{"\xff"}}, {Args: []string{"\xfe"}}},   // JSON folds both into U+FFFD
		{{Args: []string{"\xff"}}, {Args: []string{"\ufffd"}}}, // and this too
		{{Args: []string{"a", "N", "v"}}, {Args: []string{"a"}, Env: []Var{{Name: "N", Value: "v"}}}},
	}
	for _, p := range pairs {
		if p[0].Digest() == p[1].Digest() {
			t.Errorf("%+v and %+v have the same digest", p[0], p[1])
		}
	}
	if (Launch{Args: []string{}}).Digest() != (Launch{}).Digest() {
		t.Error("no arguments and none given differ")
	}
}

func TestToolCallDigest(t *testing.T) {
	base := ToolCall{Launch: Digest{1}, Tool: "t", Definition: json.RawMessage(`{"name":"t"}`), Arguments: json.RawMessage(`{"n":9007199254740992}`)}
	for name, change := range map[string]func(*ToolCall){
		"launch":     func(c *ToolCall) { c.Launch = Digest{2} },
		"tool":       func(c *ToolCall) { c.Tool = "u" },
		"definition": func(c *ToolCall) { c.Definition = json.RawMessage(`{"name":"t","x":1}`) },
		"arguments":  func(c *ToolCall) { c.Arguments = json.RawMessage(`{"n":9007199254740993}`) },
		"spelling":   func(c *ToolCall) { c.Arguments = json.RawMessage(`{"\u006e":9007199254740992}`) },
	} {
		c := base
		change(&c)
		if c.Digest() == base.Digest() {
			t.Errorf("another %s has the same digest", name)
		}
	}
	same := base
	same.Definition = json.RawMessage("{ \"name\" : \"\\u0074\" }")
	same.Previous = json.RawMessage(`{}`)
	if same.Digest() != base.Digest() {
		t.Error("the same definition, written otherwise, has another digest")
	}
	if (Request{Kind: KindToolCall, ToolCall: &base}).Digest() != base.Digest() {
		t.Error("a request has another digest than its call")
	}
	if !(Request{Kind: KindLaunch, ToolCall: &base}).Digest().IsZero() || !(Request{}).Digest().IsZero() {
		t.Error("a request without its content has a digest")
	}
}

func TestDefinitionDigest(t *testing.T) {
	digest := func(s string) Digest { return DefinitionDigest(json.RawMessage(s)) }
	if digest(`{"a":1,"b":[1,2]}`) != digest("{\"b\":[1,2],\n \"a\" : 1}") {
		t.Error("the order of members counts")
	}
	all := []string{
		`{"a":1}`, `{"a":1.0}`, `{"a":"1"}`, `{"a":[1]}`, `{"b":[2,1]}`, `{"b":[1,2]}`, `{"n":9007199254740992}`, `{"n":9007199254740993}`,
		`{"a":null}`, `{}`, `null`, ``, `{`, `{"a":1,"a":1}`, `{"a":1,"a":2}`, `{"a":"\ud800"}`, `{"a":"\ud801"}`,
	}
	seen := map[Digest]string{}
	for _, s := range all {
		if other, dup := seen[digest(s)]; dup {
			t.Errorf("%s has the digest of %s", s, other)
		}
		seen[digest(s)] = s
	}
	// What has no canonical form is in a domain of its own: it cannot stand for what has one.
	h := newHasher("gatehouse.definition.v1")
	h.text(`{`)
	if digest(`{`) == h.sum() {
		t.Error("raw and canonical definitions share a domain")
	}
}

func TestDigestText(t *testing.T) {
	d := full().Digest()
	back, err := ParseDigest(d.String())
	if err != nil || back != d || len(d.String()) != 64 {
		t.Errorf("%s comes back as %s, %v", d, back, err)
	}
	for _, bad := range []string{"", "00", d.String() + "00", d.String()[:63] + "g"} {
		if _, err := ParseDigest(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
	var in struct{ D Digest }
	raw, _ := json.Marshal(struct{ D Digest }{d})
	if err := json.Unmarshal(raw, &in); err != nil || in.D != d {
		t.Errorf("%s: %v", raw, err)
	}
}
