package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/mcphost/jsonrpc"
)

func message(t *testing.T, method string, params any) *jsonrpc.Message {
	t.Helper()
	m, err := jsonrpc.NewRequest(jsonrpc.IntID(1), method, params)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// ACC A10: what is not ASCII comes back as it went, also over pipe-sized pieces.
func TestStdioRoundTrip(t *testing.T) {
	t.Parallel()
	s := serve(t, StdioOptions{}, "echo")
	for _, text := range []string{"hello", "漢字かな🙂", strings.Repeat("漢🙂", 50_000)} {
		m := message(t, "echo", map[string]string{"text": text})
		written := make(chan error, 1)
		go func() { written <- s.Write(t.Context(), m) }()
		if got := readLine(t, s); got != string(m.Raw) {
			t.Errorf("%d bytes came back as %d others", len(m.Raw), len(got))
		}
		if err := <-written; err != nil {
			t.Fatal(err)
		}
	}
}

// SEC A3: no shell sees the arguments.
func TestStdioArgumentsAreLiteral(t *testing.T) {
	t.Parallel()
	args := []string{"$(touch x)", "`id`", "&& echo", "%PATH%", "a b", `"quoted"`, "", "'", "*", "漢\n字", strings.Repeat(" ", 500) + "; evil"}
	s := serve(t, StdioOptions{}, append([]string{"report"}, args...)...)
	if got := natureOf(t, s).Args; !slices.Equal(got, args) {
		t.Errorf("got %q, want %q", got, args)
	}
}

func natureOf(t *testing.T, s *Stdio) nature {
	t.Helper()
	var n nature
	if err := json.Unmarshal([]byte(readLine(t, s)), &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// SEC A8, ACC A04: the child sees the base environment and its own variables, nothing else of the app.
func TestStdioEnvironment(t *testing.T) {
	for _, name := range []string{"OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "LD_PRELOAD", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", markName} {
		t.Setenv(name, "canary")
	}
	t.Setenv("LC_TIME", "C.UTF-8")
	sup, dir := supervisor(t), t.TempDir()
	s, err := StartStdio(t.Context(), Command{
		Path: self(), Args: []string{"server", "report"}, Dir: dir, Env: []string{"X=1", "PYTHONUTF8=0", markName + "=forged"},
	}, &StdioOptions{Supervisor: sup})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	n := natureOf(t, s)
	all := strings.Join(n.Env, "\n")
	if strings.Contains(all, "canary") || strings.Contains(all, "forged") {
		t.Errorf("the environment leaks:\n%s", all)
	}
	for _, want := range []string{"X=1", "PYTHONUTF8=0", "PYTHONIOENCODING=utf-8", "LC_TIME=C.UTF-8", "PATH=" + os.Getenv("PATH"), markName + "=" + s.tree.cookie} {
		if !slices.Contains(n.Env, want) {
			t.Errorf("%s is missing in\n%s", want, all)
		}
	}
	if want, _ := filepath.EvalSymlinks(dir); n.Dir != want {
		t.Errorf("runs in %s, want %s", n.Dir, want)
	}
}

// A server inherits its three pipes and nothing else: above all not the guardian's.
func TestStdioInheritsNoFiles(t *testing.T) {
	t.Parallel()
	sup := supervisor(t)
	serve(t, StdioOptions{Supervisor: sup}, "hang")
	s := serve(t, StdioOptions{Supervisor: sup}, "report")
	n := natureOf(t, s)
	ours := files(t)
	for _, fd := range []string{"0", "1", "2"} {
		if !strings.HasPrefix(n.Files[fd], "pipe:") {
			t.Errorf("file descriptor %s is %s", fd, n.Files[fd])
		}
	}
	for _, f := range []*os.File{s.out.pipe, s.err.pipe, sup.guard.in} {
		id := ours[number(t, f)]
		for fd, target := range n.Files {
			if fd > "2" && target == id {
				t.Errorf("file descriptor %s is %s, which is ours", fd, target)
			}
		}
	}
}

// number returns the file descriptor of f as text.
func number(t *testing.T, f *os.File) (fd string) {
	t.Helper()
	raw, err := f.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	if err := raw.Control(func(n uintptr) { fd = strconv.Itoa(int(n)) }); err != nil {
		t.Fatal(err)
	}
	return fd
}

// ACC A09, SEC B1: whatever is written to stdout is a frame or noise for the peer; the stream goes on.
func TestStdioGarbage(t *testing.T) {
	t.Parallel()
	s := serve(t, StdioOptions{}, "print:Listening on 3000", `raw:\x00\x1b[31m\xff\n`, `raw:\n  \n`, "echo")
	if got := readLine(t, s); got != "Listening on 3000" {
		t.Errorf("got %q", got)
	}
	if got := readLine(t, s); got != "\x00\x1b[31m\xff" {
		t.Errorf("got %q", got)
	}
	m := message(t, "ping", nil)
	if err := s.Write(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if got := readLine(t, s); got != string(m.Raw) {
		t.Errorf("got %q", got)
	}
}

// SEC B2: a line over the limit is skipped, the next one is read.
func TestStdioFrameLimit(t *testing.T) {
	t.Parallel()
	const limit = 1 << 20
	s := serve(t, StdioOptions{Limits: jsonrpc.Limits{FrameBytes: limit}},
		fmt.Sprintf("longline:%d", limit), fmt.Sprintf("longline:%d", limit+1), "print:next")
	if got := readLine(t, s); len(got) != limit {
		t.Errorf("a line at the limit came as %d bytes", len(got))
	}
	var big *jsonrpc.FrameTooLargeError
	if _, err := s.Read(t.Context()); !errors.As(err, &big) || big.Size != limit+1 {
		t.Errorf("a line over the limit: %v", err)
	}
	if got := readLine(t, s); got != "next" {
		t.Errorf("got %q", got)
	}
}

// ACC A03: how it ended, and its last words.
func TestStdioExit(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		step string
		want Exit
	}{
		{"exit:0", Exit{}},
		{"exit:3", Exit{Code: 3}},
		{"die:9", Exit{Code: -1, Signal: "SIGKILL"}},
	} {
		s := serve(t, StdioOptions{}, "loglines:80", test.step)
		<-s.Exit()
		if got := s.ExitState(); got != test.want {
			t.Errorf("%s: got %+v, want %+v", test.step, got, test.want)
		}
		lines := s.Stderr()
		if len(lines) != 80 || lines[79].Text != "line 80" || lines[79].At.IsZero() {
			t.Errorf("%s: %d lines of stderr, the last %+v", test.step, len(lines), lines[len(lines)-1])
		}
		if _, err := s.Read(t.Context()); err != io.EOF {
			t.Errorf("%s: reading: %v", test.step, err)
		}
		var closed *jsonrpc.ClosedError
		if err := s.Write(t.Context(), message(t, "ping", nil)); !errors.As(err, &closed) {
			t.Errorf("%s: writing: %v", test.step, err)
		}
	}
}

// ACC A06: a grandchild that keeps the pipes open does not hide the end, and what was written before it arrives.
func TestStdioExitBehindOpenPipes(t *testing.T) {
	t.Parallel()
	s := serve(t, StdioOptions{},
		"grandchild:stubborn,pid,hang", "echo", "print:bye", "log:last words", "exit:4")
	grandchild := readPid(t, s)
	if err := s.Write(t.Context(), message(t, "ping", nil)); err != nil {
		t.Fatal(err)
	}
	readLine(t, s)
	_ = s.lines.Close() // the server's stdin; it ends
	<-s.Exit()
	if got := s.ExitState(); got.Code != 4 {
		t.Errorf("got %+v", got)
	}
	if got := readLine(t, s); got != "bye" {
		t.Errorf("got %q", got)
	}
	if _, err := s.Read(t.Context()); err != io.EOF {
		t.Errorf("got %v", err)
	}
	if lines := s.Stderr(); len(lines) != 1 || lines[0].Text != "last words" {
		t.Errorf("stderr: %v", lines)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if grandchild.alive() {
		t.Error("the grandchild lives")
	}
}

// A chatty grandchild is not read for ever.
func TestStdioExitBehindFlood(t *testing.T) {
	t.Parallel()
	s := serve(t, StdioOptions{StopWait: time.Minute}, "grandchild:logbytes:2000000000", "exit:0")
	<-s.Exit()
	_ = s.tree.end(0, time.Minute)
}

// ACC A05, SEC A11: whatever ignores stdin and SIGTERM, and whoever has left the process group, is gone after Stop.
func TestStdioStopEndsTheTree(t *testing.T) {
	t.Parallel()
	sup := supervisor(t)
	s := serve(t, StdioOptions{Supervisor: sup},
		"stubborn", "pid", "grandchild:stubborn,pid,hang", "stray:stubborn,pid,hang", "hang")
	tree := []process{readPid(t, s), readPid(t, s), readPid(t, s)}
	if tree[0].pid != s.Pid() {
		t.Errorf("pid %d, want %d", s.Pid(), tree[0].pid)
	}
	if got := runFiles(t, sup.dir); len(got) != 1 {
		t.Errorf("run files: %v", got)
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if err := s.Stop(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i, p := range tree { // the kernel empties the stray's environment, by which it is known, before it has ended
		eventually(t, fmt.Sprintf("end of process %d of the tree", i), func() bool { return !p.alive() })
	}
	if tree[0].there() {
		t.Error("the server is a zombie")
	}
	if got := s.ExitState(); got.Signal != "SIGKILL" {
		t.Errorf("ended by %+v", got)
	}
	if got := runFiles(t, sup.dir); len(got) != 0 {
		t.Errorf("run files: %v", got)
	}
}

func TestStdioStopIsGentleFirst(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		steps []string
		want  Exit
	}{
		{[]string{"echo", "exit:5"}, Exit{Code: 5}},                                   // at the end of stdin
		{[]string{"print:up", "hang"}, Exit{Code: -1, Signal: "SIGTERM"}},             // that it ignores
		{[]string{"stubborn", "print:up", "hang"}, Exit{Code: -1, Signal: "SIGKILL"}}, // and that
	} {
		var o StdioOptions
		if test.want.Signal == "" {
			o.StopWait = time.Minute
		} else if test.want.Signal == "SIGTERM" {
			o.TermWait = time.Minute
		}
		s := serve(t, o, test.steps...)
		if test.want.Signal != "" {
			readLine(t, s)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if got := s.ExitState(); got != test.want {
			t.Errorf("%v: got %+v, want %+v", test.steps, got, test.want)
		}
	}
}

// When its ctx ends, Stop returns and the ending goes on.
func TestStdioStopInTheBackground(t *testing.T) {
	t.Parallel()
	s := serve(t, StdioOptions{StopWait: time.Minute}, "pid", "hang")
	p := readPid(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Stop(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if !p.alive() {
		t.Error("ended too soon")
	}
	s.tree.kill()
	if err := s.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}

// A write that the server does not take ends with its ctx, and with Stop.
func TestStdioBlockedWrite(t *testing.T) {
	t.Parallel()
	s := serve(t, StdioOptions{}, "hang")
	ctx, cancel := context.WithCancel(t.Context())
	m := message(t, "big", map[string]string{"text": strings.Repeat("x", 1<<20)})
	first := make(chan error, 1)
	go func() { first <- s.Write(ctx, m) }()
	cancel()
	<-first
	second := make(chan error, 1)
	go func() { second <- s.Write(t.Context(), m) }()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	var closed *jsonrpc.ClosedError
	if err := <-second; !errors.As(err, &closed) {
		t.Errorf("got %v", err)
	}
}

// SEC B6: a flood neither blocks the child nor grows.
func TestStdioStderrFlood(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var told int
	s := serve(t, StdioOptions{Stderr: func(line string) {
		mu.Lock()
		defer mu.Unlock()
		told++
	}}, "logbytes:100000000", "log:the end", "exit:0")
	<-s.Exit()
	lines := s.Stderr()
	if len(lines) != keepLines || lines[len(lines)-1].Text != "the end" {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1].Text)
	}
	mu.Lock()
	defer mu.Unlock()
	if told == 0 || told > 500_000 {
		t.Errorf("the callback saw %d of 1000001 lines", told)
	}
}
