package app

// This file is the Prompts page: what each server lists, and what a prompt expands to.

import (
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/protocol"
)

// Prompts is bound to the page.
type Prompts struct{ *desk }

// A PromptList is what one server lists. Every text in it is the server's.
type PromptList struct {
	Offered    bool        `json:"offered"` // the server has prompts
	Prompts    []PromptRow `json:"prompts"`
	Warning    string      `json:"warning"`    // why the list was cut short
	Stale      string      `json:"stale"`      // since when it cannot be fetched again
	Completion string      `json:"completion"` // whether it sees what is typed: "ask", "on", "off"; "" = it proposes nothing
}

// A PromptRow is one prompt as listed.
type PromptRow struct {
	Name        string           `json:"name"`
	Title       string           `json:"title"` // to show: title or name
	Description string           `json:"description"`
	Arguments   []PromptArgument `json:"arguments"`
	Problem     string           `json:"problem"` // why it cannot be used
}

// A PromptArgument is one argument of a prompt.
type PromptArgument struct {
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
}

// A PromptPreview is what a prompt expands to: everything that goes into the conversation.
type PromptPreview struct {
	ID          string          `json:"id"`
	At          string          `json:"at"`
	DurationMs  int             `json:"durationMs"`
	Description string          `json:"description"`
	Bytes       int             `json:"bytes"`
	Messages    []PromptMessage `json:"messages"`
	Truncated   int             `json:"truncated"` // bytes that are not in this view
	Hidden      int             `json:"hidden"`    // hidden characters in its texts
}

// A PromptMessage is one message of it.
type PromptMessage struct {
	Role  string `json:"role"` // "user", "assistant", or what else the server wrote
	Block Block  `json:"block"`
}

// ListPrompts returns what one server lists. With fresh it is asked anew, else what was fetched holds until it changes.
func (v *Prompts) ListPrompts(serverID string, fresh bool) (l PromptList, err error) {
	defer catch(&err)
	s, ctx, err := v.server(serverID)
	if err != nil {
		return PromptList{}, err
	}
	if fresh {
		if err := s.Refresh(ctx); err != nil {
			return PromptList{}, err
		}
	}
	prompts, err := s.Prompts(ctx)
	if err != nil {
		return PromptList{}, err
	}
	return promptList(s, prompts), nil
}

// GetPrompt has the server expand a prompt. Nothing goes to a model: AttachPrompt puts it into the next message.
func (v *Prompts) GetPrompt(serverID, name string, arguments map[string]string) (p PromptPreview, err error) {
	defer catch(&err)
	s, ctx, err := v.server(serverID)
	if err != nil {
		return PromptPreview{}, err
	}
	start := time.Now()
	result, err := s.GetPrompt(ctx, name, arguments)
	if err != nil {
		return PromptPreview{}, err
	}
	p = promptPreview(result)
	p.ID, p.At, p.DurationMs = mcphost.NewID(), stamp(start), int(time.Since(start).Milliseconds())
	v.tray.show(promptAttachment(p, s, name, result))
	return p, nil
}

func promptList(s *mcphost.Server, prompts mcphost.List[protocol.Prompt]) PromptList {
	l := PromptList{Prompts: []PromptRow{}, Warning: prompts.Warning, Stale: stamp(prompts.Stale), Completion: leaveOf(s)}
	l.Offered = s.Snapshot().Info.Capabilities.Prompts != nil
	for _, p := range prompts.Items {
		row := PromptRow{Name: p.Name, Title: p.DisplayTitle(), Description: p.Description, Arguments: []PromptArgument{}, Problem: p.Err}
		for _, a := range p.Arguments {
			row.Arguments = append(row.Arguments, PromptArgument(a))
		}
		l.Prompts = append(l.Prompts, row)
	}
	return l
}

func promptPreview(r *protocol.GetPromptResult) PromptPreview {
	p := PromptPreview{Description: r.Description, Bytes: len(r.Raw), Messages: []PromptMessage{}}
	var cut cutter
	for _, m := range r.Messages {
		b := cut.block(m.Content)
		if c := m.Content.Resource; b.Kind == protocol.ContentResource && c != nil && c.Kind() == protocol.ContentResource {
			b.Data = "" // it is not shown
		}
		p.Hidden += consent.Untrusted(b.Text).Hidden()
		p.Messages = append(p.Messages, PromptMessage{m.Role, b})
	}
	p.Truncated = cut.left
	return p
}
