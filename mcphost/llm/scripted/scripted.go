// Package scripted is a model that follows a script, for tests and for faults that real models rarely show.
package scripted

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"sync"

	"gatehouse/mcphost/llm"
)

// A Step is one answer: pieces of text, then pieces of tool uses.
type Step struct {
	Text  []string `json:"text,omitempty"`
	Uses  []Use    `json:"uses,omitempty"`
	Break string   `json:"break,omitempty"` // end with this error, mid-answer, without Done
}

// A Use is a tool use whose arguments arrive in pieces.
type Use struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	Arguments []string `json:"arguments"`
}

// Model answers with its steps in order and fails when they are used up. It keeps every request.
type Model struct {
	gate chan struct{} // one receive before each piece; nil = no waiting

	mu       sync.Mutex
	steps    []Step
	requests []llm.Request
}

// New returns a Model of steps. With a gate each piece waits for one value, so that a test sees every state.
func New(steps []Step, gate chan struct{}) *Model { return &Model{gate: gate, steps: steps} }

// Parse reads steps from JSON.
func Parse(data []byte) ([]Step, error) {
	var steps []Step
	if err := json.Unmarshal(data, &steps); err != nil {
		return nil, fmt.Errorf("script: %w", err)
	}
	return steps, nil
}

// Name implements [llm.Model].
func (*Model) Name() string { return "scripted" }

// Requests returns every request so far.
func (m *Model) Requests() []llm.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]llm.Request(nil), m.requests...)
}

// Stream implements [llm.Model].
func (m *Model) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		step, ok := m.next(r)
		if !ok {
			yield(nil, fmt.Errorf("script: no step left"))
			return
		}
		for ev := range step.events() {
			if err := m.wait(ctx); err != nil {
				yield(nil, err)
				return
			}
			if !yield(ev, nil) {
				return
			}
		}
		if step.Break != "" {
			yield(nil, fmt.Errorf("script: %s", step.Break))
		}
	}
}

func (m *Model) next(r llm.Request) (Step, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, r)
	if len(m.steps) == 0 {
		return Step{}, false
	}
	step := m.steps[0]
	m.steps = m.steps[1:]
	return step, true
}

func (m *Model) wait(ctx context.Context) error {
	if m.gate == nil {
		return ctx.Err()
	}
	select {
	case <-m.gate:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s Step) events() iter.Seq[llm.Event] {
	return func(yield func(llm.Event) bool) {
		for _, t := range s.Text {
			if !yield(llm.TextDelta{Text: t}) {
				return
			}
		}
		for i, u := range s.Uses {
			if !yield(llm.ToolUseDelta{Index: i, ID: u.ID, Name: u.Name}) {
				return
			}
			for _, a := range u.Arguments {
				if !yield(llm.ToolUseDelta{Index: i, Arguments: a}) {
					return
				}
			}
		}
		if s.Break != "" {
			return
		}
		reason := llm.EndTurn
		if len(s.Uses) > 0 {
			reason = llm.UseTools
		}
		yield(llm.Done{StopReason: reason})
	}
}
