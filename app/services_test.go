package app

// These tests drive the bound services as the page does.

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
)

const panel = "panel:test"

func numbers(name string) mcphosttest.Tool {
	return mcphosttest.Tool{Definition: mcphosttest.Raw(fmt.Sprintf(
		`{"name":%q,"inputSchema":{"type":"object","properties":{"n":{"type":"number"}}}}`, name))}
}

func TestLaunchWaitsForTheUser(t *testing.T) {
	const key = "sk-0123456789abcdef"
	w := openWindow(t)
	id := w.add(mcphosttest.Scenario{}, ServerDraft{
		Name: " Scripted ", Args: []string{"--api-key", key}, Env: []Variable{{Name: "API_TOKEN", Secret: "canary"}},
	})
	rows, err := w.servers.ListServers()
	if err != nil || len(rows) != 1 || rows[0].Name != "Scripted" || rows[0].Status != "stopped" || strings.Contains(rows[0].Origin, key) {
		t.Fatalf("rows = %+v, %v", rows, err)
	}
	if err := w.servers.StartServer(id); err != nil {
		t.Fatal(err)
	}
	p := w.asked()
	if p.Kind != "launch" || p.Launch.Env[0].Value != "" || !strings.HasPrefix(p.Launch.Env[0].Ref, "keyring:") || !slices.Contains(p.Launch.Args, key) {
		t.Errorf("asked = %+v", p.Launch)
	}
	yes := AnswerInput{Allow: true}
	if err := w.gate.Resolve(p.ID, p.Digest, yes); !errors.Is(err, consent.ErrNotArmed) {
		t.Errorf("never shown: %v", err)
	}
	if err := w.gate.Shown(p.ID); err != nil {
		t.Fatal(err)
	}
	w.clock.advance(consent.DefaultArming - 1)
	if err := w.gate.Resolve(p.ID, p.Digest, yes); !errors.Is(err, consent.ErrNotArmed) {
		t.Errorf("a moment too soon: %v", err)
	}
	w.clock.advance(1)
	if err := w.gate.Resolve(p.ID, consent.Digest{1}.String(), yes); !errors.Is(err, consent.ErrMismatch) {
		t.Errorf("another digest: %v", err)
	}
	if err := w.gate.Resolve(p.ID, p.Digest, yes); err != nil {
		t.Fatal(err)
	}
	if err := w.gate.Resolve(p.ID, p.Digest, yes); !errors.Is(err, consent.ErrWithdrawn) {
		t.Errorf("a second answer: %v", err)
	}
	w.await(id, "ready")
	d, err := w.servers.Server(id)
	if err != nil || d.ApprovedDigest != p.Digest || d.Failure != nil || d.Revision != string(protocol.Latest) {
		t.Errorf("server = %+v, %v", d, err)
	}
	report, err := w.servers.ServerReport(id)
	if err != nil || strings.Contains(report, key) || strings.Contains(report, "canary") || !strings.Contains(report, "Passes: API_TOKEN") {
		t.Errorf("report: %v\n%s", err, report)
	}
}

