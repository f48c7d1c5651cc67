package protocol

// This file defines tools/list and tools/call.

import (
	"bytes"
	"cmp"
	"encoding/json"
)

// A Tool is a definition as a server lists it.
type Tool struct {
	Entry
	InputSchema  json.RawMessage // an object, nil if absent
	OutputSchema json.RawMessage // an object, nil if absent; since 2025-06-18
	Annotations  ToolAnnotations // since 2025-03-26
	Execution    ToolExecution   // 2025-11-25
}

// ToolAnnotations are hints; nil is not stated.
type ToolAnnotations struct {
	Title           string
	ReadOnlyHint    *bool
	DestructiveHint *bool
	IdempotentHint  *bool
	OpenWorldHint   *bool
	Raw             json.RawMessage // as received, nil if absent
}

// ToolExecution says how a tool runs.
type ToolExecution struct {
	TaskSupport string // "forbidden" (also when absent), "optional", "required"
}

// DisplayTitle is the name to show: title, annotations.title, name.
func (t Tool) DisplayTitle() string { return cmp.Or(t.Title, t.Annotations.Title, t.Name) }

// CallToolResult is what a tool answered.
type CallToolResult struct {
	Content           []Content
	StructuredContent json.RawMessage // nil if absent or null; since 2025-06-18
	IsError           bool
	ResultType        string // since 2026-07-28; "" is complete
	Task              *Task  // the call has become a task: there is no content yet
	Meta              json.RawMessage
	Raw               json.RawMessage // as received
}

// SaysError reports whether a response carries a result that says isError. It is quick, however large the response.
func SaysError(response []byte) (isError bool) {
	r := &reader{data: response}
	r.space()
	r.object(func(key []byte) {
		if string(key) != "result" {
			r.value()
			return
		}
		r.object(func(key []byte) {
			if string(key) == "isError" {
				isError = r.flag()
			} else {
				r.value()
			}
		})
	})
	return isError
}

// UnmarshalJSON implements [json.Unmarshaler]; see [Decode]. It never fails: see Err.
func (v *Tool) UnmarshalJSON(raw []byte) error { return Decode(bytes.Clone(raw), v) }

// UnmarshalJSON implements [json.Unmarshaler]; see [Decode].
func (v *CallToolResult) UnmarshalJSON(raw []byte) error { return Decode(bytes.Clone(raw), v) }

func (v *Tool) decode(r *reader) error {
	v.read(r, "definition", "name", func(key []byte) bool {
		switch string(key) {
		case "inputSchema":
			v.InputSchema = v.schema(r, "inputSchema")
		case "outputSchema":
			v.OutputSchema = v.schema(r, "outputSchema")
		case "annotations":
			v.Annotations.decode(r)
		case "execution":
			v.Execution.decode(r)
		default:
			return false
		}
		return true
	})
	return nil
}

// schema reads a schema. Null counts as absent; a value that is none spoils the tool.
func (v *Tool) schema(r *reader, key string) json.RawMessage {
	isNull := r.peek() == 'n'
	schema := r.objectText()
	if schema == nil && !isNull {
		v.Err = key + " is no object"
	}
	return schema
}

func (v *ToolAnnotations) decode(r *reader) {
	start := r.pos
	if r.object(func(key []byte) {
		switch string(key) {
		case "title":
			v.Title, _ = r.text()
		case "readOnlyHint":
			v.ReadOnlyHint = r.boolean()
		case "destructiveHint":
			v.DestructiveHint = r.boolean()
		case "idempotentHint":
			v.IdempotentHint = r.boolean()
		case "openWorldHint":
			v.OpenWorldHint = r.boolean()
		default:
			r.value()
		}
	}) {
		v.Raw = r.since(start)
	}
}

func (v *ToolExecution) decode(r *reader) {
	r.object(func(key []byte) {
		if string(key) == "taskSupport" {
			v.TaskSupport, _ = r.text()
		} else {
			r.value()
		}
	})
}

func (v *CallToolResult) decode(r *reader) error {
	start := r.pos
	isObject := r.object(func(key []byte) {
		switch string(key) {
		case "content":
			v.Content = r.contents()
		case "structuredContent":
			if v.StructuredContent = r.value(); string(v.StructuredContent) == "null" {
				v.StructuredContent = nil
			}
		case "isError":
			v.IsError = r.flag()
		case "resultType":
			v.ResultType, _ = r.text()
		case "task":
			v.Task = r.task()
		case "_meta":
			v.Meta = r.objectText()
		default:
			r.value()
		}
	})
	v.Raw = r.since(start)
	if !isObject {
		return errNoObject
	}
	if v.ResultType == ResultTask { // the extension: the task's fields stand in the result itself
		v.Task = (&reader{data: v.Raw}).task()
	}
	return nil
}
