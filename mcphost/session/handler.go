package session

// This file answers what the server sends on its own: requests and notifications.

import (
	"context"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

type handler struct{ *Session }

// Request implements [jsonrpc.Handler]. Nothing but ping is declared yet, so nothing else is answered.
func (h handler) Request(_ context.Context, m *jsonrpc.Message) (any, error) {
	if m.Method == protocol.MethodPing {
		return struct{}{}, nil
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "Method not found: " + clip(m.Method)}
}

// Notification implements [jsonrpc.Handler].
func (h handler) Notification(_ context.Context, m *jsonrpc.Message) {
	switch m.Method {
	case protocol.NotificationProgress:
		var p protocol.ProgressParams
		if h.decode(m, &p) {
			h.progressed(p)
		}
	case protocol.NotificationCancelled:
		var p protocol.CancelledParams
		if !h.decode(m, &p) {
			return
		}
		if id, err := jsonrpc.ParseID(p.RequestID); err == nil {
			h.peer.CancelIncoming(id)
		}
	case protocol.NotificationToolsListChanged:
		if h.opts.ToolsChanged != nil {
			h.opts.ToolsChanged()
		}
	case protocol.NotificationMessage:
		var p protocol.LoggingMessageParams
		if h.decode(m, &p) && h.opts.Log != nil {
			h.opts.Log(p)
		}
	}
}

func (h handler) decode(m *jsonrpc.Message, into protocol.Decodable) bool {
	if err := protocol.Decode(m.Params, into); err != nil {
		if h.opts.Noise != nil {
			h.opts.Noise("bad-params", m.Raw)
		}
		return false
	}
	return true
}

func clip(s string) string {
	if len(s) > 100 {
		return s[:100]
	}
	return s
}
