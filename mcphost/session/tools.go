package session

// This file lists and calls tools (Server Features / Tools).

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

// ListTools returns the server's tools, all pages. A server without the tools capability has none.
func (s *Session) ListTools(ctx context.Context) (List[protocol.Tool], error) {
	if s.Info().Capabilities.Tools == nil {
		return List[protocol.Tool]{}, nil
	}
	return cached(ctx, s, protocol.MethodToolsList, (&lister[protocol.Tool]{
		s: s, method: protocol.MethodToolsList, noun: "tools",
		decode: pages(func(r *protocol.ListToolsResult) (*protocol.Page, []protocol.Tool) { return &r.Page, r.Tools }),
	}).fetch)
}

// CallTool calls a tool with exactly these argument bytes and a progress token. A JSON-RPC error comes back as
// *jsonrpc.Error, a limit as ErrInactive or ErrTotal, a lost connection as *jsonrpc.ClosedError, a question of the server
// that was not answered as *RefusedError, error −32042 as *URLRequiredError. A result may be a task instead: see
// CallOptions.Task and Offer.Tasks.
func (s *Session) CallTool(ctx context.Context, name string, arguments json.RawMessage, o CallOptions) (*protocol.CallToolResult, error) {
	o.Inactive = cmp.Or(o.Inactive, s.opts.Limits.Inactive)
	o.Total = cmp.Or(o.Total, s.opts.Limits.Total)
	var result protocol.CallToolResult
	read := func(m *jsonrpc.Message) (string, error) {
		result = protocol.CallToolResult{}
		err := protocol.Decode(m.Result, &result)
		return result.ResultType, err
	}
	members := []member{text("name", name), {"arguments", arguments}}
	if o.Task != nil {
		members = append(members, member{"task", encode(o.Task)})
	}
	err := s.run(ctx, protocol.MethodToolsCall, o, read, members...)
	var answer *jsonrpc.Error
	if errors.As(err, &answer) && answer.Code == protocol.CodeURLElicitationRequired {
		return nil, s.urlRequired(ctx, o.ID, answer)
	}
	if err != nil {
		return nil, err
	}
	return &result, nil
}
