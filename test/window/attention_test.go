//go:build window

package window

// This file is the desktop's notification service for a window that is out of sight.

import (
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"
)

// notices is a notification service; it tells what it is asked to show.
type notices chan string

func (n notices) Notify(_ string, _ uint32, _, summary, body string, _ []string, _ map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	n <- summary + "\n" + body
	return 7, nil
}

func (n notices) CloseNotification(uint32) *dbus.Error { return nil }

const (
	noticeService = "org.freedesktop.Notifications"
	noticePath    = "/org/freedesktop/Notifications"
)

func (w *window) serveNotices(t *testing.T) (notices, *dbus.Conn) {
	t.Helper()
	var address string
	for _, v := range w.environ(t) {
		if a, ok := strings.CutPrefix(v, "DBUS_SESSION_BUS_ADDRESS="); ok {
			address = a
		}
	}
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	n := make(notices, 100)
	if err := conn.Export(n, noticePath, noticeService); err != nil {
		t.Fatal(err)
	}
	if reply, err := conn.RequestName(noticeService, 0); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal(reply, err)
	}
	return n, conn
}

func TestARequestWhileMinimised(t *testing.T) {
	_, args := scriptedServer(t)
	w := open(t, "gatehouse-e2e", "--data-dir", t.TempDir())
	u := newUser(t, w)
	w.manage(t)
	shown, conn := w.serveNotices(t)
	u.add(args)
	// In its first moment the gate takes no press, and its safe answer does not say so.
	u.until("the gate is answered", "document.querySelector('dialog[open]') === null || (e2e.press('Don’t start'), false)")
	w.minimise(t)
	u.press("Start")
	if text := <-shown; text != "Files: a start waits for your decision\nNothing happens before you decide in Gatehouse." {
		t.Errorf("shown %q", text)
	}
	title, err := w.ask(t, "search", "--name", `^\(1\) Gatehouse$`)
	if err != nil || title == "" {
		t.Errorf("no window counts what waits in its title: %v", err)
	}
	if err := conn.Emit(noticePath, noticeService+".ActionInvoked", uint32(7), "default"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the window is back", func() bool { return w.shown(t) != "" && w.focused(t) })
	u.sees("main h1", "Inbox")
	if len(shown) != 0 {
		t.Errorf("another notification: %q", <-shown)
	}
}
