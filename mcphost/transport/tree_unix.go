//go:build unix

package transport

// This file ends everything that a server has started (ACC A05, SEC A11).

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// markName is the environment variable that marks a server and what it starts. Its value is random for each start:
// a process that has left the process group (setsid, double fork) is still recognised by it.
const markName = "GATEHOUSE_SERVER"

// A tree is a server's process and its descendants: a process group, and every process with the server's mark.
type tree struct {
	cookie string // value of markName
	pgid   int    // the process group, also its leader's process id; 0 = not started
	start  string // when the leader was started (see processStart), unknown = not known
	stale  bool   // known from an earlier run only: the ids may belong to others by now
}

const unknown = "-"

// String is the form in which the guardian and the run files know the tree.
func (t tree) String() string { return fmt.Sprintf("%s %d %s", t.cookie, t.pgid, t.start) }

// ownsGroup reports whether the process group is the tree's. While a group has members, its id is not given to
// another process; a leader with another start time is therefore a stranger. Without a leader, the group of a stale
// tree is not believed.
func (t tree) ownsGroup() bool {
	if t.pgid <= 1 {
		return false
	}
	start, err := processStart(t.pgid)
	if err != nil || t.start == unknown {
		return !t.stale
	}
	return start == t.start
}

// gone reports whether no process of the tree is alive.
func (t tree) gone() bool {
	return (!t.ownsGroup() || len(groupMembers(t.pgid)) == 0) && len(markedProcesses(t.cookie)) == 0
}

func (t tree) signal(sig syscall.Signal) {
	if t.ownsGroup() {
		_ = syscall.Kill(-t.pgid, sig) // gone already, or not ours to end
	}
	for _, pid := range markedProcesses(t.cookie) {
		p, err := os.FindProcess(pid) // holds on to the process: its id cannot pass to another meanwhile
		if err != nil {
			continue
		}
		if isMarked(pid, t.cookie) {
			_ = p.Signal(sig)
		}
		_ = p.Release()
	}
}

func (t tree) terminate() { t.signal(syscall.SIGTERM) }

func (t tree) kill() { t.signal(syscall.SIGKILL) }

// cutPipes has nothing to do: a pipe is left to whoever else holds it.
func (t tree) cutPipes() {}

// settle waits until the tree is gone and reports whether it is; it looks at least once.
func (t tree) settle(limit time.Duration) bool {
	deadline := time.Now().Add(limit)
	for pause := 2 * time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		if t.gone() {
			return true
		}
		rest := time.Until(deadline)
		if rest <= 0 {
			return false
		}
		time.Sleep(min(pause, rest))
	}
}

// end asks the tree to end, kills it after term, and gives up after kill more. It reports whether the tree is gone.
func (t tree) end(term, kill time.Duration) bool {
	if t.gone() {
		return true
	}
	t.terminate()
	if t.settle(term) {
		return true
	}
	for deadline := time.Now().Add(kill); time.Now().Before(deadline); {
		t.kill()
		if t.settle(100 * time.Millisecond) {
			return true
		}
	}
	return false
}

// mine reports whether this process may signal pid, which it need not if the server has become another user.
func mine(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.EPERM) }
