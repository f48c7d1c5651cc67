package store

// This file has the locks between processes. The operating system drops them when their holder dies, however it dies,
// which also makes them the test of whether a run still lives.

import (
	"context"
	"errors"
	"os"
	"time"
)

const lockRetry = 20 * time.Millisecond

// errLocked: somebody else holds the lock.
var errLocked = errors.New("locked by another process")

// A fileLock is an exclusive advisory lock on a file of its own.
type fileLock struct{ f *os.File }

// tryLock takes the lock at once or returns errLocked. It makes the file if create is set.
func tryLock(path string, create bool) (*fileLock, error) {
	flags := os.O_RDWR
	if create {
		flags |= os.O_CREATE
	}
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lockFile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if create {
		if err := f.Chmod(0o600); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	return &fileLock{f}, nil
}

// waitLock takes the lock as soon as it is free, until ctx ends. Holders keep it for the time of an opening.
func waitLock(ctx context.Context, path string) (*fileLock, error) {
	retry := time.NewTicker(lockRetry)
	defer retry.Stop()
	for {
		l, err := tryLock(path, true)
		if !errors.Is(err, errLocked) {
			return l, err
		}
		select {
		case <-retry.C:
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), err)
		}
	}
}

// release gives the lock back. A nil lock is not held.
func (l *fileLock) release() error {
	if l == nil {
		return nil
	}
	return l.f.Close()
}

// LockWindow makes this Store the one window of its data directory until Close. [ErrWindowOpen] means that another
// process has a window.
func (s *Store) LockWindow() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.window != nil {
		return nil
	}
	l, err := tryLock(s.path(lockDir, "window"), true)
	if errors.Is(err, errLocked) {
		return ErrWindowOpen
	}
	if err != nil {
		return failure("lock the window", err)
	}
	s.window = l
	return nil
}
