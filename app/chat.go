package app

// This file is the chat: conversations with a model, or with the user as the model.

import (
	"context"
	"fmt"
	"time"

	"gatehouse/mcphost/chat"
)

// Chat is bound to the page.
type Chat struct{ *desk }

// A ChatItem is one entry of the transcript.
type ChatItem struct {
	ID        string       `json:"id"`
	Role      string       `json:"role"`
	Text      string       `json:"text"`
	Streaming bool         `json:"streaming"`
	At        string       `json:"at"`
	Call      *CallView    `json:"call"`
	Note      string       `json:"note"` // the page has a sentence for each
	Attached  []Attachment `json:"attached"`
}

// A ChatView is one conversation.
type ChatView struct {
	ID      string     `json:"id"`
	Title   string     `json:"title"`
	Model   string     `json:"model"`
	Manual  bool       `json:"manual"`
	Busy    bool       `json:"busy"`
	Waiting string     `json:"waiting"` // "user": the user plays the model and has the move
	Items   []ChatItem `json:"items"`
}

// A ChatRow is one conversation in the list of them.
type ChatRow struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Busy    bool   `json:"busy"`
	Waiting string `json:"waiting"`
}

// Chats lists the conversations of this run, the newest first; there is always one.
func (v *Chat) Chats() (rows []ChatRow, err error) {
	defer catch(&err)
	if _, _, err := v.engine(); err != nil {
		return nil, err
	}
	if _, err := v.talks.get(""); err != nil {
		return nil, err
	}
	for _, t := range v.talks.list() {
		now := t.conversation.View()
		rows = append(rows, ChatRow{t.id, now.Title, now.Busy, t.waiting(now)})
	}
	return rows, nil
}

// NewChat begins a conversation and returns its id. One in which nothing was said yet is as good.
func (v *Chat) NewChat() (id string, err error) {
	defer catch(&err)
	if _, _, err := v.engine(); err != nil {
		return "", err
	}
	return v.talks.fresh()
}

// RemoveChat ends a conversation for good: what waits for a decision is withdrawn, running calls are stopped. The
// history keeps its decisions.
func (v *Chat) RemoveChat(id string) (err error) {
	defer catch(&err)
	if _, _, err := v.engine(); err != nil {
		return err
	}
	return v.talks.remove(id)
}

// Chat returns a conversation, for "" the newest.
func (v *Chat) Chat(id string) (view ChatView, err error) {
	defer catch(&err)
	e, _, err := v.engine()
	if err != nil {
		return ChatView{}, err
	}
	t, err := v.talks.get(id)
	if err != nil {
		return ChatView{}, err
	}
	return t.view(e, v.tray), nil
}

func (t *talk) view(e *Engine, sent *tray) ChatView {
	now := t.conversation.View()
	view := ChatView{
		ID: t.id, Title: now.Title, Model: t.model, Manual: t.man != nil, Busy: now.Busy, Waiting: t.waiting(now), Items: []ChatItem{},
	}
	for _, it := range now.Items {
		item := ChatItem{
			ID: it.ID, Role: string(it.Role), Text: it.Text, Streaming: it.Streaming, At: stamp(it.At), Note: string(it.Note),
			Attached: sent.sent(it.Attached),
		}
		if it.Role == chat.RoleTool {
			call, err := callView(e, it.Call)
			if err != nil { // not asked for yet, or gone from memory: the card shows what is known
				call = CallView{ServerID: it.Tool.ServerID, ServerName: it.Tool.Server, Tool: it.Tool.Name, Blocks: []Block{}}
			}
			item.Call = &call
		}
		view.Items = append(view.Items, item)
	}
	return view
}

// ChatSend says something as the user, with what is attached, and starts a turn.
func (v *Chat) ChatSend(id, text string) (err error) {
	defer catch(&err)
	if _, _, err := v.engine(); err != nil {
		return err
	}
	if text == "" && len(v.tray.waiting()) == 0 {
		return badInput("text", text)
	}
	t, err := v.talks.get(id)
	if err != nil {
		return err
	}
	defer v.emit("attached", "", "")
	return v.tray.send(func(a ...chat.Attachment) error { return t.conversation.Send(text, a...) })
}

// moveWait bounds how long a move of the user waits for the loop to ask for it.
const moveWait = 2 * time.Second

// ChatReply answers as the model.
func (v *Chat) ChatReply(id, text string) (err error) {
	defer catch(&err)
	_, ctx, err := v.engine()
	if err != nil {
		return err
	}
	t, err := v.talks.get(id)
	if err != nil {
		return err
	}
	if t.man == nil || text == "" {
		return badInput("text", text)
	}
	if err := t.turn(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, moveWait)
	defer cancel()
	return t.man.Reply(ctx, text)
}

// ChatRun calls, as the model, what panel shows if digest names it. Pressing Run is the decision, unless the call
// needs the full gate.
func (v *Chat) ChatRun(id, panel, digest string) (err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return err
	}
	t, err := v.talks.get(id)
	if err != nil {
		return err
	}
	if t.man == nil {
		return badInput("panel", panel)
	}
	c, err := v.draft.take(panel, digest)
	if err != nil {
		return err
	}
	name, err := modelName(e.Host.ForChat().Offer(ctx), c)
	if err != nil {
		return err
	}
	use, err := e.Queue.Confirm(panel, c.digest)
	if err != nil {
		return err
	}
	if err := t.turn(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, moveWait)
	defer cancel()
	return t.man.Call(ctx, use, name, c.arguments)
}

// modelName finds the name under which a tool is offered to models.
func modelName(offered []chat.Tool, c composed) (string, error) {
	for i, name := range chat.Names(offered) {
		if offered[i].ServerID == c.serverID && offered[i].Name == c.tool {
			return name, nil
		}
	}
	return "", &failure{"tool-not-offered", c.tool, fmt.Errorf("the tool %q is not offered to models: it is gone, or its definition changed", c.tool)}
}

// ChatStop ends the running turn.
func (v *Chat) ChatStop(id string) (err error) {
	defer catch(&err)
	if _, _, err := v.engine(); err != nil {
		return err
	}
	t, err := v.talks.get(id)
	if err != nil {
		return err
	}
	t.conversation.Stop()
	return nil
}