func TestRunIsTheDecision(t *testing.T) {
	w := openWindow(t)
	id := w.connect(numbers("echo"))
	page, err := w.tools.ListTools(ToolQuery{Limit: 10})
	if err != nil || page.Total != 1 || page.Rows[0].Name != "echo" || page.Rows[0].LastUse != "" {
		t.Fatalf("page = %+v, %v", page, err)
	}
	if err := w.gate.Shown(panel); err != nil {
		t.Fatal(err)
	}
	d, err := w.tools.DraftCall(panel, id, "echo", "{\n  \"n\" : 1.50\n}")
	if err != nil || d.Line != `{"n":1.50}` || d.Bytes != len(d.Line) || d.Gate != "" || d.Problems == nil || len(d.Problems) > 0 {
		t.Fatalf("draft = %+v, %v", d, err)
	}
	if _, err := w.tools.RunCall(panel, d.Digest, false); !errors.Is(err, consent.ErrNotArmed) {
		t.Errorf("too soon: %v", err)
	}
	w.clock.advance(consent.DefaultArming)
	if _, err := w.tools.RunCall(panel, consent.Digest{1}.String(), false); !errors.Is(err, consent.ErrMismatch) {
		t.Errorf("another digest: %v", err)
	}
	call, err := w.tools.RunCall(panel, d.Digest, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.tools.RunCall(panel, d.Digest, false); !errors.Is(err, consent.ErrNotArmed) {
		t.Errorf("a double press: %v", err)
	}
	c := w.ended(call)
	if c.State != "ok" || c.Blocks[0].Text != d.Line || c.By != consent.ByComposed || c.Edited {
		t.Errorf("call = %+v", c)
	}
	h, err := w.history.History(HistoryQuery{})
	if err != nil || h.Total != 2 || h.Rows[0].Kind != "toolCall" || h.Rows[0].Outcome != "ok" || h.Rows[1].Kind != "launch" {
		t.Fatalf("history = %+v, %v", h, err)
	}
	e, err := w.history.HistoryEntry(h.Rows[0].ID)
	if err != nil || e.Shown != d.Line || e.Digest != d.Digest || len(e.Events) != 3 || !strings.Contains(e.Result, "1.50") {
		t.Errorf("entry = %+v, %v", e, err)
	}
	if page, err := w.tools.ListTools(ToolQuery{Limit: 10}); err != nil || page.Rows[0].LastOutcome != "ok" {
		t.Errorf("after the call: %+v, %v", page, err)
	}
}

func TestHighRiskBringsTheGate(t *testing.T) {
	w := openWindow(t)
	id := w.connect(numbers("delete_files"))
	d, err := w.tools.DraftCall(panel, id, "delete_files", `{"n":1}`)
	if err != nil || d.Gate != consent.GateHighRisk || !d.Risk.High {
		t.Fatalf("draft = %+v, %v", d, err)
	}
	run := func() (string, PendingItem) {
		w.look(panel)
		call, err := w.tools.RunCall(panel, d.Digest, false)
		if err != nil {
			t.Fatal(err)
		}
		if c, err := w.tools.Call(call); err != nil || c.State != "asking" || c.Blocks == nil {
			t.Errorf("call = %+v, %v", c, err)
		}
		return call, w.asked()
	}

	call, p := run()
	w.answer(p, AnswerInput{Reason: "not these"})
	if c := w.ended(call); c.State != "denied" || c.Reason != "not these" || c.By != consent.ByUser {
		t.Errorf("refused call = %+v", c)
	}

	call, p = run()
	w.look(p.ID)
	edited, err := w.gate.Amend(p.ID, `{ "n": 2 }`)
	if err != nil || edited.ToolCall.Arguments != `{"n":2}` || !edited.ToolCall.Edited {
		t.Fatalf("amended = %+v, %v", edited.ToolCall, err)
	}
	if err := w.gate.Resolve(p.ID, edited.Digest, AnswerInput{Allow: true}); !errors.Is(err, consent.ErrNotArmed) {
		t.Errorf("right after the edit: %v", err)
	}
	w.clock.advance(consent.DefaultArming)
	if err := w.gate.Resolve(p.ID, p.Digest, AnswerInput{Allow: true}); !errors.Is(err, consent.ErrMismatch) {
		t.Errorf("the digest before the edit: %v", err)
	}
	if err := w.gate.Resolve(p.ID, edited.Digest, AnswerInput{Allow: true}); err != nil {
		t.Fatal(err)
	}
	if c := w.ended(call); c.State != "ok" || !c.Edited || c.Blocks[0].Text != `{"n":2}` {
		t.Errorf("edited call = %+v", c)
	}
}

func TestUnusableDraftsDoNotRun(t *testing.T) {
	w := openWindow(t)
	id := w.connect(numbers("echo"))
	d, err := w.tools.DraftCall(panel, id, "echo", `{"n":"one"}`)
	if err != nil || d.Gate != consent.GateInvalid || len(d.Problems) != 1 || d.Problems[0].Pointer != "/n" {
		t.Errorf("draft = %+v, %v", d, err)
	}
	var arguments *mcphost.ArgumentsError
	if _, err := w.tools.DraftCall(panel, id, "echo", `{"n":1,"n":2}`); !errors.As(err, &arguments) {
		t.Errorf("duplicate key: %v", err)
	}
	if _, err := w.tools.DraftCall(panel, id, "none", `{}`); !errors.Is(err, mcphost.ErrUnknownTool) {
		t.Errorf("unknown tool: %v", err)
	}
}

// A call that ends at once has an id all the same: the page shows why it failed.
func TestRunAlwaysReturnsAnID(t *testing.T) {
	w := openWindow(t)
	id := w.connect(numbers("echo"))
	d, err := w.tools.DraftCall(panel, id, "echo", `{}`)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.servers.StopServer(id); err != nil {
		t.Fatal(err)
	}
	if page, err := w.tools.ListTools(ToolQuery{Limit: 10}); err != nil || page.Total != 0 || page.Servers != 0 {
		t.Errorf("tools of a stopped server: %+v, %v", page, err)
	}
	for range 50 {
		w.look(panel)
		call, err := w.tools.RunCall(panel, d.Digest, false)
		if err != nil || call == "" {
			t.Fatalf("call %q, %v", call, err)
		}
		if c := w.ended(call); c.State != "failed" || c.Error == "" {
			t.Fatalf("call = %+v", c)
		}
	}
}

func TestUserPlaysTheModel(t *testing.T) {
	w := openWindow(t)
	id := w.connect(numbers("echo"))
	d, err := w.tools.DraftCall(panel, id, "echo", `{"n":1}`)
	if err != nil {
		t.Fatal(err)
	}
	w.look(panel)
	if err := w.chat.ChatRun("", panel, d.Digest); err != nil { // starts a turn of its own
		t.Fatal(err)
	}
	var view ChatView
	waiting := func(want string) func() bool {
		return func() bool {
			view, err = w.chat.Chat("")
			return err == nil && view.Waiting == want && len(view.Items) > 0
		}
	}
	until(t, "the model's next move", waiting("user"))
	if it := view.Items[0]; it.Role != "tool" || it.Call.State != "ok" || it.Call.By != consent.ByComposed {
		t.Errorf("item = %+v, call %+v", it, it.Call)
	}
	if err := w.chat.ChatReply("", "Done."); err != nil {
		t.Fatal(err)
	}
	until(t, "the end of the turn", waiting(""))
	if it := view.Items[len(view.Items)-1]; view.Busy || it.Text != "Done." || it.Role != "model" {
		t.Errorf("view = %+v", view)
	}
}

// Import and scripts may hand over anything; the name heads dialogs and rows.
func TestDraftsThatCannotBeKept(t *testing.T) {
	w := openWindow(t)
	draft := ServerDraft{Name: strings.Repeat("语", maxName), Transport: mcphost.Stdio, Command: "x"}
	if _, err := w.servers.AddServer(draft); err != nil {
		t.Errorf("a name of %d characters: %v", maxName, err)
	}
	long, odd := draft, draft
	long.Name += "x"
	odd.Name, odd.Transport = "odd", "gopher"
	for _, d := range []ServerDraft{long, odd, {Transport: mcphost.Stdio}} {
		if _, err := w.servers.AddServer(d); err == nil {
			t.Errorf("kept %+v", d)
		} else if code, _ := classify(err, nil); code != "bad-input" {
			t.Errorf("%+v: %v", d, err)
		}
	}
}

func TestSecretsOfUnstoredServersAreForgotten(t *testing.T) {
	w := openWindow(t)
	draft := func(name, secret string) ServerDraft {
		return ServerDraft{Name: name, Transport: mcphost.Stdio, Command: "x", Env: []Variable{{Name: "KEY", Secret: secret}}}
	}
	id, err := w.servers.AddServer(draft("One", "first"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.servers.AddServer(draft("ONE", "second"))
	if code, _ := classify(err, nil); code != "name-taken" {
		t.Errorf("the name of another: %v", err)
	}
	if err := w.servers.UpdateServer(id, draft("one", "third")); err != nil {
		t.Errorf("its own name: %v", err)
	}
	if err := w.store.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.servers.AddServer(draft("Two", "fourth")); err == nil {
		t.Error("added to a closed store")
	}
	if got := w.ring.values(); !slices.Equal(got, []string{"third"}) {
		t.Errorf("the keyring holds %q", got)
	}
}

func TestSettingsAreKept(t *testing.T) {
	w := openWindow(t)
	if err := errors.Join(w.app.SetTheme("dark"), w.app.SetLanguage("zh-Hans"), w.app.SetTextSize(150)); err != nil {
		t.Fatal(err)
	}
	if err := w.app.SetTheme("pink"); err == nil {
		t.Error("an unknown theme was kept")
	}
	if err := w.app.SetTextSize(300); err == nil {
		t.Error("a text size out of range was kept")
	}
	first, err := w.app.State()
	if err != nil || first.Theme != "dark" || first.TextSize != 150 || first.Language != "zh-Hans" || first.Seal.Picture == "" || first.Notices == nil {
		t.Errorf("state = %+v, %v", first, err)
	}
	if again, err := w.app.State(); err != nil || again.Seal != first.Seal {
		t.Errorf("the seal changed: %+v, %v", again.Seal, err)
	}
}

// A dismissed notice stays away for as long as its state lasts, also at later starts, and comes again with it.
func TestDismissedNotices(t *testing.T) {
	w := openWindow(t)
	seen := func() (codes []string) {
		t.Helper()
		w.desk.useSettings(t.Context()) // as at a start
		state, err := w.app.State()
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range state.Notices {
			codes = append(codes, n.Code)
		}
		return codes
	}
	both := []Notice{{Code: "keyring-session"}, {Code: "other"}}
	w.desk.eng.Notices = both
	if err := w.app.DismissNotice("keyring-session"); err != nil {
		t.Fatal(err)
	}
	if got := seen(); !slices.Equal(got, []string{"other"}) {
		t.Errorf("after the press: %q", got)
	}
	w.desk.eng.Notices = both[1:] // the keyring is back
	seen()
	w.desk.eng.Notices = both
	if got := seen(); len(got) != 2 {
		t.Errorf("when its state has come again: %q", got)
	}
}

func TestRefreshTools(t *testing.T) {
	w := openWindow(t)
	id := w.connect(numbers("echo"))
	stopped := w.add(mcphosttest.Scenario{}, ServerDraft{Name: "Stopped"})
	for serverID, want := range map[string]error{id: nil, "": nil, stopped: mcphost.ErrNotConnected, "none": mcphost.ErrUnknownServer} {
		if err := w.tools.RefreshTools(serverID); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", serverID, err, want)
		}
	}
}

// A removal can be undone, secrets and all, until it is for good; the history stays.
func TestRemoveServer(t *testing.T) {
	w := openWindow(t)
	id := w.connect(numbers("echo"))
	d, err := w.servers.Server(id)
	if err != nil {
		t.Fatal(err)
	}
	d.Draft.Env = []Variable{{Name: "KEY", Secret: "canary"}}
	if err := w.servers.UpdateServer(id, d.Draft); err != nil || len(w.ring.values()) != 1 {
		t.Fatalf("%v, the keyring holds %q", err, w.ring.values())
	}
	if err := w.servers.RemoveServer(id); err != nil || len(w.ring.values()) != 1 {
		t.Errorf("%v, the keyring holds %q", err, w.ring.values())
	}
	if rows, err := w.servers.ListServers(); err != nil || len(rows) != 0 {
		t.Errorf("still listed: %+v, %v", rows, err)
	}
	if _, err := w.servers.RestoreServer(id); err != nil {
		t.Fatal(err)
	}
	if back, err := w.servers.Server(id); err != nil || back.Draft.Env[0].Ref == "" || back.Draft.Command != d.Draft.Command {
		t.Errorf("restored %+v, %v", back.Draft, err)
	}
	if err := errors.Join(w.servers.RemoveServer(id), w.servers.ForgetServer(id)); err != nil || len(w.ring.values()) != 0 {
		t.Errorf("%v, the keyring holds %q", err, w.ring.values())
	}
	if err := w.servers.StartServer(id); !errors.Is(err, mcphost.ErrUnknownServer) {
		t.Errorf("started after its end: %v", err)
	}
	if h, err := w.history.History(HistoryQuery{ServerID: id}); err != nil || h.Total != 1 {
		t.Errorf("history = %+v, %v", h, err)
	}
}

// A call that was allowed but could not be recorded was not made; the page says so in its own words.
func TestUnrecordedCall(t *testing.T) {
	var v CallView
	v.fault(fmt.Errorf("call: %w", consent.ErrUnrecorded))
	if v.Fault != "not-recorded" || v.Error == "" {
		t.Errorf("%+v", v)
	}
	v = CallView{}
	v.fault(io.EOF)
	if v.Fault != "" || v.Error == "" {
		t.Errorf("%+v", v)
	}
}
