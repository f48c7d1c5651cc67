package protocol

// This file defines the opening of the legacy era: initialize.

import "encoding/json"

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
	Elicitation *ElicitationCapability `json:"elicitation,omitempty"`
	Tasks       json.RawMessage        `json:"tasks,omitempty"`
	Extensions  json.RawMessage        `json:"extensions,omitempty"`
}

// RootsCapability declares roots/list.
type RootsCapability struct {
	ListChanged bool `json:"listChanged,omitempty"`
}

// Present declares a capability that has no members.
type Present struct{}

// SamplingCapability declares sampling/createMessage.
type SamplingCapability struct {
	Tools *Present `json:"tools,omitempty"` // since 2025-11-25
}

// ElicitationCapability declares elicitation/create.
type ElicitationCapability struct {
	Form *Present `json:"form,omitempty"` // since 2025-11-25
	URL  *Present `json:"url,omitempty"`  // since 2025-11-25
}

// InitializeResult is the server's answer.
type InitializeResult struct {
	ProtocolVersion Revision
	Capabilities    ServerCapabilities
	ServerInfo      Implementation
	Instructions    string
	Meta            json.RawMessage
	Raw             json.RawMessage // as received
}

// ServerCapabilities are what a server declares. A capability counts as declared unless it is absent, null or false.
type ServerCapabilities struct {
	Tools        *ListCapability
	Prompts      *ListCapability
	Resources    *ResourcesCapability
	Logging      bool
	Completions  bool // since 2025-03-26; before, completion is undeclared
	Tasks        *TasksCapability
	Experimental json.RawMessage
	Extensions   json.RawMessage // 2026-07-28
	Raw          json.RawMessage // as received
}

// ListCapability declares a list that can be read.
type ListCapability struct {
	ListChanged bool
}

// ResourcesCapability declares resources.
type ResourcesCapability struct {
	ListChanged bool
	Subscribe   bool
	Search      bool // text of 2024-11-05
}

// TasksCapability declares tasks on the server's side (2025-11-25).
type TasksCapability struct {
	List, Cancel, ToolsCall bool
}
