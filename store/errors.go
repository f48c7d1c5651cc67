package store

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Errors that callers branch on, with [errors.Is].
var (
	ErrNewer      = errors.New("a newer version of Gatehouse wrote this data") // always a *NewerError
	ErrCorrupt    = errors.New("the data file is damaged or not Gatehouse's; it was left as it is")
	ErrReadOnly   = errors.New("the data directory cannot be written")
	ErrFull       = errors.New("the disk is full, so nothing was saved")
	ErrGone       = errors.New("the data file was moved or removed while it was open")
	ErrWindowOpen = errors.New("another Gatehouse window is open on this data directory")
	ErrNameTaken  = errors.New("another one has this name")
	ErrNotFound   = errors.New("no such entry")
	ErrNoDecision = errors.New("no decision of this run allows this call") // StartCall: so the call must not go out
	ErrCallState  = errors.New("the call is not open")                     // EndCall: never started or already ended
)

// A NewerError says that the file's schema is newer than this program's. The file was not touched.
type NewerError struct {
	File, Known int // schema versions
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("%v: the file has schema %d, this program knows %d; please update", ErrNewer, e.File, e.Known)
}

// Is reports whether target is [ErrNewer].
func (e *NewerError) Is(target error) bool { return target == ErrNewer }

// failure wraps err with what we were doing and, if the cause is one of ours, with its sentinel. No error stays none.
func failure(doing string, err error) error {
	if err == nil {
		return nil
	}
	if cause := cause(err); cause != nil && !errors.Is(err, cause) {
		return fmt.Errorf("%s: %w (%w)", doing, cause, err)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// cause finds the sentinel for an error of SQLite or of the file system, by code, never by message.
func cause(err error) error {
	switch code := resultCode(err); code & 0xff {
	case sqlite3.SQLITE_FULL:
		return ErrFull
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return ErrCorrupt
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return ErrReadOnly
	case sqlite3.SQLITE_IOERR:
		if code == sqlite3.SQLITE_IOERR_SHMSIZE { // the -shm file could not grow
			return ErrFull
		}
	}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return ErrFull
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOTDIR):
		return ErrReadOnly
	}
	return nil
}

// resultCode returns the extended result code of an SQLite error, 0 for any other.
func resultCode(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}
