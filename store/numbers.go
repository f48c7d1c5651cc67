package store

// This file counts decisions.

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"sort"
	"strings"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

// HistoryNumbers implements [mcphost.History]. Its cost depends on the decisions since then alone.
func (s *Store) HistoryNumbers(ctx context.Context, since time.Time) (mcphost.HistoryNumbers, error) {
	n, err := s.historyNumbers(ctx, since)
	return n, failure("count the decisions", err)
}

func (s *Store) historyNumbers(ctx context.Context, since time.Time) (n mcphost.HistoryNumbers, err error) {
	first, err := s.firstSince(ctx, since)
	if err != nil {
		return n, err
	}
	err = s.reader.row(ctx, `
		SELECT count(*), coalesce(sum(decided_by = :user), 0), coalesce(sum(decided_by = :composed), 0),
			coalesce(sum(decided_by NOT IN (:user, :composed, :host)), 0), coalesce(sum(NOT allowed), 0), coalesce(sum(edited), 0)
		FROM events JOIN labels ON labels.id = events.label WHERE events.seq >= :first AND events.label IS NOT NULL`,
		[]any{
			sql.Named("user", consent.ByUser), sql.Named("composed", consent.ByComposed), sql.Named("host", consent.ByHost), sql.Named("first", first),
		},
		&n.All, &n.Asked, &n.Composed, &n.ByRule, &n.Denied, &n.Edited)
	return n, err
}

// Kept implements [mcphost.History].
func (s *Store) Kept(ctx context.Context) (mcphost.Kept, error) {
	var k mcphost.Kept
	err := s.reader.row(ctx, `
		SELECT (SELECT coalesce(sum(n), 0) FROM labels), (SELECT count(*) FROM events WHERE type = 'callStarted'),
			(SELECT count(*) FROM pins)`, nil, &k.Decisions, &k.Calls, &k.Definitions)
	if err == nil {
		k.DatabaseBytes, err = bytesIn(s.dir, fileName) // with its log
	}
	if err == nil {
		k.BackupBytes, err = bytesIn(s.path(backupDir), "")
	}
	return k, failure("count what is kept", err)
}

// bytesIn adds up the files of a directory whose names begin so; one that is not there has none.
func bytesIn(dir, prefix string) (n int64, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && e.Type().IsRegular() && strings.HasPrefix(e.Name(), prefix) {
			n += info.Size()
		} // else it went meanwhile, as the log does
	}
	return n, err
}

// firstSince returns the seq of the first event that is not older. Events are added in the order of time, as far as the
// clock goes: no index on time is needed.
func (s *Store) firstSince(ctx context.Context, since time.Time) (int64, error) {
	var last int64
	if err := s.reader.row(ctx, `SELECT coalesce(max(seq), 0) FROM events`, nil, &last); err != nil {
		return 0, err
	}
	var failed error
	from := micros(since)
	first := sort.Search(int(last)+1, func(seq int) bool {
		var at int64
		err := s.reader.row(ctx, `SELECT coalesce((SELECT at FROM events WHERE seq >= ? ORDER BY seq LIMIT 1), ?)`,
			[]any{seq, from}, &at)
		if err != nil {
			failed = err
		}
		return err != nil || at >= from
	})
	return int64(first), failed
}
