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

// loginPath returns the PATH that the user's login shell sets up. The shell gets no terminal and no input; it and
// what it has started in its process group are killed after wait.
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
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 200 * time.Millisecond // for a profile that leaves something running on our pipe
	err := cmd.Run()
	if path, ok := markedPath(out.data); ok {
		return path, nil
	}
	return "", fmt.Errorf("asking %s: %w", filepath.Base(shell), errors.Join(err, ctx.Err(), errNoMark))
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
