package cli

// This file is the console of Windows.

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
	"golang.org/x/term"
)

// console is the program's console window.
type console struct{ in, out *os.File }

// ControllingTerminal opens the console that the program was started from. The error means that there is none.
func ControllingTerminal() (Terminal, error) {
	in, err := os.OpenFile("CONIN$", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	out, err := os.OpenFile("CONOUT$", os.O_RDWR, 0)
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return console{in, out}, nil
}

func (c console) Read(b []byte) (int, error)  { return c.in.Read(b) }
func (c console) Write(b []byte) (int, error) { return c.out.Write(b) }
func (c console) Close() error                { return errors.Join(c.in.Close(), c.out.Close()) }

// Discard implements [Terminal].
func (c console) Discard() error { return windows.FlushConsoleInputBuffer(windows.Handle(c.in.Fd())) }

// Width implements [Terminal].
func (c console) Width() int {
	width, _, err := term.GetSize(int(c.out.Fd()))
	if err != nil {
		return 0
	}
	return width
}
