package session

// This file takes what the server sends on its own: requests and notifications.

import (
	"context"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

type handler struct{ *Session }

// Request implements [jsonrpc.Handler]. Everything but ping is a question to the user.
func (h handler) Request(ctx context.Context, m *jsonrpc.Message) (any, error) {
	if m.Method == protocol.MethodPing && !h.Info().Revision.Modern() {
		return struct{}{}, nil
	}
	if result, err, ok := h.taskRequest(ctx, m); ok {
		return result, err
	}
	return h.asked(ctx, m)
}

// Notification implements [jsonrpc.Handler]. What is unknown is ignored; the trace shows it.
func (h handler) Notification(_ context.Context, m *jsonrpc.Message) {
	if h.subs.foreign(m.Params) {
		h.noise("foreign-subscription", m)
		return
	}
	switch m.Method {
	case protocol.NotificationProgress:
		var p protocol.ProgressParams
		if h.decode(m, &p) {
			h.progressed(p)
		}
	case protocol.NotificationCancelled:
		h.withdrawn(m)
	case protocol.NotificationToolsListChanged:
		h.listChanged(protocol.MethodToolsList)
	case protocol.NotificationPromptsListChanged:
		h.listChanged(protocol.MethodPromptsList)
	case protocol.NotificationResourcesListChanged:
		h.listChanged(protocol.MethodResourcesList)
	case protocol.NotificationResourceUpdated:
		var p protocol.ResourceUpdatedParams
		if h.decode(m, &p) {
			h.updated(p.URI)
		}
	case protocol.NotificationSubscriptionsAcknowledge:
		var p protocol.AcknowledgedParams
		if h.decode(m, &p) {
			h.acknowledged(p.Notifications)
		}
	case protocol.NotificationElicitationComplete:
		var p protocol.ElicitationCompleteParams
		if h.decode(m, &p) {
			h.completed(p.ElicitationID)
		}
	case protocol.NotificationTaskStatus, protocol.NotificationTasks:
		var t protocol.Task
		if h.decode(m, &t) && !h.taskChanged(t) {
			h.noise("unknown-task", m) // not ours, or one that has ended: there is no way back
		}
	case protocol.NotificationMessage:
		var p protocol.LoggingMessageParams
		if h.decode(m, &p) && h.opts.Log != nil {
			h.opts.Log(p)
		}
	}
}

// withdrawn ends a question of the server, or a subscription that the server tears down.
func (h handler) withdrawn(m *jsonrpc.Message) {
	var p protocol.CancelledParams
	if !h.decode(m, &p) {
		return
	}
	id, err := jsonrpc.ParseID(p.RequestID)
	if err != nil {
		return
	}
	if !h.Info().Revision.Modern() {
		h.peer.CancelIncoming(id)
		return
	}
	if end := h.subs.torn(id); end != nil {
		h.unstop(id) // it is over: there is nothing to cancel
		end(errTorn)
	}
}

// listChanged lets a list be fetched anew. Templates and skills have no notification of their own: they change with the
// resources.
func (s *Session) listChanged(method string) {
	methods := []string{method}
	if method == protocol.MethodResourcesList {
		methods = append(methods, protocol.MethodResourcesTemplatesList)
		s.lists.invalidate(protocol.MethodSkillsList)
	}
	s.lists.invalidate(methods...)
	if s.opts.Changed == nil {
		return
	}
	for _, m := range methods {
		s.opts.Changed(m)
	}
}

func (h handler) decode(m *jsonrpc.Message, into protocol.Decodable) bool {
	if err := protocol.Decode(m.Params, into); err != nil {
		h.noise("bad-params", m)
		return false
	}
	return true
}

func (h handler) noise(kind string, m *jsonrpc.Message) {
	if h.opts.Noise != nil {
		h.opts.Noise(kind, m.Raw)
	}
}
