package store

// This file makes directories and files that nobody but the user can read, whatever the umask.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

const (
	fileName  = "gatehouse.db"
	lockDir   = "locks"
	backupDir = "backups"
)

// DefaultDir returns where this user's data belongs: $XDG_DATA_HOME/gatehouse or ~/.local/share/gatehouse,
// ~/Library/Application Support/Gatehouse on macOS, %LocalAppData%\Gatehouse on Windows. It creates nothing.
func DefaultDir() (string, error) {
	var base string
	var err error
	switch runtime.GOOS {
	case "windows":
		base, err = os.UserCacheDir() // %LocalAppData%: a database must not roam
		base = filepath.Join(base, "Gatehouse")
	case "darwin":
		base, err = os.UserConfigDir()
		base = filepath.Join(base, "Gatehouse")
	default:
		base, err = xdgDataHome()
		base = filepath.Join(base, "gatehouse")
	}
	if err == nil && !filepath.IsAbs(base) { // it would be another one in every folder
		err = fmt.Errorf("%s is no absolute path; check HOME", base)
	}
	if err != nil {
		return "", fmt.Errorf("find the data directory: %w", err)
	}
	return base, nil
}

// xdgDataHome follows the XDG Base Directory Specification, which says to ignore a relative path.
func xdgDataHome() (string, error) {
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "share"), err
}

// makeDir makes dir with mode 0700. One that exists keeps its mode: it may be shared on purpose, and the files are
// private anyway.
func (s *Store) makeDir(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case err == nil && !info.IsDir():
		return fmt.Errorf("%w: %s is a file", ErrReadOnly, dir)
	case err == nil:
		if info.Mode().Perm()&0o077 != 0 {
			s.log.Warn("others can look into the data directory", "dir", dir, "mode", info.Mode().Perm().String())
		}
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.Chmod(dir, 0o700) // the umask may have taken bits away
}

// makeFile makes an empty file with mode 0600, or takes a file's bits for others away.
// It never opens a file that exists: closing it would drop SQLite's POSIX locks on it in this process.
func makeFile(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm()&0o077 == 0 {
			return err
		}
		return os.Chmod(path, 0o600)
	case err != nil:
		return err
	}
	return errors.Join(f.Chmod(0o600), f.Close())
}
