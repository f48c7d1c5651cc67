package session

// This file is the one port for all that servers ask: by a request of their own, by a result that needs input first, by
// a task, or by error −32042.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

// An Asker answers what servers ask. Its Ask blocks for as long as the user thinks; ctx ends when the server withdraws
// the question, the call that it belongs to ends, or the session does. An error means no: see [Refusal] for what the
// server gets to know. A *jsonrpc.Error goes to the server as it is.
type Asker interface {
	Ask(ctx context.Context, q Question) (Answer, error)
}

// An Origin is the way by which a question came.
type Origin string

// The origins.
const (
	OriginRequest Origin = "request" // a request of the server (legacy)
	OriginInput   Origin = "input"   // a result that needs input first (modern)
	OriginTask    Origin = "task"    // a task that needs input first
	OriginError   Origin = "error"   // error −32042 (2025-11-25)
)

// A Question is something that the server wants from the user. All of it is the server's: untrusted.
type Question struct {
	Method   string // MethodCreateMessage, MethodElicit, MethodRootsList, MethodRootsAdd, MethodRootsRemove
	Params   json.RawMessage
	Origin   Origin
	Revision protocol.Revision
	Claimed  protocol.Implementation // how the server names itself
	Key      string                  // the JSON-RPC id of the request, or the key of the input request
	Call     string                  // CallOptions.ID of the call that it belongs to, "" if that cannot be told
	Task     string                  // id of the task that it belongs to, "" if none

	// Params as read; one of them is set, none for roots/list.
	Sampling *protocol.CreateMessageParams
	Elicit   *protocol.ElicitParams
	Root     *protocol.RootParams
}

// An Answer is what goes to the server: the field that the question's method asks for. roots/add and roots/remove need
// none.
type Answer struct {
	Message *protocol.CreateMessageResult
	Elicit  *protocol.ElicitResult
	Roots   *protocol.ListRootsResult
}

func (q *Question) decode() error {
	if q.Task == "" {
		var task protocol.TaskParams
		if related := protocol.MetaValue(q.Params, protocol.MetaRelatedTask); related != nil && protocol.Decode(related, &task) == nil {
			q.Task = task.TaskID
		}
	}
	var into protocol.Decodable
	switch q.Method {
	case protocol.MethodCreateMessage:
		q.Sampling = &protocol.CreateMessageParams{}
		into = q.Sampling
	case protocol.MethodElicit:
		q.Elicit = &protocol.ElicitParams{}
		into = q.Elicit
	case protocol.MethodRootsAdd, protocol.MethodRootsRemove:
		q.Root = &protocol.RootParams{}
		into = q.Root
	default:
		return nil
	}
	return protocol.Decode(q.Params, into)
}

// result returns what the method answers with, nil if the answer is not of its kind.
func (a Answer) result(method string) any {
	switch {
	case method == protocol.MethodCreateMessage && a.Message != nil:
		return a.Message
	case method == protocol.MethodElicit && a.Elicit != nil:
		return a.Elicit
	case method == protocol.MethodRootsList && a.Roots != nil:
		return a.Roots
	case method == protocol.MethodRootsAdd, method == protocol.MethodRootsRemove:
		return protocol.Present{}
	}
	return nil
}

// Refusal returns what a server gets to know when the answer is no, or when there is none: a cancelled elicitation, or
// an error. It never quotes the reason.
func Refusal(method string) (*protocol.ElicitResult, *jsonrpc.Error) {
	switch method {
	case protocol.MethodElicit:
		return &protocol.ElicitResult{Action: protocol.ElicitCancel}, nil
	case protocol.MethodRootsAdd, protocol.MethodRootsRemove:
		return nil, &jsonrpc.Error{Code: protocol.CodeServerError, Message: "The user refused this change of the roots"}
	}
	return nil, &jsonrpc.Error{Code: protocol.CodeUserRefused, Message: "The user rejected this request"}
}

// errNobody: there is no Asker.
var errNobody = errors.New("nobody is there to answer")

// errBusy refuses one question too many.
var errBusy = &jsonrpc.Error{Code: jsonrpc.CodeBusy, Message: "Too many questions are open"}

// put asks the user and returns the result for the server. What was not offered is refused without asking. While the
// question is open the clocks of its call stand still (ACC A17).
func (s *Session) put(ctx context.Context, q Question) (any, error) {
	info := s.Info()
	q.Revision, q.Claimed = info.Revision, info.Server
	if refused := s.opts.Offer.refuses(&q); refused != nil {
		return nil, refused
	}
	if !s.openQuestion() {
		return nil, errBusy
	}
	defer s.closeQuestion()
	s.awaitTask(ctx, q)
	defer s.hold(&q)()
	if q.Elicit != nil && q.Elicit.ElicitationID != "" {
		s.expect(q.Elicit.ElicitationID)
	}
	if s.opts.Asker == nil {
		return nil, errNobody
	}
	answer, err := s.opts.Asker.Ask(ctx, q)
	if err != nil {
		return nil, err
	}
	result := answer.result(q.Method)
	if result == nil {
		return nil, fmt.Errorf("%s: the answer is of another kind", q.Method)
	}
	return result, nil
}

func (s *Session) openQuestion() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.questions >= s.opts.Limits.Questions {
		return false
	}
	s.questions++
	return true
}

func (s *Session) closeQuestion() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.questions--
}

// asked answers a request of the server.
func (s *Session) asked(ctx context.Context, m *jsonrpc.Message) (any, error) {
	q := Question{Method: m.Method, Params: m.Params, Origin: OriginRequest, Key: m.ID.String()}
	if s.Info().Revision.Modern() { // such a server must not send requests (SEC B13)
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "Method not found: " + clip(m.Method)}
	}
	if ttl, ok := s.wanted(m); ok {
		return s.receive(q, ttl)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := context.AfterFunc(s.work, cancel)
	defer stop()
	return s.answer(ctx, q)
}

// answer puts a question of the server and returns what it gets to know.
func (s *Session) answer(ctx context.Context, q Question) (any, error) {
	if token := protocol.MetaValue(q.Params, "progressToken"); token != nil {
		reporting, end := context.WithCancel(ctx)
		done := make(chan struct{})
		go func() {
			defer close(done)
			s.reportWaiting(reporting, token)
		}()
		defer func() { end(); <-done }()
	}
	result, err := s.put(ctx, q)
	var answer *jsonrpc.Error
	switch {
	case err == nil || errors.As(err, &answer):
		return result, err
	case ctx.Err() == nil:
		s.debug(ctx, "a question was not answered", err)
	}
	if elicit, refused := Refusal(q.Method); elicit == nil {
		return nil, refused
	} else {
		return elicit, nil
	}
}

const waitingReport = 10 * time.Second // between reports that the user is still thinking (P26)

// reportWaiting tells the server that its request is alive. The words are fixed: nothing of the answer leaks.
func (s *Session) reportWaiting(ctx context.Context, token json.RawMessage) {
	tick := time.NewTicker(waitingReport)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		params := protocol.WaitingParams{ProgressToken: token, Progress: n}
		if s.Info().Revision.AtLeast(protocol.Revision20250326) {
			params.Message = "Waiting for the user"
		}
		s.debug(ctx, "progress not delivered", s.peer.Notify(ctx, protocol.NotificationProgress, params))
	}
}
