//go:build unix

package transport

// This file keeps one small file per running server, so that a later start of the app can end what an earlier one
// left behind although both it and its guardian died (ACC A05). Several apps share the directory.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

const (
	runSuffix = ".run"
	halfLife  = time.Minute // after which a file that cannot be read is no longer being written
)

// A runFile says which tree runs, and for which process.
type runFile struct {
	tree
	owner      int
	ownerStart string
}

func runPath(dir, cookie string) string { return filepath.Join(dir, cookie+runSuffix) }

func writeRunFile(dir string, t tree, ownerStart string) error {
	text := fmt.Sprintf("%s %d %s\n", t, os.Getpid(), ownerStart)
	f, err := os.OpenFile(runPath(dir, t.cookie), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

func readRunFile(path string) (runFile, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return runFile{}, err
	}
	var f runFile
	if f.tree, err = parseTree(string(text)); err != nil {
		return runFile{}, err
	}
	rest := strings.TrimPrefix(string(text), f.tree.String())
	_, err = fmt.Sscanf(rest, "%d %s", &f.owner, &f.ownerStart)
	f.stale = true
	return f, err
}

// orphaned reports whether the app that wrote the file is gone.
func (f runFile) orphaned() bool {
	start, err := processStart(f.owner)
	return err != nil || start != f.ownerStart || isZombie(f.owner)
}

// sweep ends the servers whose app is gone and removes their files. A process is ended only if it has the recorded
// start time or the recorded mark: an id that has passed to another process is not touched.
func sweep(ctx context.Context, dir string) (ended int, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex // guards ended and errs
		errs []error
	)
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), runSuffix) {
			continue
		}
		wg.Go(func() {
			alive, err := sweepFile(filepath.Join(dir, entry.Name()))
			mu.Lock()
			defer mu.Unlock()
			if alive {
				ended++
			}
			errs = append(errs, err)
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	return ended, errors.Join(errs...)
}

// sweepFile reports whether there was something to end.
func sweepFile(path string) (alive bool, err error) {
	f, err := readRunFile(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return false, nil
	case err != nil:
		if info, err := os.Stat(path); err != nil || time.Since(info.ModTime()) < halfLife {
			return false, nil
		}
	case !f.orphaned():
		return false, nil
	default:
		alive = !f.gone()
		if !f.end(guardianTerm, guardianKill) {
			return alive, fmt.Errorf("process group %d of an earlier run does not end", f.pgid)
		}
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return alive, err
	}
	return alive, nil
}
