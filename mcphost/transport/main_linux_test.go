package transport

// This file makes the test binary play the other processes: guardian, app, server, grandchild.

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// lifetime ends a process that a failing test has left behind.
const lifetime = time.Minute

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "guardian":
			must(RunGuardian(os.Stdin))
			os.Exit(0)
		case "guardian-fails":
			os.Exit(1)
		case "guardian-mute":
			time.Sleep(lifetime)
			os.Exit(1)
		case "app":
			playApp(os.Args[2], os.Args[3:])
			os.Exit(0)
		case "server":
			playServer(os.Args[2:])
			os.Exit(0)
		}
	}
	goleak.VerifyTestMain(m)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(99)
	}
}

func self() string {
	path, err := os.Executable()
	must(err)
	return path
}

// playServer does one thing after the other.
func playServer(steps []string) {
	time.AfterFunc(lifetime, func() { os.Exit(98) })
	for i, step := range steps {
		verb, arg, _ := strings.Cut(step, ":")
		switch verb {
		case "stubborn":
			signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		case "pid":
			fmt.Println(os.Getpid())
		case "grandchild": // in the group; arg is its steps, separated by commas
			startGrandchild(strings.Split(arg, ","), nil)
		case "stray": // outside the group and the session
			startGrandchild(strings.Split(arg, ","), &syscall.SysProcAttr{Setsid: true})
		case "report":
			report(steps[i+1:])
			return
		case "print":
			fmt.Println(arg)
		case "raw":
			text, err := strconv.Unquote(`"` + arg + `"`)
			must(err)
			fmt.Print(text)
		case "log":
			fmt.Fprintln(os.Stderr, arg)
		case "loglines":
			for n := range count(arg) {
				fmt.Fprintf(os.Stderr, "line %d\n", n+1)
			}
		case "logbytes":
			flood(os.Stderr, count(arg))
		case "longline":
			_, err := io.CopyN(os.Stdout, letters{}, int64(count(arg)))
			must(err)
			fmt.Println()
		case "echo":
			_, _ = io.Copy(os.Stdout, os.Stdin)
		case "hang":
			time.Sleep(lifetime)
		case "exit":
			os.Exit(count(arg))
		case "die":
			must(syscall.Kill(os.Getpid(), syscall.Signal(count(arg))))
			time.Sleep(lifetime)
		default:
			must(fmt.Errorf("unknown step %q", step))
		}
	}
}

func count(s string) int {
	n, err := strconv.Atoi(s)
	must(err)
	return n
}

// startGrandchild returns when it has printed its first line, which goes on to stdout.
func startGrandchild(steps []string, attr *syscall.SysProcAttr) {
	cmd := exec.Command(self(), append([]string{"server"}, steps...)...)
	cmd.SysProcAttr = attr
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	must(cmd.Start())
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a' + byte(i%26)
	}
	return len(p), nil
}

func flood(w io.Writer, bytes int) {
	line := strings.Repeat("x", 99) + "\n"
	block := strings.Repeat(line, 1000)
	for ; bytes > 0; bytes -= len(block) {
		_, err := io.WriteString(w, block)
		must(err)
	}
}

// A nature is what a process sees of itself.
type nature struct {
	Args  []string
	Env   []string
	Dir   string
	Files map[string]string // target by file descriptor
}

func report(args []string) {
	n := nature{Args: args, Env: os.Environ()}
	var err error
	n.Dir, err = os.Getwd()
	must(err)
	n.Files, err = openFiles()
	must(err)
	must(json.NewEncoder(os.Stdout).Encode(n))
}

func openFiles() (map[string]string, error) {
	entries, err := os.ReadDir("/proc/self/fd")
	files := map[string]string{}
	for _, e := range entries {
		if target, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil {
			files[e.Name()] = target
		}
	}
	return files, err
}

// playApp runs a server under supervision, passes on what it prints and waits to be killed.
func playApp(dir string, steps []string) {
	time.AfterFunc(lifetime, func() { os.Exit(98) })
	s := NewSupervisor(dir, []string{self(), "guardian"}, nil)
	must(s.Start(context.Background()))
	server, err := StartStdio(context.Background(), Command{Path: self(), Args: append([]string{"server"}, steps...)}, &StdioOptions{Supervisor: s})
	must(err)
	fmt.Println(s.guard.cmd.Process.Pid)
	for {
		line, err := server.Read(context.Background())
		must(err)
		fmt.Println(string(line))
	}
}

// process tells a process from a later one with the same id.
type process struct {
	pid   int
	start string
}

func processOf(t *testing.T, pid int) process {
	t.Helper()
	start, err := processStart(pid)
	if err != nil {
		t.Fatal(err)
	}
	return process{pid, start}
}

// there reports whether the process exists, be it as a zombie.
func (p process) there() bool {
	start, err := processStart(p.pid)
	return err == nil && start == p.start
}

func (p process) alive() bool {
	return p.there() && !isZombie(p.pid)
}

func files(t *testing.T) map[string]string {
	t.Helper()
	f, err := openFiles()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// supervisor returns a running Supervisor that ends with the test.
func supervisor(t *testing.T) *Supervisor {
	t.Helper()
	s := NewSupervisor(filepath.Join(t.TempDir(), "run"), []string{self(), "guardian"}, nil)
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// serve starts a server that does these steps.
func serve(t *testing.T, o StdioOptions, steps ...string) *Stdio {
	t.Helper()
	if o.Supervisor == nil {
		o.Supervisor = supervisor(t)
	}
	o.StopWait = cmp.Or(o.StopWait, 50*time.Millisecond)
	o.TermWait = cmp.Or(o.TermWait, 50*time.Millisecond)
	s, err := StartStdio(t.Context(), Command{Path: self(), Args: append([]string{"server"}, steps...)}, &o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func readLine(t *testing.T, s *Stdio) string {
	t.Helper()
	line, err := s.Read(t.Context())
	if err != nil {
		t.Fatalf("reading: %v; stderr: %v", err, s.Stderr())
	}
	return string(line)
}

func readPid(t *testing.T, s *Stdio) process {
	t.Helper()
	pid, err := strconv.Atoi(readLine(t, s))
	if err != nil {
		t.Fatal(err)
	}
	return processOf(t, pid)
}

func scanPid(t *testing.T, lines *bufio.Scanner) process {
	t.Helper()
	if !lines.Scan() {
		t.Fatalf("no more lines: %v", lines.Err())
	}
	pid, err := strconv.Atoi(lines.Text())
	if err != nil {
		t.Fatal(err)
	}
	return processOf(t, pid)
}
