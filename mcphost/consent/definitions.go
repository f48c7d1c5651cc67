package consent

// This file remembers what was found in definitions: a tool is called more often than its definition changes.

import (
	"encoding/json"
	"sync"
)

// maxDefinitions bounds the memory; then it begins anew.
const maxDefinitions = 256

// A definition is what the broker needs to know of exactly these bytes.
type definition struct {
	valid  bool // JSON
	named  bool
	name   string  // what it calls itself, "" if that is no string
	report *report // must not be changed
}

// definitions holds what was found, by the bytes. The zero value is ready for use.
type definitions struct {
	mu    sync.Mutex
	known map[string]*definition // guarded by mu
}

func (ds *definitions) get(raw json.RawMessage) *definition {
	ds.mu.Lock()
	d := ds.known[string(raw)]
	ds.mu.Unlock()
	if d != nil {
		return d
	}
	name := objectOf(raw)["name"]
	d = &definition{valid: json.Valid(raw), named: len(name) > 0, name: decodeAs[string](name), report: newReport()}
	d.report.definition(raw)
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if len(ds.known) >= maxDefinitions || ds.known == nil {
		ds.known = make(map[string]*definition)
	}
	ds.known[string(raw)] = d
	return d
}
