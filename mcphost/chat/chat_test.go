package chat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"gatehouse/mcphost/chat"
	"gatehouse/mcphost/llm"
	"gatehouse/mcphost/llm/manual"
	"gatehouse/mcphost/llm/scripted"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A host that offers echo on two servers and answers as told.
type host struct {
	answer func(context.Context, chat.Use) chat.Outcome

	mu   sync.Mutex
	uses []chat.Use
}

func (h *host) Offer(context.Context) []chat.Tool {
	return []chat.Tool{{ServerID: "1", Server: "one", Name: "echo"}, {ServerID: "2", Server: "two", Name: "echo"}}
}

func (h *host) Instructions(context.Context) string { return "be kind" }

func (h *host) Run(ctx context.Context, u chat.Use) chat.Outcome {
	h.mu.Lock()
	h.uses = append(h.uses, u)
	h.mu.Unlock()
	u.Started("call-" + u.ID)
	if h.answer != nil {
		return h.answer(ctx, u)
	}
	return text(string(u.Arguments))
}

func text(s string) chat.Outcome { return chat.Outcome{Parts: []llm.Part{llm.Text{Text: s}}} }

func use(id, name string, arguments ...string) scripted.Use {
	return scripted.Use{ID: id, Name: name, Arguments: arguments}
}

// Every request of a turn carries what the servers want the model to know.
func TestInstructionsGoWithEveryRequest(t *testing.T) {
	model := scripted.New([]scripted.Step{{Uses: []scripted.Use{use("1", "one__echo", "{}")}}, {Text: []string{"done"}}}, nil)
	turn(t, chat.New(&host{}, model, nil), "hello")
	requests := model.Requests()
	if len(requests) != 2 {
		t.Fatalf("%d requests", len(requests))
	}
	for _, r := range requests {
		if r.System != "be kind" {
			t.Errorf("the model was told %q", r.System)
		}
	}
}

// turn sends text and waits for the end of the turn.
func turn(t *testing.T, c *chat.Conversation, text string) chat.View {
	t.Helper()
	if err := c.Send(text); err != nil {
		t.Fatal(err)
	}
	return idle(t, c)
}

func idle(t *testing.T, c *chat.Conversation) chat.View {
	t.Helper()
	return eventually(t, c, func(v chat.View) bool { return !v.Busy })
}

func eventually(t *testing.T, c *chat.Conversation, ok func(chat.View) bool) chat.View {
	t.Helper()
	deadline := time.After(10 * time.Second)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		v := c.View()
		if ok(v) {
			return v
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited 10 s; the conversation is %+v", v)
		}
	}
}

func TestTurnCallsToolsAndGivesResultsBack(t *testing.T) {
	h := &host{}
	m := scripted.New([]scripted.Step{
		{Text: []string{"I will ", "look."}, Uses: []scripted.Use{use("a", "one__echo", `{"x"`, `:1}`), use("b", "two__echo")}},
		{Text: []string{"Done."}},
	}, nil)
	v := turn(t, chat.New(h, m, nil), "hello")

	want := []string{"user:hello", "model:I will look.", "tool:call-a", "tool:call-b", "model:Done."}
	var got []string
	for _, it := range v.Items {
		got = append(got, string(it.Role)+":"+it.Text+it.Call)
	}
	if !slices.Equal(got, want) {
		t.Errorf("transcript = %v, want %v", got, want)
	}
	for _, u := range h.uses {
		if want := map[string]string{"a": `1 {"x":1}`, "b": `2 {}`}[u.ID]; u.ServerID+" "+string(u.Arguments) != want {
			t.Errorf("use %s went to server %s with %s", u.ID, u.ServerID, u.Arguments)
		}
		if u.Turn == "" || u.Turn != h.uses[0].Turn {
			t.Errorf("turn = %q", u.Turn)
		}
	}
	last := m.Requests()[1].Messages
	results := last[len(last)-1]
	if results.Role != llm.User || len(results.Parts) != 2 || results.Parts[0].(llm.ToolResult).ID != "a" || results.Parts[1].(llm.ToolResult).ID != "b" {
		t.Errorf("results = %+v", results)
	}
}

func TestUnusableToolUsesRunNothing(t *testing.T) {
	for name, u := range map[string]scripted.Use{
		"unknown tool":   use("a", "three__echo", `{}`),
		"not JSON":       use("a", "one__echo", `{"x":`),
		"not an object":  use("a", "one__echo", `[1]`),
		"two values":     use("a", "one__echo", `{}{}`),
		"trailing token": use("a", "one__echo", `{}<|call|>`),
	} {
		t.Run(name, func(t *testing.T) {
			h := &host{}
			m := scripted.New([]scripted.Step{{Uses: []scripted.Use{u}}, {Text: []string{"sorry"}}}, nil)
			turn(t, chat.New(h, m, nil), "go")
			if len(h.uses) != 0 {
				t.Errorf("ran %+v", h.uses)
			}
			msgs := m.Requests()[1].Messages
			if r := msgs[len(msgs)-1].Parts[0].(llm.ToolResult); !r.IsError || r.ID != "a" {
				t.Errorf("result = %+v, want an error for a", r)
			}
		})
	}
}

