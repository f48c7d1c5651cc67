//go:build window

// Package window drives the production window itself, on a virtual screen: it paints, a call goes through, and closing
// it leaves nothing behind. What the page does in detail is tested in a browser (frontend/e2e).
package window

import (
	"encoding/json"
	"image/png"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"gatehouse/mcphost/mcphosttest"
)

// An empty window has one or two colours, the page with its text many.
const paintedColours = 60

func TestCallInTheWindow(t *testing.T) {
	record, args := scriptedServer(t)
	w := open(t, "gatehouse-e2e", "--data-dir", t.TempDir())
	u := newUser(t, w)
	w.paints(t)
	u.call(args)
	u.sees("section, [role=region]", "Result")
	w.keepScreen(t)
	if calls := record.Of(t, "tools/call"); len(calls) != 1 || !strings.Contains(calls[0], `"arguments":{"message":"through the window"}`) {
		t.Errorf("the server has received %q", calls)
	}

	children := descendants(w.pid)
	if !strings.Contains(strings.Join(names(children), " "), "scripted") {
		t.Errorf("the server is not among the window's processes: %v", children)
	}
	u.close()
	w.endsWithout(t, children)
}

func TestCloseByTheSession(t *testing.T) {
	w := open(t, "gatehouse", "--data-dir", t.TempDir())
	w.paints(t)
	children := descendants(w.pid)
	if err := syscall.Kill(w.pid, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	w.endsWithout(t, children)
}

// The remote inspector would let any local process press the buttons.
func TestShippedBuildHasNoInspector(t *testing.T) {
	w := open(t, "gatehouse", "--data-dir", t.TempDir())
	w.paints(t)
	if c, err := net.Dial("tcp", w.inspector); err == nil {
		c.Close()
		t.Error("the shipped window lets WebKit's inspector in")
	}
}

func TestNoDisplay(t *testing.T) {
	cmd := exec.Command(program(t, "gatehouse"), "--data-dir", t.TempDir())
	cmd.Env = []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
	out, err := cmd.CombinedOutput()
	if err == nil || cmd.ProcessState.ExitCode() != 2 {
		t.Errorf("exit code %d, want 2", cmd.ProcessState.ExitCode())
	}
	if lines := strings.Split(strings.TrimSpace(string(out)), "\n"); len(lines) != 1 || !strings.Contains(lines[0], "display") {
		t.Errorf("no single sentence about the display: %q", out)
	}
}

// scriptedServer writes the scenario of a server with the tool echo, which does what is given; record is what it will have received.
func scriptedServer(t *testing.T, do ...mcphosttest.Action) (record mcphosttest.Record, args []string) {
	t.Helper()
	dir := t.TempDir()
	record = mcphosttest.Record(filepath.Join(dir, "received.jsonl"))
	script, err := json.Marshal(mcphosttest.Scenario{
		Tools: []mcphosttest.Tool{{
			Definition: `{"name":"echo","description":"Reads back.","inputSchema":{"type":"object","properties":{"message":{"type":"string"}}}}`, Do: do,
		}},
		Record: string(record),
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "scenario.json")
	if err := os.WriteFile(file, script, 0o600); err != nil {
		t.Fatal(err)
	}
	return record, []string{file}
}

// paints waits until something is painted.
func (w *window) paints(t *testing.T) {
	t.Helper()
	eventually(t, "the window paints", func() bool {
		screen, err := readScreen(w.screen())
		return err == nil && colours(screen) >= paintedColours
	})
}

// keepScreen writes a screenshot to the test's artifacts ("go test -artifacts" keeps them).
func (w *window) keepScreen(t *testing.T) {
	t.Helper()
	screen, err := readScreen(w.screen())
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(t.ArtifactDir(), "window.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, screen); err != nil {
		t.Fatal(err)
	}
}

// endsWithout waits for the window's end and fails if one of the processes outlives it.
func (w *window) endsWithout(t *testing.T, children []process) {
	t.Helper()
	<-w.ended
	for _, c := range children {
		if c.alive() {
			t.Errorf("%v has outlived the window", c)
			_ = syscall.Kill(c.pid, syscall.SIGKILL) // it may end by itself after all
		}
	}
}
