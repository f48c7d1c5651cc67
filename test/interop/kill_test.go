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

// The program is killed while a call runs as a task of its server; the next one follows the task on, and its result lands
// in the row of the call. In both forms of tasks.
func TestSIGKILLLeavesTheTask(t *testing.T) {
	for _, era := range []string{mcphosttest.Legacy, mcphosttest.Modern} {
		t.Run("era "+era, func(t *testing.T) {
			server, p := scripted(t, tasking(era, "working"))
			h := newHost(t, server, allowAll)
			cmd := exec.Command(program, "call", "real", "slow", "{}", "--config", h.file("config.json"),
				"--policy", h.file("policy.json"), "--data-dir", h.file("data"))
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			await(t, "the task to be asked after", func() bool { return p.Count(t, "tasks/get") > 0 })
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // "signal: killed"
			for _, pid := range p.Pids(t) {
				await(t, "the end of every server process", func() bool { return gone(pid) })
			}
			if n := p.Count(t, "tasks/cancel"); n != 0 {
				t.Errorf("cancelled %d times", n)
			}
			p.Rewrite(t, tasking(era, "working", "completed"))
			o := h.run("tasks", "real")
			if len(o.stdout.Tasks) != 1 || o.exit != 0 {
				t.Fatalf("exit %d, %+v\n%s", o.exit, o.stdout, o.stderr)
			}
			if task := o.stdout.Tasks[0]; task.Tool != "slow" || task.Task != "t" || len(task.Result.Content) != 1 || task.Result.Content[0]["text"] != "done" {
				t.Errorf("%+v", task)
			}
			if n := o.count("out", "tools/call"); n != 0 {
				t.Errorf("called again %d times", n)
			}
			checkHistory(t, h.file("data"), o.stdout.Tasks[0].Call)
			if again := h.run("tasks", "real"); len(again.stdout.Tasks) != 0 {
				t.Errorf("there are more: %+v", again.stdout.Tasks)
			}
		})
	}
}

// checkHistory looks for a call that succeeded and was made once.
func checkHistory(t *testing.T, dir, call string) {
	t.Helper()
	s, err := store.Open(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	page, err := s.History(t.Context(), mcphost.HistoryQuery{})
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for _, row := range page.Rows {
		if row.Task == "" {
			continue
		}
		if calls++; row.Outcome != mcphost.CallSucceeded {
			t.Errorf("the row reads %+v", row)
		}
	}
	if calls != 1 {
		t.Errorf("%d calls that became tasks, want %s alone", calls, call)
	}
}

// tasking is a server whose tool slow becomes a task that has these states, the last one for ever.
func tasking(era string, states ...string) mcphosttest.Scenario {
	state := func(status string) string {
		return `{"taskId":"t","status":"` + status + `","createdAt":"2026-01-02T03:04:05Z","lastUpdatedAt":"2026-01-02T03:04:05Z","ttl":3600000,"ttlMs":3600000,` +
			`"pollInterval":500,"pollIntervalMs":500,"result":{"content":[{"type":"text","text":"done"}]}}`
	}
	created := `{"task":` + state("working") + `}`
	if era == mcphosttest.Modern {
		created = `{"resultType":"task",` + state("working")[1:]
	}
	var turns [][]mcphosttest.Action
	for _, s := range states {
		turns = append(turns, []mcphosttest.Action{mcphosttest.Result(mcphosttest.Raw(state(s)))})
	}
	capabilities := `{"tools":{},"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}},"extensions":{"io.modelcontextprotocol/tasks":{}}}`
	return mcphosttest.Scenario{
		Era: era, Capabilities: mcphosttest.Raw(capabilities),
		Tools: []mcphosttest.Tool{{
			Definition: `{"name":"slow","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}`,
			Do:         []mcphosttest.Action{mcphosttest.Result(mcphosttest.Raw(created))},
		}},
		On: map[string][]mcphosttest.Action{
			"tasks/get":    {mcphosttest.Turns(turns...)},
			"tasks/result": {mcphosttest.Result(`{"content":[{"type":"text","text":"done"}]}`)},
		},
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
