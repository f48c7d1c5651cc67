package protocol

// This file defines the opening of the legacy era: initialize.

import (
	"bytes"
	"encoding/json"
	"errors"
)

// An Implementation is how a host or server names itself. Received ones are claims, for display only.
type Implementation struct {
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"` // since 2025-06-18
	Version     string          `json:"version"`
	Description string          `json:"description,omitempty"` // since 2025-11-25
	WebsiteURL  string          `json:"websiteUrl,omitempty"`  // since 2025-11-25
	Icons       json.RawMessage `json:"icons,omitempty"`       // since 2025-11-25
}

// InitializeParams opens a session.
type InitializeParams struct {
	ProtocolVersion Revision           `json:"protocolVersion"`
	Capabilities    ClientCapabilities `json:"capabilities"`
	ClientInfo      Implementation     `json:"clientInfo"`
}

// ClientCapabilities are what a host declares; nil is not declared.
type ClientCapabilities struct {
	Roots       *RootsCapability       `json:"roots,omitempty"`
	Sampling    *SamplingCapability    `json:"sampling,omitempty"`
	Elicitation *ElicitationCapability `json:"elicitation,omitempty"` // since 2025-06-18
	Tasks       *ClientTasksCapability `json:"tasks,omitempty"`       // 2025-11-25
	Extensions  json.RawMessage        `json:"extensions,omitempty"`  // since 2026-07-28
}

// RootsCapability declares roots/list.
type RootsCapability struct {
	ListChanged bool `json:"listChanged,omitempty"`
}

// SamplingCapability declares sampling/createMessage.
type SamplingCapability struct {
	Tools *Present `json:"tools,omitempty"` // since 2025-11-25
}

// ElicitationCapability declares elicitation/create.
type ElicitationCapability struct {
	Form *Present `json:"form,omitempty"` // since 2025-11-25
	URL  *Present `json:"url,omitempty"`  // since 2025-11-25
}

// ClientTasksCapability declares that the requests named may come as tasks (2025-11-25).
type ClientTasksCapability struct {
	List     *Present `json:"list,omitempty"`
	Cancel   *Present `json:"cancel,omitempty"`
	Requests struct {
		Sampling    *TaskSampling    `json:"sampling,omitempty"`
		Elicitation *TaskElicitation `json:"elicitation,omitempty"`
	} `json:"requests"`
}

// TaskSampling declares sampling/createMessage as a task.
type TaskSampling struct {
	CreateMessage Present `json:"createMessage"`
}

// TaskElicitation declares elicitation/create as a task.
type TaskElicitation struct {
	Create Present `json:"create"`
}

// Present declares a capability that has no members.
type Present struct{}

// InitializeResult is the server's answer.
type InitializeResult struct {
	ProtocolVersion Revision
	Capabilities    ServerCapabilities
	ServerInfo      Implementation
	Instructions    string
	Meta            json.RawMessage
	Raw             json.RawMessage // as received
}

// ServerCapabilities are what a server declares. One counts as declared if it is an object or, but
// for tasks, true.
type ServerCapabilities struct {
	Tools        *ListCapability
	Prompts      *ListCapability
	Resources    *ResourcesCapability
	Logging      bool
	Completions  bool // since 2025-03-26; before, nobody could declare it
	Tasks        *TasksCapability
	Experimental json.RawMessage
	Extensions   json.RawMessage // since 2026-07-28
	Raw          json.RawMessage // as received
}

// Extension reports whether an extension is declared.
func (v ServerCapabilities) Extension(name string) bool {
	var declared map[string]json.RawMessage
	return json.Unmarshal(v.Extensions, &declared) == nil && len(declared[name]) > 0 && declared[name][0] == '{'
}

// ListCapability declares a list that can be read.
type ListCapability struct {
	ListChanged bool
}

