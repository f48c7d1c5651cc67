package session_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

// An asker answers questions and remembers them.
type asker struct {
	answer func(ctx context.Context, q session.Question) (session.Answer, error)

	mu    sync.Mutex
	asked []session.Question
}

func (a *asker) Ask(ctx context.Context, q session.Question) (session.Answer, error) {
	a.mu.Lock()
	a.asked = append(a.asked, q)
	a.mu.Unlock()
	return a.answer(ctx, q)
}

func (a *asker) questions() []session.Question {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]session.Question(nil), a.asked...)
}

var everything = session.Offer{Roots: true, Sampling: true, SamplingTools: true, Form: true, URL: true}

// agreeable says yes to everything.
func agreeable(_ context.Context, q session.Question) (session.Answer, error) {
	switch q.Method {
	case protocol.MethodCreateMessage:
		return session.Answer{Message: &protocol.CreateMessageResult{Role: "assistant", Content: json.RawMessage(`{"type":"text","text":"<ok>"}`), Model: "m"}}, nil
	case protocol.MethodElicit:
		return session.Answer{Elicit: &protocol.ElicitResult{Action: protocol.ElicitAccept, Content: json.RawMessage(`{"name":"x"}`)}}, nil
	case protocol.MethodRootsList:
		return session.Answer{Roots: &protocol.ListRootsResult{Roots: []protocol.Root{{URI: "file:///a"}}}}, nil
	}
	return session.Answer{}, nil
}

const (
	sampling = `{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"maxTokens":9}`
	form     = `{"message":"who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}`
	visit    = `{"mode":"url","message":"go","url":"https://example.com/","elicitationId":"e1"}`
)

// The same questions by the two ways: the same Question but for its origin, the same answers on the wire.
func TestQuestionTwins(t *testing.T) {
	asks := []mcphosttest.Action{
		mcphosttest.Ask(protocol.MethodCreateMessage, sampling), mcphosttest.Ask(protocol.MethodElicit, form),
		mcphosttest.Ask(protocol.MethodElicit, visit), mcphosttest.Ask(protocol.MethodRootsList, ""), mcphosttest.Text("done"),
	}
	answers := map[string][]string{}
	for _, era := range []string{mcphosttest.Legacy, mcphosttest.Modern} {
		a := &asker{answer: agreeable}
		s, stream := open(t, mcphosttest.Scenario{Era: era, Tools: []mcphosttest.Tool{tool("ask", asks...)}}, &session.Options{Offer: everything, Asker: a})
		result, err := s.CallTool(t.Context(), "ask", json.RawMessage(`{"n":1.0}`), session.CallOptions{ID: "call"})
		if err != nil || result.Content[0].Text != "done" {
			t.Fatalf("%s: %+v, %v", era, result, err)
		}
		var kinds []string
		for _, q := range a.questions() {
			kinds = append(kinds, q.Method)
			want := session.OriginRequest
			if era == mcphosttest.Modern {
				want = session.OriginInput
			}
			if q.Origin != want || q.Call != "call" || q.Key == "" || q.Claimed.Name != "scripted" || q.Revision != s.Info().Revision {
				t.Errorf("%s: %+v", era, q)
			}
		}
		if got := strings.Join(kinds, " "); got != "sampling/createMessage elicitation/create elicitation/create roots/list" {
			t.Errorf("%s: asked %s", era, got)
		}
		for _, f := range stream.Frames(t) {
			var m struct {
				ID     json.RawMessage
				Result json.RawMessage
				Params struct {
					InputResponses map[string]json.RawMessage
					RequestState   json.RawMessage
				}
			}
			decode(t, f, &m)
			if m.Result != nil {
				answers[era] = append(answers[era], string(m.Result))
			}
			for _, r := range m.Params.InputResponses {
				answers[era] = append(answers[era], string(r))
				if want := `"state \"\u00e9\" ` + itoa(len(answers[era])-1) + `"`; string(m.Params.RequestState) != want {
					t.Errorf("state %s, want %s", m.Params.RequestState, want)
				}
			}
		}
	}
	if legacy, modern := strings.Join(answers[mcphosttest.Legacy], "\n"), strings.Join(answers[mcphosttest.Modern], "\n"); legacy != modern || legacy == "" {
		t.Errorf("legacy\n%s\nmodern\n%s", legacy, modern)
	}
}

