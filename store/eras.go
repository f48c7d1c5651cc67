package store

// This file implements mcphost.Eras.

import (
	"context"
	"database/sql"
	"errors"

	"gatehouse/mcphost"
)

// Era implements [mcphost.Eras]: the zero verdict if nothing is known.
func (s *Store) Era(ctx context.Context, definition string) (v mcphost.EraVerdict, err error) {
	var at int64
	err = s.reader.row(ctx, `SELECT era, wire, at FROM eras WHERE definition = ?`, []any{definition}, &v.Era, &v.Wire, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return v, nil
	}
	if err != nil {
		return v, failure("read the era of a server", err)
	}
	v.At = timeOf(at)
	return v, nil
}

// PutEra implements [mcphost.Eras].
func (s *Store) PutEra(ctx context.Context, definition string, v mcphost.EraVerdict) error {
	if v.Era == "" {
		_, err := s.writer.exec(ctx, `DELETE FROM eras WHERE definition = ?`, definition)
		return failure("forget the era of a server", err)
	}
	_, err := s.writer.exec(ctx, `
		INSERT INTO eras (definition, era, wire, at) VALUES (?, ?, ?, ?)
		ON CONFLICT (definition) DO UPDATE SET era = excluded.era, wire = excluded.wire, at = excluded.at`,
		definition, v.Era, v.Wire, micros(v.At))
	return failure("save the era of a server", err)
}
