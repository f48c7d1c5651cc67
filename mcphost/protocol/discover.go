package protocol

// This file defines the opening of the modern era: server/discover, and its errors.

import (
	"bytes"
	"encoding/json"
	"errors"
)

// DiscoverResult is what a modern server says of itself.
type DiscoverResult struct {
	SupportedVersions []Revision
	Capabilities      ServerCapabilities
	ServerInfo        Implementation // in _meta
	Instructions      string
	Cache             Cache
	Meta              json.RawMessage
	Raw               json.RawMessage // as received
}

// UnsupportedVersionData is the data of error CodeUnsupportedRevision.
type UnsupportedVersionData struct {
	Supported []Revision
	Requested string
}

// UnmarshalJSON implements [json.Unmarshaler]; see [Decode].
func (v *DiscoverResult) UnmarshalJSON(raw []byte) error { return Decode(bytes.Clone(raw), v) }

// UnmarshalJSON implements [json.Unmarshaler]; see [Decode].
func (v *UnsupportedVersionData) UnmarshalJSON(raw []byte) error { return Decode(bytes.Clone(raw), v) }

func (v *DiscoverResult) decode(r *reader) error {
	start := r.pos
	isObject := r.object(func(key []byte) {
		switch string(key) {
		case "supportedVersions":
			v.SupportedVersions = r.revisions()
		case "capabilities":
			v.Capabilities.decode(r)
		case "instructions":
			v.Instructions, _ = r.text()
		case "_meta":
			v.Meta = r.objectText()
		default:
			if !v.Cache.member(r, key) {
				r.value()
			}
		}
	})
	v.Raw = r.since(start)
	if !isObject {
		return errNoObject
	}
	if v.SupportedVersions == nil { // some legacy servers answer any method with an empty object
		return errors.New("no supportedVersions")
	}
	meta := &reader{data: v.Meta}
	meta.object(func(key []byte) {
		if string(key) == MetaServer {
			v.ServerInfo.decode(meta)
		} else {
			meta.value()
		}
	})
	return nil
}

func (v *UnsupportedVersionData) decode(r *reader) error {
	if !r.object(func(key []byte) {
		switch string(key) {
		case "supported":
			v.Supported = r.revisions()
		case "requested":
			v.Requested, _ = r.text()
		default:
			r.value()
		}
	}) {
		return errNoObject
	}
	return nil
}

func (r *reader) revisions() []Revision {
	var list []Revision
	for _, s := range r.texts() {
		list = append(list, Revision(s))
	}
	return list
}
