//go:build !windows && !darwin

package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// keyringReachable looks for a session bus. Without one the D-Bus library would start its own, set our environment and
// leave the daemon behind, and no keyring would be on it.
func keyringReachable() error {
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return nil
	}
	dir := filepath.Join("/run/user", strconv.Itoa(os.Getuid())) // where the library looks
	for _, name := range []string{"bus", "dbus-session"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return nil
		}
	}
	return fmt.Errorf("%w: no session bus", ErrNoKeyring)
}
