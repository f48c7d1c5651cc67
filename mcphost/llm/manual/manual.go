// Package manual is the model that the user plays: its answers come from the window.
package manual

import (
	"context"
	"encoding/json"
	"errors"
	"iter"

	"gatehouse/mcphost/llm"
)

// ErrNotWaiting is returned when an answer comes while nobody waits for one.
var ErrNotWaiting = errors.New("the model is not being asked")

// Model waits for the user's next move each time it is asked. It is safe for concurrent use.
type Model struct {
	moves chan move
}

type move struct {
	text string
	use  *llm.ToolUse
}

// New returns a Model; it does nothing until asked.
func New() *Model { return &Model{moves: make(chan move)} }

// Name implements [llm.Model].
func (*Model) Name() string { return "manual" }

// Stream implements [llm.Model]: it blocks until [Model.Reply] or [Model.Call], or the end of ctx.
func (m *Model) Stream(ctx context.Context, _ llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		var mv move
		select {
		case mv = <-m.moves:
		case <-ctx.Done():
			yield(nil, ctx.Err())
			return
		}
		if mv.use == nil {
			if yield(llm.TextDelta{Text: mv.text}, nil) {
				yield(llm.Done{StopReason: llm.EndTurn}, nil)
			}
			return
		}
		use := llm.ToolUseDelta{ID: mv.use.ID, Name: mv.use.Name, Arguments: string(mv.use.Arguments)}
		if yield(use, nil) {
			yield(llm.Done{StopReason: llm.UseTools}, nil)
		}
	}
}

// Reply answers with text and ends the turn. It waits until the model is asked or ctx ends (ErrNotWaiting).
func (m *Model) Reply(ctx context.Context, text string) error {
	return m.move(ctx, move{text: text})
}

// Call answers with one tool use. id ties it to the decision taken in the Run panel.
func (m *Model) Call(ctx context.Context, id, name string, arguments json.RawMessage) error {
	return m.move(ctx, move{use: &llm.ToolUse{ID: id, Name: name, Arguments: arguments}})
}

func (m *Model) move(ctx context.Context, mv move) error {
	select {
	case m.moves <- mv:
		return nil
	case <-ctx.Done():
		return ErrNotWaiting
	}
}
