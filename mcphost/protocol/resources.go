package protocol

// This file defines resources: their list, their templates, their contents and their changes.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"strings"
)

// A Resource is one as a server lists it.
type Resource struct {
	Entry
	URI         string
	MimeType    string
	Size        *int64 // bytes, as claimed
	Annotations *Annotations
	Metadata    json.RawMessage // only in the text of 2024-11-05; an object
}

// DisplayTitle is the name to show: title, name, URI.
func (v Resource) DisplayTitle() string { return cmp.Or(v.Title, v.Name, v.URI) }

// A ResourceTemplate describes many resources by a URI template (RFC 6570).
type ResourceTemplate struct {
	Entry
	URITemplate string
	MimeType    string
	Annotations *Annotations
}

// DisplayTitle is the name to show: title, name, template.
func (v ResourceTemplate) DisplayTitle() string { return cmp.Or(v.Title, v.Name, v.URITemplate) }

// ReadResourceResult is what a resource holds.
type ReadResourceResult struct {
	Contents   []ResourceContents
	Cache      Cache
	ResultType string // since 2026-07-28; "" is complete
	Meta       json.RawMessage
	Raw        json.RawMessage // as received
}

// ResourceUpdatedParams says that a resource, or one below it, has changed.
type ResourceUpdatedParams struct {
	URI string
}

// UnmarshalJSON implements [json.Unmarshaler]; see [Decode].
func (v *Resource) UnmarshalJSON(raw []byte) error { return Decode(bytes.Clone(raw), v) }

// UnmarshalJSON implements [json.Unmarshaler]; see [Decode].
func (v *ResourceTemplate) UnmarshalJSON(raw []byte) error { return Decode(bytes.Clone(raw), v) }

// UnmarshalJSON implements [json.Unmarshaler]; see [Decode].
func (v *ReadResourceResult) UnmarshalJSON(raw []byte) error { return Decode(bytes.Clone(raw), v) }

func (v *Resource) decode(r *reader) error {
	v.read(r, "resource", "uri", func(key []byte) bool {
		switch string(key) {
		case "uri":
			v.URI, _ = r.text()
		case "mimeType":
			v.MimeType, _ = r.text()
		case "size":
			v.Size = r.size()
		case "annotations":
			v.Annotations = r.annotations()
		case "metadata":
			v.Metadata = r.objectText()
		default:
			return false
		}
		return true
	})
	return nil
}

func (v *ResourceTemplate) decode(r *reader) error {
	v.read(r, "template", "uriTemplate", func(key []byte) bool {
		switch string(key) {
		case "uriTemplate":
			v.URITemplate, _ = r.text()
		case "mimeType":
			v.MimeType, _ = r.text()
		case "annotations":
			v.Annotations = r.annotations()
		default:
			return false
		}
		return true
	})
	return nil
}

func (v *ReadResourceResult) decode(r *reader) error {
	start := r.pos
	var isList bool
	isObject := r.object(func(key []byte) {
		switch string(key) {
		case "contents":
			isList = r.array(func() {
				contents, fault := r.resource()
				if contents == nil {
					contents, fault = &ResourceContents{}, "the contents are no object"
				}
				contents.Err = fault
				v.Contents = append(v.Contents, *contents)
			})
		case "resultType":
			v.ResultType, _ = r.text()
		case "_meta":
			v.Meta = r.objectText()
		default:
			if !v.Cache.member(r, key) {
				r.value()
			}
		}
	})
	v.Raw = r.since(start)
	switch {
	case !isObject:
		return errNoObject
	case !isList && v.ResultType != ResultInputRequired:
		return errors.New("no list of contents")
	}
	return nil
}

func (v *ResourceUpdatedParams) decode(r *reader) error {
	var hasURI bool
	if !r.object(func(key []byte) {
		if string(key) == "uri" {
			v.URI, hasURI = r.text()
		} else {
			r.value()
		}
	}) {
		return errNoObject
	}
	if !hasURI {
		return errors.New("no uri")
	}
	return nil
}

// Kind says what contents are: ContentText, ContentImage, ContentAudio, or ContentResource, which is bytes of another kind.
func (v ResourceContents) Kind() string {
	family, _, _ := strings.Cut(strings.ToLower(v.MimeType), "/")
	switch {
	case !v.IsBlob:
		return ContentText
	case family == ContentImage, family == ContentAudio:
		return family
	}
	return ContentResource
}
