package protocol

// This file defines tools/list and tools/call.

import "encoding/json"

// A Tool is a definition as a server lists it. Every text in it is the server's.
type Tool struct {
	Name         string
	Title        string
	Description  string
	InputSchema  json.RawMessage
	OutputSchema json.RawMessage
	Annotations  ToolAnnotations
	Execution    ToolExecution
	Icons        json.RawMessage
	Meta         json.RawMessage
	Raw          json.RawMessage // the definition as received
	Err          string          // why this definition cannot be used; "" = it can
}

// ToolAnnotations are hints; nil is not stated.
type ToolAnnotations struct {
	Title           string
	ReadOnlyHint    *bool
	DestructiveHint *bool
	IdempotentHint  *bool
	OpenWorldHint   *bool
}

// ToolExecution says how a tool runs.
type ToolExecution struct {
	TaskSupport string // "forbidden" (also if absent), "optional", "required"
}

// DisplayTitle is the name to show: title, annotations.title, name.
func (t Tool) DisplayTitle() string {
	switch {
	case t.Title != "":
		return t.Title
	case t.Annotations.Title != "":
		return t.Annotations.Title
	}
	return t.Name
}

// ListParams asks for one page of a list.
type ListParams struct {
	Cursor *string `json:"cursor,omitempty"` // nil = the first page; "" is a cursor
}

// ListToolsResult is one page of tools.
type ListToolsResult struct {
	Tools      []Tool
	NextCursor *string // nil = the last page; "" is a cursor
	Meta       json.RawMessage
	Raw        json.RawMessage // as received
}

// CallToolParams calls a tool.
type CallToolParams struct {
	Name      string
	Arguments json.RawMessage // an object on one line; goes out byte for byte. nil = none
	Meta      json.RawMessage // an object
}

// CallToolResult is what a tool answered.
type CallToolResult struct {
	Content           []Content
	StructuredContent json.RawMessage // nil if absent
	IsError           bool
	Meta              json.RawMessage
	Raw               json.RawMessage // as received
}
