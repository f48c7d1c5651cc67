package demo

// This file lists and reads resources: the notes and the pictures.

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

const (
	pictureScheme = "demo://pictures/"
	pictureSize   = 256 // pixels
)

type resource struct {
	URI         string `json:"uri"`
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"` // since 2025-06-18
	Description string `json:"description"`
	MimeType    string `json:"mimeType"`
	Size        int    `json:"size,omitempty"` // bytes
}

type resourceTemplate struct {
	URITemplate string `json:"uriTemplate"`
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"` // since 2025-06-18
	Description string `json:"description"`
	MimeType    string `json:"mimeType"`
}

// resourceContents are a text or a blob.
type resourceContents struct {
	URI      string
	MimeType string
	Text     string
	Blob     []byte // nil for a text
}

// MarshalJSON writes either text or blob, even an empty one.
func (c resourceContents) MarshalJSON() ([]byte, error) {
	type common struct {
		URI      string `json:"uri"`
		MimeType string `json:"mimeType"`
	}
	if c.Blob != nil {
		return json.Marshal(struct {
			common
			Blob []byte `json:"blob"`
		}{common{c.URI, c.MimeType}, c.Blob})
	}
	return json.Marshal(struct {
		common
		Text string `json:"text"`
	}{common{c.URI, c.MimeType}, c.Text})
}

func (s *server) resources(r revision) []resource {
	var list []resource
	for _, name := range noteNames() {
		if note, ok := s.notes.contents(name); ok {
			list = append(list, resource{
				note.URI, name, r.from(revision20250618, "Note: "+name), "A note of the demo.", note.MimeType, len(note.Text),
			})
		}
	}
	for _, name := range motifNames() {
		list = append(list, resource{
			pictureScheme + name, name + ".png", r.from(revision20250618, "Picture: "+name), "A picture of the demo.", "image/png", 0,
		})
	}
	return list
}

func (s *server) listResources(_ context.Context, r request) (any, error) {
	resources, next, err := page(r, s.resources(r.revision), s.opts.PageSize)
	return struct {
		Resources []resource `json:"resources"`
		Next      string     `json:"nextCursor,omitempty"`
	}{resources, next}, err
}

func (s *server) listTemplates(_ context.Context, r request) (any, error) {
	all := []resourceTemplate{
		{noteScheme + "{name}", "note", r.revision.from(revision20250618, "A note"), "A note by its name: " + strings.Join(noteNames(), ", ") + ".", "text/markdown"},
		{pictureScheme + "{motif}", "picture", r.revision.from(revision20250618, "A picture"), "A picture by its motif: " + strings.Join(motifNames(), ", ") + ".", "image/png"},
	}
	templates, next, err := page(r, all, s.opts.PageSize)
	return struct {
		Templates []resourceTemplate `json:"resourceTemplates"`
		Next      string             `json:"nextCursor,omitempty"`
	}{templates, next}, err
}

func (s *server) readResource(_ context.Context, r request) (any, error) {
	var p struct {
		URI string `json:"uri"`
	}
	if err := json.Unmarshal(r.params, &p); err != nil || p.URI == "" {
		return nil, invalidParams("resources/read takes a uri")
	}
	contents, err := s.contents(p.URI)
	if err != nil {
		return nil, err
	}
	return struct {
		Contents []resourceContents `json:"contents"`
	}{[]resourceContents{contents}}, nil
}

func (s *server) contents(uri string) (resourceContents, error) {
	if name, ok := strings.CutPrefix(uri, noteScheme); ok {
		if note, ok := s.notes.contents(name); ok {
			return note, nil
		}
	}
	if name, ok := strings.CutPrefix(uri, pictureScheme); ok {
		if m := motifNamed(name); m != nil {
			data, err := draw(m, pictureSize)
			if err != nil {
				return resourceContents{}, fmt.Errorf("drawing: %w", err)
			}
			return resourceContents{URI: uri, MimeType: "image/png", Blob: data}, nil
		}
	}
	return resourceContents{}, &rpcError{
		Code: codeResourceNotFound, Message: "there is no such resource", Data: map[string]string{"uri": clip(uri)},
	}
}
