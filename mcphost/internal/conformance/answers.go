package main

// This file is how the user answers what servers ask.

import (
	"context"
	"encoding/json"
	"fmt"

	"gatehouse/mcphost"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

// willing is a user who answers every question: a form as it is filled in already, a URL with a visit, a message of a
// model with a word, and with no roots.
type willing struct{}

// Offer implements [mcphost.Answerer]: all that Gatehouse can do.
func (willing) Offer(mcphost.Config) session.Offer {
	return session.Offer{Roots: true, Sampling: true, SamplingTools: true, Form: true, URL: true, Tasks: true}
}

// Answer implements [mcphost.Answerer].
func (willing) Answer(_ context.Context, q mcphost.Question) (session.Answer, error) {
	switch {
	case q.Elicit != nil && q.Elicit.Mode == protocol.ModeURL:
		return session.Answer{Elicit: &protocol.ElicitResult{Action: protocol.ElicitAccept}}, nil
	case q.Elicit != nil:
		return session.Answer{Elicit: &protocol.ElicitResult{Action: protocol.ElicitAccept, Content: prefilled(q.Elicit.RequestedSchema)}}, nil
	case q.Sampling != nil:
		return session.Answer{Message: &protocol.CreateMessageResult{
			Role: "assistant", Model: "conformance", Content: json.RawMessage(`{"type":"text","text":"a word"}`),
		}}, nil
	case q.Method == protocol.MethodRootsList:
		return session.Answer{Roots: &protocol.ListRootsResult{Roots: []protocol.Root{}}}, nil
	}
	return session.Answer{}, fmt.Errorf("%s is not expected here", q.Method)
}

// prefilled is a form whose fields are left as they are: the defaults.
func prefilled(schema json.RawMessage) json.RawMessage {
	var form struct {
		Properties map[string]struct {
			Default json.RawMessage `json:"default"`
		} `json:"properties"`
	}
	_ = json.Unmarshal(schema, &form) // what cannot be read has no defaults
	content := map[string]json.RawMessage{}
	for name, field := range form.Properties {
		if field.Default != nil {
			content[name] = field.Default
		}
	}
	b, _ := json.Marshal(content) // plain values always encode
	return b
}
