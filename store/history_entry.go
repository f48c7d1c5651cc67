package store

// This file reads the events of one history entry.

import (
	"database/sql"
	"encoding/json"

	"gatehouse/mcphost"
)

// scanEvent reads one event and puts what its body says into d.
func scanEvent(rows *sql.Rows, d *mcphost.HistoryDetail, e *mcphost.HistoryEvent) error {
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
