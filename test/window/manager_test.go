//go:build window

package window

// This file puts a window manager on the desktop and asks it what a person would see and press.

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

func pidText(pid int) string { return strconv.Itoa(pid) }

// manage starts a window manager: without one nothing is minimised, focused or moved.
func (w *window) manage(t *testing.T) {
	t.Helper()
	cmd := exec.Command("openbox", "--sm-disable")
	cmd.Env = w.environ(t)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	eventually(t, "the manager has the window", func() bool {
		_, err := w.ask(t, "windowactivate", w.shown(t))
		return err == nil && w.focused(t)
	})
}

// ask runs xdotool and returns what it says; it fails when it finds nothing.
func (w *window) ask(t *testing.T, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("xdotool", args...)
	cmd.Env = w.environ(t)
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}

// shown is the X id of the window, "" while it is not on the screen.
func (w *window) shown(t *testing.T) string {
	out, err := w.ask(t, "search", "--onlyvisible", "--name", "Gatehouse")
	if err != nil {
		return ""
	}
	return out
}

func (w *window) focused(t *testing.T) bool {
	out, err := w.ask(t, "getactivewindow", "getwindowname")
	return err == nil && strings.Contains(out, "Gatehouse")
}

func (w *window) minimise(t *testing.T) {
	t.Helper()
	if _, err := w.ask(t, "windowminimize", w.shown(t)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the window is minimised", func() bool { return w.shown(t) == "" })
}

// present brings the window back as a press on it in the desktop's list does.
func (w *window) present(t *testing.T) {
	t.Helper()
	eventually(t, "the window is back", func() bool {
		id, err := w.ask(t, "search", "--name", "^(\\([0-9]+\\) )?Gatehouse$")
		if err != nil {
			return false
		}
		_, err = w.ask(t, "windowactivate", strings.Fields(id)[0])
		return err == nil && w.focused(t)
	})
}

// key presses keys together, such as "alt+F4".
func (w *window) key(t *testing.T, keys string) {
	t.Helper()
	if _, err := w.ask(t, "key", keys); err != nil {
		t.Fatal(err)
	}
}
