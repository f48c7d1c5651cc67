package transport

// This file is a local server: a child process that speaks one message a line (MCP, "Transports", stdio).

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"gatehouse/mcphost/jsonrpc"
)

// StdioOptions of StartStdio.
type StdioOptions struct {
	Supervisor *Supervisor      // required: it vouches for the end of the process
	BaseEnv    []string         // what BaseEnv returned; nil = BaseEnv(os.Environ(), PATH of the app)
	Limits     jsonrpc.Limits   // FrameBytes matters
	Stderr     func(string)     // sees every line of stderr, up to a rate; must not block
	StopWait   time.Duration    // between closing stdin and SIGTERM, default 2 s
	TermWait   time.Duration    // between SIGTERM and SIGKILL, default 3 s
	Now        func() time.Time // default time.Now
}

// An Exit is how a server's process ended.
type Exit struct {
	Code   int    // -1 if a signal ended it
	Signal string // "SIGKILL", "" if none
	Err    error  // why the end could not be observed, usually nil
}

// A Stdio is a running local server. It is a [jsonrpc.Stream] and safe for concurrent use. Whatever ends it, Stop,
// Close or the process itself, the whole process tree ends.
type Stdio struct {
	cmd   *exec.Cmd
	tree  tree
	opts  StdioOptions
	lines jsonrpc.Stream
	out   *drain // its stdout
	err   *drain // its stderr
	log   *stderrLog

	stop     sync.Once
	stopping chan struct{} // closed by the first Stop
	ended    chan struct{} // closed when the process has ended
	exited   chan struct{} // closed when also its stderr has been read
	gone     chan struct{} // closed when nothing is left
	exit     Exit          // read after exited
}

