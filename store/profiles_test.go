package store

import (
	"reflect"
	"strings"
	"testing"

	"gatehouse/mcphost"
)

func TestProfiles(t *testing.T) {
	s := openNew(t)
	ctx := t.Context()
	for _, id := range []string{"c", "a", "b"} {
		check(t, s.PutServer(ctx, mcphost.Config{ID: id, Name: id, Transport: "stdio", Command: "x", CreatedAt: noon}))
	}
	work := mcphost.Profile{ID: "w", Name: "Work", Servers: []string{"b", "gone", "c"}}
	check(t, s.PutProfile(ctx, work))
	want := func(want ...mcphost.Profile) {
		t.Helper()
		got, err := s.Profiles(ctx)
		check(t, err)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("profiles\n%+v\nwant\n%+v", got, want)
		}
	}
	first := mcphost.Profile{ID: "first", Servers: []string{}}
	work.Servers = []string{"c", "b"} // those that are configured, oldest first
	want(first, work)

	wantErr(t, s.PutProfile(ctx, mcphost.Profile{ID: "x", Name: "WORK"}), ErrNameTaken)
	work.Name = "WORK" // its own name in another case
	check(t, s.PutProfile(ctx, work))
	c := mcphost.Config{ID: "c", Name: "c", Transport: "stdio", Command: "x", Removed: true}
	check(t, s.PutServer(ctx, c))
	work.Servers = []string{"b"}
	want(first, work)
	check(t, s.PutProfile(ctx, work)) // leaves a removed server where it may come back
	c.Removed = false
	check(t, s.PutServer(ctx, c))
	work.Servers = []string{"c", "b"}
	want(first, work)
	check(t, s.RemoveServer(ctx, "c"))
	work.Servers = []string{"b"}
	want(first, work)

	check(t, s.RemoveProfile(ctx, "first"))
	wantErr(t, s.RemoveProfile(ctx, "first"), ErrNotFound)
	wantErr(t, s.RemoveProfile(ctx, "w"), ErrNotFound) // the last one
	want(work)
	first.Servers = []string{"a"}
	check(t, s.PutProfile(ctx, first)) // back, at its place
	want(first, work)

	check(t, s.RemoveProfile(ctx, "w"))
	again := mcphost.Profile{ID: "w2", Name: "work", Servers: []string{}}
	check(t, s.PutProfile(ctx, again)) // the name is free
	wantErr(t, s.PutProfile(ctx, work), ErrNameTaken)
	want(first, again)
}

func TestEventsKeepTheProfile(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), dir, nil)
	check(t, err)
	ctx := t.Context()
	check(t, s.PutProfile(ctx, mcphost.Profile{ID: "w", Name: "Work"}))
	ended, open, terminal := toolCall("d1", "read", true), toolCall("d2", "read", true), toolCall("d3", "read", true)
	ended.Profile, open.Profile = "w", "first"
	record(t, s, ended, open, terminal)
	check(t, s.StartCall(ctx, startOf(ended)))
	check(t, endCall(s, mcphost.CallEnd{ID: "call-d1", At: noon, Outcome: mcphost.CallSucceeded}))
	check(t, s.StartCall(ctx, startOf(open)))
	check(t, s.Close()) // interrupts the second
	s = openAt(t, dir, nil)
	check(t, s.RemoveProfile(ctx, "w"))
	if got, want := profilesOf(t, s), "w first - w w first first"; got != want {
		t.Errorf("the events are in %s, want %s", got, want)
	}
	entry, err := s.HistoryEntry(ctx, "d1")
	check(t, err)
	if entry.Decision.Profile != "w" {
		t.Errorf("the decision was taken in %q", entry.Decision.Profile)
	}
	unknown := toolCall("d4", "read", true)
	unknown.Profile = "nobody's"
	if err := s.RecordDecision(ctx, unknown); err == nil {
		t.Error("a decision of no profile was recorded")
	}
}

// profilesOf names the profile of each event in order.
func profilesOf(t *testing.T, s *Store) string {
	t.Helper()
	rows, err := s.reader.query(t.Context(), `SELECT coalesce(profile_id, '-') FROM events ORDER BY seq`)
	check(t, err)
	all, err := collect(rows, func(id *string) error { return rows.Scan(id) })
	check(t, err)
	return strings.Join(all, " ")
}