// A33: nothing may be asked about before the model has finished writing the call.
func TestNothingRunsWhileArgumentsStream(t *testing.T) {
	h := &host{}
	gate := make(chan struct{})
	m := scripted.New([]scripted.Step{{Uses: []scripted.Use{use("a", "one__echo", `{"x":`, `1}`)}}, {}}, gate)
	c := chat.New(h, m, nil)
	if err := c.Send("go"); err != nil {
		t.Fatal(err)
	}
	for range 3 { // name, first half, second half
		gate <- struct{}{}
		h.mu.Lock()
		n := len(h.uses)
		h.mu.Unlock()
		if n != 0 {
			t.Fatal("the call ran before it was complete")
		}
	}
	gate <- struct{}{} // Done
	gate <- struct{}{} // the second answer's Done
	idle(t, c)
	if len(h.uses) != 1 {
		t.Errorf("ran %d calls, want 1", len(h.uses))
	}
}

func TestBrokenAnswerRunsNothing(t *testing.T) {
	h := &host{}
	m := scripted.New([]scripted.Step{{Text: []string{"half"}, Uses: []scripted.Use{use("a", "one__echo", `{}`)}, Break: "connection reset"}}, nil)
	v := turn(t, chat.New(h, m, nil), "go")
	if len(h.uses) != 0 {
		t.Error("a call of a broken answer ran")
	}
	if last := v.Items[len(v.Items)-1]; last.Note != chat.NoteModelError || !strings.Contains(last.Text, "connection reset") {
		t.Errorf("last item = %+v", last)
	}
}

func TestDenyGoesOnDenyAndStopEnds(t *testing.T) {
	for _, stop := range []bool{false, true} {
		h := &host{answer: func(context.Context, chat.Use) chat.Outcome {
			o := text("The user refused this call. Reason: no")
			o.Stop = stop
			return o
		}}
		m := scripted.New([]scripted.Step{{Uses: []scripted.Use{use("a", "one__echo", `{}`)}}, {Text: []string{"understood"}}}, nil)
		c := chat.New(h, m, nil)
		turn(t, c, "go")
		if want := map[bool]int{false: 2, true: 1}[stop]; len(m.Requests()) != want {
			t.Errorf("stop %v: the model was asked %d times, want %d", stop, len(m.Requests()), want)
		}
	}
}

func TestStopWithdrawsAndKeepsPairs(t *testing.T) {
	h := &host{answer: func(ctx context.Context, _ chat.Use) chat.Outcome { <-ctx.Done(); return text("stopped") }}
	m := scripted.New([]scripted.Step{{Uses: []scripted.Use{use("a", "one__echo", `{}`)}}, {Text: []string{"again"}}}, nil)
	c := chat.New(h, m, nil)
	if err := c.Send("go"); err != nil {
		t.Fatal(err)
	}
	eventually(t, c, func(v chat.View) bool { return v.Waiting == chat.WaitDecision })
	c.Stop()
	if v := c.View(); v.Busy || v.Items[len(v.Items)-1].Note != chat.NoteStopped {
		t.Errorf("after Stop: %+v", v)
	}
	turn(t, c, "go on")
	msgs := m.Requests()[1].Messages
	for i, msg := range msgs {
		for _, p := range msg.Parts {
			if u, ok := p.(llm.ToolUse); ok {
				if r, ok := msgs[i+1].Parts[0].(llm.ToolResult); !ok || r.ID != u.ID {
					t.Errorf("tool use %s has no result", u.ID)
				}
			}
		}
	}
}

func TestRoundsAreBounded(t *testing.T) {
	var steps []scripted.Step
	for i := range 10 {
		steps = append(steps, scripted.Step{Uses: []scripted.Use{use(fmt.Sprint(i), "one__echo", `{}`)}})
	}
	for _, rounds := range []int{3, 4} {
		h := &host{}
		v := turn(t, chat.New(h, scripted.New(steps, nil), &chat.Options{Rounds: rounds}), "go")
		if len(h.uses) != rounds || v.Items[len(v.Items)-1].Note != chat.NoteRounds {
			t.Errorf("%d calls, want %d; last item %+v", len(h.uses), rounds, v.Items[len(v.Items)-1])
		}
	}
}

