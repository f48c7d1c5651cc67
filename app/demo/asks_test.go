package demo_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

// An asker answers questions.
type asker func(context.Context, session.Question) (session.Answer, error)

func (a asker) Ask(ctx context.Context, q session.Question) (session.Answer, error) { return a(ctx, q) }

// elicited answers elicitations.
func elicited(action, content string) asker {
	return func(context.Context, session.Question) (session.Answer, error) {
		r := &protocol.ElicitResult{Action: action}
		if content != "" {
			r.Content = json.RawMessage(content)
		}
		return session.Answer{Elicit: r}, nil
	}
}

// Each kind of question reaches whoever answers, and the answer comes back.
func TestAsks(t *testing.T) {
	message := func(_ context.Context, q session.Question) (session.Answer, error) {
		if q.Sampling.SystemPrompt == "" || q.Sampling.MaxTokens != 200 {
			t.Errorf("asks %s", q.Params)
		}
		return session.Answer{Message: &protocol.CreateMessageResult{
			Role: "assistant", Model: "manual/you", Content: json.RawMessage(`{"type":"text","text":"By the river."}`),
		}}, nil
	}
	folders := func(context.Context, session.Question) (session.Answer, error) {
		return session.Answer{Roots: &protocol.ListRootsResult{Roots: []protocol.Root{{URI: "file:///home/ada/work"}}}}, nil
	}
	refuse := func(context.Context, session.Question) (session.Answer, error) {
		return session.Answer{}, errors.New("the user said something about the server")
	}
	const details = `{"name":"Ada","guests":4}`
	for name, tt := range map[string]struct {
		asker                 asker
		tool, arguments, want string
		failed                bool
	}{
		"a form":                 {elicited("accept", details), "ask_details", `{}`, "You have sent: " + details, false},
		"a form declined":        {elicited("decline", ""), "ask_details", `{}`, "You have declined.", false},
		"a form left open":       {elicited("cancel", ""), "ask_details", `{}`, "You have not decided.", false},
		"a page":                 {elicited("accept", ""), "open_page", `{}`, "You have agreed.", false},
		"a page declined":        {elicited("decline", ""), "open_page", `{}`, "You have declined.", false},
		"a page first":           {elicited("accept", ""), "open_page", `{"when":"before it runs"}`, "the call was made again", false},
		"a model":                {message, "ask_model", `{}`, "manual/you says: By the river.", false},
		"a model, refused":       {refuse, "ask_model", `{}`, "There is no answer: The user rejected this request.", true},
		"folders":                {folders, "list_folders", `{}`, "Folders named: 1\nfile:///home/ada/work", false},
		"folders, not revealed":  {refuse, "list_folders", `{}`, "There is no answer", true},
		"a form, nobody answers": {refuse, "ask_details", `{}`, "You have not decided.", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := connectWith(t, nil, tt.asker)
			r, err := s.CallTool(t.Context(), tt.tool, json.RawMessage(tt.arguments), session.CallOptions{Again: true})
			if err != nil || r.IsError != tt.failed || !strings.Contains(r.Content[0].Text, tt.want) {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
}

// A page that must be opened first is asked for by an error, and the call fails for good if the user declines.
func TestPageFirst(t *testing.T) {
	s := connectWith(t, nil, elicited("decline", ""))
	_, err := s.CallTool(t.Context(), "open_page", json.RawMessage(`{"when":"before it runs"}`), session.CallOptions{Again: true})
	var required *session.URLRequiredError
	if !errors.As(err, &required) || required.Accepted || len(required.Elicitations) != 1 || required.Elicitations[0].URL != "https://example.com/gatehouse-demo" {
		t.Errorf("%v", err)
	}
}

// A task that asks says that it waits for input, and goes on with the answer.
func TestTaskAsks(t *testing.T) {
	var about string
	s := connectWith(t, nil, asker(func(ctx context.Context, q session.Question) (session.Answer, error) {
		about = q.Task
		return elicited("accept", `{"name":"Ada","guests":4}`)(ctx, q)
	}))
	var statuses []string
	r, err := s.CallTool(t.Context(), "ask_details", json.RawMessage(`{}`), session.CallOptions{
		Task:   &protocol.TaskMetadata{},
		Became: func(task protocol.Task) error { statuses = append(statuses, task.ID); return nil },
		Status: func(task protocol.Task) { statuses = append(statuses, task.Status) },
	})
	if err != nil || !strings.Contains(r.Content[0].Text, `"guests":4`) || about != "demo-1" {
		t.Errorf("%+v, %v, about %q", r, err, about)
	}
	if len(statuses) == 0 || statuses[0] != "demo-1" || statuses[len(statuses)-1] != "completed" {
		t.Errorf("%q", statuses)
	}
}

// A question is withdrawn when the call that it belongs to is stopped.
func TestQuestionIsWithdrawn(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	withdrawn := make(chan struct{})
	s := connectWith(t, nil, asker(func(ctx context.Context, _ session.Question) (session.Answer, error) {
		cancel()
		<-ctx.Done()
		close(withdrawn)
		return session.Answer{}, ctx.Err()
	}))
	if _, err := s.CallTool(ctx, "ask_model", json.RawMessage(`{}`), session.CallOptions{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	<-withdrawn
}

// Older revisions are asked for what they know: no pages, and a form without lists.
func TestAsksInOlderRevisions(t *testing.T) {
	open := func(revision string) string {
		line := strings.Replace(opening, "2025-11-25", revision, 1)
		return strings.Replace(line, `"capabilities":{}`, `"capabilities":{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}}`, 1)
	}
	call := func(tool string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `"}}`
	}
	for _, tt := range []struct{ revision, tool, want string }{
		{"2025-03-26", "ask_details", "does not take forms"},
		{"2025-06-18", "ask_details", `"enumNames":["In the garden"`},
		{"2025-06-18", "open_page", "does not take addresses"},
		{"2025-11-25", "ask_details", `"items":{"anyOf":[`},
		{"2024-11-05", "ask_model", `"method":"sampling/createMessage"`},
		{"2024-11-05", "list_folders", `"method":"roots/list"`},
	} {
		got := strings.Join(run(t, nil, open(tt.revision), call(tt.tool)), "\n")
		if !strings.Contains(got, tt.want) || tt.revision < "2025-11-25" && strings.Contains(got, "anyOf") {
			t.Errorf("%s, %s: %s", tt.revision, tt.tool, got)
		}
	}
}

// A reply to no question, and a second one to the same, are left alone.
func TestStrayReplies(t *testing.T) {
	got := run(
		t, nil, strings.Replace(opening, `"capabilities":{}`, `"capabilities":{"roots":{}}`, 1),
		`{"jsonrpc":"2.0","id":"ask-1","result":{"roots":[]}}`, `{"jsonrpc":"2.0","id":7,"result":{}}`,
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`,
	)
	if !slices.Contains(got, `{"jsonrpc":"2.0","id":1,"result":{}}`) || len(got) != 2 {
		t.Errorf("%q", got)
	}
}
