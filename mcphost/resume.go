package mcphost

// This file takes over the tasks that ended runs have left (P17).

import (
	"context"
	"fmt"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

// ResumeTasks follows the tasks of one server that earlier runs have left and returns their calls, oldest first. Those of
// other servers wait for the next run. The server should be connected.
func (h *Host) ResumeTasks(ctx context.Context, serverID string) (calls []string, err error) {
	return h.resumeTasks(ctx, func(t OpenTask) bool { return t.ServerID == serverID })
}

// resumeTasks follows the tasks that earlier runs have left, and that are wanted.
func (h *Host) resumeTasks(ctx context.Context, wanted func(OpenTask) bool) (calls []string, err error) {
	if h.ports.Tasks == nil {
		return nil, nil
	}
	open, err := h.ports.Tasks.TakeTasks(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range open {
		if wanted(t) {
			h.resumeTask(t)
			calls = append(calls, t.Call)
		}
	}
	return calls, nil
}

func (h *Host) resumeTask(t OpenTask) {
	ctx, cancel := context.WithCancelCause(context.Background())
	v := CallView{
		ID: t.Call, ServerID: t.ServerID, Server: t.Decision.Server.Alias, Tool: t.Tool, State: CallTask,
		At: t.Decision.At, StartedAt: t.StartedAt, Revision: t.Revision, Decision: &t.Decision,
	}
	if t.Decision.ToolCall != nil {
		v.Arguments = t.Decision.ToolCall.Arguments
	}
	c, err := h.calls.begin(v, cancel, func(id string) { h.bus.publish(CallChanged{id}) })
	if err != nil {
		cancel(nil)
		return // the next run finds it
	}
	last := protocol.Task{ID: t.Task, Status: protocol.TaskWorking, TTL: t.TTL}
	c.became(last, t.TaskStart, true)
	c.change(func(v *CallView) { v.Task = v.Task.with(func(t *TaskView) { t.Resumed = true }) })
	go func() { // Close waits for it, by calls
		defer cancel(nil)
		result, err := h.followOn(ctx, c, t, last)
		c.end(ctx, h.ended(ctx, c, result, err, func(r *protocol.CallToolResult) string {
			s, err := h.Server(t.ServerID)
			if err != nil {
				return ""
			}
			tool, err := s.Tool(t.Tool)
			if err != nil {
				return ""
			}
			return tool.checkOutput(r)
		}), h.opts.Now())
	}()
}

func (h *Host) followOn(ctx context.Context, c *liveCall, t OpenTask, last protocol.Task) (*protocol.CallToolResult, error) {
	s, err := h.Server(t.ServerID)
	if err != nil {
		return nil, fmt.Errorf("%w: its server was removed", session.ErrTaskLost)
	}
	f := &taskCall{
		host: h, server: s, call: c, options: h.callOptions(s, c, t.Tool, CallRequest{}), release: func() {},
		start: &t.TaskStart, last: last,
	}
	return f.goOn(ctx, nil, &jsonrpc.ClosedError{Cause: ErrNotConnected})
}
