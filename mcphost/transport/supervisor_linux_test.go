package transport

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// startApp starts the app as a process of its own and returns its guardian and what its server prints.
func startApp(t *testing.T, dir string, steps ...string) (app *exec.Cmd, guardian process, lines *bufio.Scanner) {
	t.Helper()
	app = exec.Command(self(), append([]string{"app", dir}, steps...)...)
	app.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	app.Stderr = os.Stderr
	out, err := app.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := app.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = app.Process.Kill() // if the test has not
		_ = app.Wait()
	})
	lines = bufio.NewScanner(out)
	return app, scanPid(t, lines), lines
}

// SEC A12: the app is killed; servers, grandchildren and strays end all the same.
func TestGuardianEndsServersOfADeadApp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	app, guardian, lines := startApp(t, dir, "stubborn", "pid", "grandchild:stubborn,pid,hang", "stray:stubborn,pid,hang", "hang")
	tree := []process{scanPid(t, lines), scanPid(t, lines), scanPid(t, lines)}
	if err := app.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for i, p := range tree {
		eventually(t, fmt.Sprintf("end of process %d", i), func() bool { return !p.alive() })
	}
	eventually(t, "end of the guardian", func() bool { return !guardian.alive() })

	s := NewSupervisor(dir, []string{self(), "guardian"}, nil) // the next run cleans up
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := runFiles(t, dir); len(got) != 0 {
		t.Errorf("run files: %v", got)
	}
}

// Ctrl-C and whatever else goes to the app's process group leaves the guardian alone, and so do signals to itself.
func TestGuardianIgnoresSignals(t *testing.T) {
	t.Parallel()
	app, guardian, lines := startApp(t, t.TempDir(), "stubborn", "pid", "hang")
	server := scanPid(t, lines)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if err := syscall.Kill(guardian.pid, sig); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Kill(-app.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, "end of the server", func() bool { return !server.alive() })
	eventually(t, "end of the guardian", func() bool { return !guardian.alive() })
}

// Without app and guardian the kernel still tells the server's own process to end.
func TestParentDeathSignal(t *testing.T) {
	t.Parallel()
	app, guardian, lines := startApp(t, t.TempDir(), "pid", "hang")
	server := scanPid(t, lines)
	if err := app.Process.Signal(syscall.SIGSTOP); err != nil { // or it would replace the guardian
		t.Fatal(err)
	}
	if err := syscall.Kill(guardian.pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := app.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "end of the server", func() bool { return !server.alive() })
}

func (s *Supervisor) currentGuard() *guard {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.guard
}

// A guardian that dies is replaced, and its successor knows the servers.
func TestSupervisorReplacesGuardian(t *testing.T) {
	t.Parallel()
	sup := supervisor(t)
	s := serve(t, StdioOptions{Supervisor: sup}, "pid", "hang")
	server := readPid(t, s)
	first := sup.currentGuard()
	kill(t, first)
	eventually(t, "a second guardian", func() bool { g := sup.currentGuard(); return g != nil && g != first })

	// The second one dies as well: that is enough, until a server is started.
	kill(t, sup.currentGuard())
	eventually(t, "no guardian", func() bool { return sup.currentGuard() == nil })
	serve(t, StdioOptions{Supervisor: sup}, "hang")
	if sup.currentGuard() == nil {
		t.Error("a server was started without a guardian")
	}
	if !server.alive() {
		t.Error("a replaced guardian has ended a server")
	}
	if err := sup.Close(); err != nil { // the third one ends the server of the first
		t.Error(err)
	}
	if server.alive() {
		t.Error("the guardian did not know the server")
	}
}

func kill(t *testing.T, g *guard) {
	t.Helper()
	if err := g.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
}

