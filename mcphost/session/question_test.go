package session_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

// Exactly what is offered is declared (ACC A40).
func TestDeclared(t *testing.T) {
	for want, o := range map[string]session.Offer{
		`{}`: {},
		`{"roots":{"listChanged":true},"sampling":{},"elicitation":{"form":{}}}`:                                        {Roots: true, Sampling: true, Form: true},
		`{"sampling":{"tools":{}},"elicitation":{"url":{}}}`:                                                            {Sampling: true, SamplingTools: true, URL: true},
		`{"sampling":{},"tasks":{"list":{},"cancel":{},"requests":{"sampling":{"createMessage":{}}}}}`:                  {Sampling: true, Tasks: true},
		`{"elicitation":{"form":{},"url":{}},"tasks":{"list":{},"cancel":{},"requests":{"elicitation":{"create":{}}}}}`: {Form: true, URL: true, Tasks: true},
	} {
		_, stream := open(t, mcphosttest.Scenario{}, &session.Options{Offer: o})
		if frame := stream.Of(t, protocol.MethodInitialize)[0]; !strings.Contains(frame, `"capabilities":`+want+`,"clientInfo"`) {
			t.Errorf("%+v: %s", o, frame)
		}
	}
	for want, o := range map[string]session.Offer{
		`{}`: {}, `{"roots":{},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}`: {
			Roots: true, Sampling: true, SamplingTools: true, Form: true, URL: true, Tasks: true,
		},
	} {
		_, stream := open(t, mcphosttest.Scenario{Era: mcphosttest.Modern}, &session.Options{Offer: o})
		if frame := stream.Of(t, protocol.MethodDiscover)[0]; !strings.Contains(frame, `clientCapabilities":`+want+`,`) {
			t.Errorf("%+v: %s", o, frame)
		}
	}
}

// What was not declared, or what the revision does not know, is refused and nobody is asked.
func TestRefused(t *testing.T) {
	withTools := strings.Replace(sampling, `"maxTokens"`, `"tools":[],"maxTokens"`, 1)
	add := `{"uri":"file:///x","name":"X","metadata":{"readOnly":true,"type":"folder"}}`
	for _, c := range []struct {
		revision protocol.Revision
		offer    session.Offer
		method   string
		params   string
		code     int // 0 = it is asked
	}{
		{"2025-11-25", session.Offer{}, protocol.MethodCreateMessage, sampling, -32601},
		{"2025-11-25", session.Offer{}, protocol.MethodElicit, form, -32601},
		{"2025-11-25", session.Offer{}, protocol.MethodRootsList, "", -32601},
		{"2025-11-25", everything, "tools/list", "", -32601},
		{"2025-11-25", everything, protocol.MethodCreateMessage, sampling, 0},
		{"2024-11-05", everything, protocol.MethodCreateMessage, sampling, 0},
		{"2025-11-25", everything, protocol.MethodCreateMessage, withTools, 0},
		{"2025-06-18", everything, protocol.MethodCreateMessage, withTools, -32602},
		{"2025-11-25", session.Offer{Sampling: true}, protocol.MethodCreateMessage, withTools, -32602},
		{"2025-11-25", everything, protocol.MethodCreateMessage, `{"messages":[]}`, -32602},
		{"2025-11-25", everything, protocol.MethodElicit, form, 0},
		{"2025-06-18", everything, protocol.MethodElicit, form, 0},
		{"2025-03-26", everything, protocol.MethodElicit, form, -32601},
		{"2025-11-25", everything, protocol.MethodElicit, visit, 0},
		{"2025-06-18", everything, protocol.MethodElicit, visit, -32602},
		{"2025-06-18", session.Offer{URL: true}, protocol.MethodElicit, visit, -32601},
		{"2025-11-25", session.Offer{URL: true}, protocol.MethodElicit, form, -32602},
		{"2025-11-25", session.Offer{Form: true}, protocol.MethodElicit, visit, -32602},
		{"2025-11-25", everything, protocol.MethodElicit, `{"mode":"voice","message":"?"}`, -32602},
		{"2025-11-25", everything, protocol.MethodRootsList, "", 0},
		{"2024-11-05", everything, protocol.MethodRootsAdd, add, 0},
		{"2024-11-05", everything, protocol.MethodRootsRemove, add, 0},
		{"2024-11-05", session.Offer{Sampling: true}, protocol.MethodRootsAdd, add, -32601},
		{"2024-11-05", everything, protocol.MethodRootsAdd, `{}`, -32602},
		{"2025-03-26", everything, protocol.MethodRootsAdd, add, -32601},
	} {
		a := &asker{answer: agreeable}
		s, stream := open(t, mcphosttest.Scenario{Revision: string(c.revision), Tools: []mcphosttest.Tool{
			tool("ask", mcphosttest.Ask(c.method, mcphosttest.Raw(c.params)), mcphosttest.Text("done")),
		}}, &session.Options{Offer: c.offer, Asker: a})
		if _, err := s.CallTool(t.Context(), "ask", json.RawMessage(`{}`), session.CallOptions{}); err != nil {
			t.Fatal(err)
		}
		frames := strings.Join(stream.Frames(t), "\n")
		asked := len(a.questions()) == 1
		if want := fmt.Sprintf(`"error":{"code":%d`, c.code); asked != (c.code == 0) || strings.Contains(frames, want) == asked {
			t.Errorf("%s %s %s: asked %t, want %d\n%s", c.revision, c.method, c.params, asked, c.code, frames)
		}
	}
}

