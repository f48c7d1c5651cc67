//go:build unix

package transport

// This file is the app's end of the guardian process.

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

const (
	guardTell  = time.Second     // to take a line: it does nothing but read
	guardLeave = 6 * time.Second // to end the servers and itself
)

// A guard is a running guardian.
type guard struct {
	cmd  *exec.Cmd
	in   *os.File
	done chan struct{} // closed when the process has ended
	err  error         // how; read after done
}

// startGuard returns when the guardian has reported for duty. It runs in a session of its own, where neither Ctrl-C
// nor the end of a terminal reaches it, and without the app's environment.
func startGuard(argv []string, wait time.Duration) (*guard, error) {
	if len(argv) == 0 {
		return nil, errors.New("its command is empty")
	}
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, in.Close(), childIn.Close())
	}
	defer out.Close()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout = childIn, childOut
	cmd.Dir, cmd.Env = "/", []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = errors.Join(cmd.Start(), childIn.Close(), childOut.Close())
	if cmd.Process == nil {
		return nil, errors.Join(err, in.Close())
	}
	g := &guard{cmd: cmd, in: in, done: make(chan struct{})}
	go func() { // ends with the process
		g.err = cmd.Wait()
		close(g.done)
	}()
	_ = out.SetReadDeadline(time.Now().Add(wait)) // a pipe has deadlines
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || strings.TrimSpace(line) != guardianReady {
		g.abandon()
		return nil, fmt.Errorf("%s did not report for duty: %w", argv[0], errors.Join(g.err, err))
	}
	return g, nil
}

// tell sends one line.
func (g *guard) tell(line string) error {
	_ = g.in.SetWriteDeadline(time.Now().Add(guardTell)) // a pipe has deadlines
	_, err := g.in.WriteString(line + "\n")
	return err
}

// close lets the guardian end what it still knows, and waits for it.
func (g *guard) close() error {
	closeErr := g.in.Close()
	select {
	case <-g.done:
		return errors.Join(closeErr, g.err)
	case <-time.After(guardLeave):
		g.abandon()
		return errors.New("the guardian did not end in time")
	}
}

// abandon kills the guardian before it can end anything.
func (g *guard) abandon() {
	_ = g.cmd.Process.Kill() // it may be gone already
	<-g.done
	_ = g.in.Close() // after its end: it must not read this as the end of the app
}
