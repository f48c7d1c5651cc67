package desktop

import (
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// ACC A07: the end of a sleep and a network that comes up are told, by those alone who know.
func TestWatchWakes(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no system bus on this system")
	}
	startBus(t)
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", os.Getenv("DBUS_SESSION_BUS_ADDRESS"))
	emit := func(conn *dbus.Conn, path dbus.ObjectPath, signal string, value any) {
		t.Helper()
		if err := conn.Emit(path, signal, value); err != nil {
			t.Fatal(err)
		}
	}
	login, network, stranger := connect(t).conn, connect(t).conn, connect(t).conn
	for service, conn := range map[string]*dbus.Conn{loginService: login, networkService: network} {
		if reply, err := conn.RequestName(service, 0); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
			t.Fatal(reply, err)
		}
	}
	woke := make(chan struct{}, 9)
	stop, err := WatchWakes(func() { woke <- struct{}{} })
	if err != nil {
		t.Fatal(err)
	}
	emit(stranger, "/org/freedesktop/login1", "org.freedesktop.login1.Manager.PrepareForSleep", false)
	emit(login, "/org/freedesktop/login1", "org.freedesktop.login1.Manager.PrepareForSleep", true)
	select { // nothing tells that something will not come: right code never fails here, wrong code hardly ever passes
	case <-woke:
		t.Error("told by a stranger, or before the sleep")
	case <-time.After(200 * time.Millisecond):
	}
	emit(login, "/org/freedesktop/login1", "org.freedesktop.login1.Manager.PrepareForSleep", false)
	<-woke
	emit(network, "/org/freedesktop/NetworkManager", "org.freedesktop.NetworkManager.StateChanged", uint32(20))
	emit(network, "/org/freedesktop/NetworkManager", "org.freedesktop.NetworkManager.StateChanged", uint32(70))
	<-woke
	stop()
	if n := len(woke); n != 0 {
		t.Errorf("told %d times too often", n)
	}
}
