package store

// This file has the faults that need a file system of their own, and the umask.

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

func TestModesWhateverTheUmask(t *testing.T) {
	for _, umask := range []int{0, 0o177} {
		dir := filepath.Join(t.TempDir(), "data")
		old := syscall.Umask(umask)
		s, err := Open(t.Context(), dir, nil)
		if err == nil {
			err = errors.Join(s.RecordDecision(t.Context(), launch("d")), s.LockWindow(), s.backup(t.Context(), 1))
		}
		syscall.Umask(old)
		check(t, err)
		t.Cleanup(func() { check(t, s.Close()) })
		seen := 0
		check(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			seen++
			info, err := e.Info()
			check(t, err)
			want := fs.FileMode(0o600)
			if e.IsDir() {
				want = 0o700
			}
			if got := info.Mode().Perm(); got != want {
				t.Errorf("umask %03o: %s has mode %o, want %o", umask, e.Name(), got, want)
			}
			return nil
		}))
		if seen != 10 { // data, locks, backups; db, -wal, -shm, open, window, run, backup
			t.Errorf("%d files and directories, want 10", seen)
		}
	}
}

func TestDefaultDir(t *testing.T) {
	for _, c := range []struct{ data, home, want string }{
		{"/d", "/h", "/d/gatehouse"},
		{"", "/h", "/h/.local/share/gatehouse"},
		{"relative", "/h", "/h/.local/share/gatehouse"},
		{"", "relative", ""}, // it would be another one in every folder
		{"", "", ""},
	} {
		t.Setenv("XDG_DATA_HOME", c.data)
		t.Setenv("HOME", c.home)
		if got, err := DefaultDir(); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
	}
}

// SQLite goes on with a file that is no longer where it was; what it writes then would be gone with the process.
func TestFileIsMovedOrReplaced(t *testing.T) {
	s := openNew(t)
	check(t, s.RecordDecision(t.Context(), launch("d")))
	moved := s.path("elsewhere")
	check(t, os.Rename(s.path(fileName), moved))
	if err := s.RecordDecision(t.Context(), launch("d")); !errors.Is(err, ErrGone) {
		t.Errorf("a decision in a file that is gone: %v", err)
	}
	check(t, os.WriteFile(s.path(fileName), nil, 0o600))
	if err := s.RecordDecision(t.Context(), launch("e")); !errors.Is(err, ErrGone) {
		t.Errorf("a decision beside a file that is another one: %v", err)
	}
	check(t, os.Rename(moved, s.path(fileName)))
	check(t, s.RecordDecision(t.Context(), launch("f")))
}

func TestOpenTightensAFile(t *testing.T) {
	dir := copyOf(t, filepath.Join("testdata", "v1.db")) // 0644
	s := openAt(t, dir, nil)
	info, err := os.Stat(s.path(fileName))
	check(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %o", info.Mode().Perm())
	}
}

// mountTmpfs mounts a file system of its own, or skips the test.
func mountTmpfs(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skip("mounting a small file system needs root: ", err)
	}
	t.Cleanup(func() { check(t, unix.Unmount(dir, 0)) })
	return dir
}

func TestReadOnlyFileSystem(t *testing.T) {
	mount := mountTmpfs(t, "4m")
	dir := filepath.Join(mount, "data")
	s, err := Open(t.Context(), dir, nil)
	check(t, err)
	record(t, s, launch("d"))
	check(t, s.Close())

	check(t, unix.Mount("", mount, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
	_, err = Open(t.Context(), dir, nil)
	wantErr(t, err, ErrReadOnly)
	_, err = Open(t.Context(), filepath.Join(mount, "fresh"), nil)
	wantErr(t, err, ErrReadOnly)

	check(t, unix.Mount("", mount, "", unix.MS_REMOUNT, ""))
	s, err = Open(t.Context(), dir, nil)
	check(t, err)
	_, ok, err := s.LastLaunch(t.Context(), "files")
	check(t, err)
	if !ok {
		t.Error("the decision is gone")
	}
	check(t, s.Close())
}

func TestReadOnlyDirectory(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere; TestReadOnlyFileSystem runs instead")
	}
	dir := copyOf(t, filepath.Join("testdata", "v1.db"))
	check(t, os.Chmod(dir, 0o500))
	_, err := Open(t.Context(), dir, nil)
	wantErr(t, err, ErrReadOnly)
	check(t, os.Chmod(dir, 0o700))
}

func TestFullFileSystem(t *testing.T) {
	mount := mountTmpfs(t, "600k")
	dir := filepath.Join(mount, "data")
	s, err := Open(t.Context(), dir, nil)
	check(t, err)
	n := fill(t, s)
	for i := range 20 { // every answer stays clear while the disk is full
		wantErr(t, s.RecordDecision(t.Context(), bigger(launch("full"), i)), ErrFull)
	}
	_, err = Open(t.Context(), filepath.Join(mount, "another"), nil)
	wantErr(t, err, ErrFull)

	check(t, unix.Mount("", mount, "", unix.MS_REMOUNT, "size=4m"))
	record(t, s, toolCall("after", "echo", true))
	check(t, s.Close())
	s, err = Open(t.Context(), dir, nil)
	check(t, err)
	page, err := s.History(t.Context(), mcphost.HistoryQuery{})
	check(t, err)
	if page.Total != n+1 {
		t.Errorf("%d decisions, want %d", page.Total, n+1)
	}
	check(t, s.Close())
}

// bigger makes a decision that needs new pages.
func bigger(d consent.Decision, i int) consent.Decision {
	d.Reason = string(make([]byte, 8000+i*4096))
	return d
}
