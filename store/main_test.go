package store

// This file has the set-up of the tests and the child processes that some of them start: the test binary itself, told
// by the environment what to do.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

const childVar = "GATEHOUSE_STORE_CHILD"

func TestMain(m *testing.M) {
	if task := os.Getenv(childVar); task != "" {
		if err := runChild(task, os.Args[len(os.Args)-1]); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		return
	}
	// go-keyring keeps one connection to the session bus for the life of the process.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/godbus/dbus/v5.(*Conn).inWorker"),
		goleak.IgnoreAnyFunction("github.com/godbus/dbus/v5.newConn.func1"))
}

// runChild is the main function of a child. It prints one line for each thing done and waits for standard input to end.
func runChild(task, dir string) error {
	s, err := Open(context.Background(), dir, nil)
	if err != nil {
		return err
	}
	fmt.Println("open", s.run)
	switch {
	case task == "write": // several at once, until it is killed
		failed := make(chan error)
		for range writers {
			go func() { failed <- s.writeOn() }()
		}
		return <-failed
	case strings.HasPrefix(task, "decide "):
		n, _ := strconv.Atoi(strings.TrimPrefix(task, "decide "))
		for i := range n {
			if err := s.RecordDecision(context.Background(), toolCall(s.run+strconv.Itoa(i), "echo", true)); err != nil {
				return err
			}
		}
		fmt.Println("decided", n)
	case task == "task":
		if err := putTask(s); err != nil {
			return err
		}
		fmt.Println("task")
	case task == "window":
		if err := s.LockWindow(); err != nil {
			return err
		}
		fmt.Println("locked")
	}
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	return s.Close()
}

const writers = 4

// writeOn records calls and prints what is recorded.
func (s *Store) writeOn() error {
	for {
		d := toolCall(mcphost.NewID(), "loop", true)
		if err := s.RecordDecision(context.Background(), d); err != nil {
			return err
		}
		fmt.Println("decision", d.ID)
		start := mcphost.CallStart{ID: "call-" + d.ID, Decision: d.ID, ServerID: d.Server.ID, Tool: "loop"}
		if err := s.StartCall(context.Background(), start); err != nil {
			return err
		}
		fmt.Println("call", d.ID)
	}
}

// A child is a process with the data directory open.
type child struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.Closer
	out   *bufio.Scanner
	lines []string // all that it said
}

func startChild(t *testing.T, task, dir string) *child {
	t.Helper()
	cmd := exec.Command(os.Args[0], dir)
	cmd.Env = append(os.Environ(), childVar+"="+task)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	check(t, err)
	stdout, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	c := &child{t: t, cmd: cmd, stdin: stdin, out: bufio.NewScanner(stdout)}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			c.kill()
		}
	})
	return c
}

// line returns the next line, "" at the end.
func (c *child) line() string {
	if !c.out.Scan() {
		return ""
	}
	c.lines = append(c.lines, c.out.Text())
	return c.out.Text()
}

// until reads up to a line with the prefix.
func (c *child) until(prefix string) {
	c.t.Helper()
	for {
		switch line := c.line(); {
		case strings.HasPrefix(line, prefix):
			return
		case line == "" || strings.HasPrefix(line, "error"):
			c.t.Fatalf("child said %q before %q", line, prefix)
		}
	}
}

// finish lets the child close its store and waits.
func (c *child) finish() {
	c.t.Helper()
	check(c.t, c.stdin.Close())
	for c.line() != "" {
	}
	if err := c.cmd.Wait(); err != nil {
		c.t.Fatal("child:", err)
	}
}

// kill ends the child with SIGKILL and reads what it had written before.
func (c *child) kill() {
	_ = c.cmd.Process.Kill()
	for c.line() != "" {
	}
	_ = c.cmd.Wait()
}

// endCall records the end of a call and waits for it.
func endCall(s *Store, e mcphost.CallEnd) error {
	outcome := make(chan error, 1)
	s.EndCall(e, func(err error) { outcome <- err })
	s.writer.settle()
	select {
	case err := <-outcome:
		return err
	default:
		return nil
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantErr(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error %v, want %v", err, want)
	}
}

// openAt opens dir and closes it with the test.
func openAt(t testing.TB, dir string, o *Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), dir, o)
	check(t, err)
	t.Cleanup(func() { check(t, s.Close()) })
	return s
}

func openNew(t testing.TB) *Store { return openAt(t, t.TempDir(), nil) }

var noon = time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)

func launch(id string) consent.Decision {
	l := consent.Launch{
		Transport: "stdio", Command: "/usr/bin/npx", Args: []string{"-y", "server-files <root> & co"}, Dir: "/home/user",
		Env: []consent.Var{{Name: "TOKEN", Ref: "keyring:files"}},
	}
	return consent.Decision{
		ID: id, Request: "r-" + id, Kind: consent.KindLaunch, At: noon, Allowed: true, By: consent.ByUser,
		Server: consent.Server{ID: "files", Alias: "Files", Origin: "/usr/bin/npx"}, Actor: consent.Actor{Kind: consent.ActorUser},
		Digest: l.Digest(), Launch: &l, Risk: consent.Risk{Class: consent.ClassUnknown},
	}
}

func toolCall(id, tool string, allowed bool) consent.Decision {
	c := consent.ToolCall{
		Tool: tool, Definition: []byte(`{"name":"` + tool + `","inputSchema":{"type":"object"}}`),
		Arguments: []byte(`{"html":"<b>&amp;</b>","n":1.0e5,"sep":"` + "\u2028" + `"}`),
	}
	return consent.Decision{
		ID: id, Request: "r-" + id, Kind: consent.KindToolCall, At: noon, Allowed: allowed, By: consent.ByUser,
		Server: consent.Server{ID: "files", Alias: "Files"}, Actor: consent.Actor{Kind: consent.ActorModel, Name: "m"},
		Digest: c.Digest(), ToolCall: &c, Risk: consent.Risk{Class: consent.ClassRead},
	}
}

// record records decisions in order.
func record(t testing.TB, s *Store, ds ...consent.Decision) {
	t.Helper()
	for _, d := range ds {
		check(t, s.RecordDecision(t.Context(), d))
	}
}

func startOf(d consent.Decision) mcphost.CallStart {
	return mcphost.CallStart{
		ID: "call-" + d.ID, Decision: d.ID, ServerID: d.Server.ID, Tool: d.ToolCall.Tool, Revision: "2025-11-25",
		At: d.At.Add(time.Second),
	}
}
