package store

// This file reads the events of one history entry.

import (
	"database/sql"
	"encoding/json"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

// A HistoryDetail is everything that is kept of one decision.
type HistoryDetail struct {
	HistoryRow
	Decision    consent.Decision // with exactly what was shown
	Revision    string           // the protocol revision of the call
	Error       string           // why the call failed
	Result      string           // JSON text as received, or its first 256 KiB
	ResultBytes int              // length of the whole result; more than len(Result) if it was cut
	Events      []HistoryEvent   // oldest first
}

// A HistoryEvent is one entry of the append-only record.
type HistoryEvent struct {
	At      time.Time
	Type    string              // "decision", "callStarted" or "callEnded"
	Outcome mcphost.CallOutcome // of a callEnded
}

// scanEvent reads one event and puts what its body says into d.
func (d *HistoryDetail) scanEvent(rows *sql.Rows, e *HistoryEvent) error {
	var at int64
	var body []byte
	if err := rows.Scan(&at, &e.Type, &e.Outcome, &body); err != nil {
		return err
	}
	e.At = timeOf(at)
	if e.Type == "decision" {
		return json.Unmarshal(body, &d.Decision)
	}
	var call callBody
	if err := json.Unmarshal(body, &call); err != nil {
		return err
	}
	if e.Type == "callStarted" {
		d.Revision = call.Revision
		return nil
	}
	d.Error, d.Result, d.ResultBytes = call.Error, call.Result, call.Bytes
	return nil
}
