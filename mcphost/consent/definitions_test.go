package consent

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
)

// What is remembered of a definition is what CallRisk finds in it, whatever was judged before.
func TestDefinitionsAreRemembered(t *testing.T) {
	var ds definitions
	text := func(i int) json.RawMessage {
		verbs := []string{"read", "delete", "send", "look"}
		return fmt.Appendf(nil, `{"name":"%s_%d","inputSchema":{"properties":{"mode":{"enum":["a"]}}}}`, verbs[i%len(verbs)], i)
	}
	const arguments = `{"mode":"a","text":"a\u202eb","command":"rm -rf /","to":"ann@example.org"}`
	for range 2 {
		for i := range maxDefinitions + 4 {
			want := CallRisk(testServer, text(i), json.RawMessage(arguments))
			for range 2 {
				got := callRisk(ds.get(text(i)).report, testServer, json.RawMessage(arguments))
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("definition %d: got %+v, want %+v", i, got, want)
				}
			}
			if len(ds.known) > maxDefinitions {
				t.Fatalf("%d definitions are remembered, want at most %d", len(ds.known), maxDefinitions)
			}
		}
	}
}

func TestDefinitionIsCheckedByItsBytes(t *testing.T) {
	b := NewBroker(askerFunc(nil), &diary{}, nil)
	for raw, ok := range map[string]bool{
		`{"name":"t"}`: true, `{}`: true, ``: true, `[]`: true, `{"name":""}`: false, `{"name":1}`: false, `{"name":"T"}`: false, `{"name":"t"`: false,
	} {
		for range 2 {
			if err := b.checkDefinition(ToolCall{Tool: "t", Definition: json.RawMessage(raw)}); (err == nil) != ok {
				t.Errorf("%s: %v", raw, err)
			}
		}
	}
}
