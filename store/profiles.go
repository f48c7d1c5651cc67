package store

// This file keeps the profiles.

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	sqlite3 "modernc.org/sqlite/lib"

	"gatehouse/mcphost"
)

// liveServers are the servers that are not removed. A removed one stays in its profiles, for it may come back.
const liveServers = `(SELECT id, created_at, rowid FROM servers WHERE name_key <> 'removed:' || id)`

// Profiles returns the profiles, oldest first. There is always one.
func (s *Store) Profiles(ctx context.Context) ([]mcphost.Profile, error) {
	const doing = "read the profiles"
	rows, err := s.reader.query(ctx, `
		SELECT p.id, p.name, (SELECT json_group_array(s.id ORDER BY s.created_at, s.rowid)
			FROM members m JOIN `+liveServers+` s ON s.id = m.server_id WHERE m.profile_id = p.id)
		FROM profiles p WHERE p.removed_at IS NULL ORDER BY p.rowid`)
	if err != nil {
		return nil, failure(doing, err)
	}
	all, err := collect(rows, func(p *mcphost.Profile) error {
		var servers []byte
		if err := rows.Scan(&p.ID, &p.Name, &servers); err != nil {
			return err
		}
		return json.Unmarshal(servers, &p.Servers)
	})
	if err != nil {
		return nil, failure(doing, err)
	}
	return all, nil
}

// PutProfile inserts or replaces a profile by its id; a removed one is back. Of its servers those count that are
// configured. [ErrNameTaken] means that another profile has the name, in whatever case.
func (s *Store) PutProfile(ctx context.Context, p mcphost.Profile) error {
	servers, err := encodeList(p.Servers)
	if err != nil {
		return failure("save the profile", err)
	}
	err = s.writer.tx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO profiles (id, name, name_key) VALUES (?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET name = excluded.name, name_key = excluded.name_key, removed_at = NULL`,
			p.ID, p.Name, fold(p.Name))
		if resultCode(err) == sqlite3.SQLITE_CONSTRAINT_UNIQUE {
			return fmt.Errorf("%w: %q", ErrNameTaken, p.Name)
		}
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `
			DELETE FROM members WHERE profile_id = ? AND server_id IN (SELECT id FROM `+liveServers+`)`, p.ID); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `
			INSERT INTO members (profile_id, server_id) SELECT ?, id FROM `+liveServers+` WHERE id IN (SELECT value FROM json_each(?))`,
			p.ID, servers)
		return err
	})
	return failure("save the profile", err)
}

// RemoveProfile removes a profile, but never the last one; its servers stay, and so does the name that its history has.
// [ErrNotFound] means that there is no such profile beside another.
func (s *Store) RemoveProfile(ctx context.Context, id string) error {
	res, err := s.writer.exec(ctx, `
		UPDATE profiles SET removed_at = ? WHERE id = ? AND removed_at IS NULL
			AND EXISTS (SELECT 1 FROM profiles other WHERE other.id <> profiles.id AND other.removed_at IS NULL)`,
		micros(s.now()), id)
	return failure("remove the profile", needRow(res, err, ErrNotFound))
}
