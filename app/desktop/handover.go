package desktop

// This file makes a second start bring the first window forward. Wails' own lock is not used on Linux: it begins
// after OnStartup, when the engine may be open already, sends the arguments along, and ends the second process with
// exit code 1.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"time"

	"github.com/godbus/dbus/v5"
)

const (
	windowInterface = "app.gatehouse.Window"
	windowPath      = "/app/gatehouse/Window"

	presentWait = 5 * time.Second  // for a window that is just opening
	closingWait = 15 * time.Second // for one that is closing: longer than it waits for its servers
)

// WindowName is the bus name of the window on a data directory. Windows on other directories have other names.
func WindowName(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	sum := sha256.Sum256([]byte(dir))
	return windowInterface + ".d" + hex.EncodeToString(sum[:16])
}

// exported is all that others can ask of a window. It takes nothing: a second start is a press on the icon.
type exported struct{ show func() error }

// Present brings the window forward, or fails if it is closing.
func (e exported) Present() *dbus.Error {
	if err := e.show(); err != nil {
		return dbus.MakeFailedError(err)
	}
	return nil
}

// HandOver asks the window that is open on dir to come forward and reports whether it does. If there is none, this
// process is the one that later starts ask: they call show, from any goroutine. A window that is closing is waited
// for; if it cannot be asked at all, the answer is no, and the lock of the data directory decides.
func (b *Bus) HandOver(ctx context.Context, dir string, show func() error) (handed bool, err error) {
	if err := b.conn.Export(exported{show}, windowPath, windowInterface); err != nil {
		return false, fmt.Errorf("exporting the window: %w", err)
	}
	signals := make(chan *dbus.Signal, 16)
	b.conn.Signal(signals)
	defer b.conn.RemoveSignal(signals)
	name := WindowName(dir)
	reply, err := b.conn.RequestName(name, 0)
	if err != nil {
		return false, fmt.Errorf("asking for the window's name: %w", err)
	}
	if reply != dbus.RequestNameReplyInQueue {
		return false, nil
	}
	asking, stop := context.WithTimeout(ctx, presentWait)
	defer stop()
	if b.conn.Object(name, windowPath).CallWithContext(asking, windowInterface+".Present", dbus.FlagNoAutoStart).Err == nil {
		return true, nil
	}
	waiting, stop := context.WithTimeout(ctx, closingWait)
	defer stop()
	for {
		select {
		case s := <-signals:
			if s.Name == "org.freedesktop.DBus.NameAcquired" && len(s.Body) == 1 && s.Body[0] == name {
				return false, nil
			}
		case <-waiting.Done():
			return false, nil
		}
	}
}
