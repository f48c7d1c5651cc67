package protocol

// This file defines roots: the folders and files that the user shares with a server.

import (
	"encoding/json"
	"errors"
)

// A Root is one folder or file.
type Root struct {
	URI      string          `json:"uri"` // file://
	Name     string          `json:"name,omitempty"`
	Metadata json.RawMessage `json:"metadata,omitempty"` // 2024-11-05 and 2025-03-26; an object
	Meta     json.RawMessage `json:"_meta,omitempty"`    // since 2025-06-18; an object
}

// ListRootsResult answers roots/list.
type ListRootsResult struct {
	Roots []Root `json:"roots"` // not nil
}

// RootParams are those of roots/add and roots/remove (text of 2024-11-05).
type RootParams struct {
	URI      string
	Name     string
	ReadOnly bool
	Type     string
	Metadata json.RawMessage // as received, nil if absent
}

func (v *RootParams) decode(r *reader) error {
	var hasURI bool
	if !r.object(func(key []byte) {
		switch string(key) {
		case "uri":
			v.URI, hasURI = r.text()
		case "name":
			v.Name, _ = r.text()
		case "metadata":
			v.Metadata = r.objectText()
		default:
			r.value()
		}
	}) {
		return errNoObject
	}
	if !hasURI {
		return errors.New("no uri")
	}
	meta := &reader{data: v.Metadata}
	meta.object(func(key []byte) {
		switch string(key) {
		case "readOnly":
			v.ReadOnly = meta.flag()
		case "type":
			v.Type, _ = meta.text()
		default:
			meta.value()
		}
	})
	return nil
}
