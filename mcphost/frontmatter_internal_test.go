package mcphost

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestFrontMatter(t *testing.T) {
	bomb := "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n" // what it stands for is compared, not unfolded
	for _, c := range []struct {
		file, announced string
		same            bool
	}{
		{"---\nname: a\n---\n", `{"name":"a"}`, true},
		{"\uFEFF--- \r\nname: a\r\n---\r\nbody", `{"name":"a"}`, true},
		{"---\nname: a\n---", `{"name":"a"}`, true},
		{"---\nname: a\n", `{"name":"a"}`, false},                            // it never ends
		{"--- name: a\n---\n", `{"name":"a"}`, false},                        // it never begins
		{"----\nname: a\n---\n", `{"name":"a"}`, false},                      // nor here
		{"name: a\n---\n", `{"name":"a"}`, false},                            // nor here
		{"---\n---\n", `{}`, false},                                          // nothing
		{"---\nname: [\n---\n", `{"name":"["}`, false},                       // no YAML
		{"---\na: 1\na: 1\n---\n", `{"a":1}`, false},                         // twice
		{"---\na: 1\na: 2\n---\n", `{"a":1,"b":2}`, false},                   // twice
		{"---\na: 1\n---\n", `{"a":1,"b":2}`, false},                         // a field less
		{"---\na: 1\nb: 2\n---\n", `{"a":1}`, false},                         // a field more
		{"---\na: 1\n---\n", `{"a":"1"}`, false},                             // another type
		{"---\na: '1'\n---\n", `{"a":"1"}`, true},                            //
		{"---\na: 1.50\n---\n", `{"a":1.5}`, true},                           //
		{"---\na: 9007199254740993\n---\n", `{"a":9007199254740992}`, false}, // 2⁵³+1
		{"---\na: true\nb: null\n---\n", `{"a":true,"b":null}`, true},
		{"---\na: yes\n---\n", `{"a":"yes"}`, true}, // YAML 1.2
		{"---\na: yes\n---\n", `{"a":true}`, false},
		{"---\na: .nan\n---\n", `{"a":null}`, false},
		{"---\na: 2026-01-02\n---\n", `{"a":"2026-01-02"}`, true},
		{"---\na: 2026-01-02\n---\n", `{"a":"2026-01-02T00:00:00.000Z"}`, true},
		{"---\na: 2026-01-02\n---\n", `{"a":"2026-01-03"}`, false},
		{"---\na: [x, {b: c}]\n---\n", `{"a":["x",{"b":"c"}]}`, true},
		{"---\na: [x, {b: c}]\n---\n", `{"a":["x",{"b":"d"}]}`, false},
		{"---\na: [x]\n---\n", `{"a":["x","y"]}`, false},
		{"---\na: |\n  two\n  lines\n---\n", `{"a":"two\nlines\n"}`, true},
		{"---\n" + bomb + "---\n", `{"a":["x","x"],"b":[["x","x"],["x","x"]],"c":1}`, false},
		{"---\na: &a [*a]\n---\n", `{"a":[[[1]]]}`, false}, // endless
		{"---\na: " + strings.Repeat("x", maxFrontMatter-8) + "\n---\n", `{"a":"` + strings.Repeat("x", maxFrontMatter-8) + `"}`, true},
		{"---\na: " + strings.Repeat("x", maxFrontMatter-7) + "\n---\n", `{"a":"` + strings.Repeat("x", maxFrontMatter-7) + `"}`, false},
	} {
		reason := compareFrontMatter([]byte(c.file), json.RawMessage(c.announced))
		if (reason == "") != c.same {
			t.Errorf("%.60q against %.60s: %q", c.file, c.announced, reason)
		}
	}
}
