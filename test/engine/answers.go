package engine

// This file is how the user answers what servers ask.

import (
	"context"
	"encoding/json"
	"fmt"

	"gatehouse/mcphost"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

// An answerer offers all that Gatehouse can do.
type answerer func(context.Context, mcphost.Question) (session.Answer, error)

// Offer implements [mcphost.Answerer].
func (answerer) Offer(mcphost.Config) session.Offer {
	return session.Offer{Roots: true, Sampling: true, SamplingTools: true, Form: true, URL: true, Tasks: true}
}

// Answer implements [mcphost.Answerer].
func (a answerer) Answer(ctx context.Context, q mcphost.Question) (session.Answer, error) {
	return a(ctx, q)
}

// Willing answers every question: a form as it is filled in already, a URL with a visit, a message of a model with a
// word, and no roots.
func Willing(_ context.Context, q mcphost.Question) (session.Answer, error) {
	switch {
	case q.Elicit != nil && q.Elicit.Mode == protocol.ModeURL:
		return session.Answer{Elicit: &protocol.ElicitResult{Action: protocol.ElicitAccept}}, nil
	case q.Elicit != nil:
		return session.Answer{Elicit: &protocol.ElicitResult{Action: protocol.ElicitAccept, Content: prefilled(q.Elicit.RequestedSchema)}}, nil
	case q.Sampling != nil:
		return session.Answer{Message: &protocol.CreateMessageResult{
			Role: "assistant", Model: "test", Content: json.RawMessage(`{"type":"text","text":"a word"}`),
		}}, nil
	case q.Method == protocol.MethodRootsList:
		return session.Answer{Roots: &protocol.ListRootsResult{Roots: []protocol.Root{}}}, nil
	}
	return session.Answer{}, fmt.Errorf("%s is not expected here", q.Method)
}

// prefilled is a form whose fields are left as they are, the defaults; a required one without gets its first choice or
// a word.
func prefilled(schema json.RawMessage) json.RawMessage {
	var form struct {
		Properties map[string]struct {
			Default json.RawMessage `json:"default"`
			OneOf   []struct {
				Const json.RawMessage `json:"const"`
			} `json:"oneOf"`
		} `json:"properties"`
		Required []string `json:"required"`
	}
	_ = json.Unmarshal(schema, &form) // what cannot be read has no defaults
	content := map[string]json.RawMessage{}
	for name, field := range form.Properties {
		if field.Default != nil {
			content[name] = field.Default
		}
	}
	for _, name := range form.Required {
		switch {
		case content[name] != nil:
		case len(form.Properties[name].OneOf) > 0:
			content[name] = form.Properties[name].OneOf[0].Const
		default:
			content[name] = json.RawMessage(`"a word"`)
		}
	}
	b, _ := json.Marshal(content) // plain values always encode
	return b
}
