package store

// This file knows which process lives. Each opening is a run, with a row and a lock file that its process holds;
// a run that died is ended by whoever opens the directory next.

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
)

func (s *Store) runLock(id string) string { return s.path(lockDir, "run-"+id) }

// startRun ends the dead runs and registers this one. The caller holds the opening lock.
func (s *Store) startRun(ctx context.Context) error {
	alive, err := tryLock(s.runLock(s.run), true)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.alive = alive
	s.mu.Unlock()
	dead, err := s.deadRuns(ctx)
	if err != nil {
		return err
	}
	err = s.writer.tx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO runs (id, pid, at) VALUES (?, ?, ?)`, s.run, os.Getpid(), micros(s.now()))
		for _, id := range dead {
			err = errors.Join(err, s.finish(ctx, tx, id))
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range dead {
		if err := os.Remove(s.runLock(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.log.Warn("a dead run's lock file stays", "err", err)
		}
	}
	return nil
}

// deadRuns returns the runs that did not end and whose process is gone.
func (s *Store) deadRuns(ctx context.Context) ([]string, error) {
	rows, err := s.writer.query(ctx, `SELECT id FROM runs WHERE ended_at IS NULL`)
	if err != nil {
		return nil, err
	}
	open, err := collect(rows, func(id *string) error { return rows.Scan(id) })
	if err != nil {
		return nil, err
	}
	var dead []string
	for _, id := range open {
		l, err := tryLock(s.runLock(id), false)
		switch {
		case errors.Is(err, errLocked):
			continue
		case err != nil && !errors.Is(err, fs.ErrNotExist): // no file: a restored copy of the data
			return nil, err
		}
		if err := l.release(); err != nil {
			return nil, err
		}
		dead = append(dead, id)
	}
	return dead, nil
}

// finish records the calls that a run left open as interrupted, and ends the run.
func (s *Store) finish(ctx context.Context, tx *sql.Tx, run string) error {
	now := micros(s.now())
	_, err := tx.ExecContext(ctx, `
		INSERT INTO events (at, run, type, subject, decision, server_id, digest, profile_id, outcome, body)
		SELECT max(?, started.at), ?, 'callEnded', subject, decision, server_id, digest, profile_id, 'interrupted', '{}'
		FROM events started
		WHERE run = ? AND type = 'callStarted'
			AND NOT EXISTS (SELECT 1 FROM events WHERE subject = started.subject AND type = 'callEnded')
			AND NOT EXISTS (SELECT 1 FROM tasks WHERE call = started.subject) -- it goes on: see TakeTasks
		ORDER BY seq`, now, s.run, run)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE runs SET ended_at = ? WHERE id = ?`, now, run)
	return err
}

// endRun ends this run at Close.
func (s *Store) endRun() error {
	ctx := context.Background() // Close has none; SQLite's busy timeout bounds it
	err := s.writer.tx(ctx, func(tx *sql.Tx) error { return s.finish(ctx, tx, s.run) })
	if err == nil {
		err = os.Remove(s.runLock(s.run))
	}
	return err
}

// collect scans all rows and closes them.
func collect[T any](rows *sql.Rows, scan func(*T) error) ([]T, error) {
	var all []T
	for rows.Next() {
		var one T
		if err := scan(&one); err != nil {
			return nil, errors.Join(err, rows.Close())
		}
		all = append(all, one)
	}
	return all, errors.Join(rows.Err(), rows.Close())
}
