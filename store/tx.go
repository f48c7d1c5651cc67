package store

// This file has the two pools and the transactions. An exported method owns its transaction.

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"modernc.org/sqlite"
)

// dsn names the file with the settings of each connection. mode=rw: SQLite never makes the file, makeFile does.
func dsn(path string, more ...string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") { // C:/…
		path = "/" + path
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: strings.Join(append([]string{
		"mode=rw",
		"_defensive=1", // plain SQL cannot damage the file
		"_dqs=0",
		"_txlock=immediate",
		"_busy_timeout=5000",
		"_foreign_keys=1",
		"_synchronous=NORMAL",           // with WAL: a commit survives the death of the process, not of the power
		"_pragma=trusted_schema(0)",     // a planted schema runs no function with side effects
		"_pragma=recursive_triggers(1)", // INSERT OR REPLACE fires the triggers against deleting
		"_pragma=cell_size_check(1)",
	}, more...), "&")}
	return u.String()
}

// connect makes the pools. No connection is opened yet.
func (s *Store) connect() error {
	path, err := filepath.Abs(s.path(fileName))
	if err != nil {
		return err
	}
	if s.writer, err = pool(dsn(path), 1); err != nil {
		return err
	}
	s.reader, err = pool(dsn(path, "_query_only=1"), max(2, min(4, runtime.NumCPU())))
	return err
}

func pool(dsn string, size int) (*sql.DB, error) {
	c, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	return db, nil
}

// write runs f in one transaction and wraps its error.
func (s *Store) write(ctx context.Context, doing string, f func(*sql.Tx) error) error {
	if err := inTx(ctx, s.writer, f); err != nil {
		return failure(doing, err)
	}
	return nil
}

func inTx(ctx context.Context, db *sql.DB, f func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		if undo := tx.Rollback(); !errors.Is(undo, sql.ErrTxDone) {
			err = errors.Join(err, undo)
		}
		return err
	}
	return tx.Commit()
}

func micros(t time.Time) int64 { return t.UnixMicro() }

// timeOf is the inverse of micros; 0 is the zero time.
func timeOf(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}
