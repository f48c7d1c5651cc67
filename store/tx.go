package store

// This file has the two pools and the transactions. An exported method owns its transaction; one statement needs none.

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
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
	if s.writer, err = newPool(dsn(path), 1); err != nil {
		return err
	}
	if s.writer.guard, err = guard(path); err != nil {
		return err
	}
	// No constraint is checked where nothing is written; see check.
	reader := dsn(path, "_query_only=1", "_pragma=ignore_check_constraints(1)")
	if s.reader, err = newPool(reader, max(2, min(4, runtime.NumCPU()))); err == nil {
		s.reader.writer = s.writer
	}
	return err
}

// A pool has connections to the file. It prepares each statement once, which is half of a statement's cost; as their
// texts are constants, they are few.
type pool struct {
	db       *sql.DB
	prepared sync.Map // text → *sql.Stmt
	group    group
	guard    func() error // of the writer: see guard
	writer   *pool        // of a reader: what it has put off is written before anything is read
}

// guard returns a check that the path still names the file that is there now. SQLite would go on writing to one that was
// removed, and what it writes would be gone with this process: no record, so nothing may be done.
func guard(path string) (func() error, error) {
	opened, err := os.Stat(path)
	return func() error {
		now, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(opened, now) {
			return ErrGone
		}
		return err
	}, err
}

func newPool(dsn string, size int) (*pool, error) {
	c, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	return &pool{db: db}, nil
}

func (p *pool) stmt(ctx context.Context, text string) (*sql.Stmt, error) {
	if st, ok := p.prepared.Load(text); ok {
		return st.(*sql.Stmt), nil
	}
	st, err := p.db.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	if first, ok := p.prepared.LoadOrStore(text, st); ok { // somebody else was faster
		return first.(*sql.Stmt), st.Close()
	}
	return st, nil
}

// exec writes. When it returns nil the write is committed, alone or with others; see [group].
func (p *pool) exec(ctx context.Context, text string, args ...any) (sql.Result, error) {
	if err := p.guard(); err != nil {
		return nil, err
	}
	st, err := p.stmt(ctx, text)
	if err != nil {
		return nil, err
	}
	return p.group.write(ctx, p, &write{stmt: st, args: args})
}

// later writes soon, alone or with others, and tells what came of it.
func (p *pool) later(text string, told func(sql.Result, error), args ...any) {
	err := p.guard()
	var st *sql.Stmt
	if err == nil {
		st, err = p.stmt(context.Background(), text)
	}
	if err != nil {
		told(nil, err)
		return
	}
	p.group.later(p, &write{stmt: st, args: args}, told)
}

// settle waits until what was put off is written.
func (p *pool) settle() {
	if p.writer != nil {
		p = p.writer
	}
	p.group.flush(p)
}

func (p *pool) query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	p.settle()
	st, err := p.stmt(ctx, text)
	if err != nil {
		return nil, err
	}
	return st.QueryContext(ctx, args...)
}

// row scans the one row of a query, or returns [sql.ErrNoRows].
func (p *pool) row(ctx context.Context, text string, args []any, dest ...any) error {
	p.settle()
	st, err := p.stmt(ctx, text)
	if err != nil {
		return err
	}
	return st.QueryRowContext(ctx, args...).Scan(dest...)
}

// close closes the statements with their connections.
func (p *pool) close() error {
	if p == nil {
		return nil
	}
	p.group.end(p)
	var errs []error
	for _, st := range p.prepared.Range {
		errs = append(errs, st.(*sql.Stmt).Close())
	}
	return errors.Join(append(errs, p.db.Close())...)
}

// tx runs f in one transaction, after what was put off.
func (p *pool) tx(ctx context.Context, f func(*sql.Tx) error) error {
	p.settle()
	return p.begin(ctx, f)
}

func (p *pool) begin(ctx context.Context, f func(*sql.Tx) error) error {
	if err := p.guard(); err != nil {
		return err
	}
	tx, err := p.db.BeginTx(ctx, nil)
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
