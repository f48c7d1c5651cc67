//go:build interop

package interop

// This file starts real servers.

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// built is the absolute path of something that make has built or installed.
func built(t *testing.T, path ...string) string {
	t.Helper()
	file, err := filepath.Abs(filepath.Join(append([]string{"..", ".."}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Fatalf("%v: run \"make test-interop\"", err)
	}
	return file
}

// script is the program of a server from npm.
func script(t *testing.T, name string) string {
	t.Helper()
	return built(t, "test", "servers", "node_modules", ".bin", name)
}

// stdio is the configuration of a server from npm as a child process.
func stdio(t *testing.T, name string, args ...string) map[string]any {
	t.Helper()
	return map[string]any{
		"command": "node", "args": append([]string{script(t, name)}, args...),
		"env": map[string]string{
			"CONFIGURED": "yes", "MEMORY_FILE_PATH": filepath.Join(t.TempDir(), "memory.jsonl"),
			"HOME":             t.TempDir(),          // no kubeconfig
			"CONTEXT7_API_URL": "http://127.0.0.1:9", // no network
		},
	}
}

// everything is server-everything on loopback.
func everything(t *testing.T, port, transport string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("node", "--require", built(t, "test", "servers", "loopback.cjs"), script(t, "mcp-server-everything"), transport)
	cmd.Env = append(os.Environ(), "PORT="+port)
	return cmd
}

// everythings are the ways to reach server-everything.
func everythings() map[string]func(*testing.T) map[string]any {
	return map[string]func(*testing.T) map[string]any{
		"stdio": func(t *testing.T) map[string]any { return stdio(t, "mcp-server-everything", "stdio") },
		"HTTP": func(t *testing.T) map[string]any {
			return serve(t, "/mcp", func(port string) *exec.Cmd { return everything(t, port, "streamableHttp") })
		},
		"HTTP+SSE": func(t *testing.T) map[string]any {
			return serve(t, "/sse", func(port string) *exec.Cmd { return everything(t, port, "sse") })
		},
	}
}

// serve starts a server on a free port of loopback and returns its configuration.
func serve(t *testing.T, path string, command func(port string) *exec.Cmd) map[string]any {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	_, port, _ := strings.Cut(address, ":")
	cmd := command(port)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // some start servers of their own
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // it may have ended
		_ = cmd.Wait()
	})
	await(t, "a server on "+address, func() bool {
		c, err := net.Dial("tcp", address)
		if err != nil {
			return false
		}
		c.Close()
		return true
	})
	return map[string]any{"type": "http", "url": "http://" + address + path}
}
