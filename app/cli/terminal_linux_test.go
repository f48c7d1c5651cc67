package cli

// This file asks on a real pseudo terminal: the kernel keeps what is typed ahead, and Discard has to drop it.

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"gatehouse/mcphost/consent"
)

// openPty returns the two ends: what the person types on, and what the program has as its terminal.
func openPty(t *testing.T) (keys *os.File, tty ttyFile) {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { keys.Close() })
	fd := int(keys.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return keys, ttyFile{f}
}

func TestPseudoTerminal(t *testing.T) {
	for name, c := range map[string]struct {
		early, late string
		allow       bool
	}{
		"yes":                    {"", "yes\n", true},
		"a yes typed ahead":      {"yes\n", "\n", false},
		"the word but not Enter": {"yes", "\n", false},
		"Ctrl-D":                 {"", "\x04", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			keys, tty := openPty(t)
			if err := unix.IoctlSetWinsize(int(keys.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: 97, Row: 20}); err != nil {
				t.Fatal(err)
			}
			if w := tty.Width(); w != 97 {
				t.Errorf("width %d", w)
			}
			if _, err := io.WriteString(keys, c.early); err != nil {
				t.Fatal(err)
			}
			a := &terminalAsker{open: func() (Terminal, error) { return tty, nil }, arming: consent.DefaultArming, turn: make(chan struct{}, 1)}
			done := make(chan answered, 1)
			go func() {
				answer, err := a.Ask(t.Context(), question1())
				done <- answered{answer, err}
			}()
			readUntil(t, keys, "Anything else refuses: ")
			if _, err := io.WriteString(keys, c.late); err != nil {
				t.Fatal(err)
			}
			if got := <-done; got.err != nil || got.answer.Allow != c.allow {
				t.Errorf("%+v, want allow %v", got, c.allow)
			}
		})
	}
}

func readUntil(t *testing.T, r io.Reader, end string) {
	t.Helper()
	var seen strings.Builder
	buf := make([]byte, 4096)
	for !strings.Contains(seen.String(), end) {
		n, err := r.Read(buf)
		if err != nil {
			t.Fatalf("%v after %q", err, seen.String())
		}
		seen.Write(buf[:n])
	}
}
