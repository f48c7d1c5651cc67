package store

// This file tells when each tool of a server was used last.

import (
	"context"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

// LastUses returns the newest decision about each tool of a server, by tool name.
func (s *Store) LastUses(ctx context.Context, serverID string) (map[string]mcphost.HistoryRow, error) {
	uses, err := s.lastUses(ctx, serverID)
	if err != nil {
		return nil, failure("read the last uses", err)
	}
	return uses, nil
}

func (s *Store) lastUses(ctx context.Context, serverID string) (map[string]mcphost.HistoryRow, error) {
	rows, err := s.reader.query(ctx, `
		WITH page (seq) AS (
			SELECT max((SELECT max(seq) FROM events WHERE label = labels.id))
			FROM labels WHERE server_id = ? AND kind = ? GROUP BY what)`+historyRows, serverID, string(consent.KindToolCall))
	if err != nil {
		return nil, err
	}
	uses := map[string]mcphost.HistoryRow{}
	var seq int64
	_, err = collect(rows, func(r *mcphost.HistoryRow) error {
		if err := scanRow(rows, &seq, r); err != nil {
			return err
		}
		uses[r.What] = *r
		return nil
	})
	return uses, err
}
