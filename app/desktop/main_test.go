package desktop

import (
	"bufio"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// startBus starts a session bus of the test's own.
func startBus(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("other systems have no session bus")
	}
	cmd := exec.Command("dbus-daemon", "--session", "--nofork", "--print-address=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("the session bus (make setup-run installs it): %v", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", strings.TrimSpace(address))
}

func connect(t *testing.T) *Bus {
	t.Helper()
	b, err := Connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() }) // some tests have closed it already
	return b
}

func TestNoBus(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+t.TempDir()+"/none")
	before := os.Environ()
	if b, err := Connect(); err == nil {
		b.Close()
		t.Error("connected to a bus that is not there")
	}
	if after := os.Environ(); len(after) != len(before) {
		t.Errorf("the environment changed: %d variables, were %d", len(after), len(before))
	}
}
