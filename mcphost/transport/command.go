package transport

// This file turns a Command into a process that is ready to start.

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A Command is a local server, with every reference resolved: exactly what the user has approved.
type Command struct {
	Path string   // absolute
	Args []string // without the program's name; they reach it as they are, no shell sees them (SEC A3)
	Dir  string   // absolute; "" = the user's home
	Env  []string // NAME=value, added to the base environment
}

func (c Command) check() error {
	if !filepath.IsAbs(c.Path) {
		return fmt.Errorf("%q is not an absolute path", c.Path)
	}
	if c.Dir != "" && !filepath.IsAbs(c.Dir) {
		return fmt.Errorf("working directory %q is not an absolute path", c.Dir)
	}
	for i, arg := range c.Args {
		if strings.ContainsRune(arg, 0) {
			return fmt.Errorf("argument %d holds a NUL character", i+1)
		}
	}
	for _, entry := range c.Env {
		name, _, ok := strings.Cut(entry, "=")
		if !ok || name == "" || strings.ContainsRune(entry, 0) {
			return fmt.Errorf("the environment variable %q cannot be set", name)
		}
	}
	return nil
}

// exec returns the process, without its pipes.
func (c Command) exec(base []string) (*exec.Cmd, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	cmd := &exec.Cmd{Path: c.Path, Args: slices.Concat([]string{c.Path}, c.Args), Dir: c.Dir}
	cmd.Env = mergeEnv(base, c.Env, runtime.GOOS)
	if cmd.Dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, fmt.Errorf("working directory: %w", err)
		}
		cmd.Dir = home
	}
	return cmd, c.throughBatch(cmd)
}
