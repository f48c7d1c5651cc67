package mcphost

// This file is the time of a call: its bounds, and the user who would rather wait than lose it (ACC A16).

import (
	"cmp"
	"context"
)

// times returns the bounds of a call: those of the request, the tool, the server, all servers, in this order.
func (s *Server) times(tool string, r CallRequest) Times {
	own := s.Config().Conversation.Tools[tool]
	usual := s.Times()
	return Times{cmp.Or(r.Inactive, own.Inactive, usual.Inactive), cmp.Or(r.Total, own.Total, usual.Total)}
}

// Times returns the bounds of a call of a tool that has none of its own.
func (s *Server) Times() Times {
	own, usual := s.Config().Conversation.Times, s.host.tuning.Load()
	return Times{cmp.Or(own.Inactive, usual.Inactive), cmp.Or(own.Total, usual.Total)}
}

// overdue shows that the call gives no sign of life, and waits for the user's word or for that sign.
func (c *liveCall) overdue(ctx context.Context) (wait bool) {
	select {
	case <-c.patience: // said about an earlier silence
	default:
	}
	c.change(func(v *CallView) { v.Overdue = true })
	defer c.change(func(v *CallView) { v.Overdue = false })
	select {
	case <-c.patience:
		return true
	case <-ctx.Done():
		return false
	}
}

// KeepWaiting lets an overdue call go on for as long again. One that is not overdue is left alone.
func (h *Host) KeepWaiting(id string) {
	c, ok := h.calls.get(id)
	if !ok || !c.snapshot().Overdue {
		return
	}
	select {
	case c.patience <- struct{}{}:
	default:
	}
}
