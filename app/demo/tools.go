package demo

// This file lists and calls tools.

import (
	"context"
	"encoding/json"
	"slices"
)

// A tool is a definition and what it does.
type tool struct {
	Name         string          `json:"name"`
	Title        string          `json:"title,omitempty"` // since 2025-06-18
	Description  string          `json:"description"`
	InputSchema  schema          `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"` // since 2025-06-18
	Annotations  *annotations    `json:"annotations,omitempty"`  // since 2025-03-26
	Execution    *execution      `json:"execution,omitempty"`    // since 2025-11-25

	call func(context.Context, call) (result, error)
}

// annotations are hints; a client must not rely on them.
type annotations struct {
	Title           string `json:"title"`
	ReadOnlyHint    bool   `json:"readOnlyHint"`
	DestructiveHint bool   `json:"destructiveHint"`
	IdempotentHint  bool   `json:"idempotentHint"`
	OpenWorldHint   bool   `json:"openWorldHint"`
}

// execution says whether a call can become a task; without it it cannot.
type execution struct {
	TaskSupport string `json:"taskSupport"` // "optional" or "required"
}

// A call is what a tool gets.
type call struct {
	arguments
	revision revision
	progress func(done, total int, message string) // does nothing if the client wants none

	// ask sends a request of this server and waits for its result; see server.ask.
	ask func(ctx context.Context, method string, params map[string]any) (json.RawMessage, error)
}

// A result is what a tool answers.
type result struct {
	Content    []content `json:"content"`
	Structured any       `json:"structuredContent,omitempty"` // since 2025-06-18
	IsError    bool      `json:"isError,omitempty"`
}

// A content is one block of a result or a prompt.
type content struct {
	Type        string            `json:"type"`
	Text        string            `json:"text,omitempty"`
	Data        []byte            `json:"data,omitempty"` // base64
	MimeType    string            `json:"mimeType,omitempty"`
	URI         string            `json:"uri,omitempty"`
	Name        string            `json:"name,omitempty"`
	Title       string            `json:"title,omitempty"`
	Description string            `json:"description,omitempty"`
	Size        int               `json:"size,omitempty"`
	Resource    *resourceContents `json:"resource,omitempty"`
}

func textContent(text string) content { return content{Type: "text", Text: text} }

func says(text string) result { return result{Content: []content{textContent(text)}} }

func fails(text string) result {
	r := says(text)
	r.IsError = true
	return r
}

// tools returns the tools in the order of a first visit.
func (s *server) tools() []tool { return slices.Concat(shows(), s.acts(), s.asks()) }

func reads() *annotations { return &annotations{ReadOnlyHint: true, IdempotentHint: true} }

// shows are the tools that show what a result can be.
func shows() []tool {
	return []tool{
		{
			Name: "say_hello", Title: "Say hello", Description: "Greets someone in a language of your choice. The simplest tool: a text comes back.",
			InputSchema: schema{
				text("name", "Name", "Who is greeted.", "world", 100),
				choice("language", "Language", "The language of the greeting.", "English", "Chinese", "French", "German", "Spanish"),
			},
			Annotations: reads(), call: sayHello,
		},
		{
			Name: "draw_picture", Title: "Draw a picture", Description: "Draws a small picture and returns it as a PNG image.",
			InputSchema: schema{
				choice("motif", "Motif", "What is drawn.", motifNames()...),
				whole("size", "Size", "Width and height in pixels.", 320, 16, 1024),
			},
			Annotations: reads(), call: drawPicture,
		},
		{
			Name: "play_tone", Title: "Play a tone", Description: "Makes a tone and returns it as WAV audio.",
			InputSchema: schema{
				number("frequency", "Frequency", "Pitch in hertz; 440 is the A of an orchestra.", 440, 55, 3520),
				number("seconds", "Length", "Length in seconds.", 1, 0.1, 5),
				choice("wave", "Wave", "Form of the wave: a sine is soft, a square harsh.", "sine", "triangle", "square"),
			},
			Annotations: reads(), call: playTone,
		},
		{
			Name: "weather_table", Title: "Weather table (invented)", Description: "Returns a forecast as structured data that fits its output schema. The weather is invented: it comes from no station and no service.",
			InputSchema: schema{
				text("city", "City", "Any place, real or not.", "Harbourtown", 100),
				whole("days", "Days", "How many days.", 5, 1, 14),
				choice("unit", "Unit", "Unit of the temperatures.", "celsius", "fahrenheit"),
			},
			OutputSchema: json.RawMessage(weatherSchema), Annotations: reads(), call: weatherTable,
		},
	}
}

