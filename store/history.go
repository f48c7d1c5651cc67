package store

// This file reads the history: one row a decision, newest first, with what became of its call.

import (
	"context"
	"database/sql"
	"math"
	"strings"

	"gatehouse/mcphost"
)

const (
	defaultPage = 50
	maxPage     = 500
	maxSearch   = 200 // bytes of HistoryQuery.Text that count
)

// labelFilter picks the labels that a query asks for.
const labelFilter = `
	(:server = '' OR server_id = :server)
	AND (:verdict = '' OR allowed = (:verdict = 'allowed'))
	AND (:text = '' OR instr(search, :text) > 0)`

// The page's decisions. Without a filter they are the newest. With one, the labels used last suffice, one for each row,
// and of each its newest few, so that neither query depends on the length of the history. json_each is the only way to
// have a subquery for each label.
const (
	newest = `
		SELECT seq FROM events WHERE label IS NOT NULL AND seq < :before ORDER BY seq DESC LIMIT :limit`
	newestMatching = `
		SELECT few.value FROM (
			SELECT id FROM labels WHERE ` + labelFilter + `
			ORDER BY (SELECT max(seq) FROM events WHERE label = labels.id AND seq < :before) DESC LIMIT :limit
		) AS used CROSS JOIN json_each((
			SELECT json_group_array(seq) FROM (
				SELECT seq FROM events WHERE label = used.id AND seq < :before ORDER BY seq DESC LIMIT :limit)
		)) AS few ORDER BY few.value DESC LIMIT :limit`
)

// historyRows gives the columns that scanRow reads for the decisions of the common table page(seq).
const historyRows = `
	SELECT d.seq, d.subject, d.at, l.server_id, l.alias, l.kind, l.what, l.risk, l.allowed, l.edited, l.decided_by,
		coalesce(s.subject, ''), coalesce(s.at, 0), coalesce(e.at, 0),
		coalesce(iif(t.lost, 'lost', e.outcome), ''), coalesce(t.task, '')
	FROM page CROSS JOIN events d ON d.seq = page.seq
		CROSS JOIN labels l ON l.id = d.label
		LEFT JOIN events s ON s.decision = d.seq AND s.type = 'callStarted'
		LEFT JOIN events e ON e.decision = d.seq AND e.type = 'callEnded'
		LEFT JOIN tasks t ON t.call = s.subject
	ORDER BY d.seq DESC`

// History returns one page of the history.
func (s *Store) History(ctx context.Context, q mcphost.HistoryQuery) (mcphost.HistoryPage, error) {
	page, err := s.history(ctx, q)
	if err != nil {
		return mcphost.HistoryPage{}, failure("read the history", err)
	}
	return page, nil
}

func (s *Store) history(ctx context.Context, q mcphost.HistoryQuery) (page mcphost.HistoryPage, err error) {
	limit := q.Limit
	if limit <= 0 {
		limit = defaultPage
	}
	limit = min(limit, maxPage)
	if q.Before <= 0 {
		q.Before = math.MaxInt64
	}
	text := fold(head(strings.TrimSpace(q.Text), maxSearch))
	filter := []any{sql.Named("server", q.ServerID), sql.Named("verdict", string(q.Decision)), sql.Named("text", text)}
	err = s.reader.row(ctx, `SELECT coalesce(sum(n), 0) FROM labels WHERE `+labelFilter, filter, &page.Total)
	if err != nil || page.Total == 0 {
		return page, err
	}
	seqs := newestMatching
	if q.ServerID == "" && q.Decision == mcphost.AnyVerdict && text == "" {
		seqs, filter = newest, nil
	}
	rows, err := s.reader.query(ctx, `WITH page (seq) AS (`+seqs+`)`+historyRows,
		append(filter, sql.Named("before", q.Before), sql.Named("limit", limit+1))...)
	if err != nil {
		return page, err
	}
	var last, prev int64
	page.Rows, err = collect(rows, func(r *mcphost.HistoryRow) error {
		prev = last
		return scanRow(rows, &last, r)
	})
	if len(page.Rows) > limit { // the one too many tells that there is a next page
		page.Rows, page.Next = page.Rows[:limit], prev
	}
	return page, err
}

func scanRow(rows *sql.Rows, seq *int64, r *mcphost.HistoryRow) error {
	var at, started, ended int64
	err := rows.Scan(seq, &r.ID, &at, &r.ServerID, &r.ServerName, &r.Kind, &r.What, &r.Risk, &r.Allowed, &r.Edited, &r.By,
		&r.CallID, &started, &ended, &r.Outcome, &r.Task)
	r.At, r.StartedAt, r.EndedAt = timeOf(at), timeOf(started), timeOf(ended)
	return err
}

// HistoryEntry returns everything that is kept of one decision. [ErrNotFound] means that there is none of this id.
func (s *Store) HistoryEntry(ctx context.Context, id string) (mcphost.HistoryDetail, error) {
	d, err := s.historyEntry(ctx, id)
	if err != nil {
		return mcphost.HistoryDetail{}, failure("read a history entry", err)
	}
	return d, nil
}

func (s *Store) historyEntry(ctx context.Context, id string) (d mcphost.HistoryDetail, err error) {
	rows, err := s.reader.query(ctx,
		`WITH page (seq) AS (SELECT seq FROM events WHERE subject = ? AND type = 'decision')`+historyRows, id)
	if err != nil {
		return d, err
	}
	var seq int64
	found, err := collect(rows, func(r *mcphost.HistoryRow) error { return scanRow(rows, &seq, r) })
	if err != nil {
		return d, err
	}
	if len(found) == 0 {
		return d, ErrNotFound
	}
	d.HistoryRow = found[0]
	events, err := s.reader.query(ctx,
		`SELECT at, type, coalesce(outcome, ''), body FROM events WHERE seq = ?1 OR decision = ?1 ORDER BY seq`, seq)
	if err != nil {
		return d, err
	}
	d.Events, err = collect(events, func(e *mcphost.HistoryEvent) error { return scanEvent(events, &d, e) })
	return d, err
}
