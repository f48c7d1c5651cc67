package session

// This file deals with error −32042: the server wants the user to visit URLs before the call (2025-11-25, "Elicitation").

import (
	"context"
	"sync"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

// A URLRequiredError is the end of a call that needs the user to visit URLs first. They have been shown; if all were
// Accepted, the call may be made again (CallOptions.Again).
type URLRequiredError struct {
	Answer       *jsonrpc.Error
	Elicitations []protocol.ElicitParams
	Accepted     bool // all of them
}

func (e *URLRequiredError) Error() string { return e.Answer.Error() }

// Unwrap returns the server's answer.
func (e *URLRequiredError) Unwrap() error { return e.Answer }

// urlRequired puts the elicitations of an error to the user. What cannot be read or was not offered is the plain error.
func (s *Session) urlRequired(ctx context.Context, call string, answer *jsonrpc.Error) error {
	revision := s.Info().Revision
	var data protocol.URLElicitationData
	if !s.opts.Offer.in(revision).URL || revision.Modern() || protocol.Decode(answer.Data, &data) != nil {
		return answer
	}
	e := &URLRequiredError{Answer: answer, Elicitations: data.Elicitations, Accepted: true}
	accepted := make([]bool, len(data.Elicitations))
	var wg sync.WaitGroup
	for i, elicitation := range data.Elicitations {
		q := Question{
			Method: protocol.MethodElicit, Params: data.Raw[i], Origin: OriginError, Key: elicitation.ElicitationID, Call: call,
		}
		wg.Go(func() {
			result, err := s.put(ctx, q)
			elicit, ok := result.(*protocol.ElicitResult)
			accepted[i] = err == nil && ok && elicit.Action == protocol.ElicitAccept
		})
	}
	wg.Wait()
	for _, ok := range accepted {
		e.Accepted = e.Accepted && ok
	}
	return e
}

const elicitationsKept = 1000 // open URL elicitations of one server

// expect notes that the URL elicitation id is open.
func (s *Session) expect(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.elicited) < elicitationsKept {
		s.elicited[id] = true
	}
}

// completed reports the end of a URL elicitation that is open. Any other id is ignored.
func (s *Session) completed(id string) {
	s.mu.Lock()
	known := s.elicited[id]
	delete(s.elicited, id)
	s.mu.Unlock()
	if known && s.opts.Completed != nil {
		s.opts.Completed(id)
	}
}
