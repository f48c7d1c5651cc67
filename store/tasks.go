package store

// This file implements mcphost.Tasks.

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

// PutTask implements [mcphost.Tasks]. [ErrCallState] means that the call never started.
func (s *Store) PutTask(ctx context.Context, t mcphost.TaskStart) error {
	ctx = context.WithoutCancel(ctx) // it has happened
	var ttl *int64
	if t.TTL != nil {
		ttl = new(t.TTL.Microseconds())
	}
	res, err := s.writer.exec(ctx, `
		INSERT INTO tasks (call, run, definition, task, at, ttl)
		SELECT subject, ?, ?, ?, ?, ? FROM events WHERE subject = ? AND type = 'callStarted'`,
		s.run, t.Definition, t.Task, micros(s.or(t.At)), ttl, t.Call)
	return failure("record that a call has become a task", needRow(res, err, ErrCallState))
}

// TakeTasks implements [mcphost.Tasks]. Tasks whose run lives belong to that run.
func (s *Store) TakeTasks(ctx context.Context) ([]mcphost.OpenTask, error) {
	open, err := s.takeTasks(ctx)
	if err != nil {
		return nil, failure("take over the tasks of earlier runs", err)
	}
	return open, nil
}

func (s *Store) takeTasks(ctx context.Context) (open []mcphost.OpenTask, err error) {
	err = s.writer.tx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			UPDATE tasks SET run = ? WHERE run IN (SELECT id FROM runs WHERE ended_at IS NOT NULL)
				AND NOT EXISTS (SELECT 1 FROM events WHERE subject = call AND type = 'callEnded')`, s.run)
		if err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, `
			SELECT call, definition, task, tasks.at, ttl, s.at, s.server_id, s.body, d.body
			FROM tasks JOIN events s ON s.subject = call AND s.type = 'callStarted' JOIN events d ON d.seq = s.decision
			WHERE tasks.run = ? AND NOT EXISTS (SELECT 1 FROM events WHERE subject = call AND type = 'callEnded')
			ORDER BY s.seq`, s.run)
		if err != nil {
			return err
		}
		open, err = collect(rows, func(t *mcphost.OpenTask) error { return scanTask(rows, t) })
		return err
	})
	return open, err
}

func scanTask(rows *sql.Rows, t *mcphost.OpenTask) error {
	var at, started int64
	var ttl *int64
	var start, decision []byte
	if err := rows.Scan(&t.Call, &t.Definition, &t.Task, &at, &ttl, &started, &t.ServerID, &start, &decision); err != nil {
		return err
	}
	t.At, t.StartedAt = timeOf(at), timeOf(started)
	if ttl != nil {
		t.TTL = new(time.Duration(*ttl) * time.Microsecond)
	}
	var body callBody
	err := errors.Join(json.Unmarshal(start, &body), json.Unmarshal(decision, &t.Decision))
	t.Tool, t.Revision = body.Tool, body.Revision
	return err
}

const recentCalls = 5 // that tell how long a tool takes

// UsualDuration implements [mcphost.Tasks]: the median of the tool's last answered calls.
func (s *Store) UsualDuration(ctx context.Context, serverID, tool string) (time.Duration, error) {
	d, err := s.usualDuration(ctx, serverID, tool)
	return d, failure("read how long a tool takes", err)
}

func (s *Store) usualDuration(ctx context.Context, serverID, tool string) (time.Duration, error) {
	labels, err := s.reader.query(ctx, `SELECT id FROM labels WHERE server_id = ? AND kind = ? AND what = ? AND allowed = 1`,
		serverID, string(consent.KindToolCall), tool)
	if err != nil {
		return 0, err
	}
	ids, err := collect(labels, func(id *int64) error { return labels.Scan(id) })
	if err != nil {
		return 0, err
	}
	type call struct{ seq, took int64 }
	var calls []call
	for _, id := range ids {
		rows, err := s.reader.query(ctx, `
			SELECT d.seq, e.at - s.at
			FROM events d CROSS JOIN events s ON s.decision = d.seq AND s.type = 'callStarted'
				CROSS JOIN events e ON e.decision = d.seq AND e.type = 'callEnded'
			WHERE d.label = ? AND e.outcome IN ('ok', 'toolError', 'timedOut') ORDER BY d.seq DESC LIMIT ?`, id, recentCalls)
		if err != nil {
			return 0, err
		}
		some, err := collect(rows, func(c *call) error { return rows.Scan(&c.seq, &c.took) })
		if err != nil {
			return 0, err
		}
		calls = append(calls, some...)
	}
	slices.SortFunc(calls, func(a, b call) int { return cmp.Compare(b.seq, a.seq) })
	calls = calls[:min(len(calls), recentCalls)]
	if len(calls) == 0 {
		return 0, nil
	}
	slices.SortFunc(calls, func(a, b call) int { return cmp.Compare(a.took, b.took) })
	return time.Duration(calls[len(calls)/2].took) * time.Microsecond, nil
}
