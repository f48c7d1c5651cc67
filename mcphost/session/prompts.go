package session

// This file lists prompts and expands them (Server Features / Prompts).

import (
	"context"
	"encoding/json"
	"fmt"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

// ListPrompts returns the server's prompts, all pages. A server without the prompts capability has none.
func (s *Session) ListPrompts(ctx context.Context) (List[protocol.Prompt], error) {
	if s.Info().Capabilities.Prompts == nil {
		return List[protocol.Prompt]{}, nil
	}
	return cached(ctx, s, protocol.MethodPromptsList, (&lister[protocol.Prompt]{
		s: s, method: protocol.MethodPromptsList, key: "prompts",
		decode: protocol.DecodePage[protocol.Prompt],
	}).fetch)
}

// GetPrompt expands a prompt.
func (s *Session) GetPrompt(ctx context.Context, name string, arguments map[string]string, o CallOptions) (*protocol.GetPromptResult, error) {
	if s.Info().Capabilities.Prompts == nil {
		return nil, fmt.Errorf("%s: %w", protocol.MethodPromptsGet, ErrNotOffered)
	}
	var values json.RawMessage
	if len(arguments) > 0 {
		values = encode(arguments)
	}
	var result protocol.GetPromptResult
	err := s.run(ctx, protocol.MethodPromptsGet, s.short(o), func(m *jsonrpc.Message) (string, error) {
		result = protocol.GetPromptResult{}
		err := protocol.Decode(m.Result, &result)
		return result.ResultType, err
	}, text("name", name), member{"arguments", values})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", protocol.MethodPromptsGet, err)
	}
	return &result, nil
}
