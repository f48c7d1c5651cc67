//go:build window

package window

// This file starts the window on a desktop of its own and knows its processes.

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// A window is a running Gatehouse.
type window struct {
	dir       string // of the desktop: the screen and the log
	inspector string // host:port
	pid       int
	ended     chan struct{} // closed when the desktop has ended
}

// program is the absolute path of a program that make has built. GATEHOUSE_INSTALLED names one that stands in for the
// window that ships.
func program(t *testing.T, name string) string {
	t.Helper()
	if installed := os.Getenv("GATEHOUSE_INSTALLED"); installed != "" && name == "gatehouse" {
		return installed
	}
	path, err := filepath.Abs(filepath.Join("../../build/bin", name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%v: run \"make test-window\"", err)
	}
	return path
}

// open starts a build of Gatehouse on a desktop of its own.
func open(t *testing.T, build string, args ...string) *window {
	t.Helper()
	return openWith(t, []string{"LANG=C.UTF-8"}, build, args...)
}

// openWith is open with more variables in the environment.
func openWith(t *testing.T, env []string, build string, args ...string) *window {
	t.Helper()
	w := &window{dir: t.TempDir(), inspector: freeAddress(t), ended: make(chan struct{})}
	var log bytes.Buffer
	cmd := exec.Command("../desktop", append([]string{program(t, build)}, args...)...)
	cmd.Env = append(os.Environ(), "DESKTOP_DIR="+w.dir, "WEBKIT_INSPECTOR_HTTP_SERVER="+w.inspector)
	cmd.Env = append(cmd.Env, env...)
	cmd.Stdout, cmd.Stderr = &log, &log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = cmd.Wait() // how it ended is in the log
		close(w.ended)
	}()
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // usually gone already
		<-w.ended
		if t.Failed() {
			t.Logf("the window's log:\n%s", log.String())
		}
	})
	eventually(t, "the desktop starts the window", func() bool {
		text, err := os.ReadFile(filepath.Join(w.dir, "pid"))
		if err != nil {
			return false
		}
		w.pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
		return err == nil
	})
	return w
}

// screen is the live picture of the desktop.
func (w *window) screen() string { return filepath.Join(w.dir, "Xvfb_screen0") }

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// A process is one process, told apart from a later one with the same id by its start time.
type process struct {
	pid   int
	start string
	name  string
}

// descendants are the live processes below pid.
func descendants(pid int) []process {
	children := map[int][]process{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		if p, parent, ok := readStat(file); ok {
			children[parent] = append(children[parent], p)
		}
	}
	var all []process
	for queue := []int{pid}; len(queue) > 0; queue = queue[1:] {
		for _, p := range children[queue[0]] {
			all = append(all, p)
			queue = append(queue, p.pid)
		}
	}
	return all
}

func (p process) alive() bool {
	now, _, ok := readStat(fmt.Sprintf("/proc/%d/stat", p.pid))
	return ok && now.start == p.start
}

func names(processes []process) []string {
	var names []string
	for _, p := range processes {
		names = append(names, p.name)
	}
	return names
}

func (p process) String() string { return fmt.Sprintf("%s (%d)", p.name, p.pid) }

// readStat reads /proc/PID/stat; ok is false for a process that has ended, reaped or not.
func readStat(file string) (p process, parent int, ok bool) {
	b, err := os.ReadFile(file)
	if err != nil {
		return p, 0, false
	}
	text := string(b)
	from, to := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	fields := strings.Fields(text[to+1:])
	p.pid, _ = strconv.Atoi(strings.TrimSpace(text[:from]))
	p.name, p.start = text[from+1:to], fields[19]
	parent, _ = strconv.Atoi(fields[1])
	return p, parent, fields[0] != "Z" && fields[0] != "X"
}
