package store

// This file keeps the roots, and to whom they are shown.

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

// Roots implements [mcphost.Roots].
func (s *Store) Roots(ctx context.Context) ([]mcphost.Root, error) {
	const doing = "read the roots"
	rows, err := s.reader.query(ctx, `
		SELECT id, path, name, read_only, type, added_at,
			(SELECT json_group_object(server_id, visibility) FROM root_servers WHERE root_id = id)
		FROM roots ORDER BY rowid`)
	if err != nil {
		return nil, failure(doing, err)
	}
	all, err := collect(rows, func(r *mcphost.Root) error {
		var at int64
		var servers []byte
		if err := rows.Scan(&r.ID, &r.Path, &r.Name, &r.ReadOnly, &r.Type, &at, &servers); err != nil {
			return err
		}
		r.At = timeOf(at)
		return json.Unmarshal(servers, &r.Servers)
	})
	if err != nil {
		return nil, failure(doing, err)
	}
	return all, nil
}

// PutRoot implements [mcphost.Roots].
func (s *Store) PutRoot(ctx context.Context, r mcphost.Root) error {
	err := s.writer.tx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO roots (id, path, name, read_only, type, added_at) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET path = excluded.path, name = excluded.name, read_only = excluded.read_only, type = excluded.type`,
			r.ID, r.Path, r.Name, r.ReadOnly, r.Type, micros(s.or(r.At)))
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM root_servers WHERE root_id = ?`, r.ID); err != nil {
			return err
		}
		for server, visibility := range r.Servers {
			if visibility == mcphost.RootHidden {
				continue
			}
			_, err := tx.ExecContext(ctx, `INSERT INTO root_servers (root_id, server_id, visibility) VALUES (?, ?, ?)`, r.ID, server, string(visibility))
			if err != nil {
				return err
			}
		}
		return nil
	})
	return failure("save the root", err)
}

// RemoveRoot implements [mcphost.Roots].
func (s *Store) RemoveRoot(ctx context.Context, id string) error {
	_, err := s.writer.exec(ctx, `DELETE FROM roots WHERE id = ?`, id)
	return failure("remove the root", err)
}

// Disclosed implements [mcphost.Roots].
func (s *Store) Disclosed(ctx context.Context, serverID string) (launch consent.Digest, err error) {
	var text string
	err = s.reader.row(ctx, `SELECT launch FROM root_disclosures WHERE server_id = ?`, []any{serverID}, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return launch, nil
	}
	if err == nil {
		launch, err = consent.ParseDigest(text)
	}
	return launch, failure("read who knows of roots", err)
}

// PutDisclosed implements [mcphost.Roots].
func (s *Store) PutDisclosed(ctx context.Context, serverID string, launch consent.Digest) error {
	_, err := s.writer.exec(ctx, `
		INSERT INTO root_disclosures (server_id, launch) VALUES (?, ?)
		ON CONFLICT (server_id) DO UPDATE SET launch = excluded.launch`, serverID, launch.String())
	return failure("save who knows of roots", err)
}
