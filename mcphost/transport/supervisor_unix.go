//go:build unix

package transport

// This file starts servers so that they end with the app: guardian, run files, and the sweep of what an earlier run
// left behind.

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
)

// A Supervisor starts local servers and keeps the books on them. One app has one. It is safe for concurrent use.
type Supervisor struct {
	dir   string
	argv  []string
	opts  SupervisorOptions
	jobs  chan func() // run on the thread that starts servers
	tasks sync.WaitGroup

	mu      sync.Mutex // guards what follows, and keeps what the guardian is told in order
	running bool
	owner   string // when this process was started
	guard   *guard // nil if it does not run
	revived bool   // it died and was started again, and no server was started since
	trees   map[string]tree
}

var errNotRunning = errors.New("the supervisor is not running")

// NewSupervisor returns a Supervisor that keeps its run files in dir; guardian is the argument list of a process that
// calls [RunGuardian] (not used on Windows). It does no I/O.
func NewSupervisor(dir string, guardian []string, o *SupervisorOptions) *Supervisor {
	return &Supervisor{dir: dir, argv: guardian, opts: o.resolve(), trees: map[string]tree{}}
}

// Start prepares the directory, starts the guardian and ends servers that an earlier run left behind; ctx bounds the
// waiting. When it fails with [ErrNoGuardian] the Supervisor runs nevertheless: starting a server tries again.
func (s *Supervisor) Start(ctx context.Context) error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("run files: %w", err)
	}
	if err := os.Chmod(s.dir, 0o700); err != nil {
		return fmt.Errorf("run files: %w", err)
	}
	owner, err := processStart(os.Getpid())
	if err != nil {
		return fmt.Errorf("own start time: %w", err)
	}
	s.mu.Lock()
	if s.running {
		s.mu.Unlock()
		return errors.New("the supervisor has been started already")
	}
	jobs := make(chan func())
	s.running, s.owner, s.jobs = true, owner, jobs
	s.tasks.Go(func() { startOnOneThread(jobs) })
	guardErr := s.revive()
	s.mu.Unlock()

	ended, err := sweep(ctx, s.dir)
	if err != nil {
		err = fmt.Errorf("servers of an earlier run: %w", err)
	}
	if ended > 0 {
		s.opts.Logger.WarnContext(ctx, "servers of an earlier run ended", "servers", ended)
	}
	return errors.Join(guardErr, err)
}

// startOnOneThread runs jobs on one thread that lives until they end: Linux sends the parent-death signal when the
// thread ends that started the child, not when the process does.
func startOnOneThread(jobs <-chan func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for job := range jobs {
		job()
	}
}

// Close ends the guardian, and with it every server that still runs. It waits for them at most 6 s.
func (s *Supervisor) Close() error {
	s.mu.Lock()
	if !s.running {
		s.mu.Unlock()
		return nil
	}
	s.running = false
	g := s.guard
	s.guard = nil
	close(s.jobs)
	s.mu.Unlock()
	var err error
	if g != nil {
		err = g.close()
	}
	s.tasks.Wait()
	return err
}

// launch starts a server's process and makes its tree known, before and after: however the app dies in between, the
// process is found by its mark.
func (s *Supervisor) launch(cmd *exec.Cmd) (tree, error) {
	t := tree{cookie: rand.Text(), start: unknown}
	cmd.Env = mergeEnv(cmd.Env, []string{markName + "=" + t.cookie}, "")
	cmd.SysProcAttr = childAttr()
	if err := s.register(t); err != nil {
		s.forget(t)
		return tree{}, err
	}
	if err := s.startProcess(cmd); err != nil {
		s.forget(t)
		return tree{}, err
	}
	t.pgid = cmd.Process.Pid
	if start, err := processStart(t.pgid); err == nil {
		t.start = start
	}
	if err := cmp.Or(s.register(t), writeRunFile(s.dir, t, s.owner)); err != nil {
		t.kill()
		_ = cmd.Wait() // it was killed
		t.end(0, guardianKill)
		s.forget(t)
		return tree{}, err
	}
	return t, nil
}

func (s *Supervisor) startProcess(cmd *exec.Cmd) error {
	s.mu.Lock()
	defer s.mu.Unlock() // the jobs stay open
	if !s.running {
		return errNotRunning
	}
	started := make(chan error)
	s.jobs <- func() { started <- cmd.Start() }
	return <-started
}

// register tells the guardian of a tree. A guardian that does not listen is replaced.
func (s *Supervisor) register(t tree) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.running {
		return errNotRunning
	}
	s.trees[t.cookie] = t
	if s.guard != nil && s.guard.tell("+"+t.String()) == nil {
		s.revived = false
		return nil
	}
	if err := s.revive(); err != nil {
		return err
	}
	s.revived = false
	return nil
}

// forget strikes a tree that is gone.
func (s *Supervisor) forget(t tree) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.trees, t.cookie)
	if s.guard != nil {
		_ = s.guard.tell("-" + t.cookie) // a guardian that has died is told the rest when it is replaced
	}
	if err := os.Remove(runPath(s.dir, t.cookie)); err != nil && !errors.Is(err, os.ErrNotExist) {
		s.opts.Logger.Warn("run file not removed", "error", err)
	}
}

// revive starts a guardian and tells it everything. The caller holds mu.
func (s *Supervisor) revive() error {
	if s.guard != nil {
		s.guard.abandon()
		s.guard = nil
	}
	g, err := startGuard(s.argv, s.opts.ReadyWait)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoGuardian, err)
	}
	for _, t := range s.trees {
		if err := g.tell("+" + t.String()); err != nil {
			g.abandon()
			return fmt.Errorf("%w: %w", ErrNoGuardian, err)
		}
	}
	s.guard = g
	s.tasks.Go(func() {
		<-g.done
		s.guardDied(g)
	})
	return nil
}

// guardDied replaces a guardian that died while servers run, once; after that the next start of a server tries.
func (s *Supervisor) guardDied(g *guard) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.running || s.guard != g {
		return
	}
	s.guard = nil
	s.opts.Logger.Error("guardian died", "error", g.err)
	if len(s.trees) == 0 || s.revived {
		return
	}
	s.revived = true
	if err := s.revive(); err != nil {
		s.opts.Logger.Error("guardian not replaced", "error", err)
	}
}
