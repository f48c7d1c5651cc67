//go:build window

package window

// This file starts a second Gatehouse beside the first, on the same desktop.

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSecondStartBringsTheWindowForward(t *testing.T) {
	dir := t.TempDir()
	w := open(t, "gatehouse", "--data-dir", dir)
	w.paints(t)
	w.manage(t)
	w.minimise(t)
	windows := func() (n int) { // what is ours and WebKit's; other children of the desktop come and go
		for _, p := range descendants(w.pid) {
			if strings.HasPrefix(p.name, "gatehouse") || strings.HasPrefix(p.name, "WebKit") {
				n++
			}
		}
		return n
	}
	before := windows()
	code, out := w.again(t, "--data-dir", dir)
	if code != 0 || !strings.Contains(out, "forward") || strings.Count(out, "\n") != 1 {
		t.Errorf("exit code %d, it said %q", code, out)
	}
	eventually(t, "the window is back", func() bool { return w.shown(t) != "" && w.focused(t) })
	if after := windows(); after != before {
		t.Errorf("the second start left %v, were %d of us", descendants(w.pid), before)
	}
}

// Without the bus only the lock of the data directory is left; another directory has a window of its own.
func TestSecondStartWithoutABus(t *testing.T) {
	dir := t.TempDir()
	w := open(t, "gatehouse-e2e", "--data-dir", dir)
	newUser(t, w)
	other := open(t, "gatehouse-e2e", "--data-dir", dir) // on a desktop, and a bus, of its own
	u := &user{t, inspect(t, other.inspector)}
	u.until("the page says what is wrong", "document.querySelector('[role=alert]') !== null")
	u.until("the helpers are there", helpers)
	u.sees("[role=alert]", "Another window uses this data folder")
}

// again starts Gatehouse once more on the window's desktop and waits for its end.
func (w *window) again(t *testing.T, args ...string) (code int, out string) {
	t.Helper()
	cmd := exec.Command(program(t, "gatehouse"), args...)
	cmd.Env = w.environ(t)
	text, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(text)
}

// environ is the environment of the window: its screen and its bus.
func (w *window) environ(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("/proc", pidText(w.pid), "environ"))
	if err != nil {
		t.Fatal(err)
	}
	vars := strings.Split(strings.TrimRight(string(bytes.TrimSpace(text)), "\x00"), "\x00")
	return slices.DeleteFunc(vars, func(v string) bool { return strings.HasPrefix(v, "WEBKIT_INSPECTOR") })
}