// acts are the tools that show what a call can do.
func (s *server) acts() []tool {
	return []tool{
		{
			Name: "count_slowly", Title: "Count slowly", Description: "Counts with a pause before each number and reports its progress. Good for trying Stop, and tasks.",
			InputSchema: schema{
				whole("to", "Count to", "The last number.", 10, 1, 1000),
				number("pause", "Pause", "Seconds before each number.", 1, 0, 10),
			},
			Annotations: reads(), Execution: &execution{"optional"}, call: countSlowly,
		},
		{
			Name: "link_to_note", Title: "Link to a note", Description: "Returns a note as an embedded resource, and a link to it.",
			InputSchema: schema{noteName()}, Annotations: reads(), call: s.linkToNote,
		},
		{
			Name: "delete_note", Title: "Delete a note", Description: "Deletes one of the demo's notes. They are in memory only and come back when the server starts again.",
			InputSchema: schema{noteName()}, Annotations: &annotations{DestructiveHint: true}, call: s.deleteNote,
		},
		{
			Name: "fail", Title: "Fail", Description: "Answers that the tool has failed: the call went through, its work did not.",
			InputSchema: schema{text("reason", "Reason", "What the tool says.", "The demo fails because you asked for it.", 500)},
			Annotations: reads(), call: func(_ context.Context, c call) (result, error) { return fails(c.text("reason")), nil },
		},
		{
			Name: "break", Title: "Break the protocol call", Description: "Answers with a JSON-RPC error: there is no result at all.",
			InputSchema: schema{}, Annotations: reads(), call: breakCall,
		},
	}
}

// in returns the definition as the revision knows it.
func (t tool) in(r revision) tool {
	if t.Annotations != nil {
		named := *t.Annotations
		named.Title = t.Title
		t.Annotations = &named
	}
	if !r.since(revision20250618) {
		t.Title, t.OutputSchema = "", nil
	}
	if !r.since(revision20250326) {
		t.Annotations = nil
	}
	if !r.since(revision20251125) {
		t.Execution = nil
	}
	return t
}

func (s *server) listTools(_ context.Context, r request) (any, error) {
	tools, next, err := page(r, s.tools(), s.opts.PageSize)
	for i, t := range tools {
		tools[i] = t.in(r.revision)
	}
	return struct {
		Tools []tool `json:"tools"`
		Next  string `json:"nextCursor,omitempty"`
	}{tools, next}, err
}

func (s *server) callTool(ctx context.Context, r request) (any, error) {
	var p struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		Meta      struct {
			ProgressToken json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
		Task *struct {
			TTL *int64 `json:"ttl"`
		} `json:"task"`
	}
	if err := json.Unmarshal(r.params, &p); err != nil {
		return nil, invalidParams("tools/call takes a name and arguments")
	}
	for _, t := range s.tools() {
		if t.Name != p.Name {
			continue
		}
		checked, err := t.InputSchema.check(p.Arguments)
		if err != nil {
			return fails("Wrong arguments: " + err.Error() + "."), nil // a result, so that a model can correct itself
		}
		c := call{checked, r.revision, s.progress(p.Meta.ProgressToken, r.revision), s.ask}
		switch {
		case p.Task == nil || !r.revision.since(revision20251125):
			return t.call(ctx, c)
		case t.Execution == nil:
			return nil, &rpcError{Code: codeMethodNotFound, Message: "this tool cannot run as a task"}
		}
		return s.startJob(ctx, t, c, p.Task.TTL)
	}
	return nil, invalidParams("there is no tool %q", clip(p.Name))
}

// progress returns what reports the progress of a call under its token.
func (s *server) progress(token json.RawMessage, r revision) func(int, int, string) {
	if _, ok := idKey(token); !ok {
		return func(int, int, string) {}
	}
	return func(done, total int, message string) {
		s.out.notify("notifications/progress", struct {
			Token    json.RawMessage `json:"progressToken"`
			Progress int             `json:"progress"`
			Total    int             `json:"total"`
			Message  string          `json:"message,omitempty"`
		}{token, done, total, r.from(revision20250326, message)})
	}
}