// A modern server must not send requests: not even what was declared is asked (SEC B13).
func TestModernServersDoNotAsk(t *testing.T) {
	a := &asker{answer: agreeable}
	raw := mcphosttest.Raw(`{"jsonrpc":"2.0","id":"s1","method":"sampling/createMessage","params":` + sampling + "}\n")
	s, stream := open(t, mcphosttest.Scenario{Era: mcphosttest.Modern, Tools: []mcphosttest.Tool{tool("ask", mcphosttest.Write(raw), mcphosttest.Text("done"))}},
		&session.Options{Offer: everything, Asker: a})
	if _, err := s.CallTool(t.Context(), "ask", json.RawMessage(`{}`), session.CallOptions{}); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool {
		return strings.Contains(strings.Join(stream.Frames(t), ""), `"id":"s1","error":{"code":-32601`)
	})
	if len(a.questions()) != 0 {
		t.Error("somebody was asked")
	}
}

// Without an answer the server gets a no, in the form of each method.
func TestNo(t *testing.T) {
	for _, a := range []session.Asker{nil, &asker{answer: func(context.Context, session.Question) (session.Answer, error) {
		return session.Answer{}, errors.New("secret reason")
	}}, &asker{answer: func(context.Context, session.Question) (session.Answer, error) { return session.Answer{}, nil }}} {
		s, stream := open(t, mcphosttest.Scenario{Revision: "2025-06-18", Tools: []mcphosttest.Tool{tool(
			"ask", mcphosttest.Ask(protocol.MethodCreateMessage, sampling), mcphosttest.Ask(protocol.MethodElicit, form),
			mcphosttest.Ask(protocol.MethodRootsList, ""), mcphosttest.Text("done"),
		)}}, &session.Options{Offer: everything, Asker: a})
		if _, err := s.CallTool(t.Context(), "ask", json.RawMessage(`{}`), session.CallOptions{}); err != nil {
			t.Fatal(err)
		}
		frames := strings.Join(stream.Frames(t), "\n")
		for _, want := range []string{`"id":"s1","error":{"code":-1,`, `"id":"s2","result":{"action":"cancel"}`, `"id":"s3","error":{"code":-1,`} {
			if !strings.Contains(frames, want) || strings.Contains(frames, "secret") {
				t.Errorf("%T: no %s in\n%s", a, want, frames)
			}
		}
	}
	own := &asker{answer: func(context.Context, session.Question) (session.Answer, error) {
		return session.Answer{}, &jsonrpc.Error{Code: -32602, Message: "this form has no shape"}
	}}
	s, stream := open(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("ask", mcphosttest.Ask(protocol.MethodElicit, form), mcphosttest.Text("done"))}}, &session.Options{Offer: everything, Asker: own})
	if _, err := s.CallTool(t.Context(), "ask", json.RawMessage(`{}`), session.CallOptions{}); err != nil {
		t.Fatal(err)
	}
	if frames := strings.Join(stream.Frames(t), "\n"); !strings.Contains(frames, `"code":-32602,"message":"this form has no shape"`) {
		t.Errorf("an error of the asker is not passed on:\n%s", frames)
	}
}

// A question that the server withdraws is closed, and not answered (ACC A18).
func TestWithdrawn(t *testing.T) {
	closed, asked := make(chan error, 1), filepath.Join(t.TempDir(), "asked")
	waits := &asker{answer: func(ctx context.Context, _ session.Question) (session.Answer, error) {
		if err := os.WriteFile(asked, nil, 0o600); err != nil {
			t.Error(err)
		}
		<-ctx.Done()
		closed <- ctx.Err()
		return agreeable(ctx, session.Question{Method: protocol.MethodElicit})
	}}
	s, stream := open(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool(
		"ask", mcphosttest.Write(mcphosttest.Raw(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":`+form+"}\n")),
		mcphosttest.WaitFile(asked), mcphosttest.Notify(protocol.NotificationCancelled, `{"requestId":"q"}`), mcphosttest.Text("done"),
	)}}, &session.Options{Offer: everything, Asker: waits})
	if _, err := s.CallTool(t.Context(), "ask", json.RawMessage(`{}`), session.CallOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := <-closed; err == nil {
		t.Error("the question stayed open")
	}
	if _, err := s.ListTools(t.Context()); err != nil {
		t.Fatal(err)
	}
	if frames := strings.Join(stream.Frames(t), "\n"); strings.Contains(frames, `"id":"q"`) {
		t.Errorf("it was answered:\n%s", frames)
	}
}

