package transport

// This file looks at processes through /proc.

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// childAttr puts a server in a process group of its own. It gets SIGTERM when the thread that started it ends, and
// with it the app: the supervisor starts all servers from one thread that lives as long as the app.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}

// stat is what /proc/PID/stat says.
type stat struct {
	state byte
	pgid  int
	start string // in ticks after boot
}

func readStat(pid int) (stat, error) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return stat{}, err
	}
	// pid (name) state ppid pgrp … and starttime as field 22; the name may hold anything.
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	if len(fields) < 20 {
		return stat{}, errors.New("/proc/PID/stat is cut short")
	}
	pgid, err := strconv.Atoi(fields[2])
	return stat{state: fields[0][0], pgid: pgid, start: fields[19]}, err
}

// processStart returns when a process was started, in a form that tells boots apart.
func processStart(pid int) (string, error) {
	s, err := readStat(pid)
	if err != nil {
		return "", err
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", err
	}
	id, _, _ := strings.Cut(string(boot), "-")
	return id + "-" + s.start, nil
}

func isZombie(pid int) bool {
	s, err := readStat(pid)
	return err == nil && s.dead()
}

// dead reports whether the process has ended and only waits for its parent to take note.
func (s stat) dead() bool { return s.state == 'Z' || s.state == 'X' }

// groupMembers returns the living processes of a group; a zombie is none.
func groupMembers(pgid int) []int {
	if errors.Is(syscall.Kill(-pgid, 0), syscall.ESRCH) {
		return nil
	}
	var members []int
	for _, pid := range processIDs() {
		if s, err := readStat(pid); err == nil && s.pgid == pgid && !s.dead() && mine(pid) {
			members = append(members, pid)
		}
	}
	return members
}

// markedProcesses returns the processes of this user whose environment holds the mark.
func markedProcesses(cookie string) []int {
	var marked []int
	var buf []byte
	for _, pid := range processIDs() {
		if environHas(pid, cookie, &buf) {
			marked = append(marked, pid)
		}
	}
	return marked
}

func isMarked(pid int, cookie string) bool {
	var buf []byte
	return environHas(pid, cookie, &buf)
}

// environHas reads the environment that a process was started with into buf. It runs for every process of the machine
// whenever a server ends, hence the bare system calls. The kernel shows a user only his own; to root all, so that the
// owner is compared.
func environHas(pid int, cookie string, buf *[]byte) bool {
	if cookie == "" {
		return false
	}
	fd, err := syscall.Open("/proc/"+strconv.Itoa(pid)+"/environ", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer syscall.Close(fd)
	var info syscall.Stat_t
	if syscall.Fstat(fd, &info) != nil || int(info.Uid) != os.Geteuid() {
		return false
	}
	env := append((*buf)[:0], 0)
	for {
		env = slices.Grow(env, 4<<10)
		n, err := syscall.Read(fd, env[len(env):cap(env)])
		if n <= 0 || err != nil { // EINTR does not happen in /proc
			break
		}
		env = env[:len(env)+n]
	}
	*buf = env
	return bytes.Contains(env, []byte("\x00"+markName+"="+cookie+"\x00"))
}

func processIDs() []int {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	names, err := proc.Readdirnames(-1)
	if err != nil {
		return nil
	}
	var pids []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}
