package transport

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A nest is a home with a login shell.
type nest struct{ home string }

func newNest(t *testing.T) nest {
	t.Helper()
	return nest{t.TempDir()}
}

// put makes a file that can be run, below home.
func (p nest) put(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(p.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func (p nest) resolver(shell string) *Resolver {
	return NewResolver(&ResolverOptions{Environ: []string{"HOME=" + p.home, "PATH=/usr/bin:/bin", "SHELL=" + shell}})
}

// ACC A01: the command is only in a directory that the login shell's profile adds.
func TestResolveThroughTheLoginShell(t *testing.T) {
	for _, shell := range []string{"/bin/sh", "/bin/bash"} {
		if _, err := os.Stat(shell); err != nil {
			continue
		}
		p := newNest(t)
		tool := p.put(t, "my tools/tool", "#!/bin/sh\n")
		p.put(t, ".profile", `
			echo asked >> "$HOME/asked"
			echo "Welcome back!"
			echo `+pathMark+`
			export PATH="$HOME/my tools:relative:$PATH:"
			sleep 1000 & # it keeps our pipe open
			echo $! > "$HOME/sleeper"
		`)
		r := p.resolver(shell)
		t.Cleanup(func() { killNoted(t, filepath.Join(p.home, "sleeper")) })
		for range 3 {
			if got, err := r.Resolve(t.Context(), "tool"); err != nil || got != tool {
				t.Errorf("%s: got %q, %v", shell, got, err)
			}
		}
		if asked, _ := os.ReadFile(filepath.Join(p.home, "asked")); string(asked) != "asked\n" {
			t.Errorf("%s: the shell was asked %q", shell, asked)
		}
		dirs := filepath.SplitList(r.Path(t.Context()))
		if dirs[0] != filepath.Dir(tool) || slices.Contains(dirs, "relative") || slices.Contains(dirs, "") {
			t.Errorf("%s: path %q", shell, dirs)
		}
	}
}

// In a terminal the PATH is the user's already: the login shell, which may be slow, is asked only for what is not on it.
func TestResolveOnTheOwnPath(t *testing.T) {
	p := newNest(t)
	near, far := p.put(t, "near/near", "#!/bin/sh\n"), p.put(t, "far/far", "#!/bin/sh\n")
	p.put(t, ".profile", `
		echo asked >> "$HOME/asked"
		export PATH="$HOME/far:$PATH"
	`)
	r := NewResolver(&ResolverOptions{Own: true, Environ: []string{"HOME=" + p.home, "PATH=" + filepath.Dir(near) + ":/usr/bin:/bin", "SHELL=/bin/sh"}})
	asked := func() string {
		text, _ := os.ReadFile(filepath.Join(p.home, "asked"))
		return string(text)
	}
	if got, err := r.Resolve(t.Context(), "near"); err != nil || got != near || asked() != "" {
		t.Errorf("got %q, %v; the shell was asked %q", got, err, asked())
	}
	if dirs := filepath.SplitList(r.Path(t.Context())); dirs[0] != filepath.Dir(near) || asked() != "" {
		t.Errorf("path %q; the shell was asked %q", dirs, asked())
	}
	for range 2 {
		if got, err := r.Resolve(t.Context(), "far"); err != nil || got != far || asked() != "asked\n" {
			t.Errorf("got %q, %v; the shell was asked %q", got, err, asked())
		}
	}
	if dirs := filepath.SplitList(r.Path(t.Context())); dirs[0] != filepath.Dir(far) {
		t.Errorf("path %q", dirs)
	}
}

func killNoted(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		return
	}
	if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill() // gone, if all went well
		}
	}
}

