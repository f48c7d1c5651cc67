//go:build window

package window

// This file closes a window over something that runs.

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"gatehouse/mcphost/mcphosttest"
)

const question = "Something still runs"

func TestCloseOverARunningCall(t *testing.T) {
	finish := filepath.Join(t.TempDir(), "finish")
	_, args := scriptedServer(t, mcphosttest.WaitFile(finish), mcphosttest.Echo())
	w := open(t, "gatehouse-e2e", "--data-dir", t.TempDir())
	u := newUser(t, w)
	w.manage(t)
	u.call(args)
	u.until("the call runs", "e2e.button('Stop') !== undefined")
	children := descendants(w.pid)

	w.key(t, "alt+F4")
	u.sees("dialog[open]", question)
	u.sees("dialog[open] li", "Files runs echo")
	w.keepScreen(t)
	w.key(t, "Escape")
	u.until("Esc is Cancel", "document.querySelector('dialog[open]') === null")

	w.key(t, "ctrl+q")
	u.sees("dialog[open]", question)
	u.press("Minimise, quit when they end")
	eventually(t, "the window is minimised", func() bool { return w.shown(t) == "" })
	w.present(t)
	u.sees(".toasts", "Gatehouse stays open.")

	u.close()
	u.sees("dialog[open]", question)
	u.press("Minimise, quit when they end")
	eventually(t, "the window is minimised", func() bool { return w.shown(t) == "" })
	if err := os.WriteFile(finish, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w.endsWithout(t, children)
}

// The end of the session waits for no answer, not even to a question that is open.
func TestTheSessionEndsOverAQuestion(t *testing.T) {
	_, args := scriptedServer(t)
	w := open(t, "gatehouse-e2e", "--data-dir", t.TempDir())
	u := newUser(t, w)
	u.add(args)
	u.close()
	u.sees("dialog[open]", question)
	u.sees("dialog[open] li", "Files waits for your decision to start it")
	children := descendants(w.pid)
	if err := syscall.Kill(w.pid, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	w.endsWithout(t, children)
}
