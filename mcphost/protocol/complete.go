package protocol

// This file defines completion: what a server proposes for an argument while it is typed.

import (
	"bytes"
	"encoding/json"
	"errors"
)

// MaxCompletions is how many values a server may propose at once.
const MaxCompletions = 100

// CompleteParams asks for proposals.
type CompleteParams struct {
	Ref      CompletionRef      `json:"ref"`
	Argument CompletionArgument `json:"argument"`
	Context  *CompletionContext `json:"context,omitempty"` // since 2025-06-18
}

// A CompletionRef names what is being filled in: a prompt (Name) or a resource template (URI).
type CompletionRef struct {
	Type string `json:"type"` // RefPrompt or RefResource
	Name string `json:"name,omitempty"`
	URI  string `json:"uri,omitempty"`
}

// The types of a CompletionRef.
const (
	RefPrompt   = "ref/prompt"
	RefResource = "ref/resource"
)

// A CompletionArgument is the argument that is being typed.
type CompletionArgument struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A CompletionContext holds the arguments that are settled already.
type CompletionContext struct {
	Arguments map[string]string `json:"arguments,omitempty"`
}

// CompleteResult is what the server proposes.
type CompleteResult struct {
	Values  []string // at most MaxCompletions
	Total   *int64   // nil = not stated
	HasMore bool
	Raw     json.RawMessage // as received
}

// UnmarshalJSON implements [json.Unmarshaler]; see [Decode].
func (v *CompleteResult) UnmarshalJSON(raw []byte) error { return Decode(bytes.Clone(raw), v) }

func (v *CompleteResult) decode(r *reader) error {
	start := r.pos
	var found bool
	isObject := r.object(func(key []byte) {
		if string(key) != "completion" {
			r.value()
			return
		}
		found = r.object(func(key []byte) {
			switch string(key) {
			case "values":
				v.Values = r.texts()
			case "total":
				v.Total = r.size()
			case "hasMore":
				v.HasMore = r.flag()
			default:
				r.value()
			}
		})
	})
	v.Raw = r.since(start)
	switch {
	case !isObject:
		return errNoObject
	case !found:
		return errors.New("no completion")
	}
	if len(v.Values) > MaxCompletions {
		v.Values, v.HasMore = v.Values[:MaxCompletions], true
	}
	return nil
}
