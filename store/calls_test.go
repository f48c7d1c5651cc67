package store

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

func TestDecisionKeepsEveryByte(t *testing.T) {
	s := openNew(t)
	want := toolCall("d", "echo", true)
	want.Edited, want.Asked, want.Reason = true, []byte(`{"n":1.00}`), "because <that> & this"
	record(t, s, want)
	e, err := s.HistoryEntry(t.Context(), "d")
	check(t, err)
	got := e.Decision
	if !bytes.Equal(got.ToolCall.Arguments, want.ToolCall.Arguments) || !bytes.Equal(got.Asked, want.Asked) {
		t.Errorf("arguments %s", got.ToolCall.Arguments)
	}
	if got.Digest != want.Digest || got.ToolCall.Digest() != want.Digest {
		t.Error("the digest no longer covers the record")
	}
	if got.Reason != want.Reason || got.By != want.By || !got.At.Equal(want.At) || got.Server != want.Server {
		t.Errorf("decision %+v", got)
	}
}

func TestRecordDecisionRefuses(t *testing.T) {
	s := openNew(t)
	record(t, s, launch("taken"))
	for name, spoil := range map[string]func(*consent.Decision){
		"no id":          func(d *consent.Decision) { d.ID = "" },
		"id taken":       func(d *consent.Decision) { d.ID = "taken" },
		"nobody decided": func(d *consent.Decision) { d.By = "" },
		"no digest":      func(d *consent.Decision) { d.Digest = consent.Digest{} },
		"resolved value": func(d *consent.Decision) { d.Launch.Env[0].Value = "canary" },
	} {
		d := launch("new")
		spoil(&d)
		if err := s.RecordDecision(t.Context(), d); err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	page, err := s.History(t.Context(), mcphost.HistoryQuery{})
	check(t, err)
	if page.Total != 1 {
		t.Errorf("%d decisions, want 1", page.Total)
	}
}

func TestLastLaunch(t *testing.T) {
	s := openNew(t)
	_, ok, err := s.LastLaunch(t.Context(), "files")
	check(t, err)
	if ok {
		t.Fatal("a consent out of nothing")
	}
	denied, standing, other := launch("denied"), launch("standing"), launch("other")
	denied.Allowed = false
	standing.By, standing.Original = consent.ByStanding, "second"
	other.Server.ID = "other"
	policy := launch("second")
	policy.By = "policy p.json, 12ab"
	record(t, s, launch("first"), policy, denied, standing, other, toolCall("call", "echo", true))
	d, ok, err := s.LastLaunch(t.Context(), "files")
	check(t, err)
	if !ok || d.ID != "second" || d.Launch.Digest() != d.Digest {
		t.Errorf("last launch %+v", d)
	}
}

func TestStartCallRefuses(t *testing.T) {
	dir := t.TempDir()
	old := openAt(t, dir, nil)
	record(t, old, toolCall("another run's", "echo", true))
	s := openAt(t, dir, nil)
	used := toolCall("used", "echo", true)
	record(t, s, launch("launch"), toolCall("denied", "echo", false), used, toolCall("good", "echo", true))
	check(t, s.StartCall(t.Context(), startOf(used)))
	good := mcphost.CallStart{ID: "call", Decision: "good", ServerID: "files", Tool: "echo"}
	for name, spoil := range map[string]func(*mcphost.CallStart){
		"no decision":   func(c *mcphost.CallStart) { c.Decision = "none" },
		"denied":        func(c *mcphost.CallStart) { c.Decision = "denied" },
		"a launch":      func(c *mcphost.CallStart) { c.Decision = "launch" },
		"used":          func(c *mcphost.CallStart) { c.Decision = "used" },
		"another run's": func(c *mcphost.CallStart) { c.Decision = "another run's" },
		"other server":  func(c *mcphost.CallStart) { c.ServerID = "other" },
		"other tool":    func(c *mcphost.CallStart) { c.Tool = "rm" },
		"call id taken": func(c *mcphost.CallStart) { c.ID = "call-used" },
	} {
		t.Run(name, func(t *testing.T) {
			c := good
			spoil(&c)
			wantErr(t, s.StartCall(t.Context(), c), ErrNoDecision)
		})
	}
	check(t, s.StartCall(t.Context(), good))
}

func TestEndCall(t *testing.T) {
	s := openNew(t)
	d := toolCall("d", "echo", true)
	record(t, s, d)
	wantErr(t, endCall(s, mcphost.CallEnd{ID: "call-d", Outcome: mcphost.CallFailed}), ErrCallState)
	check(t, s.StartCall(t.Context(), startOf(d)))
	if err := endCall(s, mcphost.CallEnd{ID: "call-d", Outcome: "fine"}); err == nil {
		t.Error("an unknown outcome was recorded")
	}
	result := []byte("{\"content\":[{\"type\":\"text\",\"text\":\"<&\u2028>\"}],\n \"isError\": true}")
	end := mcphost.CallEnd{ID: "call-d", At: d.At.Add(3 * time.Second), Outcome: mcphost.CallToolError, Error: "no", Result: result}
	check(t, endCall(s, end))
	wantErr(t, endCall(s, end), ErrCallState)

	e, err := s.HistoryEntry(t.Context(), "d")
	check(t, err)
	if e.Result != string(result) || e.ResultBytes != len(result) || e.Error != "no" || e.Revision != "2025-11-25" {
		t.Errorf("entry %+v", e)
	}
	if e.CallID != "call-d" || e.Outcome != mcphost.CallToolError || e.EndedAt.Sub(e.StartedAt) != 2*time.Second {
		t.Errorf("row %+v", e.HistoryRow)
	}
	var types []string
	for _, ev := range e.Events {
		types = append(types, ev.Type)
	}
	if strings.Join(types, " ") != "decision callStarted callEnded" {
		t.Errorf("events %v", types)
	}
	_, err = s.HistoryEntry(t.Context(), "none")
	wantErr(t, err, ErrNotFound)
}

func TestLongResultKeepsHeadAndLength(t *testing.T) {
	s := openNew(t)
	for _, extra := range []int{0, 1} {
		d := toolCall("d"+string(rune('0'+extra)), "echo", true)
		record(t, s, d)
		check(t, s.StartCall(t.Context(), startOf(d)))
		result := strings.Repeat("é", maxResult/2) + strings.Repeat("x", extra)
		check(t, endCall(s, mcphost.CallEnd{ID: "call-" + d.ID, Outcome: mcphost.CallSucceeded, Result: []byte(result)}))
		e, err := s.HistoryEntry(t.Context(), d.ID)
		check(t, err)
		if e.Result != result[:maxResult] || e.ResultBytes != maxResult+extra {
			t.Errorf("kept %d bytes of %d, says %d", len(e.Result), len(result), e.ResultBytes)
		}
	}
}

func TestEventsAreAppendOnly(t *testing.T) {
	s := openNew(t)
	record(t, s, launch("d"))
	for _, statement := range []string{
		`UPDATE events SET at = at + 1`,
		`DELETE FROM events`,
		`INSERT OR REPLACE INTO events SELECT * FROM events`,
		`UPDATE labels SET allowed = 0`,
		`DELETE FROM labels`,
	} {
		_, err := s.writer.db.Exec(statement)
		if resultCode(err) != sqlite3.SQLITE_CONSTRAINT_TRIGGER {
			t.Errorf("%s: error %v", statement, err)
		}
	}
	_, err := s.writer.db.Exec(`INSERT INTO events (at, run, type, subject, label, server_id, digest, body)
		SELECT at, 'nobody', type, 'new', label, server_id, digest, body FROM events`)
	if resultCode(err) != sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY {
		t.Errorf("an event of no run: error %v", err)
	}
	_, err = s.writer.db.Exec(`INSERT INTO events (at, run, type, subject, label, server_id, digest, body)
		SELECT at, run, type, 'new', label, server_id, digest, 'no JSON' FROM events`)
	if resultCode(err) != sqlite3.SQLITE_CONSTRAINT_CHECK {
		t.Errorf("a body that is no JSON: error %v", err)
	}
}

// TestClosedStoreRefuses: a decision that cannot be recorded must be an error, so that nothing happens.
func TestClosedStoreRefuses(t *testing.T) {
	s := openNew(t)
	d := toolCall("d", "echo", true)
	record(t, s, d)
	check(t, s.Close())
	_, _, lastErr := s.LastLaunch(t.Context(), "files")
	for _, err := range []error{s.RecordDecision(t.Context(), launch("e")), s.StartCall(t.Context(), startOf(d)), lastErr} {
		if err == nil || errors.Is(err, ErrNoDecision) {
			t.Errorf("error %v", err)
		}
	}
}
