//go:build linux

package desktop

import (
	"errors"
	"net"
	"path/filepath"
	"testing"
	"time"
)

// A bus that takes the connection and never answers must not keep the window from opening.
func TestABusThatDoesNotAnswer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bus")
	silent, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+path)
	if _, err := connectWithin(50 * time.Millisecond); !errors.Is(err, ErrNoBus) {
		t.Errorf("connected: %v", err)
	}
}