// StartStdio starts a local server; ctx bounds the start only. The caller has the user's consent and must call Stop or
// Close in the end. Errors wrap ErrNoGuardian, or why the program cannot be executed.
func StartStdio(ctx context.Context, c Command, o *StdioOptions) (*Stdio, error) {
	if o == nil || o.Supervisor == nil {
		return nil, errors.New("a local server needs a Supervisor")
	}
	s := &Stdio{
		opts: *o, stopping: make(chan struct{}), ended: make(chan struct{}),
		exited: make(chan struct{}), gone: make(chan struct{}),
	}
	s.opts.StopWait = cmp.Or(o.StopWait, 2*time.Second)
	s.opts.TermWait = cmp.Or(o.TermWait, 3*time.Second)
	if s.opts.Now == nil {
		s.opts.Now = time.Now
	}
	if s.opts.BaseEnv == nil {
		s.opts.BaseEnv = BaseEnv(os.Environ(), os.Getenv("PATH"))
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := s.start(c); err != nil {
		return nil, fmt.Errorf("starting %s: %w", c.Path, err)
	}
	return s, nil
}

// start starts the process and the goroutines that attend to it. They end with the process tree.
func (s *Stdio) start(c Command) error {
	var err error
	if s.cmd, err = c.exec(s.opts.BaseEnv); err != nil {
		return err
	}
	var p pipes
	if err := p.open(); err != nil {
		return err
	}
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = p.childIn, p.childOut, p.childErr
	s.tree, err = s.opts.Supervisor.launch(s.cmd)
	p.closeChild()
	if err != nil {
		p.closeOurs()
		return err
	}
	s.out = newDrain(p.out, s.ended)
	s.err = newDrain(p.err, s.ended)
	s.log = &stderrLog{tell: s.opts.Stderr, now: s.opts.Now}
	s.lines = jsonrpc.LineStream(s.out, p.in, p.in.Close, &jsonrpc.LineOptions{Limits: s.opts.Limits})
	logged := make(chan struct{})
	go s.readStderr(logged)
	go s.wait(logged)
	go s.attend()
	return nil
}

// Read returns the next frame; [io.EOF] when the process has ended or closed its stdout.
func (s *Stdio) Read(ctx context.Context) ([]byte, error) { return s.lines.Read(ctx) }

// Write sends a message. To a process that has ended by itself it fails as Read does, with [io.EOF], although it is
// this side that closes the pipe then.
func (s *Stdio) Write(ctx context.Context, m *jsonrpc.Message) error {
	err := s.lines.Write(ctx, m)
	var closed *jsonrpc.ClosedError
	if !errors.Is(err, jsonrpc.ErrClosed) || !errors.As(err, &closed) {
		return err
	}
	select {
	case <-s.stopping:
		return err
	default:
		return &jsonrpc.ClosedError{Cause: io.EOF, Sent: closed.Sent}
	}
}

// Stop ends the server: it closes stdin, waits, sends SIGTERM to the whole tree, waits, and kills it. It returns when
// no process of the tree is left, or when ctx ends: then the ending goes on. It may be called more than once.
func (s *Stdio) Stop(ctx context.Context) error {
	s.stop.Do(func() { close(s.stopping) })
	select {
	case <-s.gone:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close is Stop without a time limit.
func (s *Stdio) Close() error { return s.Stop(context.Background()) }

// Exit is closed when the process has ended and its stderr has been read, within a second of its end whoever else
// holds its pipes.
func (s *Stdio) Exit() <-chan struct{} { return s.exited }

// ExitState returns how the process ended; the zero Exit until Exit is closed.
func (s *Stdio) ExitState() Exit {
	select {
	case <-s.exited:
		return s.exit
	default:
		return Exit{}
	}
}

// Stderr returns the newest lines of stderr, at most 1000 and 1 MiB. Lines over 8 KiB are cut and say so, bytes that
// are no UTF-8 are spelled out. The text is the server's: untrusted.
func (s *Stdio) Stderr() []Line { return s.log.lines() }

// Pid returns the id of the process, which is also that of its process group.
func (s *Stdio) Pid() int { return s.cmd.Process.Pid }

func (s *Stdio) readStderr(done chan<- struct{}) {
	defer close(done)
	buf := make([]byte, 64<<10)
	for {
		n, err := s.err.Read(buf)
		s.log.write(buf[:n])
		if err != nil {
			s.log.end()
			return
		}
	}
}

// wait observes the end of the process.
func (s *Stdio) wait(logged <-chan struct{}) {
	err := s.cmd.Wait() // its pipes are files: nothing else is waited for
	s.exit = exitOf(s.cmd.ProcessState, err)
	close(s.ended)
	s.out.wake()
	s.err.wake()
	select {
	case <-logged:
	case <-time.After(2 * drainTime):
		s.tree.cutPipes()
		<-logged
	}
	close(s.exited)
}

// attend walks down the ladder when the process has ended or shall end.
func (s *Stdio) attend() {
	select {
	case <-s.ended:
	case <-s.stopping:
	}
	_ = s.lines.Close() // stdin; a pipe that cannot be closed is closed
	if !s.settled(s.opts.StopWait) {
		s.tree.terminate()
		for wait := s.opts.TermWait; !s.settled(wait); wait = 100 * time.Millisecond {
			s.tree.kill()
		}
	}
	<-s.exited
	s.opts.Supervisor.forget(s.tree)
	s.err.pipe.Close()
	select {
	case <-s.out.empty: // what the process wrote before its end arrives, however late it is read
	case <-s.stopping:
	}
	s.out.pipe.Close()
	close(s.gone)
}

// settled waits until the tree is gone and reports whether it is.
func (s *Stdio) settled(limit time.Duration) bool {
	begun := time.Now()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-s.ended:
		return s.tree.settle(limit - time.Since(begun))
	case <-timer.C:
		return false
	}
}

func exitOf(state *os.ProcessState, err error) Exit {
	if state == nil {
		return Exit{Code: -1, Err: err}
	}
	e := Exit{Code: state.ExitCode(), Signal: signalName(state)}
	var failed *exec.ExitError
	if !errors.As(err, &failed) {
		e.Err = err
	}
	return e
}
