package demo

// This file lists prompts and fills them in.

import (
	"context"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

const maxPromptArgument = 500 // characters

type prompt struct {
	Name        string           `json:"name"`
	Title       string           `json:"title,omitempty"` // since 2025-06-18
	Description string           `json:"description"`
	Arguments   []promptArgument `json:"arguments,omitempty"`
}

type promptArgument struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"` // since 2025-06-18
	Description string `json:"description"`
	Required    bool   `json:"required"`
}

type promptMessage struct {
	Role    string  `json:"role"` // "user" or "assistant"
	Content content `json:"content"`
}

func prompts(r revision) []prompt {
	title := func(text string) string { return r.from(revision20250618, text) }
	return []prompt{
		{"tour", title("A tour of the demo"), "Asks the model to try the demo's tools one by one.", nil},
		{"plan_a_day", title("Plan a day"), "Asks the model for a plan that suits the invented weather.", []promptArgument{
			{"city", title("City"), "Where the day is spent.", true},
			{"mood", title("Mood"), "For instance: lazy, curious, sporty.", false},
		}},
		{"summarise_note", title("Summarise a note"), "Puts a note into the conversation and asks for a summary.", []promptArgument{
			{"name", title("Note"), "The note's name, for instance: welcome.", true},
		}},
	}
}

func (s *server) listPrompts(_ context.Context, r request) (any, error) {
	list, next, err := page(r, prompts(r.revision), s.opts.PageSize)
	return struct {
		Prompts []prompt `json:"prompts"`
		Next    string   `json:"nextCursor,omitempty"`
	}{list, next}, err
}

func (s *server) getPrompt(_ context.Context, r request) (any, error) {
	var p struct {
		Name      string            `json:"name"`
		Arguments map[string]string `json:"arguments"`
	}
	if err := json.Unmarshal(r.params, &p); err != nil {
		return nil, invalidParams("prompts/get takes a name, and arguments that are texts")
	}
	for _, known := range prompts(r.revision) {
		if known.Name != p.Name {
			continue
		}
		if err := known.check(p.Arguments); err != nil {
			return nil, err
		}
		messages, err := s.fill(p.Name, p.Arguments)
		return struct {
			Description string          `json:"description"`
			Messages    []promptMessage `json:"messages"`
		}{known.Description, messages}, err
	}
	return nil, invalidParams("there is no prompt %q", clip(p.Name))
}

func (p prompt) check(given map[string]string) error {
	known := 0
	for _, a := range p.Arguments {
		text, ok := given[a.Name]
		switch {
		case a.Required && text == "":
			return invalidParams("%s is required", a.Name)
		case utf8.RuneCountInString(text) > maxPromptArgument:
			return invalidParams("%s has at most %d characters", a.Name, maxPromptArgument)
		case ok:
			known++
		}
	}
	if known < len(given) {
		return invalidParams("the prompt %s has no such argument", p.Name)
	}
	return nil
}

func (s *server) fill(name string, a map[string]string) ([]promptMessage, error) {
	user := func(c content) promptMessage { return promptMessage{"user", c} }
	switch name {
	case "plan_a_day":
		mood := ""
		if a["mood"] != "" {
			mood = fmt.Sprintf(" I feel %s.", a["mood"])
		}
		return []promptMessage{user(textContent(fmt.Sprintf(
			"Look up the weather for %s with weather_table and plan my day there.%s Remember that the weather is invented.", a["city"], mood,
		)))}, nil
	case "summarise_note":
		note, ok := s.notes.contents(a["name"])
		if !ok {
			return nil, invalidParams("there is no note %q", clip(a["name"]))
		}
		return []promptMessage{
			user(textContent("Summarise this note in one sentence.")),
			user(content{Type: "resource", Resource: &note}),
		}, nil
	}
	return []promptMessage{
		user(textContent("Show me what your tools can do.")),
		{"assistant", textContent("Gladly. I will try one at a time and tell you what came back.")},
		user(textContent("Begin with say_hello, then draw_picture and weather_table.")),
	}, nil
}
