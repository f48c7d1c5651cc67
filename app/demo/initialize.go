package demo

// This file opens the conversation and knows what each revision of the protocol can say.

import "encoding/json"

// A revision is a version of the protocol; dates order as text.
type revision string

const (
	revision20241105 revision = "2024-11-05"
	revision20250326 revision = "2025-03-26"
	revision20250618 revision = "2025-06-18"
	revision20251125 revision = "2025-11-25"
)

// since reports whether r is other or newer.
func (r revision) since(other revision) bool { return r >= other }

// from returns the text if r knows the field that other has brought, else "".
func (r revision) from(other revision, text string) string {
	if r.since(other) {
		return text
	}
	return ""
}

const instructions = "This server is part of Gatehouse. Its tools show what servers can send; all data is invented, " +
	"and nothing leaves this program."

type implementation struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Version     string `json:"version"`
	Description string `json:"description,omitempty"`
}

type listCapability struct {
	ListChanged bool `json:"listChanged"`
}

type capabilities struct {
	Tools     listCapability `json:"tools"`
	Resources listCapability `json:"resources"`
	Prompts   listCapability `json:"prompts"`

	Completions *struct{}         `json:"completions,omitempty"` // since 2025-03-26
	Tasks       *taskCapabilities `json:"tasks,omitempty"`       // since 2025-11-25
}

type taskCapabilities struct {
	List     struct{} `json:"list"`
	Cancel   struct{} `json:"cancel"`
	Requests struct {
		Tools struct {
			Call struct{} `json:"call"`
		} `json:"tools"`
	} `json:"requests"`
}

func capabilitiesOf(r revision) capabilities {
	c := capabilities{Resources: listCapability{ListChanged: true}}
	if r.since(revision20250326) {
		c.Completions = &struct{}{}
	}
	if r.since(revision20251125) {
		c.Tasks = &taskCapabilities{}
	}
	return c
}

type initializeResult struct {
	ProtocolVersion revision       `json:"protocolVersion"`
	Capabilities    capabilities   `json:"capabilities"`
	ServerInfo      implementation `json:"serverInfo"`
	Instructions    string         `json:"instructions"`
}

// initialize agrees on the client's revision if it is known, else offers the newest. It may be called once.
func (s *server) initialize(params json.RawMessage) (any, error) {
	if s.revision != "" {
		return nil, &rpcError{Code: codeInvalidRequest, Message: "the conversation has begun already"}
	}
	var p struct {
		ProtocolVersion *revision `json:"protocolVersion"`
		Capabilities    abilities `json:"capabilities"`
	}
	if err := json.Unmarshal(params, &p); err != nil || p.ProtocolVersion == nil {
		return nil, invalidParams("protocolVersion is a text, and capabilities are objects")
	}
	r := *p.ProtocolVersion
	switch r {
	case revision20241105, revision20250326, revision20250618, revision20251125:
	default:
		r = revision20251125
	}
	s.revision, s.client = r, p.Capabilities
	version := s.opts.Version
	if version == "" {
		version = "0"
	}
	return initializeResult{
		ProtocolVersion: r,
		Capabilities:    capabilitiesOf(r),
		ServerInfo: implementation{
			Name: "gatehouse-demo", Title: r.from(revision20250618, "Gatehouse demo"), Version: version,
			Description: r.from(revision20251125, "Shows what servers can do. All data is invented."),
		},
		Instructions: instructions,
	}, nil
}
