package mcphost_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/session"
)

// fails connects to a server that cannot work and returns why.
func (h *house) fails(c mcphost.Config) (*mcphost.Failure, mcphost.Config) {
	h.t.Helper()
	c.ID, c.Name = mcphost.NewID(), mcphost.NewID()
	if err := h.Add(h.t.Context(), c); err != nil {
		h.t.Fatal(err)
	}
	s, err := h.Server(c.ID)
	if err != nil {
		h.t.Fatal(err)
	}
	if err := s.Connect(h.t.Context(), consent.Actor{}); err == nil {
		h.t.Fatal("connected")
	}
	f := s.Snapshot().Failure
	if f == nil {
		h.t.Fatal("no failure")
	}
	return f, c
}

func TestHintsOfPrograms(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	script := func(lines string) mcphost.Config {
		return mcphost.Config{Command: "/bin/sh", Args: []string{"-c", lines}}
	}
	says := func(line string) mcphost.Config {
		return mcphost.Config{Command: "/bin/sh", Args: []string{"-c", `echo starting >&2; echo "$1" >&2; exit 1`, "sh", line}}
	}
	for want, c := range map[string]mcphost.Config{
		"install-uv":          {Command: "uvx"},
		"install-docker":      {Command: filepath.Join(dir, "podman")},
		"missing-folder":      {Command: "/bin/sh", Dir: filepath.Join(dir, "gone")},
		"missing-interpreter": {Command: write("a", "#!/no/such/python\n", 0o700)},
		"wrong-format":        {Command: write("b", "\x7fELF nonsense", 0o700)},
		"missing-command":     script("no-such-program-here"),
		"not-executable":      script("exit 126"),
		"nothing-to-do":       script("exit 0"),
		"killed":              script("kill -9 $$"),
		"fault":               script("kill -SEGV $$"),
		"":                    script("echo 'API token loaded' >&2; exit 3"),
		"port-in-use":         says("Error: listen EADDRINUSE: address already in use :::3000"),
		"disk-full":           says("OSError: [Errno 28] No space left on device"),
		"memory":              says("FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory"),
		"docker-off":          says("Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?"),
		"old-runtime":         says("npm WARN EBADENGINE Unsupported engine {"),
		"missing-package":     says("npm error code E404"),
		"no-network":          says("npm error request to https://registry.example failed, reason: getaddrinfo EAI_AGAIN registry.example"),
		"missing-module":      says("ModuleNotFoundError: No module named 'mcp'"),
		"needs-refused":       says("Error: connect ECONNREFUSED 127.0.0.1:5432"),
		"permission":          says("PermissionError: [Errno 13] Permission denied: '/var/lib/x'"),
		"credentials":         says("Error: BRAVE_API_KEY environment variable is required"),
		"missing-variable":    says("Please set the NOTES_HOME environment variable"),
		"arguments":           says("Usage: mcp-server-filesystem <allowed-directory>"),
		"missing-file":        says("Error: ENOENT: no such file or directory, open '/x'"),
	} {
		c.Transport = mcphost.Stdio
		if f, c := h.fails(c); f.Hint(c) != want {
			t.Errorf("hint %q, want %q (code %s, exit %d, signal %q, %v, stderr %q)", f.Hint(c), want, f.Code, f.ExitCode, f.Signal, f.Err, f.Stderr.Last)
		}
	}
}

func TestHintsOfAddresses(t *testing.T) {
	h := newHouse(t, mcphost.Options{Limits: session.Limits{Open: 2 * time.Second}})
	answer := func(status int) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		t.Cleanup(s.Close)
		return s.URL
	}
	plain := answer(200)
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(secure.Close)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := "http://" + free.Addr().String()
	free.Close()
	asleep := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-asleep }))
	t.Cleanup(slow.Close)
	t.Cleanup(func() { close(asleep) })
	for want, address := range map[string]string{
		"refused":       closed,
		"tls-authority": secure.URL,
		"not-tls":       strings.Replace(plain, "http:", "https:", 1),
		"unknown-host":  "https://no-such-host.invalid/mcp",
		"redirect":      answer(302),
		"unauthorised":  answer(401),
		"wrong-address": answer(404),
		"too-many":      answer(429),
		"server-fault":  answer(502),
		"slow":          slow.URL,
	} {
		if f, c := h.fails(mcphost.Config{Transport: mcphost.HTTP, URL: address}); f.Hint(c) != want {
			t.Errorf("%s: hint %q, want %q (code %s, %v)", address, f.Hint(c), want, f.Code, f.Err)
		}
	}
}

// What goes wrong at a proxy is not blamed on the server behind it.
func TestHintsOfProxies(t *testing.T) {
	asks := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusProxyAuthRequired) }))
	t.Cleanup(asks.Close)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := "http://" + free.Addr().String()
	free.Close()
	for proxy, want := range map[string]string{asks.URL: "proxy-password", closed: "proxy"} {
		h := newHouse(t, mcphost.Options{Environ: []string{"PATH=/usr/bin:/bin", "HOME=" + t.TempDir(), "SHELL=/bin/sh", "HTTPS_PROXY=" + proxy}})
		if f, c := h.fails(mcphost.Config{Transport: mcphost.HTTP, URL: "https://server.invalid/mcp"}); f.Hint(c) != want {
			t.Errorf("%s: hint %q, want %q (code %s, %v)", proxy, f.Hint(c), want, f.Code, f.Err)
		}
	}
}

// A server that waits on a question of npx does not answer; its words say why.
func TestHintOfASilentProgram(t *testing.T) {
	h := newHouse(t, mcphost.Options{Limits: session.Limits{Open: 2 * time.Second}})
	s := h.add("Silent", mcphosttest.Command(t, mcphosttest.Scenario{
		Start: []mcphosttest.Action{mcphosttest.Stderr(1, "Ok to proceed? (y)")},
		On:    map[string][]mcphosttest.Action{"initialize": {mcphosttest.Silence()}},
	}))
	if err := s.Connect(t.Context(), consent.Actor{}); err == nil {
		t.Fatal("connected")
	}
	f := s.Snapshot().Failure
	if f.Code != "timeout" || f.Hint(s.Config()) != "npx-asks" || strings.Contains(f.Err.Error(), "context") {
		t.Errorf("code %s, hint %q, %v", f.Code, f.Hint(s.Config()), f.Err)
	}
}