// Questions beyond the limit are refused, and ping is answered whatever waits.
func TestManyQuestions(t *testing.T) {
	for n, refused := range map[int]int{2: 0, 3: 1} {
		release, opened := make(chan struct{}), make(chan struct{}, 9)
		a := &asker{answer: func(ctx context.Context, q session.Question) (session.Answer, error) {
			opened <- struct{}{}
			<-release
			return agreeable(ctx, q)
		}}
		var flood []mcphosttest.Action
		for i := range n {
			flood = append(flood, mcphosttest.Write(mcphosttest.Raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":"q%d","method":"roots/list"}`+"\n", i))))
		}
		flood = append(flood, mcphosttest.Ask("ping", ""), mcphosttest.Text("done"))
		s, stream := open(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("ask", flood...)}},
			&session.Options{Offer: everything, Asker: a, Limits: session.Limits{Questions: 2}})
		if _, err := s.CallTool(t.Context(), "ask", json.RawMessage(`{}`), session.CallOptions{}); err != nil {
			t.Fatal(err)
		}
		<-opened
		<-opened
		waitFor(t, func() bool {
			return strings.Count(strings.Join(stream.Frames(t), "\n"), `"error":{"code":-32000`) == refused
		})
		close(release)
		waitFor(t, func() bool { return strings.Count(strings.Join(stream.Frames(t), "\n"), `"result":{"roots"`) == 2 })
	}
}

// A request with a progress token hears that it is alive, in words that tell nothing (P26).
func TestWaitingReports(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &asker{answer: func(ctx context.Context, q session.Question) (session.Answer, error) {
			time.Sleep(25 * time.Second)
			return agreeable(ctx, q)
		}}
		params := strings.Replace(form, `{"message"`, `{"_meta":{"progressToken":"t\u00e9"},"message"`, 1)
		s, stream := open(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("ask", mcphosttest.Ask(protocol.MethodElicit, mcphosttest.Raw(params)), mcphosttest.Text("done"))}},
			&session.Options{Offer: everything, Asker: a})
		if _, err := s.CallTool(t.Context(), "ask", json.RawMessage(`{}`), session.CallOptions{}); err != nil {
			t.Fatal(err)
		}
		got := stream.Of(t, protocol.NotificationProgress)
		if len(got) != 2 || !strings.Contains(got[1], `{"progressToken":"t\u00e9","progress":2,"message":"Waiting for the user"}`) {
			t.Errorf("%v", got)
		}
	})
}

// Error −32042: its URLs are put to the user, and completion is matched to what is open (2025-11-25).
func TestURLRequired(t *testing.T) {
	failing := mcphosttest.Write(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32042,"message":"first","data":{"elicitations":[` +
		`{"mode":"url","message":"a","url":"https://a.example/","elicitationId":"a"},{"mode":"url","message":"b","url":"https://b.example/","elicitationId":"b"}]}}}` + "\n")
	for _, accept := range []bool{true, false} {
		completed := make(chan string, 9)
		a := &asker{answer: func(_ context.Context, q session.Question) (session.Answer, error) {
			action := protocol.ElicitAccept
			if !accept && q.Elicit.ElicitationID == "b" {
				action = protocol.ElicitDecline
			}
			return session.Answer{Elicit: &protocol.ElicitResult{Action: action}}, nil
		}}
		s, _ := open(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{
			tool("go", failing, mcphosttest.Silence()),
			tool("finish", mcphosttest.Notify(protocol.NotificationElicitationComplete, `{"elicitationId":"z"}`),
				mcphosttest.Notify(protocol.NotificationElicitationComplete, `{"elicitationId":"a"}`),
				mcphosttest.Notify(protocol.NotificationElicitationComplete, `{"elicitationId":"a"}`)),
		}}, &session.Options{Offer: everything, Asker: a, Completed: func(id string) { completed <- id }})
		_, err := s.CallTool(t.Context(), "go", json.RawMessage(`{}`), session.CallOptions{ID: "c"})
		var required *session.URLRequiredError
		if !errors.As(err, &required) || required.Accepted != accept || len(required.Elicitations) != 2 {
			t.Fatalf("%v", err)
		}
		for _, q := range a.questions() {
			if q.Origin != session.OriginError || q.Call != "c" || q.Elicit.URL == "" {
				t.Errorf("%+v", q)
			}
		}
		if _, err := s.CallTool(t.Context(), "finish", json.RawMessage(`{}`), session.CallOptions{}); err != nil {
			t.Fatal(err)
		}
		if id := <-completed; id != "a" || len(completed) != 0 {
			t.Errorf("completed %q, and %d more", id, len(completed))
		}
	}
	s, _ := open(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("go", failing, mcphosttest.Silence())}}, nil)
	var required *session.URLRequiredError
	if _, err := s.CallTool(t.Context(), "go", json.RawMessage(`{}`), session.CallOptions{}); err == nil || errors.As(err, &required) {
		t.Errorf("not offered, but %v", err)
	}
}