// A retry is the same request under a new id and a new token, and nothing else changes.
func TestRetry(t *testing.T) {
	s, stream := open(t, mcphosttest.Scenario{Era: mcphosttest.Modern, Tools: []mcphosttest.Tool{
		tool("ask", mcphosttest.Ask(protocol.MethodElicit, form), mcphosttest.Echo()),
	}}, &session.Options{Offer: everything, Asker: &asker{answer: agreeable}})
	args := `{"n":9007199254740993,"t":"\u2028<"}`
	result, err := s.CallTool(t.Context(), "ask", json.RawMessage(args), session.CallOptions{})
	if err != nil || result.Content[0].Text != args {
		t.Fatalf("%+v, %v", result, err)
	}
	calls := stream.Of(t, protocol.MethodToolsCall)
	var ids [2]json.RawMessage
	for i, c := range calls {
		var m struct{ ID json.RawMessage }
		decode(t, c, &m)
		ids[i] = m.ID
		if !strings.Contains(c, `"arguments":`+args) {
			t.Errorf("%s", c)
		}
	}
	if len(calls) != 2 || string(ids[0]) == string(ids[1]) || strings.Contains(calls[0], "requestState") {
		t.Errorf("%v", calls)
	}
}

func TestRoundsEnd(t *testing.T) {
	var asks []mcphosttest.Action
	for range 6 {
		asks = append(asks, mcphosttest.Ask(protocol.MethodElicit, form))
	}
	for n, want := range map[int]bool{5: true, 6: false} {
		s, stream := open(t, mcphosttest.Scenario{Era: mcphosttest.Modern, Tools: []mcphosttest.Tool{
			tool("ask", append(asks[:n:n], mcphosttest.Text("done"))...),
		}}, &session.Options{Offer: everything, Asker: &asker{answer: agreeable}})
		_, err := s.CallTool(t.Context(), "ask", json.RawMessage(`{}`), session.CallOptions{})
		if (err == nil) != want || !want && !errors.Is(err, session.ErrRounds) || stream.Count(t, protocol.MethodToolsCall) != 6 {
			t.Errorf("%d rounds: %v after %d requests", n, err, stream.Count(t, protocol.MethodToolsCall))
		}
	}
}

// What cannot be a result of the modern era fails its call, and nobody is asked for it.
func TestInvalidRounds(t *testing.T) {
	for name, result := range map[string]mcphosttest.Raw{
		"an unknown type":       `{"resultType":"later","content":[]}`,
		"a task, not offered":   `{"resultType":"task","taskId":"t","status":"working"}`,
		"nothing asked":         `{"resultType":"input_required"}`,
		"a state that is none":  `{"resultType":"input_required","requestState":7}`,
		"a request without one": `{"resultType":"input_required","inputRequests":{"a":{}}}`,
	} {
		a := &asker{answer: agreeable}
		s, _ := open(t, mcphosttest.Scenario{Era: mcphosttest.Modern, Tools: []mcphosttest.Tool{tool("odd", mcphosttest.Result(result))}}, &session.Options{Offer: everything, Asker: a})
		var invalid *jsonrpc.InvalidResponseError
		if _, err := s.CallTool(t.Context(), "odd", json.RawMessage(`{}`), session.CallOptions{}); !errors.As(err, &invalid) || len(a.questions()) != 0 {
			t.Errorf("%s: %v, asked %d", name, err, len(a.questions()))
		}
	}
	s, _ := open(t, mcphosttest.Scenario{Era: mcphosttest.Modern, On: on(protocol.MethodToolsList, mcphosttest.Result(`{"resultType":"input_required","tools":[],"requestState":"s"}`))}, nil)
	if _, err := s.ListTools(t.Context()); err == nil {
		t.Error("a list that needs input was accepted")
	}
}

