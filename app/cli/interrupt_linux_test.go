package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// What never comes, from stdin or a file of the command line, does not outlast an interruption.
func TestInterruptWhileReading(t *testing.T) {
	p := newPlace(t)
	p.configure(map[string]any{"srv": map[string]any{"command": "/bin/false"}})
	stdin, typing := io.Pipe()
	t.Cleanup(func() { typing.Close() })
	p.stdin = stdin
	silent, deaf := fifo(t, p.file("silent")), fifo(t, p.file("deaf"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{
		{"call", "srv", "echo", "-"},
		{"call", "srv", "echo", "@" + silent},
		{"tools", "srv", "--config", silent},
		{"tools", "srv", "--config", p.file("config.json"), "--policy", silent},
		{"tools", "srv", "--config", p.file("config.json"), "--trace", deaf},
	} {
		if r := p.runWith(ctx, args...); r.exit != exitInterrupted {
			t.Errorf("%q: exit code %d\n%s", args, r.exit, r.stderr)
		}
	}
}

// fifo makes a pipe in a folder of its own that nobody else opens before the test ends. Then both ends open, and close;
// who comes later finds no folder.
func fifo(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "pipe")
	if err := errors.Join(os.Mkdir(dir, 0o700), syscall.Mkfifo(path, 0o600)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		both, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		for errors.Is(os.RemoveAll(dir), syscall.ENOTEMPTY) { // somebody has just made a file there
		}
		if err := both.Close(); err != nil {
			t.Error(err)
		}
	})
	return path
}
