package desktop

import (
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/godbus/dbus/v5"
)

// A daemon is a notification service that remembers.
type daemon struct {
	conn *dbus.Conn

	mu     sync.Mutex
	last   uint32
	shown  []Notice
	places []uint32 // which one each replaced
	closed []uint32
}

func startDaemon(t *testing.T) *daemon {
	t.Helper()
	d := &daemon{conn: connect(t).conn}
	if err := d.conn.Export(d, noticePath, noticeService); err != nil {
		t.Fatal(err)
	}
	if reply, err := d.conn.RequestName(noticeService, 0); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal(reply, err)
	}
	return d
}

func (d *daemon) Notify(app string, replaces uint32, _, summary, body string, actions []string, _ map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if app != "Gatehouse" || len(actions) != 2 || actions[0] != "default" {
		return 0, dbus.MakeFailedError(dbus.ErrMsgInvalidArg)
	}
	d.shown = append(d.shown, Notice{summary, body, actions[1]})
	d.places = append(d.places, replaces)
	if replaces == 0 {
		d.last++
		return d.last, nil
	}
	return replaces, nil
}

func (d *daemon) CloseNotification(id uint32) *dbus.Error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = append(d.closed, id)
	return nil
}

func (d *daemon) emit(t *testing.T, signal string, values ...any) {
	t.Helper()
	if err := d.conn.Emit(noticePath, noticeService+"."+signal, values...); err != nil {
		t.Fatal(err)
	}
}

func TestOneNotificationAtATime(t *testing.T) {
	startBus(t)
	d := startDaemon(t)
	presses := make(chan struct{}, 8)
	n, stop, err := connect(t).Notices(func() { presses <- struct{}{} })
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	show := func(notice Notice) {
		t.Helper()
		if err := n.Show(t.Context(), notice); err != nil {
			t.Fatal(err)
		}
	}
	show(Notice{"a <b>", "from <b>x</b> & y", "Open"})
	show(Notice{"second", "", "Open"})
	d.emit(t, "ActionInvoked", uint32(77), "default") // another program's
	d.emit(t, "ActionInvoked", uint32(1), "snooze")
	d.emit(t, "ActionInvoked", uint32(1), "default")
	<-presses
	d.emit(t, "NotificationClosed", uint32(1), uint32(2))
	d.emit(t, "ActionInvoked", uint32(1), "default") // it is gone
	for n.current() != 0 {
		runtime.Gosched()
	}
	show(Notice{"third", "", "Open"})
	d.emit(t, "ActionInvoked", uint32(2), "default")
	<-presses
	if err := n.Withdraw(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := n.Withdraw(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(presses) != 0 {
		t.Errorf("%d presses too many", len(presses))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if want := []uint32{0, 1, 0}; !slices.Equal(d.places, want) {
		t.Errorf("replaced %v, want %v", d.places, want)
	}
	if want := (Notice{"a <b>", "from &lt;b&gt;x&lt;/b&gt; &amp; y", "Open"}); d.shown[0] != want {
		t.Errorf("shown %+v, want %+v", d.shown[0], want)
	}
	if want := []uint32{2}; !slices.Equal(d.closed, want) {
		t.Errorf("closed %v, want %v", d.closed, want)
	}
}

func (n *Notices) current() uint32 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.shown
}

func TestNoNotificationService(t *testing.T) {
	startBus(t)
	n, stop, err := connect(t).Notices(func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	if err := n.Show(t.Context(), Notice{Summary: "a"}); err == nil {
		t.Error("nobody shows it, and no error")
	}
	if err := n.Withdraw(t.Context()); err != nil {
		t.Error(err)
	}
}