// Without a guardian nothing is started.
func TestSupervisorWithoutGuardian(t *testing.T) {
	t.Parallel()
	for _, argv := range [][]string{{self(), "guardian-fails"}, {self(), "guardian-mute"}, {"/nowhere/guardian"}, {"/bin/true"}, nil} {
		s := NewSupervisor(t.TempDir(), argv, &SupervisorOptions{ReadyWait: 100 * time.Millisecond})
		if err := s.Start(t.Context()); !errors.Is(err, ErrNoGuardian) {
			t.Errorf("%v: Start: %v", argv, err)
		}
		marker := filepath.Join(t.TempDir(), "started")
		server, err := StartStdio(t.Context(), Command{Path: "/bin/touch", Args: []string{marker}}, &StdioOptions{Supervisor: s})
		if !errors.Is(err, ErrNoGuardian) {
			t.Errorf("%v: StartStdio: %v", argv, err)
		}
		if server != nil {
			server.Close()
		}
		if _, err := os.Stat(marker); err == nil {
			t.Errorf("%v: the server ran", argv)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestSupervisorNotRunning(t *testing.T) {
	s := NewSupervisor(t.TempDir(), []string{self(), "guardian"}, nil)
	start := func() error {
		server, err := StartStdio(t.Context(), Command{Path: "/bin/true"}, &StdioOptions{Supervisor: s})
		if server != nil {
			server.Close()
		}
		return err
	}
	if err := start(); err == nil {
		t.Error("started a server before Start")
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err == nil {
		t.Error("started twice")
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := start(); err == nil {
		t.Error("started a server after Close")
	}
}

func TestSupervisorManyServers(t *testing.T) {
	t.Parallel()
	sup := supervisor(t)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			s, err := StartStdio(t.Context(), Command{Path: "/bin/cat"}, &StdioOptions{Supervisor: sup})
			if err != nil {
				t.Error(err)
				return
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if got := s.ExitState(); got != (Exit{}) {
				t.Errorf("ended by %+v", got)
			}
		})
	}
	wg.Wait()
	if got := runFiles(t, sup.dir); len(got) != 0 {
		t.Errorf("run files: %v", got)
	}
}

func runFiles(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"+runSuffix))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// A relic is a process as an earlier run may have left it.
type relic struct {
	cmd *exec.Cmd
	process
	tree
}

// leave starts a stubborn process in a group of its own, with or without a mark.
func leave(t *testing.T, marked bool) *relic {
	t.Helper()
	r := &relic{tree: tree{cookie: rand.Text()}}
	r.cmd = exec.Command(self(), "server", "stubborn", "pid", "hang")
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if marked {
		r.cmd.Env = []string{markName + "=" + r.cookie}
	}
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = r.cmd.Process.Kill() // if the sweep has not
		_ = r.cmd.Wait()
	})
	r.process = scanPid(t, bufio.NewScanner(out))
	r.pgid, r.tree.start = r.pid, r.process.start
	return r
}

// write leaves a run file as a process that is gone would have.
func (r *relic) write(t *testing.T, dir string, owner int, ownerStart string) string {
	t.Helper()
	path := runPath(dir, r.cookie)
	text := fmt.Sprintf("%s %d %s\n", r.tree, owner, ownerStart)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// ACC A05: what an earlier run left behind is ended, a process that has only inherited its id is not.
func TestSweep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	me, err := processStart(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	earlier := func(start string) string { // of this boot
		boot, _, _ := strings.Cut(start, "-")
		return boot + "-1"
	}
	known := leave(t, false) // found by its start time
	known.write(t, dir, os.Getpid(), earlier(me))

	recycled := leave(t, false) // has the id, another start time and no mark
	recycled.tree.start = earlier(recycled.process.start)
	recycledFile := recycled.write(t, dir, os.Getpid(), earlier(me))

	rebooted := leave(t, false) // same id and ticks, other boot
	_, ticks, _ := strings.Cut(rebooted.process.start, "-")
	rebooted.tree.start = "00000000-" + ticks
	rebooted.write(t, dir, os.Getpid(), earlier(me))

	marked := leave(t, true) // its leader is gone, its mark is not
	marked.pgid, marked.tree.start = 1<<22+1, "00000000-1"
	marked.write(t, dir, os.Getpid(), earlier(me))

	owned := leave(t, true) // of another app that runs
	ownedFile := owned.write(t, dir, os.Getpid(), me)

	half := filepath.Join(dir, "half"+runSuffix)
	old := filepath.Join(dir, "old"+runSuffix)
	for _, path := range []string{half, old} {
		if err := os.WriteFile(path, []byte("XYZ 1"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(old, time.Time{}, time.Now().Add(-2*halfLife)); err != nil {
		t.Fatal(err)
	}
	ended, err := sweep(t.Context(), dir)
	if err != nil || ended != 2 {
		t.Errorf("%d ended, %v", ended, err)
	}
	eventually(t, "end of a server of the earlier run", func() bool { return !known.alive() && !marked.alive() })
	if !recycled.alive() || !rebooted.alive() || !owned.alive() {
		t.Error("a stranger was killed")
	}
	if _, err := os.Stat(recycledFile); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("run file of the recycled id: %v", err)
	}
	left := runFiles(t, dir)
	if len(left) != 2 || !strings.Contains(strings.Join(left, " "), ownedFile) || !strings.Contains(strings.Join(left, " "), half) {
		t.Errorf("files left: %v", left)
	}
}

func TestRunFiles(t *testing.T) {
	sup := supervisor(t)
	s := serve(t, StdioOptions{Supervisor: sup}, "hang")
	files := runFiles(t, sup.dir)
	if len(files) != 1 {
		t.Fatalf("run files: %v", files)
	}
	f, err := readRunFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	want := s.tree
	want.stale = true
	if f.tree != want || f.owner != os.Getpid() || f.orphaned() {
		t.Errorf("read back %+v", f)
	}
	for path, mode := range map[string]os.FileMode{sup.dir: 0o700, files[0]: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

func TestParseTree(t *testing.T) {
	for _, line := range []string{"", "x", "COOKIECOOKIECOOKIE", "COOKIECOOKIECOOKIE x y", "COOKIECOOKIECOOKIE -1 y", "COOKIECOOKIECOOKIE 1 y", "short 5 y"} {
		if got, err := parseTree(line); err == nil {
			t.Errorf("%q: %+v", line, got)
		}
	}
}
