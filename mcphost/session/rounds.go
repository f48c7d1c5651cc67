package session

// This file answers results that need input first, and makes the request again (2026-07-28, "Multi Round-Trip Requests").

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

// ErrRounds is wrapped when one request asks for input more often than Limits.Rounds (SEC C10).
var ErrRounds = errors.New("the server asks for input again and again")

// A RefusedError is the end of a request because a question of the server was not answered.
type RefusedError struct {
	Method string // of the question
	Err    error
}

func (e *RefusedError) Error() string { return fmt.Sprintf("%s was refused: %v", e.Method, e.Err) }

// Unwrap returns why.
func (e *RefusedError) Unwrap() error { return e.Err }

// rounds makes a request until its result needs no more input. read decodes a result and returns its type. The request
// is the same each time, under a new id, with the answers and the server's state byte for byte.
func (s *Session) rounds(ctx context.Context, c *call, method string, members []member, read func(m *jsonrpc.Message) (string, error)) error {
	modern := s.Info().Revision.Modern()
	var input []member
	for round := 0; ; round++ {
		s.untrack(c)
		s.track(c)
		m, err := s.request(ctx, method, s.params(c.token, append(members[:len(members):len(members)], input...)...), method != protocol.MethodToolsCall)
		_ = s.peer.Settle(ctx) // progress that came before the answer is delivered before it
		if err != nil {
			return err
		}
		kind, err := read(m)
		if err != nil {
			return &jsonrpc.InvalidResponseError{Reason: err.Error(), Raw: m.Raw}
		}
		switch {
		case !modern, kind == "", kind == protocol.ResultComplete:
			return nil
		case kind == protocol.ResultTask && method == protocol.MethodToolsCall && s.opts.Offer.Tasks:
			return nil
		case kind != protocol.ResultInputRequired:
			return &jsonrpc.InvalidResponseError{Reason: fmt.Sprintf("unknown type of result %q", clip(kind)), Raw: m.Raw}
		case round >= s.opts.Limits.Rounds:
			return fmt.Errorf("%s: %w", method, ErrRounds)
		}
		var required protocol.InputRequired
		if err := protocol.Decode(m.Result, &required); err != nil {
			return &jsonrpc.InvalidResponseError{Reason: err.Error(), Raw: m.Raw}
		}
		release := c.clock.hold()
		responses, err := s.AnswerInput(ctx, required.Requests, Question{Origin: OriginInput, Call: c.id})
		release()
		if err != nil {
			return err
		}
		input = []member{{"inputResponses", responses}, {"requestState", required.State}}
	}
}

// AnswerInput puts the input requests of a result or a task to the user, all at once, and returns the inputResponses for
// the server, nil if nothing was asked. From carries the origin, call and task of the questions. A question that was not
// offered, or is answered with no, ends it: the error is a *RefusedError. An elicitation that is declined or cancelled is
// an answer.
func (s *Session) AnswerInput(ctx context.Context, requests []protocol.InputRequest, from Question) (json.RawMessage, error) {
	if len(requests) == 0 {
		return nil, nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	answers := make([]any, len(requests))
	var wg sync.WaitGroup
	for i, r := range requests {
		q := from
		q.Method, q.Params, q.Key = r.Method, r.Params, r.Key
		wg.Go(func() {
			var err error
			if answers[i], err = s.input(ctx, q); err != nil {
				cancel(&RefusedError{q.Method, err})
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	b := []byte{'{'}
	for i, r := range requests {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, encode(r.Key)...), ':')
		b = append(b, encode(answers[i])...)
	}
	return append(b, '}'), nil
}

// input answers one input request.
func (s *Session) input(ctx context.Context, q Question) (any, error) {
	result, err := s.put(ctx, q)
	var answer *jsonrpc.Error
	if err == nil || errors.As(err, &answer) || ctx.Err() != nil {
		return result, err
	}
	if elicit, _ := Refusal(q.Method); elicit != nil {
		return elicit, nil
	}
	return nil, err
}
