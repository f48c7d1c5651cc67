package session_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func tool(name string, do ...mcphosttest.Action) mcphosttest.Tool {
	return mcphosttest.Tool{Definition: mcphosttest.Raw(fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"}}`, name)), Do: do}
}

// open opens a session with a scripted server and closes it at the end of the test.
func open(t *testing.T, sc mcphosttest.Scenario, o *session.Options) (*session.Session, *mcphosttest.Stream) {
	t.Helper()
	stream := mcphosttest.NewStream(t, sc)
	s, err := session.Open(t.Context(), stream, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		checkFrames(t, stream.Record, s.Info().Revision)
	})
	return s, stream
}

func TestOpenAcceptsEveryLegacyRevision(t *testing.T) {
	for _, r := range []protocol.Revision{
		protocol.Revision20241007, protocol.Revision20241105, protocol.Revision20250326, protocol.Revision20250618, protocol.Revision20251125,
	} {
		t.Run(string(r), func(t *testing.T) {
			s, stream := open(t, mcphosttest.Scenario{Revision: string(r), Instructions: "be kind"}, &session.Options{
				Client: protocol.Implementation{Name: "gatehouse", Version: "1"},
			})
			if got := s.Info(); got.Revision != r || got.Instructions != "be kind" || got.Server.Name != "scripted" {
				t.Errorf("info = %+v", got)
			}
			first := stream.Of(t, protocol.MethodInitialize)[0]
			if !strings.Contains(first, `"protocolVersion":"2025-11-25"`) || !strings.Contains(first, `"capabilities":{}`) {
				t.Errorf("initialize offers %s", first)
			}
		})
	}
}

func TestOpenRefusesUnknownRevisions(t *testing.T) {
	for _, r := range []string{"2026-07-28", "1999-01-01", "draft"} {
		stream := mcphosttest.NewStream(t, mcphosttest.Scenario{Revision: r})
		if _, err := session.Open(t.Context(), stream, nil); !errors.Is(err, session.ErrRevision) {
			t.Errorf("%s: error = %v, want ErrRevision", r, err)
		}
		if n := stream.Count(t, protocol.NotificationInitialized); n != 0 {
			t.Errorf("%s: initialized was sent", r)
		}
	}
}

func TestOpenTimesOutWithoutCancelling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stream := mcphosttest.NewStream(t, mcphosttest.Scenario{On: map[string][]mcphosttest.Action{"initialize": {mcphosttest.Silence()}}})
		_, err := session.Open(t.Context(), stream, &session.Options{Limits: session.Limits{Open: time.Second}})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error = %v, want DeadlineExceeded", err)
		} else if want := "the server has not answered within 1s"; err.Error() != want {
			t.Errorf("error = %q, want %q", err, want)
		}
		if n := stream.Count(t, protocol.NotificationCancelled); n != 0 {
			t.Error("initialize was cancelled on the wire, which the specification forbids")
		}
	})
}

func TestListFollowsPages(t *testing.T) {
	var tools []mcphosttest.Tool
	for i := range 5 {
		tools = append(tools, tool(fmt.Sprint("t", i)))
	}
	for _, cursors := range []string{"", mcphosttest.EmptyCursors} {
		size := 2
		if cursors == mcphosttest.EmptyCursors {
			size = 3
		}
		s, _ := open(t, mcphosttest.Scenario{Tools: tools, PageSize: size, Cursors: cursors}, nil)
		list, err := s.ListTools(t.Context())
		if err != nil || list.Warning != "" || len(list.Items) != 5 {
			t.Errorf("cursors %q: %d tools, warning %q, error %v", cursors, len(list.Items), list.Warning, err)
		}
	}
}

