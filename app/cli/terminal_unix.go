//go:build unix

package cli

// This file is the controlling terminal of Unix systems.

import (
	"os"

	"golang.org/x/term"
)

// ttyFile is /dev/tty.
type ttyFile struct{ *os.File }

// ControllingTerminal opens the terminal that the program was started from. The error means that there is none.
func ControllingTerminal() (Terminal, error) {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	return ttyFile{f}, nil
}

// Discard implements [Terminal].
func (t ttyFile) Discard() error {
	return t.control(func(fd int) error { return flushInput(fd) })
}

// Width implements [Terminal].
func (t ttyFile) Width() (width int) {
	_ = t.control(func(fd int) (err error) { // unknown is 0
		width, _, err = term.GetSize(fd)
		return err
	})
	return width
}

// control runs f on the descriptor without making reads uninterruptible, as Fd would.
func (t ttyFile) control(f func(fd int) error) error {
	raw, err := t.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	if err := raw.Control(func(fd uintptr) { failed = f(int(fd)) }); err != nil {
		return err
	}
	return failed
}
