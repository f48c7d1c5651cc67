package protocol

// This file defines content blocks: what tool results, prompts and sampling messages are made of.

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"strings"
	"time"
)

// Types of content. Others are kept raw.
const (
	ContentText         = "text"
	ContentImage        = "image"
	ContentAudio        = "audio" // since 2025-03-26
	ContentResource     = "resource"
	ContentResourceLink = "resource_link" // since 2025-06-18
	ContentToolUse      = "tool_use"      // sampling, since 2025-11-25
	ContentToolResult   = "tool_result"   // sampling, since 2025-11-25
)

// A Content is one block. Its type says which of the other fields matter.
type Content struct {
	Type        string
	Text        string            // text
	Data        string            // image, audio: base64 (see Err)
	MimeType    string            // image, audio, resource link
	URI         string            // resource link
	Name        string            // resource link, tool use
	Title       string            // resource link
	Description string            // resource link
	Size        *int64            // resource link: bytes, as claimed
	Resource    *ResourceContents // resource
	Annotations *Annotations      // of the block, or else of its resource

	ID                string          // tool use
	Input             json.RawMessage // tool use: an object
	ToolUseID         string          // tool result
	Content           []Content       // tool result
	StructuredContent json.RawMessage // tool result
	IsError           bool            // tool result

	Meta json.RawMessage
	Err  string          // what spoils this block, "" if nothing; the other fields hold what could be read
	Raw  json.RawMessage // as received
}

// ResourceContents are the contents of a resource: a text or a blob.
type ResourceContents struct {
	URI         string
	MimeType    string
	Text        string
	Blob        string // base64
	IsBlob      bool
	Annotations *Annotations
	Meta        json.RawMessage
	Err         string // of contents that were read: what spoils them, "" if nothing
}

// Annotations say whom content is for. Values that the specification does not know are left out.
type Annotations struct {
	Audience     []string // "user", "assistant"
	Priority     *float64 // 0 … 1
	LastModified string   // ISO 8601; since 2025-06-18
}

// UnmarshalJSON implements [json.Unmarshaler]; see [Decode]. It never fails: see Err.
func (v *Content) UnmarshalJSON(raw []byte) error { return Decode(bytes.Clone(raw), v) }

// contents reads a list of blocks. Any other value but null is one spoilt block.
func (r *reader) contents() []Content {
	var list []Content
	start, isNull := r.pos, r.peek() == 'n'
	if !r.array(func() {
		var c Content
		_ = c.decode(r)
		list = append(list, c)
	}) && !isNull {
		list = append(list, Content{Err: "the content is no list", Raw: r.since(start)})
	}
	return list
}

func (v *Content) decode(r *reader) error {
	start := r.pos
	var has contentParts
	isObject := r.object(func(key []byte) {
		switch string(key) {
		case "type":
			v.Type, _ = r.text()
		case "text":
			v.Text, has.text = r.text()
		case "data":
			v.Data, has.data = r.text()
		case "mimeType":
			v.MimeType, _ = r.text()
		case "uri":
			v.URI, has.uri = r.text()
		case "name":
			v.Name, _ = r.text()
		case "title":
			v.Title, _ = r.text()
		case "description":
			v.Description, _ = r.text()
		case "size":
			v.Size = r.size()
		case "resource":
			v.Resource, has.fault = r.resource()
		case "annotations":
			v.Annotations = r.annotations()
		case "_meta":
			v.Meta = r.objectText()
		default:
			v.toolMember(r, key)
		}
	})
	v.Raw = r.since(start)
	if v.Annotations == nil && v.Resource != nil {
		v.Annotations = v.Resource.Annotations
	}
	v.Err = v.fault(isObject, has)
	return nil
}

// toolMember reads what only tool use and tool results have.
func (v *Content) toolMember(r *reader, key []byte) {
	switch string(key) {
	case "id":
		v.ID, _ = r.text()
	case "input":
		v.Input = r.objectText()
	case "toolUseId":
		v.ToolUseID, _ = r.text()
	case "content":
		if r.nesting++; r.nesting > maxNesting {
			r.value()
		} else {
			v.Content = r.contents()
		}
		r.nesting--
	case "structuredContent":
		v.StructuredContent = r.objectText()
	case "isError":
		v.IsError = r.flag()
	default:
		r.value()
	}
}

const maxNesting = 4 // tool results within tool results; the protocol knows one level

// contentParts says which parts of a block are there and of the right type.
type contentParts struct {
	text, data, uri bool
	fault           string // of the resource
}

// fault returns what spoils the block.
func (v *Content) fault(isObject bool, has contentParts) string {
	switch {
	case !isObject:
		return "the block is no object"
	case v.Type == "":
		return "the block has no type"
	case v.Type == ContentText && !has.text:
		return "the text is missing"
	case v.Type == ContentImage || v.Type == ContentAudio:
		if !has.data {
			return "the data is missing"
		}
		return base64Fault(v.Data)
	case v.Type == ContentResourceLink && !has.uri:
		return "the URI is missing"
	case v.Type == ContentResource && v.Resource == nil:
		return "the resource is missing"
	case v.Type == ContentResource:
		return has.fault
	case v.Type == ContentToolUse && (v.ID == "" || v.Name == "" || v.Input == nil):
		return "the tool use lacks its id, name or input"
	case v.Type == ContentToolResult && v.ToolUseID == "":
		return "the tool result does not say of which use"
	}
	return ""
}

// resource reads the contents of a resource, and what spoils them; nil for any other value.
func (r *reader) resource() (*ResourceContents, string) {
	var v ResourceContents
	var hasURI, hasText bool
	if !r.object(func(key []byte) {
		switch string(key) {
		case "uri":
			v.URI, hasURI = r.text()
		case "mimeType":
			v.MimeType, _ = r.text()
		case "text":
			v.Text, hasText = r.text()
		case "blob":
			v.Blob, v.IsBlob = r.text()
		case "annotations":
			v.Annotations = r.annotations()
		case "_meta":
			v.Meta = r.objectText()
		default:
			r.value()
		}
	}) {
		return nil, ""
	}
	switch {
	case !hasURI:
		return &v, "the resource has no URI"
	case hasText == v.IsBlob:
		return &v, "the resource is not either text or blob"
	case v.IsBlob:
		return &v, base64Fault(v.Blob)
	}
	return &v, ""
}

// annotations reads annotations, nil for any other value.
func (r *reader) annotations() *Annotations {
	var v Annotations
	if !r.object(func(key []byte) {
		switch string(key) {
		case "audience":
			r.array(func() {
				if who, _ := r.text(); who == "user" || who == "assistant" {
					v.Audience = append(v.Audience, who)
				}
			})
		case "priority":
			if p := r.number(); p != nil && *p >= 0 && *p <= 1 {
				v.Priority = p
			}
		case "lastModified":
			if at, _ := r.text(); isTime(at) {
				v.LastModified = at
			}
		default:
			r.value()
		}
	}) {
		return nil
	}
	return &v
}

func isTime(text string) bool {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateOnly} {
		if _, err := time.Parse(layout, text); err == nil {
			return true
		}
	}
	return false
}

func base64Fault(data string) string {
	if _, err := io.Copy(io.Discard, base64.NewDecoder(base64.StdEncoding, strings.NewReader(data))); err != nil {
		return "the data is no base64"
	}
	return ""
}
