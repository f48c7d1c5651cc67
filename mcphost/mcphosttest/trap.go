package mcphosttest

// This file is the trap: proof that nothing was contacted.

import (
	"net"
	"sync/atomic"
	"testing"
)

// A Trap listens on loopback and counts connections.
type Trap struct {
	Addr string // host:port
	hits atomic.Int64
}

// NewTrap starts a trap that ends with the test.
func NewTrap(t testing.TB) *Trap {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	trap := &Trap{Addr: l.Addr().String()}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			trap.hits.Add(1)
			c.Close()
		}
	}()
	t.Cleanup(func() {
		l.Close()
		<-done
	})
	return trap
}

// URL is an address that leads into the trap.
func (t *Trap) URL() string { return "http://" + t.Addr + "/mcp" }

// Hits is the number of connections so far.
func (t *Trap) Hits() int { return int(t.hits.Load()) }
