package app

// This file is what the user adds to the next message: contents of resources, and prompts. Go keeps the bytes; the page
// names them. Nothing of it is sent before the message is.

import (
	"errors"
	"slices"
	"sync"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/chat"
	"gatehouse/mcphost/protocol"
)

// Attachments is bound to the page.
type Attachments struct{ *desk }

// An Attachment is one of them. Title and Origin are the server's words.
type Attachment struct {
	ID         string `json:"id"`
	Kind       string `json:"kind"` // "resource" or "prompt"
	ServerID   string `json:"serverId"`
	ServerName string `json:"serverName"`
	Title      string `json:"title"`
	Origin     string `json:"origin"` // the resource's URI, or the prompt's name
	Bytes      int    `json:"bytes"`
	Parts      int    `json:"parts"`
	Sent       bool   `json:"sent"`
}

// AttachmentContent is what an attachment holds.
type AttachmentContent struct {
	Messages  []PromptMessage `json:"messages"`
	Truncated int             `json:"truncated"`
}

// ErrTooMuch is returned when more is attached than one message takes.
var ErrTooMuch = errors.New("too much is attached to one message")

const (
	maxAttached = 20       // to one message
	maxBytes    = 8 << 20  // of what is attached to one message
	maxKept     = 64 << 20 // bytes of what was sent, to be looked at again
)

// Attachments returns what goes with the next message, in order.
func (v *Attachments) Attachments() (waiting []Attachment, err error) {
	defer catch(&err)
	if _, _, err := v.engine(); err != nil {
		return nil, err
	}
	return v.tray.waiting(), nil
}

// AttachResource reads a resource and adds it to the next message.
func (v *Attachments) AttachResource(serverID, uri string) (err error) {
	defer catch(&err)
	s, ctx, err := v.server(serverID)
	if err != nil {
		return err
	}
	read, err := s.ReadResource(ctx, uri, false)
	if err != nil {
		return err
	}
	title := uri
	if l, err := s.Resources(ctx); err == nil {
		if i := slices.IndexFunc(l.Items, func(r protocol.Resource) bool { return r.URI == uri }); i >= 0 {
			title = l.Items[i].DisplayTitle()
		}
	}
	return v.add(resourceAttachment(s, title, uri, read))
}

// AttachPrompt adds a prompt to the next message, as its preview has shown it.
func (v *Attachments) AttachPrompt(preview string) (err error) {
	defer catch(&err)
	if _, _, err := v.engine(); err != nil {
		return err
	}
	a, ok := v.tray.shown(preview)
	if !ok {
		return badInput("preview", preview)
	}
	return v.add(a)
}

// Detach takes something out of the next message. What is not in it any more is left alone.
func (v *Attachments) Detach(id string) (err error) {
	defer catch(&err)
	if _, _, err := v.engine(); err != nil {
		return err
	}
	v.tray.remove(id)
	v.emit("attached", "", "")
	return nil
}

// Attached returns what an attachment holds, sent or not.
func (v *Attachments) Attached(id string) (c AttachmentContent, err error) {
	defer catch(&err)
	if _, _, err := v.engine(); err != nil {
		return AttachmentContent{}, err
	}
	a, ok := v.tray.find(id)
	if !ok {
		return AttachmentContent{}, &failure{"gone", id, errors.New("what was sent is no longer held")}
	}
	return a.content, nil
}

func (v *Attachments) add(a attachment) error {
	if err := v.tray.add(a); err != nil {
		return err
	}
	v.emit("attached", "", "")
	return nil
}

// An attachment is what is shown of it, and what goes to the model.
type attachment struct {
	Attachment
	content AttachmentContent
	model   chat.Attachment
}

func promptAttachment(p PromptPreview, s *mcphost.Server, name string, r *protocol.GetPromptResult) attachment {
	c := s.Config()
	a := attachment{Attachment: Attachment{
		ID: p.ID, Kind: "prompt", ServerID: c.ID, ServerName: c.Name, Title: name, Origin: name, Bytes: p.Bytes, Parts: len(p.Messages),
	}, content: AttachmentContent{p.Messages, p.Truncated}}
	a.model = chat.Attachment{ID: p.ID, Messages: mcphost.PromptForModel(c.Name, name, r)}
	return a
}

func resourceAttachment(s *mcphost.Server, title, uri string, r *protocol.ReadResourceResult) attachment {
	c, view := s.Config(), resourceContent(r, time.Now())
	a := attachment{Attachment: Attachment{
		ID: mcphost.NewID(), Kind: "resource", ServerID: c.ID, ServerName: c.Name, Title: title, Origin: uri, Bytes: view.Bytes, Parts: len(view.Blocks),
	}, content: AttachmentContent{Messages: []PromptMessage{}, Truncated: view.Truncated}}
	for _, b := range view.Blocks {
		a.content.Messages = append(a.content.Messages, PromptMessage{"user", b})
	}
	a.model = chat.Attachment{ID: a.ID, Messages: mcphost.ResourceForModel(c.Name, r)}
	return a
}

// A tray holds attachments: those of the next message and, within bounds, those that were sent. The zero value is ready.
type tray struct {
	mu      sync.Mutex
	items   []attachment // oldest first
	preview attachment   // the prompt that was expanded last
}

func (t *tray) show(a attachment) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.preview = a
}

func (t *tray) shown(id string) (attachment, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.preview, id != "" && t.preview.ID == id
}

// add takes one more; twice the same is once.
func (t *tray) add(a attachment) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	n, bytes := 1, a.Bytes
	for _, each := range t.items {
		if each.ID == a.ID && !each.Sent {
			return nil
		}
		if !each.Sent {
			n, bytes = n+1, bytes+each.Bytes
		}
	}
	if n > maxAttached || bytes > maxBytes {
		return ErrTooMuch
	}
	t.items = append(t.items, a)
	return nil
}

func (t *tray) remove(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.items = slices.DeleteFunc(t.items, func(a attachment) bool { return a.ID == id && !a.Sent })
}

func (t *tray) waiting() []Attachment {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := []Attachment{}
	for _, a := range t.items {
		if !a.Sent {
			out = append(out, a.Attachment)
		}
	}
	return out
}

func (t *tray) find(id string) (attachment, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.IndexFunc(t.items, func(a attachment) bool { return a.ID == id })
	if i < 0 {
		return attachment{}, false
	}
	return t.items[i], true
}

// sent returns what went with a message. Of what is no longer held only the id is known.
func (t *tray) sent(ids []string) []Attachment {
	out := []Attachment{}
	for _, id := range ids {
		a, _ := t.find(id)
		a.ID, a.Sent = id, true
		out = append(out, a.Attachment)
	}
	return out
}

// send hands what waits to a message. If that is not taken it goes on waiting.
func (t *tray) send(to func(...chat.Attachment) error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []chat.Attachment
	for _, a := range t.items {
		if !a.Sent {
			out = append(out, a.model)
		}
	}
	if err := to(out...); err != nil {
		return err
	}
	kept := 0
	for i := len(t.items) - 1; i >= 0; i-- {
		t.items[i].Sent = true
		if kept += t.items[i].Bytes; kept > maxKept {
			t.items = t.items[i+1:]
			break
		}
	}
	return nil
}