// ResourcesCapability declares resources.
type ResourcesCapability struct {
	ListChanged bool
	Subscribe   bool
	Search      bool // only in the text of 2024-11-05
	Metadata    bool // only in the text of 2024-11-05
}

// TasksCapability declares tasks of the server (2025-11-25).
type TasksCapability struct {
	List, Cancel, ToolsCall bool
}

// UnmarshalJSON implements [json.Unmarshaler]; see [Decode].
func (v *InitializeResult) UnmarshalJSON(raw []byte) error { return Decode(bytes.Clone(raw), v) }

func (v *InitializeResult) decode(r *reader) error {
	start := r.pos
	isObject := r.object(func(key []byte) {
		switch string(key) {
		case "protocolVersion":
			version, _ := r.text()
			v.ProtocolVersion = Revision(version)
		case "capabilities":
			v.Capabilities.decode(r)
		case "serverInfo":
			v.ServerInfo.decode(r)
		case "instructions":
			v.Instructions, _ = r.text()
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
	if v.ProtocolVersion == "" {
		return errors.New("no protocolVersion")
	}
	return nil
}

func (v *Implementation) decode(r *reader) {
	r.object(func(key []byte) {
		switch string(key) {
		case "name":
			v.Name, _ = r.text()
		case "title":
			v.Title, _ = r.text()
		case "version":
			v.Version, _ = r.text()
		case "description":
			v.Description, _ = r.text()
		case "websiteUrl":
			v.WebsiteURL, _ = r.text()
		case "icons":
			v.Icons = r.value()
		default:
			r.value()
		}
	})
}

func (v *ServerCapabilities) decode(r *reader) {
	start := r.pos
	r.object(func(key []byte) {
		switch string(key) {
		case "tools":
			v.Tools = r.list()
		case "prompts":
			v.Prompts = r.list()
		case "resources":
			v.Resources = r.resources()
		case "logging":
			v.Logging = r.declared(nil)
		case "completions":
			v.Completions = r.declared(nil)
		case "tasks":
			v.Tasks = r.tasks()
		case "experimental":
			v.Experimental = r.objectText()
		case "extensions":
			v.Extensions = r.objectText()
		default:
			r.value()
		}
	})
	v.Raw = r.since(start)
}

// declared reads a capability and reports whether it is declared. Member learns which of its members are.
func (r *reader) declared(member func(key []byte, on bool)) bool {
	if r.peek() != '{' {
		return r.flag()
	}
	return r.object(func(key []byte) {
		if on := r.declared(nil); member != nil {
			member(key, on)
		}
	})
}

func (r *reader) list() *ListCapability {
	var c ListCapability
	if !r.declared(func(key []byte, on bool) {
		if string(key) == "listChanged" {
			c.ListChanged = on
		}
	}) {
		return nil
	}
	return &c
}

func (r *reader) resources() *ResourcesCapability {
	var c ResourcesCapability
	if !r.declared(func(key []byte, on bool) {
		switch string(key) {
		case "listChanged":
			c.ListChanged = on
		case "subscribe":
			c.Subscribe = on
		case "search":
			c.Search = on
		case "metadata":
			c.Metadata = on
		}
	}) {
		return nil
	}
	return &c
}

func (r *reader) tasks() *TasksCapability {
	var c TasksCapability
	if !r.object(func(key []byte) {
		switch string(key) {
		case "list":
			c.List = r.declared(nil)
		case "cancel":
			c.Cancel = r.declared(nil)
		case "requests":
			c.ToolsCall = r.taskRequests()
		default:
			r.value()
		}
	}) {
		return nil
	}
	return &c
}

// taskRequests reads which requests can be tasks and reports whether tools/call can.
func (r *reader) taskRequests() (toolsCall bool) {
	r.object(func(key []byte) {
		if string(key) != "tools" {
			r.value()
			return
		}
		r.declared(func(key []byte, on bool) {
			if string(key) == "call" {
				toolsCall = on
			}
		})
	})
	return toolsCall
}
