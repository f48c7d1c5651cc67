package desktop

// This file tells when the machine has woken, and when its network has come back: signals of the system bus, by
// systemd-logind (https://www.freedesktop.org/software/systemd/man/org.freedesktop.login1.html) and NetworkManager.

import (
	"fmt"
	"sync"

	"github.com/godbus/dbus/v5"
)

const (
	loginService   = "org.freedesktop.login1"
	sleepSignal    = "PrepareForSleep" // true before, false after
	networkService = "org.freedesktop.NetworkManager"
	networkSignal  = "StateChanged"
	networkIsUp    = 60 // NM_STATE_CONNECTED_SITE, and above
)

// WatchWakes calls woke, from a goroutine of its own, after each sleep of the machine and whenever its network has come
// up. Stop ends that. The error is [ErrNoBus] where there is no system bus.
func WatchWakes(woke func()) (stop func(), err error) {
	conn, err := dbus.ConnectSystemBus()
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrNoBus, err)
	}
	for service, signal := range map[string]string{loginService: sleepSignal, networkService: networkSignal} {
		if err := conn.AddMatchSignal(dbus.WithMatchSender(service), dbus.WithMatchMember(signal)); err != nil {
			return nil, fmt.Errorf("listening to %s: %w", service, err)
		}
	}
	signals, done := make(chan *dbus.Signal, 16), make(chan struct{})
	conn.Signal(signals)
	go func() {
		defer close(done)
		for s := range signals { // closed with the connection
			if isWake(s) {
				woke()
			}
		}
	}()
	return sync.OnceFunc(func() {
		_ = conn.Close()
		<-done
	}), nil
}

func isWake(s *dbus.Signal) bool {
	if len(s.Body) != 1 {
		return false
	}
	switch value := s.Body[0].(type) {
	case bool:
		return s.Name == loginService+".Manager."+sleepSignal && !value
	case uint32:
		return s.Name == networkService+"."+networkSignal && value >= networkIsUp
	}
	return false
}
