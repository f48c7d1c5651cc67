// Package desktop is what Gatehouse does on the session bus of a Linux desktop: one window for each data directory
// (handover.go), notifications (notices.go), the proxy of the desktop's settings (proxies.go), and the end of a sleep (wakes.go). It knows no window, no server and no request.
package desktop

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/godbus/dbus/v5"
)

// ErrNoBus: there is no session bus, as over SSH, in a container, or on another system.
var ErrNoBus = errors.New("there is no session bus")

// A Bus is a connection to the session bus, with the right to one name and to notifications. It is safe for
// concurrent use.
type Bus struct {
	conn *dbus.Conn
	end  context.CancelFunc // of conn
}

// connectWait is for a bus that answers: the window waits for it, and one that does not answer is none.
const connectWait = 3 * time.Second

// Connect connects to the session bus, or returns [ErrNoBus].
func Connect() (*Bus, error) { return connectWithin(connectWait) }

func connectWithin(wait time.Duration) (*Bus, error) {
	if !reachable() {
		return nil, ErrNoBus
	}
	ctx, end := context.WithCancel(context.Background())
	late := time.AfterFunc(wait, end)
	conn, err := dbus.ConnectSessionBus(dbus.WithContext(ctx))
	if err != nil {
		end()
		return nil, fmt.Errorf("%w (%w)", ErrNoBus, err)
	}
	if !late.Stop() {
		return nil, errors.Join(ErrNoBus, conn.Close())
	}
	return &Bus{conn, end}, nil
}

// Close gives up the name and the connection.
func (b *Bus) Close() error {
	defer b.end()
	return b.conn.Close()
}

// reachable looks for a bus first: without one the D-Bus library would start its own, set our environment and leave
// the daemon behind, and nobody else would be on it.
func reachable() bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return false
	}
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return true
	}
	_, err := os.Stat(filepath.Join("/run/user", strconv.Itoa(os.Getuid()), "bus")) // where the library looks
	return err == nil
}
