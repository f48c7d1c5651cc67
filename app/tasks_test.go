package app

import (
	"testing"

	"gatehouse/mcphost"
)

// openDemo adds the demo server, starts it and allows the launch.
func (w *window) openDemo() (id string) {
	w.t.Helper()
	id, err := w.servers.AddDemo()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.servers.StartServer(id); err != nil {
		w.t.Fatal(err)
	}
	w.answer(w.asked(), AnswerInput{Allow: true})
	w.await(id, "ready")
	return id
}

// beginTask runs a tool as a task and returns its row once it is one.
func (w *window) beginTask(server, arguments string) (row TaskRow) {
	w.t.Helper()
	draft, err := w.tools.DraftCall("panel:1", server, "count_slowly", arguments)
	if err != nil {
		w.t.Fatal(err)
	}
	w.look("panel:1")
	call, err := w.tools.RunCall("panel:1", draft.Digest, true)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.awaitTask(call, func(t TaskRow) bool { return true })
}

func (w *window) awaitTask(call string, ok func(TaskRow) bool) (row TaskRow) {
	w.t.Helper()
	until(w.t, "a task", func() bool {
		rows, err := w.tasks.ListTasks()
		if err != nil {
			w.t.Fatal(err)
		}
		for _, row = range rows {
			if row.Call == call {
				return ok(row)
			}
		}
		return false
	})
	return row
}

// A call that the user runs as a task is listed with what the server grants and says, and with its end.
func TestTasks(t *testing.T) {
	w := openWindow(t)
	id := w.openDemo()
	if d, err := w.tools.Tool(id, "count_slowly"); err != nil || d.TaskSupport != "optional" {
		t.Errorf("%q, %v", d.TaskSupport, err)
	}
	if d, err := w.tools.Tool(id, "say_hello"); err != nil || d.TaskSupport != "" {
		t.Errorf("%q, %v", d.TaskSupport, err)
	}
	row := w.beginTask(id, `{"to":2,"pause":0.2}`)
	if row.Task != "demo-1" || row.Tool != "count_slowly" || row.ServerName != "Demo" || row.PollMs != 1000 || row.ExpiresAt == "" ||
		row.Extension || row.Revision != "2025-11-25" || !row.Kept || row.Resumed || row.By != "composed by you" || row.CreatedAt == "" {
		t.Errorf("%+v", row)
	}
	done := w.awaitTask(row.Call, func(t TaskRow) bool { return t.EndedAt != "" })
	if done.State != string(mcphost.CallSucceeded) || done.Status != "completed" || done.Result != "Counted to 2." || done.Error != "" || len(done.Events) < 2 {
		t.Errorf("%+v", done)
	}
	if rows, err := w.history.HistoryEntry(done.Decision); err != nil || rows.Outcome != "ok" {
		t.Errorf("%+v, %v", rows, err)
	}

	long := w.beginTask(id, `{"to":100,"pause":5}`)
	if rows, err := w.tasks.ListTasks(); err != nil || len(rows) != 2 || rows[0].Call != long.Call {
		t.Errorf("the newest is not the first: %+v, %v", rows, err)
	}
	if err := w.tools.StopCall(long.Call); err != nil {
		t.Fatal(err)
	}
	ended := w.awaitTask(long.Call, func(t TaskRow) bool { return t.EndedAt != "" })
	if ended.Status != "cancelled" || ended.CancelAsked == "" || ended.State != string(mcphost.CallStopped) {
		t.Errorf("%+v", ended)
	}
}
