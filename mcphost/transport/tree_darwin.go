package transport

// This file looks at processes through sysctl.

import (
	"bytes"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

const zombie = 5 // SZOMB of <sys/proc.h>

// childAttr puts a server in a process group of its own.
func childAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// processStart returns when a process was started.
func processStart(pid int) (string, error) {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return "", err
	}
	at := p.Proc.P_starttime
	return fmt.Sprintf("%d.%06d", at.Sec, at.Usec), nil
}

func isZombie(pid int) bool {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	return err == nil && p.Proc.P_stat == zombie
}

// groupMembers returns the living processes of a group; a zombie is none.
func groupMembers(pgid int) []int {
	var members []int
	all, _ := unix.SysctlKinfoProcSlice("kern.proc.pgrp", pgid) // an error: there is no such group
	for _, p := range all {
		if pid := int(p.Proc.P_pid); p.Proc.P_stat != zombie && mine(pid) {
			members = append(members, pid)
		}
	}
	return members
}

// markedProcesses returns the processes of this user whose environment holds the mark.
func markedProcesses(cookie string) []int {
	var marked []int
	all, _ := unix.SysctlKinfoProcSlice("kern.proc.uid", os.Geteuid()) // an error: nothing can be found
	for _, p := range all {
		if pid := int(p.Proc.P_pid); isMarked(pid, cookie) {
			marked = append(marked, pid)
		}
	}
	return marked
}

// isMarked looks into the arguments and environment that the process was started with. The system hides those of its
// own programs; they are found by their group only.
func isMarked(pid int, cookie string) bool {
	if cookie == "" {
		return false
	}
	args, err := unix.SysctlRaw("kern.procargs2", pid)
	return err == nil && bytes.Contains(args, []byte("\x00"+markName+"="+cookie+"\x00"))
}