func TestListEnds(t *testing.T) {
	tools := []mcphosttest.Tool{tool("a"), tool("b"), tool("c")}
	tests := []struct {
		name     string
		scenario mcphosttest.Scenario
		limits   session.Limits
		tools    int
		warning  string
	}{
		{"repeated cursor", mcphosttest.Scenario{Tools: tools, PageSize: 1, Cursors: mcphosttest.RepeatedCursors}, session.Limits{}, 2, "repeats"},
		{"endless pages", mcphosttest.Scenario{Tools: tools, Cursors: mcphosttest.EndlessCursors}, session.Limits{Pages: 7}, 3, "more than 7 pages"},
		{"n items", mcphosttest.Scenario{Tools: tools, PageSize: 1}, session.Limits{Items: 3}, 3, ""},
		{"n+1 items", mcphosttest.Scenario{Tools: tools, PageSize: 1}, session.Limits{Items: 2}, 2, "more than 2 tools"},
		{"n items at once", mcphosttest.Scenario{Tools: tools}, session.Limits{Items: 3}, 3, ""},
		{"n+1 items at once", mcphosttest.Scenario{Tools: tools}, session.Limits{Items: 2}, 2, "more than 2 tools"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := open(t, tt.scenario, &session.Options{Limits: tt.limits})
			list, err := s.ListTools(t.Context())
			if err != nil || len(list.Items) != tt.tools || !strings.Contains(list.Warning, tt.warning) || (tt.warning == "") != (list.Warning == "") {
				t.Errorf("%d tools, warning %q, error %v", len(list.Items), list.Warning, err)
			}
		})
	}
}

func TestCallSendsExactBytes(t *testing.T) {
	s, stream := open(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("echo")}}, nil)
	args := `{"n":9007199254740993,"e":1E400,"t":"<a href=\"x\">&\u2028é","d":1.10}`
	result, err := s.CallTool(t.Context(), "echo", json.RawMessage(args), session.CallOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := result.Content[0].Text; got != args {
		t.Errorf("echo = %s, want %s", got, args)
	}
	if frame := stream.Of(t, protocol.MethodToolsCall)[0]; !strings.Contains(frame, `"arguments":`+args) || !strings.Contains(frame, `"progressToken":`) {
		t.Errorf("frame = %s", frame)
	}
}

func TestCallErrors(t *testing.T) {
	s, _ := open(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{
		tool("protocol", mcphosttest.Fail(-32602, "no such thing")),
		tool("execution", mcphosttest.Result(`{"content":[{"type":"text","text":"broken"}],"isError":true}`)),
		tool("odd", mcphosttest.Result(`[1]`)),
		tool("gone", mcphosttest.Exit(1)),
	}}, nil)
	var answer *jsonrpc.Error
	if _, err := s.CallTool(t.Context(), "protocol", json.RawMessage(`{}`), session.CallOptions{}); !errors.As(err, &answer) || answer.Code != -32602 {
		t.Errorf("protocol error = %v", err)
	}
	if r, err := s.CallTool(t.Context(), "execution", json.RawMessage(`{}`), session.CallOptions{}); err != nil || !r.IsError {
		t.Errorf("execution error = %+v, %v", r, err)
	}
	var invalid *jsonrpc.InvalidResponseError
	if _, err := s.CallTool(t.Context(), "odd", json.RawMessage(`{}`), session.CallOptions{}); !errors.As(err, &invalid) {
		t.Errorf("odd result = %v, want InvalidResponseError", err)
	}
	var closed *jsonrpc.ClosedError
	if _, err := s.CallTool(t.Context(), "gone", json.RawMessage(`{}`), session.CallOptions{}); !errors.As(err, &closed) || !closed.Sent {
		t.Errorf("lost connection = %v", err)
	}
	<-s.Done()
}

