//go:build unix

package transport

// This file asks the login shell for its PATH: a desktop session often has a shorter one than the user's terminal.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	pathMark   = "__gatehouse_path__"
	pathScript = `printf '\n%s%s%s\n' ` + pathMark + ` "$PATH" ` + pathMark // the same in sh, bash, zsh, ksh and fish
	pathOutput = 1 << 20                                                    // of a talkative profile
)

// endWait is how long a shell may clean up. One that is killed while its profile holds a lock, as pyenv's does, leaves
// the lock to every later shell.
const endWait = 500 * time.Millisecond

// loginPath returns the PATH that the user's login shell sets up. The shell gets no terminal and no input; it and
// what it has started in its process group are ended after wait.
func loginPath(ctx context.Context, env environ, wait time.Duration) (string, error) {
	shell := env.get("SHELL")
	if !filepath.IsAbs(shell) {
		return "", fmt.Errorf("SHELL is %q", shell)
	}
	if _, err := executable(shell); err != nil {
		return "", fmt.Errorf("SHELL: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	out := &cappedBuffer{limit: pathOutput}
	cmd := exec.CommandContext(ctx, shell, "-lc", pathScript)
	cmd.Env = mergeEnv(BaseEnv(env, env.get("PATH")), []string{"TERM=dumb"}, "")
	cmd.Dir = "/"
	cmd.Stdout = out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return endGroup(cmd.Process.Pid) }
	cmd.WaitDelay = 200 * time.Millisecond // for a profile that leaves something running on our pipe
	err := cmd.Run()
	if path, ok := markedPath(out.data); ok {
		return path, nil
	}
	return "", fmt.Errorf("asking %s: %w", filepath.Base(shell), errors.Join(err, ctx.Err(), errNoMark))
}

// endGroup asks a process group to end, and kills what is left of it after endWait.
func endGroup(pgid int) error {
	err := syscall.Kill(-pgid, syscall.SIGTERM)
	for deadline := time.Now().Add(endWait); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if errors.Is(syscall.Kill(-pgid, 0), syscall.ESRCH) {
			return err
		}
	}
	return syscall.Kill(-pgid, syscall.SIGKILL)
}

var errNoMark = errors.New("no path in its output")

// markedPath returns what stands between the last two marks.
func markedPath(out []byte) (string, bool) {
	parts := bytes.Split(out, []byte(pathMark))
	if len(parts) < 3 {
		return "", false
	}
	path := string(parts[len(parts)-2])
	return path, path != "" && !strings.ContainsAny(path, "\n\x00")
}

// cappedBuffer keeps what is written up to a limit, then fails.
type cappedBuffer struct {
	data  []byte
	limit int
}

func (b *cappedBuffer) Write(p []byte) (int, error) {
	if len(b.data)+len(p) > b.limit {
		return 0, errors.New("too much output")
	}
	b.data = append(b.data, p...)
	return len(p), nil
}
