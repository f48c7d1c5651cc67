package transport

// This file finds the program that a command names, as the user's terminal would (ACC A01, SEC A7).

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// ResolverOptions of a Resolver.
type ResolverOptions struct {
	Environ []string      // the app's environment; nil = os.Environ()
	Wait    time.Duration // for the login shell, default 3 s
	Own     bool          // the environment's own PATH is the user's: the login shell is asked only for what is not on it
	Logger  *slog.Logger
}

// A Resolver turns the command of a configuration into the absolute path of a program. It is safe for concurrent use.
type Resolver struct {
	env  environ
	wait time.Duration
	log  *slog.Logger

	turn chan struct{} // holds one token; its holder may use what follows
	path string        // "" until the login shell has been asked
	own  bool          // it need not be
}

// NewResolver returns a Resolver. The login shell is asked at the first use.
func NewResolver(o *ResolverOptions) *Resolver {
	if o == nil {
		o = &ResolverOptions{}
	}
	r := &Resolver{env: environ(o.Environ), wait: o.Wait, log: o.Logger, own: o.Own, turn: make(chan struct{}, 1)}
	if o.Environ == nil {
		r.env = os.Environ()
	}
	if r.wait <= 0 {
		r.wait = 3 * time.Second
	}
	if r.log == nil {
		r.log = slog.New(slog.DiscardHandler)
	}
	r.turn <- struct{}{}
	return r
}

// A NotFoundError says that a command is in none of the directories searched.
type NotFoundError struct {
	Command  string
	Searched []string // in order
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("%q was not found in %s", e.Command, strings.Join(e.Searched, string(os.PathListSeparator)))
}

// Unwrap makes the error an [exec.ErrNotFound].
func (e *NotFoundError) Unwrap() error { return exec.ErrNotFound }

// Path returns the list of directories in which commands are looked up, also the PATH of servers: the login shell's,
// then the app's own, then the places where well-known tools install themselves. The login shell is asked once; when
// it does not answer in time its part is missing. When ctx ends first, the answer lacks it too, and is not kept. With
// ResolverOptions.Own it is missing until a command was not found without it.
func (r *Resolver) Path(ctx context.Context) string { return r.search(ctx, false) }

// search is Path; ask asks the login shell in any case.
func (r *Resolver) search(ctx context.Context, ask bool) string {
	select {
	case <-r.turn:
	case <-ctx.Done():
		return r.join("")
	}
	defer func() { r.turn <- struct{}{} }()
	if r.path != "" {
		return r.path
	}
	if r.own && !ask {
		return r.join("")
	}
	login, err := loginPath(ctx, r.env, r.wait)
	path := r.join(login)
	if err != nil {
		r.log.WarnContext(ctx, "login shell not asked for its path", "error", err)
	}
	if ctx.Err() == nil {
		r.path = path
	}
	return path
}

// join returns the search path; relative entries, which would mean the working directory, are dropped.
func (r *Resolver) join(login string) string {
	var dirs []string
	add := func(dir string) {
		if filepath.IsAbs(dir) && !slices.Contains(dirs, filepath.Clean(dir)) {
			dirs = append(dirs, filepath.Clean(dir))
		}
	}
	for _, dir := range filepath.SplitList(login) {
		add(dir)
	}
	for _, dir := range filepath.SplitList(r.env.get("PATH")) {
		add(dir)
	}
	for _, dir := range wellKnown(r.env, runtime.GOOS) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			add(dir)
		}
	}
	return strings.Join(dirs, string(os.PathListSeparator))
}

// Resolve returns the absolute path of the program that command names: a bare name is looked up in Path, an absolute
// path and one that begins with ~/ are taken as they are. A relative path is refused with [exec.ErrDot], nothing is
// ever found in the working directory. Symbolic links are kept. The error is a *NotFoundError, or says why the file
// cannot be run.
func (r *Resolver) Resolve(ctx context.Context, command string) (string, error) {
	switch rest, home := strings.CutPrefix(command, "~/"); {
	case command == "" || strings.ContainsRune(command, 0):
		return "", fmt.Errorf("%q names no program", command)
	case home && !filepath.IsAbs(r.env.home()):
		return "", fmt.Errorf("%q: the home directory is not known", command)
	case home:
		return r.file(filepath.Join(r.env.home(), rest))
	case filepath.IsAbs(command):
		return r.file(filepath.Clean(command))
	case filepath.Base(command) != command || command == "." || command == "..":
		return "", &exec.Error{Name: command, Err: exec.ErrDot}
	}
	found, dirs := find(r.Path(ctx), command)
	if found == "" && r.own {
		found, dirs = find(r.search(ctx, true), command)
	}
	if found == "" {
		return "", &NotFoundError{Command: command, Searched: dirs}
	}
	return found, nil
}

// find looks a bare name up in a list of directories, which it returns, too; "" if it is in none.
func find(list, command string) (path string, dirs []string) {
	dirs = filepath.SplitList(list)
	for _, dir := range dirs {
		if path, err := executable(filepath.Join(dir, command)); err == nil {
			return path, dirs
		}
	}
	return "", dirs
}

func (r *Resolver) file(path string) (string, error) {
	found, err := executable(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, exec.ErrNotFound) {
		return "", &NotFoundError{Command: path, Searched: []string{filepath.Dir(path)}}
	}
	return found, err
}

// executable returns path if it is a regular file that may be run; on Windows an extension of PATHEXT is added.
func executable(path string) (string, error) {
	found, err := exec.LookPath(path) // path is absolute: nothing is searched
	if err != nil {
		return "", err
	}
	info, err := os.Stat(found)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a file: %w", found, fs.ErrPermission)
	}
	return found, nil
}

// environ is a list of NAME=value.
type environ []string

// get returns the value of a variable, "" if there is none.
func (e environ) get(name string) string {
	for _, entry := range e {
		n, value, _ := strings.Cut(entry, "=")
		if n == name || runtime.GOOS == "windows" && strings.EqualFold(n, name) {
			return value
		}
	}
	return ""
}

func (e environ) home() string {
	if runtime.GOOS == "windows" {
		return e.get("USERPROFILE")
	}
	return e.get("HOME")
}