// A no ends the call of an input round; an elicitation's no is an answer.
func TestRoundRefused(t *testing.T) {
	no := func(context.Context, session.Question) (session.Answer, error) {
		return session.Answer{}, errors.New("no")
	}
	for method, params := range map[string]mcphosttest.Raw{protocol.MethodCreateMessage: sampling, protocol.MethodRootsList: "", protocol.MethodElicit: form} {
		s, stream := open(t, mcphosttest.Scenario{Era: mcphosttest.Modern, Tools: []mcphosttest.Tool{tool("ask", mcphosttest.Ask(method, params), mcphosttest.Text("done"))}},
			&session.Options{Offer: everything, Asker: &asker{answer: no}})
		_, err := s.CallTool(t.Context(), "ask", json.RawMessage(`{}`), session.CallOptions{})
		var refused *session.RefusedError
		calls := stream.Of(t, protocol.MethodToolsCall)
		if method == protocol.MethodElicit {
			if err != nil || !strings.Contains(calls[1], `{"q0":{"action":"cancel"}}`) {
				t.Errorf("%s: %v, %v", method, err, calls)
			}
		} else if !errors.As(err, &refused) || refused.Method != method || len(calls) != 1 {
			t.Errorf("%s: %v, %v", method, err, calls)
		}
	}
}

// Reading and prompts may need input as well.
func TestRoundsElsewhere(t *testing.T) {
	capabilities := mcphosttest.Raw(`{"resources":{},"prompts":{}}`)
	s, _ := open(t, mcphosttest.Scenario{Era: mcphosttest.Modern, Capabilities: capabilities, On: map[string][]mcphosttest.Action{
		protocol.MethodResourcesRead: {mcphosttest.Ask(protocol.MethodElicit, form), mcphosttest.Result(`{"contents":[{"uri":"a:b","text":"t"}]}`)},
		protocol.MethodPromptsGet:    {mcphosttest.Ask(protocol.MethodElicit, form), mcphosttest.Result(`{"messages":[{"role":"user","content":{"type":"text","text":"t"}}]}`)},
	}}, &session.Options{Offer: everything, Asker: &asker{answer: agreeable}})
	if r, err := s.ReadResource(t.Context(), "a:b", session.CallOptions{}); err != nil || r.Contents[0].Text != "t" {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := s.GetPrompt(t.Context(), "p", map[string]string{"a": "<"}, session.CallOptions{}); err != nil || r.Messages[0].Content.Text != "t" {
		t.Errorf("%+v, %v", r, err)
	}
}

// While a question of a call is open its clocks stand still (ACC A17); afterwards they go on.
func TestClocksStandStill(t *testing.T) {
	for _, era := range []string{mcphosttest.Legacy, mcphosttest.Modern} {
		synctest.Test(t, func(t *testing.T) {
			slow := func(ctx context.Context, q session.Question) (session.Answer, error) {
				select {
				case <-time.After(3 * time.Hour):
				case <-ctx.Done():
				}
				return agreeable(ctx, q)
			}
			s, _ := open(t, mcphosttest.Scenario{Era: era, Tools: []mcphosttest.Tool{
				tool("ask", mcphosttest.Ask(protocol.MethodElicit, form), mcphosttest.Text("done")),
				tool("stall", mcphosttest.Ask(protocol.MethodElicit, form), mcphosttest.Silence()),
			}}, &session.Options{Offer: everything, Asker: &asker{answer: slow}})
			if _, err := s.CallTool(t.Context(), "ask", json.RawMessage(`{}`), session.CallOptions{}); err != nil {
				t.Errorf("%q: %v", era, err)
			}
			began := time.Now()
			if _, err := s.CallTool(t.Context(), "stall", json.RawMessage(`{}`), session.CallOptions{}); !errors.Is(err, session.ErrInactive) {
				t.Errorf("%q: %v", era, err)
			}
			if d := time.Since(began); d != 3*time.Hour+5*time.Minute {
				t.Errorf("%q: ended after %v", era, d)
			}
		})
	}
}
