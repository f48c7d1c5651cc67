package transport

import (
	"slices"
	"strings"
	"testing"
)

func TestBaseEnv(t *testing.T) {
	environ := []string{
		"HOME=/home/u", "PATH=/bin", "LANG=de_DE.UTF-8", "LC_ALL=C", "LC_TIME=C", "TMPDIR=/tmp", "USER=u", "LOGNAME=u", "SHELL=/bin/zsh",
		"TERM=xterm", "TZ=UTC", "HOME=/second", "TMP", "OPENAI_API_KEY=canary", "AWS_SESSION_TOKEN=canary", "LD_PRELOAD=canary", "LC=canary",
		"DYLD_INSERT_LIBRARIES=canary", "NODE_OPTIONS=canary", "DBUS_SESSION_BUS_ADDRESS=canary", "XDG_RUNTIME_DIR=canary",
		"SSH_AUTH_SOCK=canary", "LC_EVIL=() { canary; }", "home=canary", "GATEHOUSE_SERVER=canary",
	}
	want := []string{
		"PYTHONUTF8=1", "PYTHONIOENCODING=utf-8", "PATH=/a:/b", "HOME=/home/u", "LANG=de_DE.UTF-8", "LC_ALL=C", "LC_TIME=C", "TMPDIR=/tmp",
		"USER=u", "LOGNAME=u", "SHELL=/bin/zsh", "TERM=xterm", "TZ=UTC",
	}
	if got := baseEnv(environ, "/a:/b", "linux"); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	windows := []string{"AppData=a", "LOCALAPPDATA=b", "SystemRoot=c", "Path=d", "LD_PRELOAD=canary", "GITHUB_TOKEN=canary"}
	want = []string{"PYTHONUTF8=1", "PYTHONIOENCODING=utf-8", "PATH=d", "AppData=a", "LOCALAPPDATA=b", "SystemRoot=c"}
	if got := baseEnv(windows, "d", "windows"); !slices.Equal(got, want) {
		t.Errorf("windows: got %q, want %q", got, want)
	}
	if got := BaseEnvNames([]string{"SECRET=x", "TMPDIR=/tmp"}); !slices.IsSorted(got) || !slices.Contains(got, "PATH") || slices.Contains(got, "SECRET") {
		t.Errorf("names: %q", got)
	}
}

func TestMergeEnv(t *testing.T) {
	base := []string{"A=1", "Path=x"}
	if got := mergeEnv(base, []string{"A=2", "PATH=y", "B="}, "linux"); !slices.Equal(got, []string{"Path=x", "A=2", "PATH=y", "B="}) {
		t.Errorf("got %q", got)
	}
	if got := mergeEnv(base, []string{"PATH=y"}, "windows"); !slices.Equal(got, []string{"A=1", "PATH=y"}) {
		t.Errorf("windows: got %q", got)
	}
	if base[0] != "A=1" || base[1] != "Path=x" {
		t.Errorf("the base was changed: %q", base)
	}
}
