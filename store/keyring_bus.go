//go:build !windows && !darwin

package store

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/godbus/dbus/v5"
)

const (
	secretService   = "org.freedesktop.secrets"
	secretPath      = "/org/freedesktop/secrets"
	loginCollection = "/org/freedesktop/secrets/collection/login" // where go-keyring looks first
)

// Probe looks for a Secret Service with a collection to keep things in. It unlocks nothing: no password is asked for
// before a secret is needed.
func (systemKeyring) Probe() error {
	if err := keyringReachable(); err != nil {
		return err
	}
	bus, err := dbus.ConnectSessionBus()
	if err != nil {
		return fmt.Errorf("%w (%w)", ErrNoKeyring, err)
	}
	defer bus.Close()
	service := bus.Object(secretService, secretPath)
	var usual dbus.ObjectPath
	if err := service.Call("org.freedesktop.Secret.Service.ReadAlias", 0, "default").Store(&usual); err != nil {
		return fmt.Errorf("%w (%w)", ErrNoKeyring, err)
	}
	if usual != "/" {
		return nil
	}
	var all []dbus.ObjectPath
	if err := service.StoreProperty("org.freedesktop.Secret.Service.Collections", &all); err != nil {
		return fmt.Errorf("%w (%w)", ErrNoKeyring, err)
	}
	if !slices.Contains(all, loginCollection) {
		return fmt.Errorf("%w: it has no default collection", ErrNoKeyring)
	}
	return nil
}

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
