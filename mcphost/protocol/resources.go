package protocol

// This file defines resources: their list, their templates, their contents and their changes.

import (
	"bytes"
	"encoding/json"
	"errors"
)

// A Resource is one as a server lists it. Every text in it is the server's.
type Resource struct {
	URI         string
	Name        string
	Title       string // since 2025-06-18
	Description string
	MimeType    string
	Size        *int64 // bytes, as claimed
	Annotations *Annotations
	Icons       json.RawMessage // since 2025-11-25; see Icons
	Metadata    json.RawMessage // only in the text of 2024-11-05; an object
	Meta        json.RawMessage
	Raw         json.RawMessage // as received
	Err         string          // why it cannot be used, "" if it can
}

// DisplayTitle is the name to show: title, name, URI.
func (v Resource) DisplayTitle() string { return firstText(v.Title, v.Name, v.URI) }

// A ResourceTemplate describes many resources by a URI template (RFC 6570).
type ResourceTemplate struct {
	URITemplate string
	Name        string
	Title       string // since 2025-06-18
	Description string
	MimeType    string
	Annotations *Annotations
	Icons       json.RawMessage // since 2025-11-25; see Icons
	Meta        json.RawMessage
	Raw         json.RawMessage // as received
	Err         string          // why it cannot be used, "" if it can
}

// DisplayTitle is the name to show: title, name, template.
func (v ResourceTemplate) DisplayTitle() string { return firstText(v.Title, v.Name, v.URITemplate) }

// ListResourcesResult is one page of resources.
type ListResourcesResult struct {
	Page
	Resources []Resource
}

// ListResourceTemplatesResult is one page of templates.
type ListResourceTemplatesResult struct {
	Page
	ResourceTemplates []ResourceTemplate
}

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

func (v *ListResourcesResult) decode(r *reader) error {
	return v.Page.decode(r, "resources", func() {
		var one Resource
		_ = one.decode(r)
		v.Resources = append(v.Resources, one)
	})
}

func (v *ListResourceTemplatesResult) decode(r *reader) error {
	return v.Page.decode(r, "resourceTemplates", func() {
		var one ResourceTemplate
		_ = one.decode(r)
		v.ResourceTemplates = append(v.ResourceTemplates, one)
	})
}

func (v *Resource) decode(r *reader) error {
	start := r.pos
	var hasURI bool
	isObject := r.object(func(key []byte) {
		switch string(key) {
		case "uri":
			v.URI, hasURI = r.text()
		case "name":
			v.Name, _ = r.text()
		case "title":
			v.Title, _ = r.text()
		case "description":
			v.Description, _ = r.text()
		case "mimeType":
			v.MimeType, _ = r.text()
		case "size":
			v.Size = r.size()
		case "annotations":
			v.Annotations = r.annotations()
		case "icons":
			v.Icons = r.value()
		case "metadata":
			v.Metadata = r.objectText()
		case "_meta":
			v.Meta = r.objectText()
		default:
			r.value()
		}
	})
	v.Raw = r.since(start)
	switch {
	case !isObject:
		v.Err = "the resource is no object"
	case !hasURI:
		v.Err = "the resource has no URI"
	}
	return nil
}

func (v *ResourceTemplate) decode(r *reader) error {
	start := r.pos
	var hasTemplate bool
	isObject := r.object(func(key []byte) {
		switch string(key) {
		case "uriTemplate":
			v.URITemplate, hasTemplate = r.text()
		case "name":
			v.Name, _ = r.text()
		case "title":
			v.Title, _ = r.text()
		case "description":
			v.Description, _ = r.text()
		case "mimeType":
			v.MimeType, _ = r.text()
		case "annotations":
			v.Annotations = r.annotations()
		case "icons":
			v.Icons = r.value()
		case "_meta":
			v.Meta = r.objectText()
		default:
			r.value()
		}
	})
	v.Raw = r.since(start)
	switch {
	case !isObject:
		v.Err = "the template is no object"
	case !hasTemplate:
		v.Err = "the template has no uriTemplate"
	}
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

func firstText(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}
