package protocol

// This file defines prompts: their list and what one expands to.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
)

// A Prompt is one as a server lists it.
type Prompt struct {
	Entry
	Arguments []PromptArgument
}

// DisplayTitle is the name to show: title, name.
func (v Prompt) DisplayTitle() string { return cmp.Or(v.Title, v.Name) }

// A PromptArgument is one argument of a prompt. Its value is a string.
type PromptArgument struct {
	Name        string
	Title       string // since 2025-06-18
	Description string
	Required    bool
}

// GetPromptResult is what a prompt expands to.
type GetPromptResult struct {
	Description string
	Messages    []PromptMessage
	ResultType  string // since 2026-07-28; "" is complete
	Meta        json.RawMessage
	Raw         json.RawMessage // as received
}

// A PromptMessage is one message. Content is a single block.
type PromptMessage struct {
	Role    string // "user" or "assistant", or what else the server wrote
	Content Content
}

// UnmarshalJSON implements [json.Unmarshaler]; see [Decode].
func (v *Prompt) UnmarshalJSON(raw []byte) error { return Decode(bytes.Clone(raw), v) }

// UnmarshalJSON implements [json.Unmarshaler]; see [Decode].
func (v *GetPromptResult) UnmarshalJSON(raw []byte) error { return Decode(bytes.Clone(raw), v) }

func (v *Prompt) decode(r *reader) error {
	v.read(r, "prompt", "name", func(key []byte) bool {
		if string(key) != "arguments" {
			return false
		}
		r.array(func() { v.Arguments = append(v.Arguments, r.promptArgument()) })
		return true
	})
	for _, a := range v.Arguments {
		if a.Name == "" {
			v.Err = "an argument of the prompt has no name"
		}
	}
	return nil
}

func (r *reader) promptArgument() (v PromptArgument) {
	r.object(func(key []byte) {
		switch string(key) {
		case "name":
			v.Name, _ = r.text()
		case "title":
			v.Title, _ = r.text()
		case "description":
			v.Description, _ = r.text()
		case "required":
			v.Required = r.flag()
		default:
			r.value()
		}
	})
	return v
}

func (v *GetPromptResult) decode(r *reader) error {
	start := r.pos
	var isList bool
	isObject := r.object(func(key []byte) {
		switch string(key) {
		case "description":
			v.Description, _ = r.text()
		case "messages":
			isList = r.array(func() { v.Messages = append(v.Messages, r.promptMessage()) })
		case "resultType":
			v.ResultType, _ = r.text()
		case "_meta":
			v.Meta = r.objectText()
		default:
			r.value()
		}
	})
	v.Raw = r.since(start)
	switch {
	case !isObject:
		return errNoObject
	case !isList && v.ResultType != ResultInputRequired:
		return errors.New("no list of messages")
	}
	return nil
}

func (r *reader) promptMessage() (v PromptMessage) {
	v.Content.Err = "the content is missing"
	r.object(func(key []byte) {
		switch string(key) {
		case "role":
			v.Role, _ = r.text()
		case "content":
			v.Content = Content{}
			_ = v.Content.decode(r)
		default:
			r.value()
		}
	})
	return v
}
