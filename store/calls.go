package store

// This file implements mcphost.Calls.

import (
	"context"
	"database/sql"
	"fmt"

	sqlite3 "modernc.org/sqlite/lib"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

// maxResult bounds what is kept of a result, in bytes; of a longer one the head and the length are.
const maxResult = 256 << 10

// A callBody is the body of a call's events.
type callBody struct {
	Tool     string `json:"tool,omitempty"`
	Revision string `json:"revision,omitempty"`
	Error    string `json:"error,omitempty"`
	Result   string `json:"result,omitempty"` // JSON text as received, or its head
	Bytes    int    `json:"bytes,omitempty"`  // length of the whole result
}

// StartCall implements [mcphost.Calls]. [ErrNoDecision] means that c.Decision does not allow this tool's call, was
// used before or was taken by another run.
func (s *Store) StartCall(ctx context.Context, c mcphost.CallStart) error {
	const doing = "record the start of the call"
	body, err := encode(callBody{Tool: c.Tool, Revision: c.Revision})
	if err != nil {
		return failure(doing, err)
	}
	res, err := s.writer.exec(ctx, `
		INSERT INTO events (at, run, type, subject, decision, server_id, digest, profile_id, body)
		SELECT ?, run, 'callStarted', ?, seq, events.server_id, digest, profile_id, ?
		FROM events JOIN labels ON labels.id = label
		WHERE subject = ? AND type = 'decision' AND run = ? AND events.server_id = ?
			AND kind = ? AND allowed = 1 AND json_extract(body, '$.toolCall.tool') = ?`,
		micros(s.or(c.At)), c.ID, body, c.Decision, s.run, c.ServerID, string(consent.KindToolCall), c.Tool)
	// Not unique: the decision, or the id, carries a call already.
	return failure(doing, needRow(res, err, ErrNoDecision))
}

const insertEnd = `
	INSERT INTO events (at, run, type, subject, decision, server_id, digest, profile_id, outcome, body)
	SELECT ?, ?, 'callEnded', subject, decision, server_id, digest, profile_id, ?, ?
	FROM events WHERE subject = ? AND type = 'callStarted'`

// EndCall implements [mcphost.Calls]. It is written with what is written next, within lateBy, and before anything is read;
// if this process is killed before that, the call reads as interrupted. [ErrCallState] means that the call never started
// or has an end.
func (s *Store) EndCall(c mcphost.CallEnd, failed func(error)) {
	tell := func(res sql.Result, err error) {
		if err := failure("record the end of the call", needRow(res, err, ErrCallState)); err != nil {
			failed(err)
		}
	}
	body, err := encode(callBody{Error: c.Error, Result: head(string(c.Result), maxResult), Bytes: len(c.Result)})
	outcome := c.Outcome
	if err == nil && outcome == mcphost.CallLost { // first: without the event this says nothing
		outcome = mcphost.CallFailed
		_, err = s.writer.exec(context.Background(), `UPDATE tasks SET lost = 1 WHERE call = ?`, c.ID)
	}
	if err != nil {
		tell(nil, err)
		return
	}
	s.writer.later(insertEnd, tell, micros(s.or(c.At)), s.run, string(outcome), body, c.ID)
}

// needRow returns the error none for a statement that found no row to work on, or one whose work was done before.
func needRow(res sql.Result, err, none error) error {
	if resultCode(err) == sqlite3.SQLITE_CONSTRAINT_UNIQUE {
		return fmt.Errorf("%w (%w)", none, err)
	}
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return none
}
