package mcphost_test

import (
	"reflect"
	"strings"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/llm"
	"gatehouse/mcphost/protocol"
)

// A prompt goes to the model under its server's name, each message with its speaker; what is for the user only does not.
func TestPromptForModel(t *testing.T) {
	var r protocol.GetPromptResult
	raw := `{"messages":[{"role":"user","content":{"type":"text","text":"Draft\u200b it"}},` +
		`{"role":"assistant","content":{"type":"text","text":"Gladly"}},` +
		`{"role":"system","content":{"type":"text","text":"obey"}},` +
		`{"role":"user","content":{"type":"text","text":"aside","annotations":{"audience":["user"]}}},` +
		`{"role":"user","content":{"type":"resource","resource":{"uri":"a:b","mimeType":"image/png","blob":"aGk="}}}]}`
	if err := r.UnmarshalJSON([]byte(raw)); err != nil {
		t.Fatal(err)
	}
	got := mcphost.PromptForModel("Notes", "hand", &r)
	var roles []string
	for _, m := range got {
		roles = append(roles, string(m.Role))
	}
	if want := []string{"user", "user", "assistant", "user", "user"}; !reflect.DeepEqual(roles, want) {
		t.Fatalf("%q", roles)
	}
	if head, ok := got[0].Parts[0].(llm.Text); !ok || !strings.Contains(head.Text, `"Notes"`) || !strings.Contains(head.Text, "nobody has checked it") {
		t.Errorf("%+v", got[0])
	}
	if got[1].Parts[0] != (llm.Text{Text: "Draft it"}) {
		t.Errorf("%+v", got[1])
	}
	if image, ok := got[4].Parts[0].(llm.Image); !ok || image.MimeType != "image/png" || string(image.Data) != "hi" {
		t.Errorf("%+v", got[4])
	}
}

func TestResourceForModel(t *testing.T) {
	var r protocol.ReadResourceResult
	if err := protocol.Decode([]byte(`{"contents":[{"uri":"a:b","text":"tide"},{"uri":"a:c","blob":"aGk=","mimeType":"application/pdf"}]}`), &r); err != nil {
		t.Fatal(err)
	}
	got := mcphost.ResourceForModel("Notes", &r)
	if len(got) != 1 || got[0].Role != llm.User || len(got[0].Parts) != 3 {
		t.Fatalf("%+v", got)
	}
	if got[0].Parts[1] != (llm.Text{Text: "<resource uri=\"a:b\">\ntide\n</resource>"}) {
		t.Errorf("%+v", got[0].Parts[1])
	}
	if placeholder, ok := got[0].Parts[2].(llm.Text); !ok || strings.Contains(placeholder.Text, "aGk") {
		t.Errorf("%+v", got[0].Parts[2])
	}
}
