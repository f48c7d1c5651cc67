package store

// This file keeps the user's settings: small texts by key, whose meaning is the caller's.

import (
	"context"
	"database/sql"
	"errors"
)

// Setting returns a setting, "" if it was never set.
func (s *Store) Setting(ctx context.Context, key string) (string, error) {
	var value string
	err := s.reader.row(ctx, `SELECT value FROM settings WHERE key = ?`, []any{key}, &value)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", failure("read a setting", err)
	}
	return value, nil
}

// SetSetting keeps a setting.
func (s *Store) SetSetting(ctx context.Context, key, value string) error {
	_, err := s.writer.exec(ctx, `
		INSERT INTO settings (key, value) VALUES (?, ?)
		ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, value)
	return failure("save a setting", err)
}
