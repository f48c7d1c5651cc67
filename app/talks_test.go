package app

import (
	"testing"

	"gatehouse/mcphost/chat"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
)

// says has the user say something in a conversation and waits until they are asked to answer as the model.
func (w *window) says(id, text string) {
	w.t.Helper()
	if err := w.chat.ChatSend(id, text); err != nil {
		w.t.Fatal(err)
	}
	until(w.t, "the model's move", func() bool { return w.conversation(id).Waiting == "user" })
}

func (w *window) conversation(id string) ChatView {
	w.t.Helper()
	view, err := w.chat.Chat(id)
	if err != nil {
		w.t.Fatal(err)
	}
	return view
}

func (w *window) begin() (id string) {
	w.t.Helper()
	id, err := w.chat.NewChat()
	if err != nil {
		w.t.Fatal(err)
	}
	return id
}

// titles are those of the list, in its order.
func (w *window) titles() (titles []string) {
	w.t.Helper()
	rows, err := w.chat.Chats()
	if err != nil {
		w.t.Fatal(err)
	}
	for _, row := range rows {
		titles = append(titles, row.Title)
	}
	return titles
}

func TestConversations(t *testing.T) {
	w := openWindow(t)
	first := w.conversation("").ID
	if again := w.begin(); again != first {
		t.Error("a new chat beside one in which nothing was said")
	}
	w.says(first, "Which berths?")
	second := w.begin()
	if got := w.titles(); second == first || len(got) != 2 || got[0] != "" || got[1] != "Which berths?" {
		t.Fatalf("titles %q", got)
	}
	w.says(second, "Which tides?")
	if err := w.chat.ChatReply(first, "B3."); err != nil {
		t.Fatal(err)
	}
	until(t, "the end of the first turn", func() bool { return !w.conversation(first).Busy })
	if one, two := w.conversation(first), w.conversation(second); len(one.Items) != 2 || len(two.Items) != 1 || !two.Busy {
		t.Errorf("one = %+v, two = %+v", one, two)
	}
	if err := w.chat.RemoveChat(second); err != nil {
		t.Fatal(err)
	}
	if got := w.titles(); len(got) != 1 || got[0] != "Which berths?" {
		t.Errorf("titles %q", got)
	}
	for _, err := range []error{w.chat.RemoveChat(second), w.chat.ChatSend(second, "x"), w.chat.ChatStop(second)} {
		if code, _ := classify(err, nil); code != "unknown-chat" {
			t.Errorf("a conversation that is gone: %v", err)
		}
	}
	if err := w.chat.RemoveChat(first); err != nil {
		t.Fatal(err)
	}
	if got := w.titles(); len(got) != 1 || got[0] != "" {
		t.Errorf("titles after the last one: %q", got)
	}
}

// A conversation asks under its own name while another is in view, and what it asks goes with it.
func TestAConversationOutOfView(t *testing.T) {
	w := openWindow(t)
	server := w.connect(mcphosttest.Tool{Definition: `{"name":"delete_all","inputSchema":{"type":"object"}}`})
	asks := w.conversation("").ID
	w.says(asks, "Clean up")
	d, err := w.tools.DraftCall(panel, server, "delete_all", "{}")
	if err != nil || d.Gate == "" {
		t.Fatalf("draft %+v, %v", d, err)
	}
	w.look(panel)
	if err := w.chat.ChatRun(asks, panel, d.Digest); err != nil {
		t.Fatal(err)
	}
	other := w.begin()
	if p := w.asked(); p.Actor.Chat != "Clean up" || p.Actor.Kind != string(consent.ActorModel) {
		t.Errorf("asked by %+v", p.Actor)
	}
	if now := w.conversation(asks); now.Waiting != string(chat.WaitDecision) || w.conversation(other).Busy {
		t.Errorf("the one that asks %+v", now)
	}
	if err := w.chat.RemoveChat(asks); err != nil {
		t.Fatal(err)
	}
	if left, err := w.gate.Pending(); err != nil || len(left) != 0 {
		t.Errorf("still pending: %+v, %v", left, err)
	}
}
