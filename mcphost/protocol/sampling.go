package protocol

// This file defines sampling: what a server asks of a model.

import (
	"encoding/json"
	"errors"
)

// CreateMessageParams ask for one message of a model.
type CreateMessageParams struct {
	Messages         []SamplingMessage
	SystemPrompt     string
	MaxTokens        int64
	Temperature      *float64
	StopSequences    []string
	IncludeContext   string // "" = none
	ModelPreferences ModelPreferences
	Tools            []Tool          // since 2025-11-25
	HasTools         bool            // tools or toolChoice was there, even if empty
	ToolChoice       string          // "auto" (also when absent), "required", "none"; since 2025-11-25
	Metadata         json.RawMessage // for the provider, nil if absent
	HasTask          bool            // it was asked for as a task (2025-11-25)
	Meta             json.RawMessage
}

// A SamplingMessage is one message of the conversation.
type SamplingMessage struct {
	Role    string
	Content []Content // one block or, since 2025-11-25, several
	Meta    json.RawMessage
}

// ModelPreferences are wishes; nil is not stated.
type ModelPreferences struct {
	Hints                []string // names or parts of names, the dearest first
	CostPriority         *float64 // 0 … 1
	SpeedPriority        *float64
	IntelligencePriority *float64
}

// CreateMessageResult is the answer.
type CreateMessageResult struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"` // one block or, since 2025-11-25, a list of blocks
	Model      string          `json:"model"`
	StopReason string          `json:"stopReason,omitempty"`
	Meta       json.RawMessage `json:"_meta,omitempty"`
}

func (v *CreateMessageParams) decode(r *reader) error {
	v.ToolChoice = "auto"
	var isList bool
	var maxTokens *float64
	if !r.object(func(key []byte) {
		switch string(key) {
		case "messages":
			isList = r.array(func() { v.Messages = append(v.Messages, r.samplingMessage()) })
		case "systemPrompt":
			v.SystemPrompt, _ = r.text()
		case "maxTokens":
			maxTokens = r.number()
		case "temperature":
			v.Temperature = r.number()
		case "stopSequences":
			v.StopSequences = r.texts()
		case "includeContext":
			v.IncludeContext, _ = r.text()
		case "modelPreferences":
			v.ModelPreferences.decode(r)
		case "tools":
			v.HasTools = v.HasTools || r.peek() != 'n'
			v.Tools, _ = list[Tool](r)
		case "toolChoice":
			v.HasTools = v.HasTools || r.peek() != 'n'
			v.toolChoice(r)
		case "metadata":
			v.Metadata = r.objectText()
		case "task":
			v.HasTask = r.objectText() != nil
		case "_meta":
			v.Meta = r.objectText()
		default:
			r.value()
		}
	}) {
		return errNoObject
	}
	switch {
	case !isList:
		return errors.New("no list of messages")
	case maxTokens == nil || *maxTokens < 1:
		return errors.New("maxTokens is no positive number")
	}
	v.MaxTokens = 1 << 53
	if *maxTokens < 1<<53 {
		v.MaxTokens = int64(*maxTokens)
	}
	return nil
}

func (v *CreateMessageParams) toolChoice(r *reader) {
	r.object(func(key []byte) {
		if string(key) != "mode" {
			r.value()
		} else if mode, ok := r.text(); ok {
			v.ToolChoice = mode
		}
	})
}

func (r *reader) samplingMessage() (v SamplingMessage) {
	r.object(func(key []byte) {
		switch string(key) {
		case "role":
			v.Role, _ = r.text()
		case "content":
			if r.peek() == '[' {
				v.Content = r.contents()
				return
			}
			var c Content
			_ = c.decode(r)
			v.Content = []Content{c}
		case "_meta":
			v.Meta = r.objectText()
		default:
			r.value()
		}
	})
	return v
}

func (v *ModelPreferences) decode(r *reader) {
	r.object(func(key []byte) {
		switch string(key) {
		case "hints":
			r.array(func() {
				r.object(func(key []byte) {
					if string(key) != "name" {
						r.value()
					} else if name, ok := r.text(); ok {
						v.Hints = append(v.Hints, name)
					}
				})
			})
		case "costPriority":
			v.CostPriority = r.share()
		case "speedPriority":
			v.SpeedPriority = r.share()
		case "intelligencePriority":
			v.IntelligencePriority = r.share()
		default:
			r.value()
		}
	})
}

// share reads a number from 0 to 1; nil for any other value.
func (r *reader) share() *float64 {
	if n := r.number(); n != nil && *n >= 0 && *n <= 1 {
		return n
	}
	return nil
}
