package mcphost

// This file offers a server's prompts.

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

// Bounds of what a prompt expands to (P29).
const (
	maxPromptBytes     = 1 << 20
	maxPromptResources = 50
)

// ErrPromptTooLarge is wrapped when a prompt expands to more than is of use.
var ErrPromptTooLarge = errors.New("the prompt is too large")

// Prompts returns the server's prompts. What was fetched is kept until it changes; Refresh fetches anew.
func (s *Server) Prompts(ctx context.Context) (List[protocol.Prompt], error) {
	conn, err := s.connection()
	if err != nil {
		return List[protocol.Prompt]{}, err
	}
	return conn.others.prompts.get(ctx, s.host.opts.Now, conn.session.ListPrompts)
}

// GetPrompt expands a prompt. An argument that is required and not given is an *ArgumentsError, and nothing is sent.
// Each use has a row in the history; without it nothing is sent (consent.ErrUnrecorded).
func (s *Server) GetPrompt(ctx context.Context, name string, arguments map[string]string) (*protocol.GetPromptResult, error) {
	list, err := s.Prompts(ctx)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(list.Items, func(p protocol.Prompt) bool { return p.Name == name && p.Err == "" })
	if i >= 0 {
		for _, a := range list.Items[i].Arguments {
			if _, given := arguments[a.Name]; a.Required && !given {
				return nil, &ArgumentsError{fmt.Errorf("%q is required", a.Name)}
			}
		}
	}
	conn, err := s.connection()
	if err != nil {
		return nil, err
	}
	if err := s.note(ctx, conn, consent.KindPrompt, consent.ByComposed, consent.Use{Target: name, Arguments: arguments}); err != nil {
		return nil, err
	}
	result, err := conn.session.GetPrompt(ctx, name, arguments, session.CallOptions{ID: NewID()})
	if err != nil {
		return nil, err
	}
	resources := 0
	for _, m := range result.Messages {
		if m.Content.Type == protocol.ContentResource {
			resources++
		}
	}
	if len(result.Raw) > maxPromptBytes || resources > maxPromptResources {
		return nil, fmt.Errorf("%w: %d bytes, %d resources", ErrPromptTooLarge, len(result.Raw), resources)
	}
	return result, nil
}
