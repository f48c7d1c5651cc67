package session

// This file lists and calls tools (Server Features / Tools).

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

// ListTools returns the server's tools, all pages. A server without the tools capability has none.
func (s *Session) ListTools(ctx context.Context) (List[protocol.Tool], error) {
	if s.Info().Capabilities.Tools == nil {
		return List[protocol.Tool]{}, nil
	}
	return cached(ctx, s, protocol.MethodToolsList, (&lister[protocol.Tool]{
		s: s, method: protocol.MethodToolsList, key: "tools",
		decode: protocol.DecodePage[protocol.Tool],
	}).fetch)
}

// CallTool calls a tool with exactly these argument bytes and a progress token. A JSON-RPC error comes back as
// *jsonrpc.Error, a limit as ErrInactive or ErrTotal, a lost connection as *jsonrpc.ClosedError, a question of the server
// that was not answered as *RefusedError, error −32042 as *URLRequiredError. A call that becomes a task (CallOptions.Task,
// Offer.Tasks) is followed to its end: its errors are also ErrTaskLost and *TaskError. Nobody but the caller cancels a task.
func (s *Session) CallTool(ctx context.Context, name string, arguments json.RawMessage, o CallOptions) (*protocol.CallToolResult, error) {
	for round := 0; ; round++ {
		result, err := s.callTool(ctx, name, arguments, o)
		var answer *jsonrpc.Error
		if !errors.As(err, &answer) || answer.Code != protocol.CodeURLElicitationRequired {
			return result, err
		}
		if o.Again && round >= s.opts.Limits.Rounds {
			return nil, fmt.Errorf("%s: %w", protocol.MethodToolsCall, ErrRounds)
		}
		err = s.urlRequired(ctx, o.ID, answer)
		var required *URLRequiredError
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case !o.Again || !errors.As(err, &required) || !required.Accepted:
			return nil, err
		}
	}
}

// callTool is one try.
func (s *Session) callTool(ctx context.Context, name string, arguments json.RawMessage, o CallOptions) (*protocol.CallToolResult, error) {
	var result protocol.CallToolResult
	read := func(m *jsonrpc.Message) (string, error) {
		result = protocol.CallToolResult{}
		err := protocol.Decode(m.Result, &result)
		if result.ResultType != protocol.ResultTask && o.Task == nil {
			result.Task = nil // nobody has asked for one
		}
		return result.ResultType, err
	}
	members := []member{text("name", name), {"arguments", arguments}}
	if o.Task != nil {
		members = append(members, member{"task", encode(o.Task)})
	}
	final := &result
	err := s.timed(ctx, s.long(o), func(ctx context.Context, c *call) error {
		if o.Task != nil {
			c.settled = s.mayBecomeTask()
			defer c.settled()
		}
		err := s.rounds(ctx, c, protocol.MethodToolsCall, members, read)
		if err != nil || result.Task == nil {
			return err
		}
		if o.Became != nil {
			if err := o.Became(*result.Task); err != nil {
				return err
			}
		}
		final, err = s.follow(ctx, c, *result.Task, time.Now(), o)
		return err
	})
	if err != nil {
		return nil, err
	}
	return final, nil
}
