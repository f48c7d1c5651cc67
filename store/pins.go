package store

// This file implements mcphost.Pins.

import (
	"context"
	"database/sql"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

// Pins implements [mcphost.Pins].
func (s *Store) Pins(ctx context.Context, serverID string) (map[string]mcphost.Pin, error) {
	const doing = "read the trusted tool definitions"
	rows, err := s.reader.query(ctx, `SELECT tool, digest, definition, at FROM pins WHERE server_id = ?`, serverID)
	if err != nil {
		return nil, failure(doing, err)
	}
	list, err := collect(rows, func(p *mcphost.Pin) error { return scanPin(rows, p) })
	if err != nil {
		return nil, failure(doing, err)
	}
	pins := make(map[string]mcphost.Pin, len(list))
	for _, p := range list {
		pins[p.Tool] = p
	}
	return pins, nil
}

func scanPin(rows *sql.Rows, p *mcphost.Pin) error {
	var digest string
	var definition []byte
	var at int64
	if err := rows.Scan(&p.Tool, &digest, &definition, &at); err != nil {
		return err
	}
	p.Definition, p.At = definition, timeOf(at)
	var err error
	p.Digest, err = consent.ParseDigest(digest)
	return err
}

// PutPins implements [mcphost.Pins]: all of them or none.
func (s *Store) PutPins(ctx context.Context, serverID string, pins []mcphost.Pin) error {
	err := s.writer.tx(ctx, func(tx *sql.Tx) error {
		put, err := tx.PrepareContext(ctx, `
			INSERT INTO pins (server_id, tool, digest, definition, at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (server_id, tool) DO UPDATE
			SET digest = excluded.digest, definition = excluded.definition, at = excluded.at`)
		if err != nil {
			return err
		}
		defer put.Close()
		for _, p := range pins {
			_, err := put.ExecContext(ctx, serverID, p.Tool, p.Digest.String(), string(p.Definition), micros(s.or(p.At)))
			if err != nil {
				return err
			}
		}
		return nil
	})
	return failure("save the trusted tool definitions", err)
}
