package app

// This file is completion: what a server proposes while an argument of a prompt or a variable of a template is typed.

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"gatehouse/mcphost"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

// Completion is bound to the page.
type Completion struct{ *desk }

// A CompletionQuery is what is being typed. Settled are the other values, of which the server sees those that do not look
// like secrets.
type CompletionQuery struct {
	ServerID string            `json:"serverId"`
	Kind     string            `json:"kind"` // "prompt" or "template"
	Name     string            `json:"name"` // of the prompt, or the URI template
	Argument string            `json:"argument"`
	Value    string            `json:"value"`
	Settled  map[string]string `json:"settled"`
}

// A CompletionList is what came of it. Values are the server's words.
type CompletionList struct {
	State  string   `json:"state"` // "values", or why there are none: "ask", "off", "secret", "none"
	Values []string `json:"values"`
	Total  int64    `json:"total"` // -1 = not stated
	More   bool     `json:"more"`
}

// Complete asks the server, if the user allows it. What was asked before and has no answer yet is given up.
func (v *Completion) Complete(q CompletionQuery) (l CompletionList, err error) {
	defer catch(&err)
	s, ctx, err := v.server(q.ServerID)
	if err != nil {
		return CompletionList{}, err
	}
	p := protocol.CompleteParams{
		Ref:      protocol.CompletionRef{Type: protocol.RefPrompt, Name: q.Name},
		Argument: protocol.CompletionArgument{Name: q.Argument, Value: q.Value},
		Context:  &protocol.CompletionContext{Arguments: q.Settled},
	}
	switch q.Kind {
	case "prompt":
	case "template":
		p.Ref = protocol.CompletionRef{Type: protocol.RefResource, URI: q.Name}
	default:
		return CompletionList{}, badInput("kind", q.Kind)
	}
	return completionList(v.typing.complete(ctx, s, p), s.Config().Conversation.Completion)
}

// SetCompletion keeps whether a server may see what is typed: "ask", "on" or "off".
func (v *Completion) SetCompletion(serverID, leave string) (err error) {
	defer catch(&err)
	s, ctx, err := v.server(serverID)
	if err != nil {
		return err
	}
	l := mcphost.Leave(leave)
	if leave == leaveAsk {
		l = mcphost.AskLeave
	}
	return s.SetCompletion(ctx, l)
}

const leaveAsk = "ask"

// leaveOf is whether a server may see what is typed, "" if it proposes nothing.
func leaveOf(s *mcphost.Server) string {
	if !s.CanComplete() {
		return ""
	}
	return cmp.Or(string(s.Config().Conversation.Completion), leaveAsk)
}

// A completed question has an answer or an error.
type completed struct {
	result *protocol.CompleteResult
	err    error
}

func completionList(c completed, leave mcphost.Leave) (CompletionList, error) {
	l := CompletionList{State: "values", Values: []string{}, Total: -1}
	switch {
	case errors.Is(c.err, mcphost.ErrNoLeave):
		l.State = cmp.Or(string(leave), leaveAsk)
	case errors.Is(c.err, mcphost.ErrSecret):
		l.State = "secret"
	case errors.Is(c.err, session.ErrNotOffered):
		l.State = "none"
	case c.err != nil:
		return l, c.err
	default:
		l.Values, l.More = list(c.result.Values), c.result.HasMore
		if c.result.Total != nil {
			l.Total = *c.result.Total
		}
	}
	return l, nil
}

// typing is the one completion under way. The zero value is ready.
type typing struct {
	mu     sync.Mutex
	cancel context.CancelFunc // guarded by mu
}

// complete gives up the question before.
func (t *typing) complete(ctx context.Context, s *mcphost.Server, p protocol.CompleteParams) completed {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t.mu.Lock()
	if t.cancel != nil {
		t.cancel()
	}
	t.cancel = cancel
	t.mu.Unlock()
	result, err := s.Complete(ctx, p, false)
	return completed{result, err}
}
