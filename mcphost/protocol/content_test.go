package protocol_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"gatehouse/mcphost/protocol"
)

// Each block is decoded on its own: what spoils one leaves the others alone.
func TestContent(t *testing.T) {
	size, half := int64(5), 0.5
	everything := &protocol.Annotations{Audience: []string{"user"}, Priority: &half, LastModified: "2025-01-12T15:00:58Z"}
	const annotations = `{"audience":["user","robot",1],"priority":0.5,"lastModified":"2025-01-12T15:00:58Z","x":1}`
	blocks := []struct {
		raw  string
		want protocol.Content
	}{
		{`{"type":"text","text":"a\nb","annotations":` + annotations + `,"_meta":{"k":1}}`, protocol.Content{Type: "text", Text: "a\nb", Annotations: everything, Meta: json.RawMessage(`{"k":1}`)}},
		{`{"type":"text","text":""}`, protocol.Content{Type: "text"}},
		{`{"type":"image","data":"AAE=","mimeType":"image/png"}`, protocol.Content{Type: "image", Data: "AAE=", MimeType: "image/png"}},
		{`{"type":"audio","data":"A\/E=","mimeType":"audio/wav"}`, protocol.Content{Type: "audio", Data: "A/E=", MimeType: "audio/wav"}},
		{
			`{"type":"resource_link","uri":"file:///x","name":"x","title":"X","description":"d","mimeType":"text/plain","size":5}`,
			protocol.Content{Type: "resource_link", URI: "file:///x", Name: "x", Title: "X", Description: "d", MimeType: "text/plain", Size: &size},
		},
		{
			`{"type":"resource","resource":{"uri":"file:///x","mimeType":"text/plain","text":"t","annotations":` + annotations + `,"_meta":{}}}`,
			protocol.Content{Type: "resource", Annotations: everything, Resource: &protocol.ResourceContents{URI: "file:///x", MimeType: "text/plain", Text: "t", Annotations: everything, Meta: json.RawMessage(`{}`)}},
		},
		{`{"type":"resource","resource":{"uri":"x","blob":""}}`, protocol.Content{Type: "resource", Resource: &protocol.ResourceContents{URI: "x", IsBlob: true}}},
		{`{"type":"hologram","text":"t","data":"?"}`, protocol.Content{Type: "hologram", Text: "t", Data: "?"}},
		// the spoilt ones
		{`{"type":"image","data":"no base64!","mimeType":"image/png"}`, protocol.Content{Type: "image", Data: "no base64!", MimeType: "image/png", Err: "the data is no base64"}},
		{`{"type":"audio","data":"AAE","mimeType":1}`, protocol.Content{Type: "audio", Data: "AAE", Err: "the data is no base64"}},
		{`{"type":"image"}`, protocol.Content{Type: "image", Err: "the data is missing"}},
		{`{"type":"text","text":7}`, protocol.Content{Type: "text", Err: "the text is missing"}},
		{`{"type":"resource_link","name":"x","size":-1}`, protocol.Content{Type: "resource_link", Name: "x", Err: "the URI is missing"}},
		{`{"type":"resource","resource":[]}`, protocol.Content{Type: "resource", Err: "the resource is missing"}},
		{`{"type":"resource","resource":{"text":"t"}}`, protocol.Content{Type: "resource", Resource: &protocol.ResourceContents{Text: "t"}, Err: "the resource has no URI"}},
		{`{"type":"resource","resource":{"uri":"x"}}`, protocol.Content{Type: "resource", Resource: &protocol.ResourceContents{URI: "x"}, Err: "the resource is not either text or blob"}},
		{`{"type":"resource","resource":{"uri":"x","blob":"*"}}`, protocol.Content{Type: "resource", Resource: &protocol.ResourceContents{URI: "x", Blob: "*", IsBlob: true}, Err: "the data is no base64"}},
		{`{"text":"t"}`, protocol.Content{Text: "t", Err: "the block has no type"}},
		{`"text"`, protocol.Content{Err: "the block is no object"}},
		{`{"type":"text","text":"t","annotations":{"audience":"user","priority":1.5,"lastModified":"yesterday"}}`, protocol.Content{Type: "text", Text: "t", Annotations: &protocol.Annotations{}}},
		{`{"type":"text","text":"t","annotations":null}`, protocol.Content{Type: "text", Text: "t"}},
	}
	var raws []string
	for _, b := range blocks {
		raws = append(raws, b.raw)
	}
	raw := `{"content":[` + strings.Join(raws, ", ") + `],"structuredContent":{"n":1.0},"isError":true,"_meta":{"m":1}}`
	v := decode[protocol.CallToolResult](t, raw)
	if string(v.Raw) != raw || string(v.StructuredContent) != `{"n":1.0}` || !v.IsError || string(v.Meta) != `{"m":1}` || len(v.Content) != len(blocks) {
		t.Fatalf("%+v", v)
	}
	for i, b := range blocks {
		b.want.Raw = json.RawMessage(b.raw)
		if !reflect.DeepEqual(v.Content[i], b.want) {
			t.Errorf("%s\ngot\n%+v\nwant\n%+v", b.raw, v.Content[i], b.want)
		}
		if alone := decode[protocol.Content](t, b.raw); !reflect.DeepEqual(alone, b.want) {
			t.Errorf("%s alone: %+v", b.raw, alone)
		}
	}
}

func TestResultWithoutList(t *testing.T) {
	for raw, want := range map[string]int{
		`{}`: 0, `{"content":null,"structuredContent":null,"isError":null}`: 0, `{"content":[]}`: 0, `{"content":{"type":"text","text":"t"},"isError":"true"}`: 1,
	} {
		v := decode[protocol.CallToolResult](t, raw)
		if len(v.Content) != want || v.StructuredContent != nil || v.IsError {
			t.Errorf("%s: %+v", raw, v)
		}
		if want == 1 && (v.Content[0].Err != "the content is no list" || string(v.Content[0].Raw) != `{"type":"text","text":"t"}`) {
			t.Errorf("%+v", v.Content[0])
		}
	}
}
