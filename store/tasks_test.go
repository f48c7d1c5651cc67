package store

import (
	"context"
	"testing"
	"time"

	"gatehouse/mcphost"
)

// A task of a process that was killed is no interrupted call: whoever opens the file next takes it over, once.
func TestTaskOfAKilledProcess(t *testing.T) {
	dir := t.TempDir()
	c := startChild(t, "task", dir)
	c.until("task")
	s := openAt(t, dir, nil)
	if open, err := s.TakeTasks(t.Context()); err != nil || len(open) != 0 {
		t.Fatalf("taken from a living process: %+v, %v", open, err)
	}
	c.kill()
	s2 := openAt(t, dir, nil)
	open, err := s2.TakeTasks(t.Context())
	check(t, err)
	if len(open) != 1 {
		t.Fatalf("%d tasks", len(open))
	}
	got := open[0]
	if got.Call != "call-t" || got.Task != "id" || got.Tool != "echo" || got.ServerID != "files" || got.Revision != "2025-11-25" ||
		!got.At.Equal(noon) || got.TTL == nil || *got.TTL != time.Hour || string(got.Decision.ToolCall.Arguments) == "" {
		t.Errorf("%+v", got)
	}
	if again, _ := s.TakeTasks(t.Context()); len(again) != 0 {
		t.Error("taken twice")
	}
	row, err := s2.HistoryEntry(t.Context(), "t")
	check(t, err)
	if row.Outcome != "" || row.Task != "id" {
		t.Errorf("%+v", row.HistoryRow)
	}
	check(t, endCall(s2, mcphost.CallEnd{ID: "call-t", Outcome: mcphost.CallLost, Error: "gone"}))
	if row, err = s.HistoryEntry(t.Context(), "t"); err != nil || row.Outcome != mcphost.CallLost || row.Error != "gone" {
		t.Errorf("%+v, %v", row.HistoryRow, err)
	}
	wantErr(t, s2.PutTask(t.Context(), mcphost.TaskStart{Call: "none", Definition: definitionOf, Task: "id"}), ErrCallState)
}

const definitionOf = "0123456789012345678901234567890123456789012345678901234567890123"

func putTask(s *Store) error {
	d := toolCall("t", "echo", true)
	if err := s.RecordDecision(context.Background(), d); err != nil {
		return err
	}
	if err := s.StartCall(context.Background(), startOf(d)); err != nil {
		return err
	}
	return s.PutTask(context.Background(), mcphost.TaskStart{Call: "call-t", Definition: definitionOf, Task: "id", At: noon, TTL: new(time.Hour)})
}

// The median of the last five that were answered; none is zero.
func TestUsualDuration(t *testing.T) {
	s := openNew(t)
	if d, err := s.UsualDuration(t.Context(), "files", "echo"); err != nil || d != 0 {
		t.Errorf("%v, %v", d, err)
	}
	for i, seconds := range []int{900, 1, 50, 40, 2, 60} {
		d := toolCall(string(rune('a'+i)), "echo", true)
		d.Edited = i%2 == 0
		record(t, s, d)
		start := startOf(d)
		check(t, s.StartCall(t.Context(), start))
		check(t, endCall(s, mcphost.CallEnd{ID: start.ID, At: start.At.Add(time.Duration(seconds) * time.Second), Outcome: mcphost.CallSucceeded}))
	}
	if d, err := s.UsualDuration(t.Context(), "files", "echo"); err != nil || d != 40*time.Second {
		t.Errorf("%v, %v", d, err)
	}
}
