package store

// This file keeps the instructions of servers that the user has reviewed: the other half of mcphost.Pins.

import (
	"context"
	"database/sql"
	"errors"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

// Instructions implements [mcphost.Pins].
func (s *Store) Instructions(ctx context.Context, serverID string) (r mcphost.Reviewed, ok bool, err error) {
	var digest string
	var at int64
	err = s.reader.row(ctx, `SELECT digest, text, at FROM instructions WHERE server_id = ?`, []any{serverID}, &digest, &r.Text, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return mcphost.Reviewed{}, false, nil
	}
	if err == nil {
		r.At = timeOf(at)
		r.Digest, err = consent.ParseDigest(digest)
	}
	if err != nil {
		return mcphost.Reviewed{}, false, failure("read the reviewed instructions", err)
	}
	return r, true, nil
}

// PutInstructions implements [mcphost.Pins].
func (s *Store) PutInstructions(ctx context.Context, serverID string, r mcphost.Reviewed) error {
	err := s.writer.tx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO instructions (server_id, digest, text, at) VALUES (?, ?, ?, ?)
			ON CONFLICT (server_id) DO UPDATE SET digest = excluded.digest, text = excluded.text, at = excluded.at`,
			serverID, r.Digest.String(), r.Text, micros(s.or(r.At)))
		return err
	})
	return failure("save the reviewed instructions", err)
}
