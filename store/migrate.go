package store

// This file brings the file to this program's schema: check, back up, migrate.

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

//go:embed migrations/*.sql
var migrations embed.FS

const (
	applicationID = 1196705875 // "GTHS", in the header of our files
	backupsKept   = 3
	checkedSize   = 8 << 20 // bytes of a file that is checked at each opening
)

// prepare checks the file and migrates it. A file of a newer schema is not touched.
func (s *Store) prepare(ctx context.Context, schema fs.FS) error {
	steps, known, err := stepsOf(schema)
	if err != nil {
		return err
	}
	version, err := s.version(ctx)
	if err != nil {
		return err
	}
	if version > known {
		return &NewerError{File: version, Known: known}
	}
	migrating := 0 < version && version < known
	if err := s.checkIf(ctx, migrating); err != nil {
		return err
	}
	if err := s.useWAL(ctx); err != nil {
		return err
	}
	if migrating {
		if err := s.backup(ctx, version); err != nil {
			return fmt.Errorf("back up before migrating: %w", err)
		}
	}
	for _, step := range steps {
		if step.version <= version {
			continue
		}
		if err := s.migrate(ctx, schema, step); err != nil {
			return fmt.Errorf("migrate with %s: %w", step.file, err)
		}
	}
	return nil
}

// A step is one migration; its file's name begins with the version that it leads to.
type step struct {
	file    string
	version int
}

// stepsOf returns the steps in their order, and the version of the last.
func stepsOf(schema fs.FS) (steps []step, last int, err error) {
	files, err := fs.Glob(schema, "migrations/*.sql") // sorted: 0001_…, 0002_…
	if err != nil {
		return nil, 0, err
	}
	for _, file := range files {
		number, _, _ := strings.Cut(filepath.Base(file), "_")
		version, err := strconv.Atoi(number)
		if err != nil || version <= last {
			return nil, 0, fmt.Errorf("%s has no number of its own", file)
		}
		steps, last = append(steps, step{file, version}), version
	}
	return steps, last, nil
}

// version returns the schema version, 0 for an empty file; any other program's file is an error.
func (s *Store) version(ctx context.Context) (version int, err error) {
	var app, tables int
	err = s.writer.db.QueryRowContext(ctx, `
		SELECT u.user_version, a.application_id, (SELECT count(*) FROM sqlite_schema)
		FROM pragma_user_version u, pragma_application_id a`).Scan(&version, &app, &tables)
	if err != nil {
		return 0, err
	}
	empty := version == 0 && app == 0 && tables == 0
	if !empty && (version == 0 || app != applicationID) {
		return 0, ErrCorrupt
	}
	return version, nil
}

// checkIf checks the file if it is small or if it must. A large one takes seconds; its damage shows when it is met.
func (s *Store) checkIf(ctx context.Context, must bool) error {
	info, err := os.Stat(s.path(fileName))
	if err != nil || info.Size() > checkedSize && !must {
		return err
	}
	return s.check(ctx)
}

// check looks for damage without comparing indexes with their tables. On the reader it skips the CHECK constraints,
// which would take most of the time and cannot have been passed over.
func (s *Store) check(ctx context.Context) error {
	var found string
	if err := s.reader.db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&found); err != nil {
		return err
	}
	if found != "ok" {
		return fmt.Errorf("%w: %s", ErrCorrupt, found)
	}
	return nil
}

// useWAL lets readers and one writer of several processes work at once. The file remembers it.
func (s *Store) useWAL(ctx context.Context) error {
	var mode string
	if err := s.writer.db.QueryRowContext(ctx, `PRAGMA journal_mode = WAL`).Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return errors.New("the write-ahead log cannot be used here: journal mode " + mode)
	}
	return nil
}

func (s *Store) migrate(ctx context.Context, schema fs.FS, step step) error {
	text, err := fs.ReadFile(schema, step.file)
	if err != nil {
		return err
	}
	return s.writer.tx(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, string(text)); err != nil {
			return err
		}
		var now int
		if err := tx.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&now); err != nil {
			return err
		}
		if now != step.version {
			return fmt.Errorf("it sets user_version %d, want %d", now, step.version)
		}
		return nil
	})
}

// backup writes a copy of the file of schema version to backups/ and keeps the last few.
func (s *Store) backup(ctx context.Context, version int) error {
	dir := s.path(backupDir)
	if err := s.makeDir(dir); err != nil {
		return err
	}
	name := "gatehouse-" + s.now().UTC().Format("20060102T150405.000000Z") + "-schema" + strconv.Itoa(version) + ".db"
	path := filepath.Join(dir, name)
	part := path + ".part"
	if err := makeFile(part); err != nil { // VACUUM INTO takes an empty file, and keeps its mode
		return err
	}
	if _, err := s.writer.db.ExecContext(ctx, `VACUUM INTO ?`, part); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	if err := syncFile(part); err != nil {
		return err
	}
	if err := os.Rename(part, path); err != nil {
		return err
	}
	s.log.Info("backed up before migrating", "file", path)
	return dropOldBackups(dir)
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func dropOldBackups(dir string) error {
	entries, err := os.ReadDir(dir) // sorted by name, which begins with the time
	if err != nil {
		return err
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return !strings.HasPrefix(e.Name(), "gatehouse-") || filepath.Ext(e.Name()) != ".db"
	})
	for _, e := range entries[:max(0, len(entries)-backupsKept)] {
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
