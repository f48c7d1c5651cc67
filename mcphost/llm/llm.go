// Package llm is what the host knows of language models: one interface and the parts that travel through it.
// Providers live in subpackages; package manual is the user acting as the model.
package llm

import (
	"context"
	"encoding/json"
	"iter"
)

// A Model answers a conversation. Name is shown to the user and recorded.
type Model interface {
	Name() string
	// Stream answers r. The sequence ends after a Done event or an error, and when ctx ends.
	// A consumer may stop early; the model then stops as well.
	Stream(ctx context.Context, r Request) iter.Seq2[Event, error]
}

// A Role says who speaks in a Message.
type Role string

// The roles. Tool results travel in user messages.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// A Request is one question to a model: the whole conversation and the tools it may ask for.
type Request struct {
	System   string
	Messages []Message
	Tools    []Tool
}

// A Message is one turn of the conversation.
type Message struct {
	Role  Role
	Parts []Part
}

// A Part is one piece of a Message: Text, Image, Audio, ToolUse or ToolResult.
type Part interface{ part() }

// Text is plain text.
type Text struct{ Text string }

// Image is an image of a tool result or an attachment.
type Image struct {
	MimeType string
	Data     []byte
}

// Audio is a sound of a tool result or an attachment.
type Audio struct {
	MimeType string
	Data     []byte
}

// ToolUse asks for a tool under its model-facing name.
type ToolUse struct {
	ID        string
	Name      string
	Arguments json.RawMessage // as the model wrote them: not yet checked, perhaps not JSON
}

// ToolResult answers the ToolUse with the same ID.
type ToolResult struct {
	ID      string
	Parts   []Part
	IsError bool
}

func (Text) part()       {}
func (Image) part()      {}
func (Audio) part()      {}
func (ToolUse) part()    {}
func (ToolResult) part() {}

// A Tool is offered to the model.
type Tool struct {
	Name        string // model-facing: [A-Za-z0-9_-], at most 64
	Description string
	InputSchema json.RawMessage
}

// An Event is one step of an answer: TextDelta, ToolUseDelta or Done.
type Event interface{ event() }

// TextDelta appends to the answer's text.
type TextDelta struct{ Text string }

// ToolUseDelta begins or continues the tool use at Index. ID and Name come with the first delta of an index;
// Arguments is the next piece of JSON text. Nothing may be done with a tool use before Done.
type ToolUseDelta struct {
	Index     int
	ID        string
	Name      string
	Arguments string
}

// Done ends an answer.
type Done struct{ StopReason StopReason }

func (TextDelta) event()    {}
func (ToolUseDelta) event() {}
func (Done) event()         {}

// A StopReason says why an answer ended, in MCP's words (schema 2025-11-25, CreateMessageResult.stopReason).
type StopReason string

// The stop reasons; a provider's own word passes unchanged.
const (
	EndTurn   StopReason = "endTurn"
	MaxTokens StopReason = "maxTokens"
	UseTools  StopReason = "toolUse"
)
