// Package frames checks what Gatehouse sent in a test run, with schemas that are not ours: test/servers/frames.mjs says
// which.
package frames

import (
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"testing"
)

// Check fails the test for every frame in the traces that we sent and that is not valid for the revision of its
// conversation. It returns, for each trace, the revisions that we spoke once they were negotiated.
func Check(t *testing.T, traces ...string) (revisions [][]string) {
	t.Helper()
	for i, found := range check(t, traces...) {
		if found.Sent == 0 {
			t.Errorf("%s holds no frame that was sent", traces[i])
		}
		for _, f := range found.Faults {
			t.Errorf("%s: sent at %s: %s\n%q", traces[i], f.Revision, f.Frame, f.Faults)
		}
		revisions = append(revisions, found.Revisions)
	}
	return revisions
}

// A finding is what one trace holds.
type finding struct {
	Revisions []string `json:"revisions"`
	Sent      int      `json:"sent"`
	Faults    []struct {
		Revision string          `json:"revision"`
		Frame    json.RawMessage `json:"frame"`
		Faults   []string        `json:"faults"`
	} `json:"faults"`
}

func check(t *testing.T, traces ...string) (findings []finding) {
	t.Helper()
	script := filepath.Join("..", "servers", "frames.mjs") // every test that uses this stands in a folder beside it
	out, err := exec.Command("node", append([]string{script}, traces...)...).Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			t.Fatalf("%s: %v\n%s", script, err, failed.Stderr)
		}
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &findings); err != nil {
		t.Fatal(err)
	}
	return findings
}
