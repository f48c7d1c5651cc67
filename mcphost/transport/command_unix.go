//go:build unix

package transport

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// throughBatch has nothing to do: there are no batch files.
func (c Command) throughBatch(*exec.Cmd) error { return nil }

// signalName returns the name of the signal that ended a process, "" if none did.
func signalName(state *os.ProcessState) string {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return ""
	}
	return unix.SignalName(status.Signal())
}
