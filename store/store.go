// Package store keeps what Gatehouse must not forget: servers, trusted tool definitions, settings and the history of
// decisions and calls in one SQLite file, secrets in the keyring of the operating system.
//
// It implements the ports of package mcphost ([mcphost.Servers], [mcphost.Profiles], [mcphost.Pins], [mcphost.Calls],
// [mcphost.Secrets]) and [consent.Journal]. Several processes (the window and any number of terminals) may have one data directory open.
package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

var (
	_ mcphost.Servers  = (*Store)(nil)
	_ mcphost.Profiles = (*Store)(nil)
	_ mcphost.Pins     = (*Store)(nil)
	_ mcphost.Calls    = (*Store)(nil)
	_ mcphost.Tasks    = (*Store)(nil)
	_ mcphost.History  = (*Store)(nil)
	_ consent.Journal  = (*Store)(nil)
)

// Options of [Open]. The zero value is ready to use.
type Options struct {
	Now    func() time.Time // default time.Now
	Logger *slog.Logger     // default: discard
}

// A Store is an open data directory. Its methods may be called from any goroutine.
type Store struct {
	dir string
	run string // this opening's id in runs
	now func() time.Time
	log *slog.Logger

	writer *pool    // one connection: writers queue here and not in SQLite
	reader *pool    // several, query_only
	labels sync.Map // label → its id, for those that this run has used

	mu     sync.Mutex // guards the fields below
	alive  *fileLock  // held until Close: tells other processes that this run lives
	window *fileLock  // see LockWindow
	closed bool
}

// Open opens the data directory dir, creates what is missing and brings an older file up to date after backing it up.
// Calls that a dead process left open are closed as interrupted.
//
// The error is one of [ErrNewer], [ErrCorrupt], [ErrReadOnly] and [ErrFull] if the cause is one of these; whatever the
// error, the user's data is left as it was.
func Open(ctx context.Context, dir string, o *Options) (*Store, error) {
	return open(ctx, dir, o, migrations)
}

func open(ctx context.Context, dir string, o *Options, schema fs.FS) (_ *Store, err error) {
	s := newStore(dir, o)
	defer func() {
		if err != nil {
			err = failure("open the data directory "+dir, errors.Join(err, s.shut()))
		}
	}()
	for _, d := range []string{dir, s.path(lockDir)} {
		if err := s.makeDir(d); err != nil {
			return nil, err
		}
	}
	// One process at a time checks, migrates and sweeps.
	opening, err := waitLock(ctx, s.path(lockDir, "open"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, opening.release()) }()
	if err := makeFile(s.path(fileName)); err != nil {
		return nil, err
	}
	if err := s.connect(); err != nil {
		return nil, err
	}
	if err := s.prepare(ctx, schema); err != nil {
		return nil, err
	}
	if err := s.startRun(ctx); err != nil {
		return nil, err
	}
	if err := s.reader.db.PingContext(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

func newStore(dir string, o *Options) *Store {
	if o == nil {
		o = &Options{}
	}
	s := &Store{dir: dir, run: rand.Text(), now: o.Now, log: o.Logger}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	return s
}

// Close ends this run and closes the file. Calls still open are recorded as interrupted. A second Close does nothing.
func (s *Store) Close() error {
	s.mu.Lock()
	closed := s.closed
	s.closed = true
	s.mu.Unlock()
	if closed {
		return nil
	}
	err := s.endRun()
	if err = errors.Join(err, s.shut()); err != nil {
		return fmt.Errorf("close the data directory: %w", err)
	}
	return nil
}

// shut closes what is open. The writer goes last: the last connection moves the log into the file.
func (s *Store) shut() error {
	var errs []error
	for _, p := range []*pool{s.reader, s.writer} {
		errs = append(errs, p.close())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range []*fileLock{s.alive, s.window} {
		errs = append(errs, l.release())
	}
	return errors.Join(errs...)
}

// Dir returns the data directory.
func (s *Store) Dir() string { return s.dir }

func (s *Store) path(elem ...string) string {
	return filepath.Join(append([]string{s.dir}, elem...)...)
}
