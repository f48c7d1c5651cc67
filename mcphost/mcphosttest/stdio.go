package mcphosttest

// This file runs a scenario as a child process.

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The first argument of a process that is a scripted server, or its grandchild.
const (
	serverArg     = "mcphosttest-server"
	grandchildArg = "mcphosttest-grandchild"
)

// lifetime ends a stubborn process that a failing test has left behind.
const lifetime = 2 * time.Minute

// A Process is how to start a scripted server, and where it leaves its traces.
type Process struct {
	Path string // this test binary
	Args []string
	Record
	pids string
}

// Command prepares a scripted server that runs as a child process of the test: the test binary starts itself again,
// so its TestMain must call [Main] first. Record and Pids of the scenario are filled in.
func Command(t testing.TB, s Scenario) *Process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s.Record = filepath.Join(dir, "received.jsonl")
	s.Pids = filepath.Join(dir, "pids")
	script, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "scenario.json")
	if err := os.WriteFile(file, script, 0o600); err != nil {
		t.Fatal(err)
	}
	return &Process{Path: self, Args: []string{serverArg, file}, Record: Record(s.Record), pids: s.Pids}
}

// Rewrite lets the next process play another scenario under the same command line.
func (p *Process) Rewrite(t testing.TB, s Scenario) {
	t.Helper()
	s.Record, s.Pids = string(p.Record), p.pids
	script, err := json.Marshal(s)
	if err == nil {
		err = os.WriteFile(p.Args[1], script, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Pids are the process ids of the server and its grandchildren so far, in the order of their start.
func (p *Process) Pids(t testing.TB) []int {
	t.Helper()
	var pids []int
	for _, field := range strings.Fields(readFile(t, p.pids)) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids
}

// Leave ends this process at once. Under the race detector os.Exit waits a second for reports that may still come
// (GORACE, atexit_sleep_ms), which servers and guardians, with their bare environment, would do hundreds of times in a run.
func Leave(code int) { syscall.Exit(code) }

// Main plays the scripted server and ends the process if it was started by [Command]; else it returns at once.
func Main() {
	if len(os.Args) < 3 {
		return
	}
	switch os.Args[1] {
	case serverArg:
		Leave(RunFile(os.Args[2]))
	case grandchildArg:
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		note(os.Args[2], strconv.Itoa(os.Getpid()))
		fmt.Fprintln(os.NewFile(3, "ready"), "ready")
		time.Sleep(lifetime)
		Leave(0)
	}
}

// RunFile plays the scenario of that file on stdin and stdout and returns the exit code.
func RunFile(path string) int {
	script, err := os.ReadFile(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, "scripted server:", err)
		return 97
	}
	var s Scenario
	if err := json.Unmarshal(script, &s); err != nil {
		fmt.Fprintln(os.Stderr, "scripted server:", err)
		return 97
	}
	return runStdio(s)
}

func runStdio(s Scenario) int {
	if s.Stubborn {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		time.AfterFunc(lifetime, func() { os.Exit(97) })
	}
	note(s.Pids, strconv.Itoa(os.Getpid()))
	srv := newServer(s, nil, Leave)
	srv.stderr = os.Stderr
	srv.grandchild = func() error { return startGrandchild(s.Pids) }

	var mu sync.Mutex // one write at a time
	send := func(b []byte) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = os.Stdout.Write(b) // a client that has gone shows on stdin
	}
	srv.start(send)
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		if err != nil {
			return 97
		}
		line = line[:len(line)-1]
		note(s.Record, string(line))
		if t := srv.receive(line, send); t != nil {
			go t.run()
		}
	}
	if s.Stubborn {
		time.Sleep(lifetime)
	}
	return 0
}

// startGrandchild returns when the grandchild ignores signals and has noted its id.
func startGrandchild(pids string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	ready, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer ready.Close()
	cmd := exec.Command(self, grandchildArg, pids)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.ExtraFiles = []*os.File{w}
	err = cmd.Start()
	w.Close()
	if err != nil {
		return err
	}
	if _, err := bufio.NewReader(ready).ReadString('\n'); err != nil {
		return fmt.Errorf("grandchild: %w", err)
	}
	return nil
}

// note appends a line to the file, if there is one. A server that cannot leave its traces must not look alive.
func note(path, line string) {
	if path == "" {
		return
	}
	if err := appendLine(path, []byte(line)); err != nil {
		fmt.Fprintln(os.Stderr, "scripted server:", err)
		os.Exit(97)
	}
}

func appendLine(path string, line []byte) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Write(append(line, '\n'))
	return err
}
