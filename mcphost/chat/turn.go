package chat

// This file runs one turn: model → tools → model, until the model has nothing more to ask.

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"gatehouse/mcphost/llm"
)

func (c *Conversation) turn(ctx context.Context) {
	turn := rand.Text()
	for range c.opts.Rounds {
		offered := c.host.Offer(ctx)
		names := Names(offered)
		uses, err := c.answer(ctx, offered, names)
		if err != nil {
			c.fail(ctx, err)
			return
		}
		if len(uses) == 0 {
			return
		}
		c.wait(WaitDecision)
		if stop := c.run(ctx, turn, uses, offered, names); stop {
			return
		}
	}
	c.add(Item{Role: RoleModel, Note: NoteRounds})
}

func (c *Conversation) fail(ctx context.Context, err error) {
	if ctx.Err() != nil {
		c.add(Item{Role: RoleModel, Note: NoteStopped})
		return
	}
	c.add(Item{Role: RoleModel, Note: NoteModelError, Text: err.Error()})
}

// answer asks the model once and adds what it says to the transcript.
func (c *Conversation) answer(ctx context.Context, offered []Tool, names []string) ([]llm.ToolUse, error) {
	c.wait(WaitModel)
	req := llm.Request{System: c.host.Instructions(ctx), Messages: c.history()}
	for i, t := range offered {
		req.Tools = append(req.Tools, llm.Tool{Name: names[i], Description: t.Description, InputSchema: t.InputSchema})
	}
	var text strings.Builder
	var uses []llm.ToolUse
	item := ""
	finished := false
	for ev, err := range c.model.Stream(ctx, req) {
		if err != nil {
			c.endText(item)
			c.remember(text.String(), nil)
			return nil, err
		}
		switch ev := ev.(type) {
		case llm.TextDelta:
			text.WriteString(ev.Text)
			item = c.delta(item, ev.Text)
		case llm.ToolUseDelta:
			uses = merge(uses, ev)
		case llm.Done:
			finished = true
		}
	}
	c.endText(item)
	if !finished {
		c.remember(text.String(), nil)
		return nil, errors.Join(ctx.Err(), errors.New("the answer ended early"))
	}
	c.remember(text.String(), uses)
	return uses, nil
}

// maxUses bounds the tool uses of one answer; providers allow about as many.
const maxUses = 128

// merge adds a delta to the tool uses; an id or a name that comes later or empty changes nothing.
func merge(uses []llm.ToolUse, d llm.ToolUseDelta) []llm.ToolUse {
	if d.Index < 0 || d.Index >= maxUses {
		return uses
	}
	for len(uses) <= d.Index {
		uses = append(uses, llm.ToolUse{})
	}
	u := &uses[d.Index]
	if u.ID == "" {
		u.ID = d.ID
	}
	if u.Name == "" {
		u.Name = d.Name
	}
	u.Arguments = append(u.Arguments, d.Arguments...)
	return uses
}

func (c *Conversation) delta(item, text string) string {
	if item == "" {
		item = c.add(Item{Role: RoleModel, Streaming: true})
	}
	c.mu.Lock()
	for i := range c.items {
		if c.items[i].ID == item {
			c.items[i].Text += text
		}
	}
	c.mu.Unlock()
	c.opts.Delta(item, text)
	return item
}

func (c *Conversation) endText(item string) {
	if item != "" {
		c.change(item, func(it *Item) { it.Streaming = false })
	}
}

func (c *Conversation) history() []llm.Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.messages)
}

// remember adds the model's answer to what later requests carry.
func (c *Conversation) remember(text string, uses []llm.ToolUse) {
	var parts []llm.Part
	if text != "" {
		parts = append(parts, llm.Text{Text: text})
	}
	for _, u := range uses {
		parts = append(parts, u)
	}
	if len(parts) == 0 {
		return
	}
	c.mu.Lock()
	c.messages = append(c.messages, llm.Message{Role: llm.Assistant, Parts: parts})
	c.mu.Unlock()
}

// run makes all calls of one answer, decided in any order, and gives every result back: a tool use without a
// result would spoil the conversation for every provider. It reports whether the turn ends.
func (c *Conversation) run(ctx context.Context, turn string, uses []llm.ToolUse, offered []Tool, names []string) bool {
	title := c.View().Title
	outcomes := make([]Outcome, len(uses))
	var wg sync.WaitGroup
	for i, u := range uses {
		tool, known := find(u.Name, offered, names)
		args, err := arguments(u.Arguments)
		item := Item{Role: RoleTool, Tool: tool}
		switch {
		case !known:
			item.Note, item.Tool.Name = NoteUnknownTool, u.Name
			outcomes[i] = failure("There is no tool %q.", u.Name)
		case err != nil:
			item.Note, item.Text = NoteArguments, string(u.Arguments)
			outcomes[i] = failure("The arguments are not a JSON object: %v. Nothing was run.", err)
		}
		id := c.add(item)
		if item.Note != "" {
			continue
		}
		use := Use{
			ID: u.ID, ServerID: tool.ServerID, Tool: tool.Name, Arguments: args, Model: c.model.Name(), Chat: title, Turn: turn,
			Started: func(call string) { c.change(id, func(it *Item) { it.Call = call }) },
		}
		wg.Go(func() { outcomes[i] = c.host.Run(ctx, use) })
	}
	wg.Wait()
	results := make([]llm.Part, len(uses))
	stop := ctx.Err() != nil
	for i, o := range outcomes {
		results[i] = llm.ToolResult{ID: uses[i].ID, Parts: o.Parts, IsError: o.IsError}
		stop = stop || o.Stop
	}
	c.mu.Lock()
	c.messages = append(c.messages, llm.Message{Role: llm.User, Parts: results})
	c.mu.Unlock()
	if ctx.Err() != nil {
		c.add(Item{Role: RoleModel, Note: NoteStopped})
	}
	return stop
}

func find(name string, offered []Tool, names []string) (Tool, bool) {
	if i := slices.Index(names, name); i >= 0 {
		return offered[i], true
	}
	return Tool{}, false
}

func failure(format string, args ...any) Outcome {
	return Outcome{IsError: true, Parts: []llm.Part{llm.Text{Text: fmt.Sprintf(format, args...)}}}
}

// arguments accepts what models write for "no arguments". Nothing is repaired: what is not JSON is not run.
func arguments(raw json.RawMessage) (json.RawMessage, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return json.RawMessage("{}"), nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, err
	}
	return raw, nil
}
