package app

import (
	"strings"
	"testing"

	"gatehouse/mcphost/protocol"
)

// A block that cannot be shown says why by a code; what is wrong with it comes along as data.
func TestNotesOfBlocks(t *testing.T) {
	for name, tt := range map[string]struct {
		content protocol.Content
		note    string
		data    int
	}{
		"sound":     {protocol.Content{Type: protocol.ContentImage, Data: strings.Repeat("A", maxMedia)}, "", maxMedia},
		"too large": {protocol.Content{Type: protocol.ContentImage, Data: strings.Repeat("A", maxMedia+1)}, "too-large", 0},
		"invalid":   {protocol.Content{Type: protocol.ContentText, Err: "the text is missing"}, "invalid", 0},
	} {
		b := new(cutter).block(tt.content)
		if b.Note != tt.note || len(b.Data) != tt.data || b.Detail != tt.content.Err {
			t.Errorf("%s: note %q, detail %q, %d of data", name, b.Note, b.Detail, len(b.Data))
		}
	}
}
