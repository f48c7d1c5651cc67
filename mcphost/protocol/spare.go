package protocol

// This file takes entries out of a list that cannot be read with them.

import (
	"bytes"
	"encoding/json"
)

// WithoutEntries returns a response without those entries of the list in a member of its result that keep refuses. Name
// is what the entry seems to be called. The response need not be valid JSON, of any depth: what comes back is to be parsed.
func WithoutEntries(response []byte, member string, keep func(name string, entry json.RawMessage) bool) []byte {
	r := &reader{data: response}
	var kept [][]byte
	start, end := -1, -1
	entry := func() {
		var e Entry
		e.read(r, "entry", "name", func([]byte) bool { return false })
		if keep(e.Name, e.Raw) {
			kept = append(kept, e.Raw)
		}
	}
	r.space()
	r.object(func(key []byte) {
		if string(key) != "result" {
			r.value()
			return
		}
		r.object(func(key []byte) {
			if string(key) != member || start >= 0 {
				r.value()
				return
			}
			at := r.pos
			if r.array(entry) {
				start, end = at, r.pos
			}
		})
	})
	if start < 0 || end > len(response) {
		return response
	}
	list := append(append([]byte("["), bytes.Join(kept, []byte(","))...), ']')
	return append(append(bytes.Clone(response[:start]), list...), response[end:]...)
}
