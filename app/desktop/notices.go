package desktop

// This file shows notifications: https://specifications.freedesktop.org/notification-spec/1.2/. Wails' own are not used
// on Linux: they cannot replace or withdraw one, so that a flood of requests would be a flood of notifications.

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/godbus/dbus/v5"
)

const (
	noticeService = "org.freedesktop.Notifications"
	noticePath    = "/org/freedesktop/Notifications"
)

// A Notice is one notification. Its words are ours; a name in it may hold any character.
type Notice struct {
	Summary string
	Body    string
	Open    string // what a press does, for desktops that show it as a button
}

// Notices is at most one notification at a time. It is safe for concurrent use.
type Notices struct {
	conn *dbus.Conn

	mu    sync.Mutex
	shown uint32 // 0 = none
}

// Notices calls pressed, from a goroutine of its own, when the user presses the notification; stop ends that.
func (b *Bus) Notices(pressed func()) (n *Notices, stop func(), err error) {
	n = &Notices{conn: b.conn}
	match := []dbus.MatchOption{dbus.WithMatchInterface(noticeService), dbus.WithMatchObjectPath(noticePath)}
	if err := b.conn.AddMatchSignal(match...); err != nil {
		return nil, nil, fmt.Errorf("listening to notifications: %w", err)
	}
	signals, quit, done := make(chan *dbus.Signal, 16), make(chan struct{}), make(chan struct{})
	b.conn.Signal(signals)
	go func() {
		defer close(done)
		for {
			select {
			case s, open := <-signals:
				if !open { // the bus has gone
					return
				}
				if n.isPress(s) {
					pressed()
				}
			case <-quit:
				return
			}
		}
	}()
	return n, sync.OnceFunc(func() {
		b.conn.RemoveSignal(signals)
		_ = b.conn.RemoveMatchSignal(match...) // of no use any more, and gone with the connection
		close(quit)
		<-done
	}), nil
}

// isPress forgets a notification that was closed, and reports whether ours was pressed.
func (n *Notices) isPress(s *dbus.Signal) bool {
	if len(s.Body) != 2 {
		return false
	}
	id, ok := s.Body[0].(uint32)
	n.mu.Lock()
	defer n.mu.Unlock()
	if !ok || id == 0 || id != n.shown {
		return false
	}
	switch s.Name {
	case noticeService + ".NotificationClosed":
		n.shown = 0
	case noticeService + ".ActionInvoked":
		return s.Body[1] == "default"
	}
	return false
}

// Show shows a notification in the place of the one that is there.
func (n *Notices) Show(ctx context.Context, notice Notice) error {
	n.mu.Lock()
	replaces := n.shown
	n.mu.Unlock()
	hints := map[string]dbus.Variant{
		"desktop-entry": dbus.MakeVariant("gatehouse"),
		"urgency":       dbus.MakeVariant(byte(1)), // normal: critical ones never go away by themselves
	}
	var id uint32
	err := n.conn.Object(noticeService, noticePath).CallWithContext(ctx, noticeService+".Notify", 0,
		"Gatehouse", replaces, "gatehouse", notice.Summary, escape.Replace(notice.Body),
		[]string{"default", notice.Open}, hints, int32(-1)).Store(&id)
	if err != nil {
		return fmt.Errorf("showing a notification: %w", err)
	}
	n.mu.Lock()
	n.shown = id
	n.mu.Unlock()
	return nil
}

// Withdraw takes the notification away, if one is there.
func (n *Notices) Withdraw(ctx context.Context) error {
	n.mu.Lock()
	id := n.shown
	n.shown = 0
	n.mu.Unlock()
	if id == 0 {
		return nil
	}
	return n.conn.Object(noticeService, noticePath).CallWithContext(ctx, noticeService+".CloseNotification", 0, id).Err
}

// escape: a body may hold markup, the summary may not.
var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
