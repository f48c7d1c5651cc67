package mcphost_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
)

func TestCallFromWishToHistory(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	p := mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("echo")}})
	s := h.add("Scripted", p)
	h.connect(s)
	view, err := h.call(s, "echo", "{ \"n\" : 9007199254740993,\n \"s\":\"<a>  b\" }")
	if err != nil {
		t.Fatal(err)
	}
	const sent = `{"n":9007199254740993,"s":"<a>  b"}`
	if view.State != mcphost.CallState(mcphost.CallSucceeded) || view.Result.Content[0].Text != sent {
		t.Errorf("call ended %s with %+v", view.State, view.Result)
	}
	rows := h.history()
	if len(rows) != 2 || rows[0].Outcome != mcphost.CallSucceeded || !rows[0].Allowed || rows[0].CallID != view.ID || rows[1].Kind != consent.KindLaunch {
		t.Errorf("history = %+v", rows)
	}
	entry, err := h.store.HistoryEntry(t.Context(), rows[0].ID)
	if err != nil || string(entry.Decision.ToolCall.Arguments) != sent || !strings.Contains(entry.Result, "9007199254740993") {
		t.Errorf("entry = %+v, %v", entry, err)
	}
	if asked := h.requests(); string(asked[1].ToolCall.Arguments) != sent {
		t.Errorf("asked for %s", asked[1].ToolCall.Arguments)
	}
}

func TestLaunchConsentLastsForItsDigest(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	p := mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("echo")}})
	s := h.add("Scripted", p)
	h.connect(s)
	if err := s.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.connect(s)
	rows := h.history()
	if n := len(h.requests()); n != 1 || len(rows) != 2 || rows[0].By != consent.ByStanding {
		t.Fatalf("asked %d times, rows %+v", n, rows)
	}
	entry, err := h.store.HistoryEntry(t.Context(), rows[0].ID)
	if err != nil || entry.Decision.Original != rows[1].ID {
		t.Errorf("the second start rests on %q, want %q", entry.Decision.Original, rows[1].ID)
	}

	// SEC A5: a changed definition is asked again, with what was approved before.
	if err := s.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := s.Config()
	c.Env = append(c.Env, consent.Var{Name: "MORE", Value: "1"})
	if err := h.Update(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	h.answer(no)
	starts := len(p.Frames(t))
	if err := s.Connect(t.Context(), consent.Actor{}); err == nil {
		t.Fatal("a changed launch was not asked")
	}
	asked := h.requests()
	if len(asked) != 2 || asked[1].Before == nil || len(asked[1].Before.Env) != len(asked[1].Launch.Env)-1 {
		t.Errorf("asked = %+v", asked)
	}
	if len(p.Frames(t)) != starts {
		t.Error("the refused server was started")
	}
	if snap := s.Snapshot(); snap.Status != mcphost.StatusStopped || snap.Failure != nil {
		t.Errorf("after a refusal: %s, %+v", snap.Status, snap.Failure)
	}
}

func TestRefusedLaunchStartsNothing(t *testing.T) {
	silent := func(ctx context.Context, _ consent.Request) consent.Answer { return consent.Answer{} }
	fails := func(ctx context.Context, _ consent.Request) consent.Answer { panic("the dialog crashed") }
	other := func(ctx context.Context, r consent.Request) consent.Answer {
		return consent.Answer{Allow: true, Digest: consent.Digest{1}, By: consent.ByUser}
	}
	for name, asker := range map[string]consent.Script{"denied": no, "silence": silent, "crash": fails, "another digest": other} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, mcphost.Options{})
			h.answer(asker)
			mark := filepath.Join(t.TempDir(), "started")
			s := h.add("Scripted", mcphosttest.Command(t, mcphosttest.Scenario{Start: []mcphosttest.Action{mcphosttest.Touch(mark)}}))
			if err := s.Connect(t.Context(), consent.Actor{}); err == nil {
				t.Fatal("connected")
			}
			if _, err := os.Stat(mark); !os.IsNotExist(err) {
				t.Error("the process ran")
			}
		})
	}
}