func TestManualModelMovesTheSameLoop(t *testing.T) {
	h := &host{}
	m := manual.New()
	c := chat.New(h, m, nil)
	if err := c.Send(""); err != nil {
		t.Fatal(err)
	}
	if err := m.Call(t.Context(), "panel-token", "one__echo", json.RawMessage(`{"by":"hand"}`)); err != nil {
		t.Fatal(err)
	}
	if err := m.Reply(t.Context(), "That was it."); err != nil {
		t.Fatal(err)
	}
	v := idle(t, c)
	if len(h.uses) != 1 || h.uses[0].ID != "panel-token" || v.Items[len(v.Items)-1].Text != "That was it." {
		t.Errorf("uses %+v, items %+v", h.uses, v.Items)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.Reply(ctx, "nobody asked"); err != manual.ErrNotWaiting {
		t.Errorf("error = %v, want ErrNotWaiting", err)
	}
}

func TestOneTurnAtATime(t *testing.T) {
	c := chat.New(&host{}, manual.New(), nil)
	if err := c.Send("a"); err != nil {
		t.Fatal(err)
	}
	if err := c.Send("b"); err != chat.ErrBusy {
		t.Errorf("second Send = %v", err)
	}
	c.Stop()
}

// A conversation is named by the start of what the user said first, and so is every request that comes from it.
func TestTitle(t *testing.T) {
	h := &host{}
	m := scripted.New([]scripted.Step{
		{Uses: []scripted.Use{use("a", "one__echo", "{}")}}, {Text: []string{"done"}}, {Text: []string{"done"}},
	}, nil)
	c := chat.New(h, m, nil)
	if v := c.View(); v.Title != "" {
		t.Errorf("title before anything was said: %q", v.Title)
	}
	turn(t, c, "  Which berths\nran  late?  "+strings.Repeat("é", 100))
	want := "Which berths ran late? " + strings.Repeat("é", 36) + "…"
	if v := turn(t, c, "And now?"); v.Title != want || h.uses[0].Chat != want {
		t.Errorf("title %q, in the request %q, want %q", v.Title, h.uses[0].Chat, want)
	}
}

func TestNames(t *testing.T) {
	long := strings.Repeat("x", 80)
	tools := []chat.Tool{
		{ServerID: "1", Server: "files", Name: "read"},
		{ServerID: "2", Server: "my files", Name: "read"},
		{ServerID: "3", Server: "my.files", Name: "read"},
		{ServerID: "4", Server: "s", Name: long},
		{ServerID: "5", Server: "s", Name: "a.b"},
	}
	names := chat.Names(tools)
	if names[0] != "files__read" {
		t.Errorf("plain name = %s", names[0])
	}
	seen := map[string]bool{}
	for i, n := range names {
		if len(n) > 64 || seen[n] || strings.Trim(n, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
			t.Errorf("name of %+v = %q", tools[i], n)
		}
		seen[n] = true
	}
	slices.Reverse(tools)
	reversed := chat.Names(tools)
	slices.Reverse(reversed)
	if !slices.Equal(names, reversed) {
		t.Errorf("names depend on the order: %v, %v", names, reversed)
	}
}

// Stop and Close return when nothing of the turn runs any more, its last notice included; no turn begins after Close.
func TestCloseWaitsAndLasts(t *testing.T) {
	var mu sync.Mutex
	changes := 0
	c := chat.New(&host{}, manual.New(), &chat.Options{Changed: func() {
		mu.Lock()
		defer mu.Unlock()
		changes++
	}})
	if err := c.Send("hello"); err != nil {
		t.Fatal(err)
	}
	c.Close()
	mu.Lock()
	before := changes
	mu.Unlock()
	if err := c.Send("again"); err != chat.ErrClosed {
		t.Errorf("Send: %v", err)
	}
	if v := c.View(); v.Busy || v.Items[len(v.Items)-1].Note != chat.NoteStopped {
		t.Errorf("view = %+v", v)
	}
	c.Close()
	mu.Lock()
	defer mu.Unlock()
	if changes != before {
		t.Error("it changed after Close")
	}
}

// What is attached goes before the user's words; speakers take turns.
func TestAttached(t *testing.T) {
	said := func(r llm.Role, text string) llm.Message {
		return llm.Message{Role: r, Parts: []llm.Part{llm.Text{Text: text}}}
	}
	m := scripted.New([]scripted.Step{{Text: []string{"ok"}}, {Text: []string{"ok"}}}, nil)
	c := chat.New(&host{}, m, nil)
	prompt := chat.Attachment{ID: "p", Messages: []llm.Message{said(llm.User, "from"), said(llm.User, "draft"), said(llm.Assistant, "gladly")}}
	if err := c.Send("now", prompt, chat.Attachment{ID: "r", Messages: []llm.Message{said(llm.User, "tide")}}); err != nil {
		t.Fatal(err)
	}
	idle(t, c)
	want := []llm.Message{
		{Role: llm.User, Parts: []llm.Part{llm.Text{Text: "from"}, llm.Text{Text: "draft"}}},
		said(llm.Assistant, "gladly"),
		{Role: llm.User, Parts: []llm.Part{llm.Text{Text: "tide"}, llm.Text{Text: "now"}}},
	}
	if got := m.Requests()[0].Messages; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if items := c.View().Items; items[0].Text != "now" || !slices.Equal(items[0].Attached, []string{"p", "r"}) {
		t.Errorf("%+v", items[0])
	}
	if err := c.Send("", prompt); err != nil {
		t.Fatal(err)
	}
	idle(t, c)
	if got := m.Requests()[1].Messages; len(got) != 6 || !reflect.DeepEqual(got[:3], want) {
		t.Errorf("%+v", got)
	}
}
