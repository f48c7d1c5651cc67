//go:build window

package window

// This file reads the shipped window through AT-SPI, as a screen reader does, and works it by that alone.

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A reader is a screen reader in front of one window.
type reader struct {
	t    *testing.T
	env  []string
	tree string // as it was read last
}

// newReader opens the window in a language with its accessibility on.
func newReader(t *testing.T, language string) *reader {
	t.Helper()
	w := openWith(t, []string{"LANG=" + language, "DESKTOP_ACCESSIBLE=yes"}, "gatehouse", "--data-dir", t.TempDir())
	r := &reader{t: t}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the tree:\n%s", r.tree)
		}
	})
	eventually(t, "the window is on its session bus", func() bool {
		b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(w.pid), "environ"))
		r.env = strings.Split(string(b), "\x00")
		return err == nil && strings.Contains(string(b), "DBUS_SESSION_BUS_ADDRESS=")
	})
	return r
}

func (r *reader) run(args ...string) (string, error) {
	cmd := exec.Command("/usr/bin/python3", append([]string{"accessible.py"}, args...)...)
	cmd.Env = r.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// hears waits until there are things with these roles, names and descriptions, each "role\tname\tdescription", of which
// the end may be left out.
func (r *reader) hears(lines ...string) {
	r.t.Helper()
	for _, line := range lines {
		eventually(r.t, "a screen reader finds "+strconv.Quote(line), func() bool {
			var err error
			r.tree, err = r.run("tree")
			return err == nil && strings.Contains("\n"+r.tree, "\n"+line)
		})
	}
}

func (r *reader) press(role, name string) {
	r.t.Helper()
	eventually(r.t, "a screen reader presses "+name, func() bool {
		_, err := r.run("press", role, name)
		return err == nil
	})
}

func TestReadAloud(t *testing.T) {
	r := newReader(t, "C.UTF-8")
	r.hears(
		"heading\tWelcome to Gatehouse",
		"panel\tPicture\t", "entry\tWord", "panel\tLanguage", "radio button\tEnglish", "panel\tTheme", "panel\tWays to start",
		"push button\tTry the demo server\tBuilt in.",
	)
	r.press("push button", "Try the demo server")
	r.hears(
		"alert\tLet Demo run programs on this computer?\tThis is Gatehouse’s own demo server", // the risk line is its description
		"image\tVerified by Gatehouse, seal ",
		"push button\tDon’t start",
	)
	r.approve("Approve and start", "Let Demo")
	r.hears(
		"landmark\tMain", "push button\tInbox", "push button\tChat", "push button\tServers", "push button\tTools",
		"push button\tHistory", "push button\tSettings",
		"heading\tTools", "list box\tTools", "page tab\tForm", "entry\tName name\t",
		"block quote\tWritten by Demo, not checked",
	)
	r.press("push button", "Run")
	r.hears("landmark\tResult", "block quote\tWritten by Demo, not checked")
}

func TestReadAloudInChinese(t *testing.T) {
	r := newReader(t, "zh_CN.UTF-8")
	r.hears("heading\t欢迎", "entry\t文字", "push button\t试用")
	r.press("push button", "试用")
	r.hears("alert\t允许 Demo 在本机运行程序吗？\t这是 Gatehouse 自带的演示服务器", "image\t已由 Gatehouse 验证，印记为")
	r.approve("批准并启动", "允许 Demo")
	r.hears("landmark\t主导航", "heading\t工具", "block quote\t由 Demo 编写，未经核实")
}

// approve presses until the gate is gone: for its first moment it takes no press.
func (r *reader) approve(label, title string) {
	r.t.Helper()
	eventually(r.t, "the gate is answered", func() bool {
		_, _ = r.run("press", "push button", label)
		tree, err := r.run("tree")
		return err == nil && !strings.Contains(tree, "alert\t"+title)
	})
}