// A login shell that hangs is killed with its group, and the rest of the path remains.
func TestResolveWithAHangingShell(t *testing.T) {
	t.Parallel()
	p := newNest(t)
	shell := p.put(t, "shell", "#!/bin/sh\ntrap '' TERM\nsleep 1000 &\necho $! > \"$HOME/sleeper\"\nwait\n")
	r := NewResolver(&ResolverOptions{
		Environ: []string{"HOME=" + p.home, "PATH=/usr/bin:/bin", "SHELL=" + shell}, Wait: 2 * time.Second,
	})
	if got, err := r.Resolve(t.Context(), "ls"); err != nil || !strings.HasSuffix(got, "/bin/ls") {
		t.Errorf("got %q, %v", got, err)
	}
	text, err := os.ReadFile(filepath.Join(p.home, "sleeper"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "end of what the shell started", func() bool { s, err := readStat(pid); return err != nil || s.dead() })
}

// A login shell that is slow is not killed within what it cleans up after: its lock would stop every later shell.
func TestResolveLeavesNoLock(t *testing.T) {
	t.Parallel()
	p := newNest(t)
	shell := p.put(t, "shell", "#!/bin/sh\ntrap 'rm \"$HOME/lock\"; touch \"$HOME/cleaned\"; exit' TERM\ntouch \"$HOME/lock\"\nsleep 1000\n")
	r := NewResolver(&ResolverOptions{
		Environ: []string{"HOME=" + p.home, "PATH=/usr/bin:/bin", "SHELL=" + shell}, Wait: 2 * time.Second,
	})
	if got, err := r.Resolve(t.Context(), "ls"); err != nil || !strings.HasSuffix(got, "/bin/ls") {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := os.Stat(filepath.Join(p.home, "cleaned")); err != nil {
		t.Error(err)
	}
}

func TestResolveWithOddShells(t *testing.T) {
	p := newNest(t)
	flood := p.put(t, "flood", "#!/bin/sh\nexec yes\n")
	for _, shell := range []string{"", "sh", "/nowhere/sh", "/bin/false", "/tmp", "/dev/null", flood} {
		r := p.resolver(shell)
		if got, err := r.Resolve(t.Context(), "ls"); err != nil || !strings.HasSuffix(got, "/bin/ls") {
			t.Errorf("%q: got %q, %v", shell, got, err)
		}
	}
}

// An answer that was cut short by the caller is not kept.
func TestResolverPathCancelled(t *testing.T) {
	p := newNest(t)
	p.put(t, ".profile", "export PATH=/from/profile:$PATH\n")
	r := p.resolver("/bin/sh")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := r.Path(ctx); strings.Contains(got, "/from/profile") {
		t.Errorf("cancelled: %s", got)
	}
	if got := r.Path(t.Context()); !strings.HasPrefix(got, "/from/profile:") {
		t.Errorf("later: %s", got)
	}
}

func TestResolve(t *testing.T) {
	p := newNest(t)
	inHome := p.put(t, "bin/tool", "#!/bin/sh\n")
	local := p.put(t, ".local/bin/local-tool", "#!/bin/sh\n")
	plain := p.put(t, "bin/plain", "text")
	if err := os.Chmod(plain, 0o644); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(p.home, ".local/bin/linked-tool")
	if err := os.Symlink(inHome, link); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(p.home, ".local/bin/folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(p.home, "bin")) // SEC A7: of no influence
	r := p.resolver("")
	for _, test := range []struct {
		command, want string
		err           error
	}{
		{"local-tool", local, nil},
		{"linked-tool", link, nil},
		{"~/bin/tool", inHome, nil},
		{inHome, inHome, nil},
		{filepath.Join(p.home, "bin/../bin/tool"), inHome, nil},
		{"tool", "", exec.ErrNotFound},
		{"folder", "", exec.ErrNotFound},
		{"nowhere-to-be-found", "", exec.ErrNotFound},
		{"/nowhere/tool", "", exec.ErrNotFound},
		{"~/nowhere/tool", "", exec.ErrNotFound},
		{"./tool", "", exec.ErrDot},
		{"../bin/tool", "", exec.ErrDot},
		{"bin/tool", "", exec.ErrDot},
		{".", "", exec.ErrDot},
		{"..", "", exec.ErrDot},
		{"~/bin/plain", "", fs.ErrPermission},
		{"~/bin", "", syscall.EISDIR},
	} {
		got, err := r.Resolve(t.Context(), test.command)
		if got != test.want || !errors.Is(err, test.err) {
			t.Errorf("%s: got %q, %v", test.command, got, err)
		}
	}
	for _, command := range []string{"", "a\x00b", "~other/tool"} {
		if got, err := r.Resolve(t.Context(), command); err == nil {
			t.Errorf("%q: got %q", command, got)
		}
	}
	if _, err := NewResolver(&ResolverOptions{Environ: []string{"PATH=/bin"}}).Resolve(t.Context(), "~/tool"); err == nil {
		t.Error("resolved ~ without a home")
	}
}

// ACC A01: the error lists every directory searched, and no process was started for it.
func TestNotFoundError(t *testing.T) {
	p := newNest(t)
	p.put(t, ".cargo/bin/x", "")
	_, err := p.resolver("").Resolve(t.Context(), "npx-of-nobody")
	var missing *NotFoundError
	if !errors.As(err, &missing) || missing.Command != "npx-of-nobody" {
		t.Fatalf("got %v", err)
	}
	for _, dir := range []string{"/usr/bin", "/bin", filepath.Join(p.home, ".cargo/bin")} {
		if !slices.Contains(missing.Searched, dir) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s is not named: %v", dir, err)
		}
	}
}

func TestNvmDefault(t *testing.T) {
	p := newNest(t)
	for _, v := range []string{"v9.11.2", "v18.20.4", "v20.9.0", "v20.11.1", "v22.1.0", "system"} {
		p.put(t, ".nvm/versions/node/"+v+"/bin/node", "")
	}
	p.put(t, ".nvm/alias/lts/iron", "v20.9.0\n")
	p.put(t, ".nvm/alias/lts/*", "lts/iron\n")
	p.put(t, ".nvm/alias/mine", "default\n")
	p.put(t, "secret", "20")
	nvm := filepath.Join(p.home, ".nvm")
	for alias, want := range map[string]string{
		"20": "v20.11.1", "v20.9": "v20.9.0", "18.20.4\n": "v18.20.4", "node": "v22.1.0", "stable": "v22.1.0", "lts/*": "v20.9.0",
		"9": "v9.11.2", "2": "", "system": "", "": "", "mine": "", "../../secret": "", "v16": "",
	} {
		p.put(t, ".nvm/alias/default", alias)
		if want != "" {
			want = filepath.Join(nvm, "versions/node", want, "bin")
		}
		if got := nvmDefault(nvm); got != want {
			t.Errorf("%q: got %q, want %q", alias, got, want)
		}
	}
	p.put(t, ".nvm/alias/default", "20")
	if got := wellKnown(environ{"HOME=" + p.home}, "linux"); !slices.Contains(got, filepath.Join(nvm, "versions/node/v20.11.1/bin")) {
		t.Errorf("well-known directories: %q", got)
	}
	if got := nvmDefault(filepath.Join(p.home, "none")); got != "" {
		t.Errorf("without nvm: %q", got)
	}
}