func TestRefusedRemoteIsNotContacted(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	h.answer(no)
	trap := mcphosttest.NewTrap(t)
	c := mcphost.Config{ID: mcphost.NewID(), Name: "Remote", Transport: mcphost.HTTP, URL: trap.URL()}
	if err := h.Add(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	s, _ := h.Server(c.ID)
	if err := s.Connect(t.Context(), consent.Actor{}); err == nil {
		t.Fatal("connected")
	}
	if trap.Hits() != 0 {
		t.Errorf("%d connections before consent", trap.Hits())
	}
}

func TestRefusedCallsAreNotSent(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	p := mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("echo")}})
	s := h.add("Scripted", p)
	h.connect(s)
	h.answer(no)
	view, err := h.call(s, "echo", `{"n":1}`)
	var refusal *consent.Refusal
	if !errors.As(err, &refusal) || refusal.Decision.Reason != "not now" || view.State != mcphost.CallDenied {
		t.Errorf("view %+v, error %v", view, err)
	}
	h.answer(yes)
	for arguments, want := range map[string]string{`{"n":"x"}`: "invalid", `{"n":1,"n":2}`: "duplicate", `[1]`: "object", `{`: ""} {
		if _, err := h.call(s, "echo", arguments); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error = %v, want one about %q", arguments, err, want)
		}
	}
	if _, err := h.call(s, "nothing", `{}`); !errors.Is(err, mcphost.ErrUnknownTool) {
		t.Errorf("unknown tool: %v", err)
	}
	if n := p.Count(t, "tools/call"); n != 0 {
		t.Errorf("the server got %d calls", n)
	}
}

// SEC D1: the definition changes between showing and click.
func TestDefinitionChangesWhileAsked(t *testing.T) {
	const changed = `{"name":"target","description":"now with teeth","inputSchema":{"type":"object"}}`
	h := newHouse(t, mcphost.Options{})
	p := mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{
		tool("target"), tool("flip", mcphosttest.Redefine("target", changed), mcphosttest.Notify("notifications/tools/list_changed", "")),
	}})
	s := h.add("Scripted", p)
	h.connect(s)
	withdrawn, decide := make(chan struct{}), make(chan consent.Answer)
	h.answer(func(ctx context.Context, r consent.Request) consent.Answer {
		switch {
		case r.ToolCall.Tool == "flip":
			return yes(ctx, r)
		case r.ToolCall.Previous == nil:
			<-ctx.Done() // the dialog is open until it is withdrawn
			close(withdrawn)
			return yes(ctx, r)
		}
		return <-decide
	})
	done := make(chan error, 1)
	go func() {
		_, err := h.call(s, "target", `{}`)
		done <- err
	}()
	waitFor(t, "the first question", func() bool { return len(h.requests()) == 2 })
	if _, err := h.call(s, "flip", `{}`); err != nil {
		t.Fatal(err)
	}
	<-withdrawn
	waitFor(t, "the second question", func() bool { return len(h.requests()) == 4 })
	again := h.requests()[3]
	if string(again.ToolCall.Definition) != changed || !strings.Contains(string(again.ToolCall.Previous), `"target"`) {
		t.Errorf("asked again with %+v", again.ToolCall)
	}
	if n := p.Count(t, "tools/call"); n != 1 {
		t.Errorf("%d calls went out before the second decision, want only flip", n)
	}
	decide <- consent.Answer{Allow: true, Digest: again.Digest(), By: consent.ByUser}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got, err := s.Tool("target"); err != nil || got.Previous != nil {
		t.Errorf("an allowed change is trusted: %+v, %v", got, err)
	}
}

func TestChangedDefinitionIsNotOffered(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	p := mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("a"), tool("b")}})
	s := h.add("Scripted", p)
	h.connect(s)
	pins := []mcphost.Pin{{Tool: "a", Digest: consent.Digest{1}, Definition: json.RawMessage(`{"name":"a"}`)}}
	if err := h.store.PutPins(t.Context(), s.ID(), pins); err != nil {
		t.Fatal(err)
	}
	if err := s.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	offered := h.ForChat().Offer(t.Context())
	if len(offered) != 1 || offered[0].Name != "b" || s.Snapshot().Changed != 1 {
		t.Errorf("offered %+v, changed %d", offered, s.Snapshot().Changed)
	}
}

func TestStopCall(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	p := mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("wait", mcphosttest.Await("notifications/cancelled"))}})
	s := h.add("Scripted", p)
	h.connect(s)
	ids := make(chan string, 1)
	done := make(chan mcphost.CallView, 1)
	go func() {
		v, _ := h.Call(t.Context(), mcphost.CallRequest{ServerID: s.ID(), Tool: "wait", Arguments: json.RawMessage(`{}`), Started: func(id string) { ids <- id }})
		done <- v
	}()
	id := <-ids
	waitFor(t, "the call to reach the server", func() bool { return p.Count(t, "tools/call") == 1 })
	h.StopCall(id)
	if v := <-done; v.State != mcphost.CallState(mcphost.CallStopped) {
		t.Errorf("state = %s", v.State)
	}
	waitFor(t, "the cancellation", func() bool { return p.Count(t, "notifications/cancelled") == 1 })
	if rows := h.history(); rows[0].Outcome != mcphost.CallStopped {
		t.Errorf("history = %+v", rows[0])
	}
}

