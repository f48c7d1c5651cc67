//go:build interop

// Package interop runs the headless twin against real servers from npm: what their authors ship, not what we think
// that they do.
package interop

// This file starts the program and reads what it leaves.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/test/frames"
)

const program = "../../build/bin/gatehouse-cli"

// canary is in the environment of the program and must be nowhere else.
const canary = "canary-4f1d9c"

// A host is a configuration with one server, a policy and a data directory.
type host struct {
	t      *testing.T
	dir    string
	traces *[]string // of its runs
}

// newHost writes the configuration of one server, "real", and the policy. At the end of the test every frame that was
// sent to the server is checked.
func newHost(t *testing.T, server map[string]any, policy string) *host {
	t.Helper()
	h := &host{t, t.TempDir(), new([]string)}
	t.Cleanup(func() {
		if len(*h.traces) > 0 {
			frames.Check(t, *h.traces...)
		}
	})
	config, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"real": server}})
	if err != nil {
		t.Fatal(err)
	}
	h.write("config.json", config)
	h.write("policy.json", []byte(policy))
	return h
}

// in is the host for a subtest.
func (h *host) in(t *testing.T) *host { return &host{t, h.dir, h.traces} }

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
	Tasks []struct {
		Call   string `json:"call"`
		Tool   string `json:"tool"`
		Task   string `json:"task"`
		Result struct {
			Content []map[string]any `json:"content"`
		} `json:"result"`
	} `json:"tasks"`
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
	trace := h.file(fmt.Sprintf("trace-%d.jsonl", len(*h.traces)))
	args := append(command, "--config", h.file("config.json"), "--policy", h.file("policy.json"),
		"--data-dir", h.file("data"), "--trace", trace, "--timeout", "60s", "--json")
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
	o := output{exit: cmd.ProcessState.ExitCode(), stderr: stderr.String(), frames: h.trace(trace)}
	if len(o.frames) > 0 {
		*h.traces = append(*h.traces, trace)
	}
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

func (h *host) trace(file string) []frame {
	h.t.Helper()
	b, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		h.t.Fatal(err)
	}
	var frames []frame
	for line := range bytes.Lines(b) {
		if !bytes.Contains(line, []byte(`,"frame":`)) {
			continue // HTTP, a mark, a fault
		}
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
