package session

// This file declares what a server may ask of us, and refuses what was not declared.

import (
	"context"
	"encoding/json"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

// An Offer is what a server may ask. Exactly this is declared, in the form that the era knows; what the negotiated
// revision does not know counts as not offered. The zero Offer is nothing.
type Offer struct {
	Roots         bool // roots/list, with notifications of changes where they exist
	Sampling      bool
	SamplingTools bool // with Sampling
	Form          bool // elicitation by form
	URL           bool // elicitation by URL
	Tasks         bool // sampling and elicitation as tasks (2025-11-25), and the tasks extension (2026-07-28)
}

// legacy returns the capabilities for initialize, in the form of the newest legacy revision.
func (o Offer) legacy() protocol.ClientCapabilities {
	c := o.common()
	if o.Roots {
		c.Roots.ListChanged = true
	}
	if o.Tasks && (o.Sampling || o.Form || o.URL) {
		c.Tasks = &protocol.ClientTasksCapability{List: &protocol.Present{}, Cancel: &protocol.Present{}}
		if o.Sampling {
			c.Tasks.Requests.Sampling = &protocol.TaskSampling{}
		}
		if o.Form || o.URL {
			c.Tasks.Requests.Elicitation = &protocol.TaskElicitation{}
		}
	}
	return c
}

// modern returns the capabilities that every request of the modern era carries.
func (o Offer) modern() protocol.ClientCapabilities {
	c := o.common()
	if o.Tasks {
		c.Extensions = json.RawMessage(`{"` + protocol.ExtensionTasks + `":{}}`)
	}
	return c
}

func (o Offer) common() (c protocol.ClientCapabilities) {
	present := func(on bool) *protocol.Present {
		if on {
			return &protocol.Present{}
		}
		return nil
	}
	if o.Roots {
		c.Roots = &protocol.RootsCapability{}
	}
	if o.Sampling {
		c.Sampling = &protocol.SamplingCapability{Tools: present(o.SamplingTools)}
	}
	if o.Form || o.URL {
		c.Elicitation = &protocol.ElicitationCapability{Form: present(o.Form), URL: present(o.URL)}
	}
	return c
}

// RootsChanged tells the server that its roots have changed. Where there is no such notification, or no roots were
// offered, it does nothing.
func (s *Session) RootsChanged(ctx context.Context) error {
	if r := s.Info().Revision; r.Modern() || !s.opts.Offer.in(r).Roots {
		return nil
	}
	return s.peer.Notify(ctx, protocol.NotificationRootsListChanged, nil)
}

// in returns what of the offer holds in a revision.
func (o Offer) in(r protocol.Revision) Offer {
	o.Form = o.Form && r.AtLeast(protocol.Revision20250618)
	o.URL = o.URL && r.AtLeast(protocol.Revision20251125)
	o.SamplingTools = o.SamplingTools && o.Sampling && r.AtLeast(protocol.Revision20251125)
	o.Tasks = o.Tasks && r.AtLeast(protocol.Revision20251125)
	return o
}

// refuses returns the error for a question that was not offered, nil for one that was. Nobody is asked then.
func (o Offer) refuses(q *Question) *jsonrpc.Error {
	o = o.in(q.Revision)
	var offered bool
	switch q.Method {
	case protocol.MethodCreateMessage:
		offered = o.Sampling
	case protocol.MethodElicit:
		offered = o.Form || o.URL
	case protocol.MethodRootsList:
		offered = o.Roots
	case protocol.MethodRootsAdd, protocol.MethodRootsRemove:
		offered = o.Roots && q.Origin == OriginRequest && !q.Revision.AtLeast(protocol.Revision20250326)
	}
	if !offered {
		return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "Method not found: " + clip(q.Method)}
	}
	if err := q.decode(); err != nil {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Invalid params: " + err.Error()}
	}
	switch {
	case q.Elicit != nil && q.Elicit.Mode == protocol.ModeForm && !o.Form,
		q.Elicit != nil && q.Elicit.Mode == protocol.ModeURL && !o.URL,
		q.Elicit != nil && q.Elicit.Mode != protocol.ModeForm && q.Elicit.Mode != protocol.ModeURL:
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "This mode of elicitation is not supported"}
	case q.Sampling != nil && q.Sampling.HasTools && !o.SamplingTools:
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Sampling with tools is not supported"}
	}
	return nil
}
