//go:build interop

package interop

// This file kills the program at every stage of its work: the data must open, no server may be left, and the call that
// was under way must read "interrupted".

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/store"
)

// scripted is the configuration of a scripted server as a child process, and where it leaves its traces.
func scripted(t *testing.T, s mcphosttest.Scenario) (map[string]any, *mcphosttest.Process) {
	t.Helper()
	program, err := filepath.Abs("../../build/bin/scripted")
	if err != nil {
		t.Fatal(err)
	}
	p := mcphosttest.Command(t, s)
	return map[string]any{"command": program, "args": []string{p.Args[1]}}, p
}

func TestSIGKILLLeavesNothingBehind(t *testing.T) {
	wait := mcphosttest.Tool{Definition: `{"name":"wait","inputSchema":{"type":"object"}}`, Do: []mcphosttest.Action{mcphosttest.Silence()}}
	for _, stage := range []string{"initialize", "tools/list", "tools/call"} {
		t.Run(stage, func(t *testing.T) {
			scenario := mcphosttest.Scenario{
				Stubborn: true, Start: []mcphosttest.Action{mcphosttest.Grandchild()}, Tools: []mcphosttest.Tool{wait},
			}
			if stage != "tools/call" {
				scenario.On = map[string][]mcphosttest.Action{stage: {mcphosttest.Silence()}}
			}
			server, p := scripted(t, scenario)
			h := newHost(t, server, `{"launch":"allow","tools":{"*":"allow"}}`)
			cmd := exec.Command(program, "call", "real", "wait", "{}", "--config", h.file("config.json"),
				"--policy", h.file("policy.json"), "--data-dir", h.file("data"))
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			await(t, "the server to get "+stage, func() bool { return p.Count(t, stage) > 0 })
			pids := p.Pids(t)
			if len(pids) < 2 {
				t.Fatalf("the server runs as %v, want it and its child", pids)
			}
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // "signal: killed"
			for _, pid := range pids {
				await(t, "the end of every server process", func() bool { return gone(pid) })
			}
			checkInterrupted(t, h.file("data"), stage == "tools/call")
		})
	}
}

// checkInterrupted opens the data that a killed program left.
func checkInterrupted(t *testing.T, dir string, called bool) {
	t.Helper()
	s, err := store.Open(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	page, err := s.History(context.Background(), mcphost.HistoryQuery{})
	if err != nil {
		t.Fatal(err)
	}
	rows, _ := json.Marshal(page.Rows) // for the message
	if called && (len(page.Rows) != 2 || page.Rows[0].Outcome != mcphost.CallInterrupted) {
		t.Errorf("history = %s, want a launch and an interrupted call", rows)
	}
	if !called && len(page.Rows) != 1 {
		t.Errorf("history = %s, want the launch", rows)
	}
}

// gone reports whether no process has this id; a zombie that nobody reaps counts as gone.
func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(state, "Z")
}

// await polls a condition of another process, for at most the six seconds that a kill may take to clean up (SEC A12),
// and some for a busy machine to start one.
func await(t *testing.T, what string, condition func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !condition() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("waited 20 s for " + what)
		}
	}
}
