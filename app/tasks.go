package app

// This file is the Tasks page: calls that have become tasks of their server.

import (
	"slices"
	"strings"

	"gatehouse/mcphost"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

// Tasks is bound to the page.
type Tasks struct{ *desk }

// A TaskRow is one call that is or was a task. Message and the texts of events, result and error are the server's.
type TaskRow struct {
	Call        string      `json:"call"` // id of the call
	Task        string      `json:"task"` // its id at the server
	ServerID    string      `json:"serverId"`
	ServerName  string      `json:"serverName"`
	Tool        string      `json:"tool"`
	Arguments   string      `json:"arguments"` // one line, as sent
	State       string      `json:"state"`     // of the call
	Status      string      `json:"status"`    // of the task, by the server
	Message     string      `json:"message"`
	CreatedAt   string      `json:"createdAt"` // by the server's clock, as received
	UpdatedAt   string      `json:"updatedAt"` // by the server's clock, as received
	Since       string      `json:"since"`
	EndedAt     string      `json:"endedAt"`
	ExpiresAt   string      `json:"expiresAt"` // "" = never
	PollMs      int         `json:"pollMs"`
	Progress    *Progress   `json:"progress"`
	Overdue     bool        `json:"overdue"`
	Connected   bool        `json:"connected"`
	Kept        bool        `json:"kept"`    // it is followed on after a restart
	Resumed     bool        `json:"resumed"` // an earlier run has left it
	CancelAsked string      `json:"cancelAsked"`
	Revision    string      `json:"revision"`
	Extension   bool        `json:"extension"` // a task of the extension, not of 2025-11-25
	Decision    string      `json:"decision"`
	By          string      `json:"by"`
	DecidedAt   string      `json:"decidedAt"`
	Result      string      `json:"result"` // the first line of what came back
	Error       string      `json:"error"`
	Events      []TaskEvent `json:"events"` // oldest first, the last ones
}

// A TaskEvent is one state as it was seen here.
type TaskEvent struct {
	At      string `json:"at"`
	Status  string `json:"status"`
	Message string `json:"message"`
}

// ListTasks returns the tasks of this run, newest first, with those that earlier runs have left open.
func (v *Tasks) ListTasks() (rows []TaskRow, err error) {
	defer catch(&err)
	e, _, err := v.engine()
	if err != nil {
		return nil, err
	}
	for _, t := range e.Host.Tasks() {
		rows = append(rows, taskRow(t))
	}
	slices.Reverse(rows)
	return list(rows), nil
}

func taskRow(v mcphost.CallView) TaskRow {
	t := v.Task
	row := TaskRow{
		Call: v.ID, Task: t.ID, ServerID: v.ServerID, ServerName: v.Server, Tool: v.Tool, Arguments: string(v.Arguments),
		State: string(v.State), Status: t.Status, Message: t.Message, CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt,
		Since: stamp(t.Since), EndedAt: stamp(v.EndedAt), ExpiresAt: stamp(t.Expires), PollMs: int(session.PollEvery(t.Poll).Milliseconds()),
		Progress: progressOf(v), Overdue: v.Overdue, Connected: t.Connected, Kept: t.Kept, Resumed: t.Resumed,
		CancelAsked: stamp(t.CancelAsked), Revision: v.Revision, Extension: protocol.Revision(v.Revision).Modern(), Events: []TaskEvent{},
	}
	if d := v.Decision; d != nil {
		row.Decision, row.By, row.DecidedAt = d.ID, d.By, stamp(d.At)
	}
	for _, e := range t.Events {
		row.Events = append(row.Events, TaskEvent{stamp(e.At), e.Status, e.Message})
	}
	if v.Result != nil {
		row.Result = firstLine(v.Result)
	}
	if v.Result == nil && v.Err != nil {
		row.Error = v.Err.Error()
	}
	return row
}

const maxFirstLine = 300 // bytes

// firstLine is the beginning of the first text of a result.
func firstLine(r *protocol.CallToolResult) string {
	for _, c := range r.Content {
		if c.Type == protocol.ContentText {
			line, _, _ := strings.Cut(c.Text, "\n")
			return strings.ToValidUTF8(line[:min(len(line), maxFirstLine)], "")
		}
	}
	return ""
}
