//go:build interop

// Package interop runs the headless twin against real servers from npm: what their authors ship, not what we think
// that they do.
package interop

// This file starts the program and reads what it leaves.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	program = "../../build/bin/gatehouse-cli"
	servers = "../servers"
)

// canary is in the environment of the program and must be nowhere else.
const canary = "canary-4f1d9c"

// A host is a configuration with one server, a policy and a data directory.
type host struct {
	t   *testing.T
	dir string
}

// newHost writes the configuration of one server, "real", and the policy.
func newHost(t *testing.T, server map[string]any, policy string) *host {
	t.Helper()
	h := &host{t, t.TempDir()}
	config, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"real": server}})
	if err != nil {
		t.Fatal(err)
	}
	h.write("config.json", config)
	h.write("policy.json", []byte(policy))
	return h
}

// in is the host for a subtest.
func (h *host) in(t *testing.T) *host { return &host{t, h.dir} }

func (h *host) file(name string) string { return filepath.Join(h.dir, name) }

func (h *host) write(name string, content []byte) {
	h.t.Helper()
	if err := os.WriteFile(h.file(name), content, 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// An output is what one run has left.
type output struct {
	exit   int
	stdout document
	stderr string
	frames []frame
}

// A document is the JSON document on stdout, whichever command wrote it.
type document struct {
	Server          string           `json:"server"`
	ProtocolVersion string           `json:"protocolVersion"`
	Tools           []map[string]any `json:"tools"`
	Tool            string           `json:"tool"`
	IsError         bool             `json:"isError"`
	Result          struct {
		Content           []map[string]any `json:"content"`
		StructuredContent map[string]any   `json:"structuredContent"`
	} `json:"result"`
	Decision json.RawMessage `json:"decision"`
	Error    *struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// A frame is one line of the trace.
type frame struct {
	T      time.Time `json:"t"`
	Server string    `json:"server"`
	Dir    string    `json:"dir"`
	Frame  struct {
		Method string `json:"method"`
	} `json:"frame"`
}

// count is the number of traced frames of a direction that carry the method.
func (o output) count(dir, method string) int {
	n := 0
	for _, f := range o.frames {
		if f.Dir == dir && f.Frame.Method == method {
			n++
		}
	}
	return n
}

// run runs one command with --json and a trace.
func (h *host) run(command ...string) output {
	h.t.Helper()
	_ = os.Remove(h.file("trace.jsonl")) // of the run before, if there was one
	args := append(command, "--config", h.file("config.json"), "--policy", h.file("policy.json"),
		"--data-dir", h.file("data"), "--trace", h.file("trace.jsonl"), "--timeout", "60s", "--json")
	cmd := exec.Command(program, args...)
	// No session bus: the user's keyring is not ours to open.
	cmd.Env = append(os.Environ(), "GATEHOUSE_CANARY="+canary, "DBUS_SESSION_BUS_ADDRESS=unix:path="+h.file("no-bus"))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		h.t.Fatal(err)
	}
	o := output{exit: cmd.ProcessState.ExitCode(), stderr: stderr.String(), frames: h.trace()}
	dec := json.NewDecoder(&stdout)
	if err := dec.Decode(&o.stdout); err != nil {
		h.t.Fatalf("%s: no JSON on stdout: %v\n%s", strings.Join(command, " "), err, o.stderr)
	}
	if dec.More() {
		h.t.Fatalf("%s: more than one JSON document on stdout", strings.Join(command, " "))
	}
	return o
}

// succeed runs a command that must exit with 0.
func (h *host) succeed(command ...string) output {
	h.t.Helper()
	o := h.run(command...)
	if o.exit != 0 {
		h.t.Fatalf("%s: exit %d, error %+v\n%s", strings.Join(command, " "), o.exit, o.stdout.Error, o.stderr)
	}
	return o
}

// call calls a tool of the server.
func (h *host) call(tool, arguments string) output {
	h.t.Helper()
	return h.succeed("call", "real", tool, arguments)
}

func (h *host) trace() []frame {
	h.t.Helper()
	b, err := os.ReadFile(h.file("trace.jsonl"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		h.t.Fatal(err)
	}
	var frames []frame
	for line := range bytes.Lines(b) {
		var f frame
		if err := json.Unmarshal(line, &f); err != nil {
			h.t.Fatalf("trace: %v in %s", err, line)
		}
		frames = append(frames, f)
	}
	return frames
}

// text is the text of the result's first content block.
func (o output) text() string {
	if len(o.stdout.Result.Content) == 0 {
		return ""
	}
	s, _ := o.stdout.Result.Content[0]["text"].(string)
	return s
}

// types are the types of the result's content blocks.
func (o output) types() string {
	var types []string
	for _, c := range o.stdout.Result.Content {
		s, _ := c["type"].(string)
		types = append(types, s)
	}
	return strings.Join(types, " ")
}

// script is the absolute path of a server's program.
func script(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(servers, "node_modules", ".bin", "mcp-server-"+name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%v: run \"make test-interop\"", err)
	}
	return path
}

// stdio is the configuration of a server as a child process.
func stdio(t *testing.T, name string, args ...string) map[string]any {
	return map[string]any{
		"command": "node", "args": append([]string{script(t, name)}, args...),
		"env": map[string]string{"CONFIGURED": "yes", "MEMORY_FILE_PATH": filepath.Join(t.TempDir(), "memory.jsonl")},
	}
}

// overHTTP starts server-everything on loopback and returns its configuration.
func overHTTP(t *testing.T) map[string]any {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	loopback, err := filepath.Abs(filepath.Join(servers, "loopback.cjs"))
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := strings.Cut(address, ":")
	cmd := exec.Command("node", "--require", loopback, script(t, "everything"), "streamableHttp")
	cmd.Env = append(os.Environ(), "PORT="+port)
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "listening on port") {
			go func() {
				for lines.Scan() { // it must not block on its log
				}
			}()
			return map[string]any{"type": "http", "url": "http://" + address + "/mcp"}
		}
	}
	t.Fatal("server-everything did not start")
	return nil
}