// ACC A03: what the card of a failed start holds, and what it must not.
func TestFailureTellsAllButSecrets(t *testing.T) {
	h := newHouse(t, mcphost.Options{Environ: []string{"PATH=/usr/bin:/bin", "SHELL=/bin/sh", "HOME=/tmp", "CANARY=canary-7f3a9"}})
	p := mcphosttest.Command(t, mcphosttest.Scenario{Start: []mcphosttest.Action{
		mcphosttest.Stderr(79, "line"), mcphosttest.Stderr(1, "token is canary-7f3a9"), mcphosttest.Exit(3),
	}})
	s := h.add("Scripted", p, consent.Var{Name: "API_TOKEN", Value: "${CANARY}"})
	if err := s.Connect(t.Context(), consent.Actor{}); err == nil {
		t.Fatal("connected")
	}
	snap := s.Snapshot()
	f := snap.Failure
	if f == nil || snap.Status != mcphost.StatusCrashed || f.Code != "exited" || f.ExitCode != 3 || len(f.Stderr.First) != 5 || f.Stderr.LeftOut != 25 || len(f.Stderr.Last) != 50 {
		t.Fatalf("status %s, failure %+v", snap.Status, f)
	}
	text := fmt.Sprint(f.Err, f.Stderr, s.Log(0), h.requests())
	if strings.Contains(text, "canary-7f3a9") || !strings.Contains(f.Stderr.Last[49], "token is ") {
		t.Errorf("the card shows a secret or hides the line: %s", f.Stderr.Last[49])
	}
}

func TestUnknownCommandListsWhereItLooked(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	c := mcphost.Config{ID: mcphost.NewID(), Name: "None", Transport: mcphost.Stdio, Command: "no-such-command-anywhere"}
	if err := h.Add(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	s, _ := h.Server(c.ID)
	if err := s.Connect(t.Context(), consent.Actor{}); err == nil {
		t.Fatal("connected")
	}
	if f := s.Snapshot().Failure; f == nil || f.Code != "not-found" || len(f.Searched) == 0 {
		t.Errorf("failure = %+v", f)
	}
	if len(h.requests()) != 0 {
		t.Error("the user was asked about a command that does not exist")
	}
}

// ACC A06, A09: noise is counted and harmless; a crash is noticed without a call, and the server starts again.
func TestNoiseAndCrash(t *testing.T) {
	h := newHouse(t, mcphost.Options{Restart: true})
	p := mcphosttest.Command(t, mcphosttest.Scenario{
		Start: []mcphosttest.Action{mcphosttest.Write("Server ready!\n")},
		Tools: []mcphosttest.Tool{tool("echo"), tool("die", mcphosttest.Exit(9))},
	})
	s := h.add("Scripted", p)
	h.connect(s)
	if _, err := h.call(s, "echo", `{}`); err != nil {
		t.Fatal(err)
	}
	if snap := s.Snapshot(); snap.Noise != 1 || snap.Status != mcphost.StatusReady {
		t.Errorf("noise %d, status %s", snap.Noise, snap.Status)
	}
	view, err := h.call(s, "die", `{}`)
	if err == nil || view.State != mcphost.CallState(mcphost.CallFailed) {
		t.Errorf("call in flight at the crash: %s, %v", view.State, err)
	}
	waitFor(t, "the crash to show", func() bool { return s.Snapshot().Status == mcphost.StatusCrashed })
	if snap := s.Snapshot(); snap.Crashes != 1 || snap.Failure.ExitCode != 9 || !snap.Restarting {
		t.Errorf("snapshot = %+v, failure %+v", snap, snap.Failure)
	}
	waitFor(t, "the restart", func() bool { return s.Snapshot().Status == mcphost.StatusReady })
	if n := p.Count(t, "tools/call"); n != 2 {
		t.Errorf("the server got %d calls, want 2: nothing is replayed", n)
	}
}

// A call whose decision or start cannot be recorded must not go out (ACC A31).
func TestUnrecordableCallsAreNotSent(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	p := mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("echo")}})
	s := h.add("Scripted", p)
	h.connect(s)
	if err := h.store.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := h.call(s, "echo", `{}`)
	if !errors.Is(err, consent.ErrUnrecorded) {
		t.Errorf("error = %v, want ErrUnrecorded", err)
	}
	if n := p.Count(t, "tools/call"); n != 0 {
		t.Errorf("the server got %d calls", n)
	}
}

func TestSecretsBelongToTheirServer(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	p := mcphosttest.Command(t, mcphosttest.Scenario{})
	thief := h.add("Thief", p, consent.Var{Name: "KEY", Ref: "keyring:" + mcphost.SecretKey("victim", "env", "KEY")})
	err := thief.Connect(t.Context(), consent.Actor{})
	var config *mcphost.ConfigError
	if !errors.As(err, &config) || config.Field != "env.KEY" || !strings.Contains(err.Error(), "another server") {
		t.Errorf("error = %v", err)
	}
	if len(p.Frames(t)) != 0 {
		t.Error("the server was started")
	}
}
