package app

// This file maps what servers send to blocks that the page can show.

import (
	"encoding/base64"
	"strings"

	"gatehouse/mcphost/protocol"
)

// A Block is one content block, ready to show.
type Block struct {
	Kind     string   `json:"kind"`
	Text     string   `json:"text"`
	MimeType string   `json:"mimeType"`
	Data     string   `json:"data"` // base64
	URI      string   `json:"uri"`
	Name     string   `json:"name"`
	Bytes    int      `json:"bytes"`
	Note     string   `json:"note"`   // why it is not shown as it should be: "invalid" or "too-large"
	Detail   string   `json:"detail"` // of an invalid one, what is wrong with it
	Audience []string `json:"audience"`
}

const (
	maxShown = 1 << 20  // bytes of one text that go to the page; the rest stays here (ACC A49)
	maxMedia = 16 << 20 // of base64
)

func (v *CallView) show(r *protocol.CallToolResult) {
	var cut cutter
	for _, c := range r.Content {
		v.Blocks = append(v.Blocks, cut.block(c))
	}
	v.Structured = cut.text(string(r.StructuredContent))
	v.Raw = cut.text(string(r.Raw))
	v.Truncated = cut.left
}

// A cutter counts the bytes that do not go to the page.
type cutter struct{ left int }

// text keeps the head of a text and counts what it leaves out.
func (v *cutter) text(s string) string {
	if len(s) <= maxShown {
		return s
	}
	v.left += len(s) - maxShown
	return strings.ToValidUTF8(s[:maxShown], "")
}

func (v *cutter) block(c protocol.Content) Block {
	b := Block{Kind: c.Type, MimeType: c.MimeType, URI: c.URI, Name: c.Name, Detail: c.Err, Audience: []string{}}
	if c.Err != "" {
		b.Note = "invalid"
	}
	if c.Annotations != nil {
		b.Audience = list(c.Annotations.Audience)
	}
	switch c.Type {
	case protocol.ContentText:
		b.Text, b.Bytes = v.text(c.Text), len(c.Text)
	case protocol.ContentImage:
		b.picture(c.Data)
	case protocol.ContentAudio:
		b.media(c.Data)
	case protocol.ContentResourceLink:
		b.Kind, b.Text = "link", c.Description
		if c.Title != "" {
			b.Name = c.Title
		}
	case protocol.ContentResource:
		if c.Resource == nil {
			break
		}
		b.URI, b.MimeType = c.Resource.URI, c.Resource.MimeType
		b.Text, b.Bytes = v.text(c.Resource.Text), len(c.Resource.Text)
		if c.Resource.IsBlob {
			b.picture(c.Resource.Blob)
		}
	default:
		b.Kind, b.Name, b.Text = "unknown", c.Type, v.text(string(c.Raw))
	}
	return b
}

func (b *Block) media(data string) {
	b.Bytes = len(data) / 4 * 3
	if len(data) > maxMedia {
		b.Note = "too-large"
		return
	}
	b.Data = data
}

// picture is media that may be a picture, whatever is said of it.
func (b *Block) picture(data string) {
	if b.media(data); b.Data == "" {
		return
	}
	raw, err := base64.StdEncoding.DecodeString(data)
	if err == nil && !pictureOf(raw).fits() {
		b.Data, b.Note = "", "too-large"
	}
}
