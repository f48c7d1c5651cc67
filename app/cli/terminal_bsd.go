//go:build unix && !linux

package cli

import "golang.org/x/sys/unix"

const readQueue = 1 // FREAD of sys/fcntl.h

func flushInput(fd int) error { return unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, readQueue) }
