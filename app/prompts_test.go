package app

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
)

// A prompt is listed, refused without what it requires, expanded with a row in the history, and goes into a message only
// when the user sends it.
func TestPrompts(t *testing.T) {
	w := openWindow(t)
	id := w.openDemo()
	l, err := w.prompts.ListPrompts(id, false)
	if err != nil || !l.Offered || len(l.Prompts) != 3 || l.Completion != "ask" {
		t.Fatalf("%+v, %v", l, err)
	}
	if p := l.Prompts[1]; p.Name != "plan_a_day" || p.Title != "Plan a day" || len(p.Arguments) != 2 || !p.Arguments[0].Required || p.Arguments[1].Required {
		t.Errorf("%+v", p)
	}
	var missing *mcphost.ArgumentsError
	if _, err := w.prompts.GetPrompt(id, "plan_a_day", map[string]string{"mood": "lazy"}); !errors.As(err, &missing) {
		t.Errorf("without the city: %v", err)
	}
	tour, err := w.prompts.GetPrompt(id, "tour", nil)
	if err != nil || len(tour.Messages) != 3 || tour.Messages[1].Role != "assistant" || tour.Hidden != 0 || tour.Bytes == 0 {
		t.Fatalf("%+v, %v", tour, err)
	}
	note, err := w.prompts.GetPrompt(id, "summarise_note", map[string]string{"name": "welcome"})
	if err != nil || len(note.Messages) != 2 || note.Messages[1].Block.Kind != "resource" {
		t.Fatalf("%+v, %v", note, err)
	}
	page, err := w.history.History(HistoryQuery{ServerID: id})
	if err != nil || len(page.Rows) != 3 || page.Rows[0].Kind != "promptGet" || page.Rows[0].What != "summarise_note" {
		t.Errorf("%+v, %v", page, err)
	}

	if err := w.attach.AttachPrompt(tour.ID); err == nil {
		t.Error("a preview that is no longer shown was attached")
	}
	if err := errors.Join(w.attach.AttachPrompt(note.ID), w.attach.AttachPrompt(note.ID)); err != nil {
		t.Fatal(err)
	}
	if a, err := w.attach.Attachments(); err != nil || len(a) != 1 || a[0].Kind != "prompt" || a[0].Parts != 2 || a[0].ServerName != "Demo" {
		t.Errorf("%+v, %v", a, err)
	}
	if c, err := w.chat.Chat(""); err != nil || len(c.Items) != 0 {
		t.Errorf("something was sent: %+v, %v", c, err)
	}
}

// What is attached goes with the next message, marked as the server's; once, and unless it is taken out again.
func TestAttachments(t *testing.T) {
	w := openWindow(t)
	id := w.openServer(sources())
	for range 2 {
		if err := w.attach.AttachResource(id, "a:b"); err != nil {
			t.Fatal(err)
		}
	}
	a, err := w.attach.Attachments()
	if err != nil || len(a) != 2 || a[0].Title != "B" || a[0].Origin != "a:b" || a[0].Parts != 4 || a[0].Bytes == 0 {
		t.Fatalf("%+v, %v", a, err)
	}
	if err := w.attach.Detach(a[1].ID); err != nil {
		t.Fatal(err)
	}
	if err := w.chat.ChatSend("", ""); err != nil {
		t.Fatal(err)
	}
	c, err := w.chat.Chat("")
	if err != nil || len(c.Items) != 1 || len(c.Items[0].Attached) != 1 || c.Items[0].Attached[0].Title != "B" {
		t.Fatalf("%+v, %v", c, err)
	}
	if left, err := w.attach.Attachments(); err != nil || len(left) != 0 {
		t.Errorf("%+v, %v", left, err)
	}
	if got, err := w.attach.Attached(a[0].ID); err != nil || len(got.Messages) != 4 || got.Messages[0].Block.Text != "# One" {
		t.Errorf("%+v, %v", got, err)
	}
	if err := w.chat.ChatSend("", "more"); err == nil {
		t.Error("two turns at once")
	}
	if err := w.attach.Detach(a[0].ID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.attach.Attached(a[0].ID); err != nil {
		t.Errorf("what was sent was taken back: %v", err)
	}
}

// A message takes a number of attachments, and of bytes; one more is refused, and what waits stays.
func TestAttachmentBounds(t *testing.T) {
	var many, large tray
	for i := range maxAttached + 1 {
		err := many.add(attachment{Attachment: Attachment{ID: string(rune('a' + i))}})
		if refused := errors.Is(err, ErrTooMuch); refused != (i == maxAttached) {
			t.Errorf("number %d: %v", i+1, err)
		}
	}
	if err := large.add(attachment{Attachment: Attachment{ID: "a", Bytes: maxBytes}}); err != nil {
		t.Error(err)
	}
	if err := large.add(attachment{Attachment: Attachment{ID: "b", Bytes: 1}}); !errors.Is(err, ErrTooMuch) {
		t.Errorf("one byte more: %v", err)
	}
}

// P28: nothing that is typed leaves without the user's leave, what looks like a secret never does, and a server sees only
// what was named.
func TestCompletion(t *testing.T) {
	w := openWindow(t)
	p := mcphosttest.Command(t, mcphosttest.Scenario{
		Capabilities: `{"tools":{},"prompts":{},"completions":{}}`,
		On: map[string][]mcphosttest.Action{
			protocol.MethodPromptsList: {mcphosttest.Result(`{"prompts":[]}`)},
			protocol.MethodComplete:    {mcphosttest.Result(`{"completion":{"values":["B1","B10"],"total":120,"hasMore":true}}`)},
		},
	})
	id := w.openPeer(p)
	q := CompletionQuery{
		ServerID: id, Kind: "prompt", Name: "p", Argument: "berth", Value: "B",
		Settled: map[string]string{"shift": "early", "token": "sk-abcdefghijklmnop", "berth": "x", "tone": ""},
	}
	for leave, state := range map[string]string{"": "ask", "off": "off", "ask": "ask"} {
		if leave != "" {
			if err := w.typing.SetCompletion(id, leave); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := w.typing.Complete(q); err != nil || got.State != state {
			t.Errorf("%q: %+v, %v", leave, got, err)
		}
	}
	if n := p.Count(t, protocol.MethodComplete); n != 0 {
		t.Fatalf("%d were sent without leave", n)
	}
	if err := w.typing.SetCompletion(id, "on"); err != nil {
		t.Fatal(err)
	}
	if err := w.typing.SetCompletion(id, "maybe"); err == nil {
		t.Error("a leave that there is not")
	}
	got, err := w.typing.Complete(q)
	if err != nil || got.State != "values" || !slices.Equal(got.Values, []string{"B1", "B10"}) || got.Total != 120 || !got.More {
		t.Errorf("%+v, %v", got, err)
	}
	q.Argument, q.Value = "password", "hunter22"
	if got, err := w.typing.Complete(q); err != nil || got.State != "secret" {
		t.Errorf("a secret: %+v, %v", got, err)
	}
	sent := p.Of(t, protocol.MethodComplete)
	if len(sent) != 1 || !strings.Contains(sent[0], `"argument":{"name":"berth","value":"B"},"context":{"arguments":{"shift":"early"}}`) {
		t.Errorf("%q", sent)
	}
	if l, err := w.prompts.ListPrompts(id, false); err != nil || l.Completion != "on" {
		t.Errorf("%+v, %v", l, err)
	}
}
