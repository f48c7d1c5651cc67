package mcphost

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"gatehouse/mcphost/consent"
)

// A server that has crashed five times in a row stays down (SEC A13).
func TestMostCrashes(t *testing.T) {
	s := newServer(New(nil, Ports{}, &Options{Restart: true}), Config{ID: "s"})
	for n := 1; n <= maxCrashes; n++ {
		if again := s.crashed(io.EOF, 0); again != (n < maxCrashes) {
			t.Errorf("crash %d: starts again %t", n, again)
		}
	}
	if snap := s.Snapshot(); snap.Crashes != maxCrashes || snap.Restarting || snap.Status != StatusCrashed {
		t.Errorf("%+v", snap)
	}
}

// Of the answers to fields that ask for secrets the newest are masked.
func TestMostAnswersMasked(t *testing.T) {
	m := newMasker(consent.Launch{}, nil)
	m.hide(map[string]json.RawMessage{"password": json.RawMessage(`"first-answer-0"`)})
	each := len(m.patterns)
	for i := 1; i < maxHidden/each; i++ {
		m.hide(map[string]json.RawMessage{"password": fmt.Appendf(nil, `"later-answer-%d"`, i)})
	}
	if text := m.text("first-answer-0"); strings.Contains(text, "first") {
		t.Errorf("%d answers: %s", maxHidden/each, text)
	}
	m.hide(map[string]json.RawMessage{"password": json.RawMessage(`"newest-answer"`), "token": json.RawMessage(`"another-answer"`)})
	if len(m.patterns) > maxHidden {
		t.Errorf("%d patterns", len(m.patterns))
	}
	if text := m.text("first-answer-0 newest-answer another-answer"); text != "first-answer-0 "+mask+" "+mask {
		t.Errorf("one more: %s", text)
	}
}
