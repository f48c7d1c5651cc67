package desktop

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/godbus/dbus/v5"
)

func never(t *testing.T) func() error {
	return func() error { t.Error("a window was asked that must not be"); return nil }
}

func claims(t *testing.T, b *Bus, dir string, show func() error) {
	t.Helper()
	if handed, err := b.HandOver(t.Context(), dir, show); handed || err != nil {
		t.Fatalf("handed %v, %v; want a window of its own", handed, err)
	}
}

func TestSecondStartAsksTheFirstWindow(t *testing.T) {
	startBus(t)
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	var shown atomic.Int32
	claims(t, connect(t), dir, func() error { shown.Add(1); return nil })
	for _, same := range []string{dir, link} {
		if handed, err := connect(t).HandOver(t.Context(), same, never(t)); !handed || err != nil {
			t.Fatalf("%s: handed %v, %v", same, handed, err)
		}
	}
	if n := shown.Load(); n != 2 {
		t.Errorf("the first window was asked %d times, want 2", n)
	}
	claims(t, connect(t), t.TempDir(), never(t)) // another data directory
}

func TestAClosingWindowIsWaitedFor(t *testing.T) {
	startBus(t)
	dir := t.TempDir()
	first := connect(t)
	claims(t, first, dir, func() error {
		go first.Close() // it ends after it has said that it cannot be shown any more
		return errors.New("closing")
	})
	second := connect(t)
	claims(t, second, dir, func() error { return nil })
	if handed, err := connect(t).HandOver(t.Context(), dir, never(t)); !handed || err != nil {
		t.Errorf("the second window does not answer: %v, %v", handed, err)
	}
}

// A name that somebody holds who is no window must not keep a start for ever.
func TestAnOwnerThatIsNoWindow(t *testing.T) {
	startBus(t)
	dir := t.TempDir()
	if reply, err := connect(t).conn.RequestName(WindowName(dir), 0); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal(reply, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if handed, err := connect(t).HandOver(ctx, dir, never(t)); handed || err != nil {
		t.Errorf("handed %v, %v", handed, err)
	}
}
