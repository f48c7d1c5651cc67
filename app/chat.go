package app

// This file is the chat: one conversation with a model, or with the user as the model.

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gatehouse/mcphost/chat"
)

// Chat is bound to the page.
type Chat struct{ *desk }

// A ChatItem is one entry of the transcript.
type ChatItem struct {
	ID        string    `json:"id"`
	Role      string    `json:"role"`
	Text      string    `json:"text"`
	Streaming bool      `json:"streaming"`
	At        string    `json:"at"`
	Call      *CallView `json:"call"`
	Note      string    `json:"note"` // the page has a sentence for each
}

// A ChatView is the conversation.
type ChatView struct {
	ID      string     `json:"id"`
	Title   string     `json:"title"`
	Model   string     `json:"model"`
	Manual  bool       `json:"manual"`
	Busy    bool       `json:"busy"`
	Waiting string     `json:"waiting"` // "user": the user plays the model and has the move
	Items   []ChatItem `json:"items"`
}

// Chat returns the conversation.
func (v *Chat) Chat() (view ChatView, err error) {
	defer catch(&err)
	e, _, err := v.engine()
	if err != nil {
		return ChatView{}, err
	}
	return v.view(e), nil
}

func (v *Chat) view(e *Engine) ChatView {
	now := v.chat.View()
	view := ChatView{ID: "1", Model: v.model, Manual: v.man != nil, Busy: now.Busy, Waiting: string(now.Waiting), Items: []ChatItem{}}
	if view.Manual && now.Waiting == chat.WaitModel {
		view.Waiting = "user"
	}
	for _, it := range now.Items {
		item := ChatItem{ID: it.ID, Role: string(it.Role), Text: it.Text, Streaming: it.Streaming, At: stamp(it.At), Note: string(it.Note)}
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

// ChatSend says something as the user and starts a turn.
func (v *Chat) ChatSend(text string) (err error) {
	defer catch(&err)
	if _, _, err := v.engine(); err != nil {
		return err
	}
	if text == "" {
		return badInput("text", text)
	}
	return v.chat.Send(text)
}

// moveWait bounds how long a move of the user waits for the loop to ask for it.
const moveWait = 2 * time.Second

// ChatReply answers as the model.
func (v *Chat) ChatReply(text string) (err error) {
	defer catch(&err)
	_, ctx, err := v.engine()
	if err != nil {
		return err
	}
	if v.man == nil || text == "" {
		return badInput("text", text)
	}
	if err := v.turn(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, moveWait)
	defer cancel()
	return v.man.Reply(ctx, text)
}

// ChatRun calls, as the model, what panel shows if digest names it. Pressing Run is the decision, unless the call
// needs the full gate.
func (v *Chat) ChatRun(panel, digest string) (err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return err
	}
	if v.man == nil {
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
	if err := v.turn(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, moveWait)
	defer cancel()
	return v.man.Call(ctx, use, name, c.arguments)
}

// turn starts one without a word of the user if none runs.
func (v *Chat) turn() error {
	if err := v.chat.Send(""); !errors.Is(err, chat.ErrBusy) {
		return err
	}
	return nil
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
func (v *Chat) ChatStop() (err error) {
	defer catch(&err)
	if _, _, err := v.engine(); err != nil {
		return err
	}
	v.chat.Stop()
	return nil
}

// ChatClear empties the transcript.
func (v *Chat) ChatClear() (err error) {
	defer catch(&err)
	if _, _, err := v.engine(); err != nil {
		return err
	}
	return v.chat.Clear()
}