func TestProgress(t *testing.T) {
	s, _ := open(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool(
		"slow", mcphosttest.Progress(1, "one"), mcphosttest.Progress(3, "three"), mcphosttest.Progress(2, "back"),
		mcphosttest.Notify(protocol.NotificationProgress, `{"progressToken":999,"progress":9}`), mcphosttest.Progress(4, "four"),
	)}}, nil)
	var got []string
	_, err := s.CallTool(t.Context(), "slow", json.RawMessage(`{}`), session.CallOptions{
		Progress: func(p protocol.ProgressParams) { got = append(got, p.Message) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := "one three four"; strings.Join(got, " ") != want {
		t.Errorf("progress = %v, want %s", got, want)
	}
}

func TestStopCancelsOnTheWire(t *testing.T) {
	s, stream := open(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("wait", mcphosttest.Progress(1, "begun"), mcphosttest.Await(protocol.NotificationCancelled))}}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := s.CallTool(ctx, "wait", json.RawMessage(`{}`), session.CallOptions{Progress: func(protocol.ProgressParams) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error = %v, want Canceled", err)
	}
	if _, err := s.ListTools(t.Context()); err != nil { // the session goes on; the late answer is dropped
		t.Fatal(err)
	}
	waitFor(t, func() bool { return stream.Count(t, protocol.NotificationCancelled) == 1 })
	var call, cancelled struct {
		ID     json.RawMessage
		Params struct{ RequestID json.RawMessage }
	}
	decode(t, stream.Of(t, protocol.MethodToolsCall)[0], &call)
	decode(t, stream.Of(t, protocol.NotificationCancelled)[0], &cancelled)
	if string(call.ID) != string(cancelled.Params.RequestID) {
		t.Errorf("cancelled %s, want %s", cancelled.Params.RequestID, call.ID)
	}
}

func TestCallClocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := open(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("silent", mcphosttest.Silence())}}, nil)
		began := time.Now()
		if _, err := s.CallTool(t.Context(), "silent", json.RawMessage(`{}`), session.CallOptions{}); !errors.Is(err, session.ErrInactive) {
			t.Errorf("error = %v, want ErrInactive", err)
		}
		if d := time.Since(began); d != 5*time.Minute {
			t.Errorf("gave up after %v, want 5m", d)
		}
		if _, err := s.CallTool(t.Context(), "silent", json.RawMessage(`{}`), session.CallOptions{Inactive: time.Hour, Total: time.Minute}); !errors.Is(err, session.ErrTotal) {
			t.Errorf("error = %v, want ErrTotal", err)
		}
	})
}

func TestServerRequests(t *testing.T) {
	s, stream := open(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool(
		"ask", mcphosttest.Ask("ping", ""), mcphosttest.Ask("sampling/createMessage", `{"messages":[],"maxTokens":1}`), mcphosttest.Text("done"),
	)}}, nil)
	if _, err := s.CallTool(t.Context(), "ask", json.RawMessage(`{}`), session.CallOptions{}); err != nil {
		t.Fatal(err)
	}
	var pong, refused bool
	for _, f := range stream.Frames(t) {
		pong = pong || strings.Contains(f, `"result":{}`)
		refused = refused || strings.Contains(f, `-32601`)
	}
	if !pong || !refused {
		t.Errorf("ping answered: %v, undeclared request refused: %v", pong, refused)
	}
}

func TestListChangedAndLog(t *testing.T) {
	changed, logged, noise := make(chan struct{}, 9), make(chan protocol.LoggingMessageParams, 9), make(chan string, 9)
	s, _ := open(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool(
		"notify", mcphosttest.Notify(protocol.NotificationToolsListChanged, ""),
		mcphosttest.Notify(protocol.NotificationMessage, `{"level":"warning","data":{"a":1}}`),
		mcphosttest.Notify(protocol.NotificationMessage, `{"level":"info","logger":7}`),
		mcphosttest.Write("a stray line\n"),
	)}}, &session.Options{
		Changed: func(string) { changed <- struct{}{} },
		Log:     func(p protocol.LoggingMessageParams) { logged <- p },
		Noise:   func(kind string, _ []byte) { noise <- kind },
	})
	if _, err := s.CallTool(t.Context(), "notify", json.RawMessage(`{}`), session.CallOptions{}); err != nil {
		t.Fatal(err)
	}
	<-changed
	if p := <-logged; p.Level != "warning" || string(p.Data) != `{"a":1}` {
		t.Errorf("log = %+v", p)
	}
	if kinds := <-noise + " " + <-noise; !strings.Contains(kinds, "bad-params") || !strings.Contains(kinds, jsonrpc.NoiseStray) {
		t.Errorf("noise = %s", kinds)
	}
}

func decode(t *testing.T, frame string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(frame), into); err != nil {
		t.Fatal(err)
	}
}

// waitFor polls a condition of another goroutine, for at most ten seconds.
func waitFor(t *testing.T, condition func() bool) {
	t.Helper()
	deadline := time.After(10 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !condition() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("waited 10 s")
		}
	}
}
