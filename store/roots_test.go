package store

import (
	"reflect"
	"testing"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

// Roots, to whom they are shown and who has been told outlive the program; a removed one takes its cells along.
func TestRoots(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := mcphost.Root{
		ID: "a", Path: "/x/a", Name: "a", ReadOnly: true, Type: "directory", At: time.UnixMicro(5).UTC(),
		Servers: map[string]mcphost.RootVisibility{"s": mcphost.RootAsk, "t": mcphost.RootVisible},
	}
	b := mcphost.Root{ID: "b", Path: "/x/b", Name: "b", At: time.UnixMicro(6).UTC(), Servers: map[string]mcphost.RootVisibility{}}
	for _, r := range []mcphost.Root{a, b} {
		if err := s.PutRoot(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	launch := consent.Digest{7}
	if err := s.PutDisclosed(t.Context(), "s", launch); err != nil {
		t.Fatal(err)
	}
	if err := s.PutRoot(t.Context(), mcphost.Root{ID: "c", Path: "/x/a", Name: "again"}); err == nil {
		t.Error("one path twice")
	}
	a.Servers["s"] = mcphost.RootHidden
	if err := s.PutRoot(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	delete(a.Servers, "s")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	got, err := s.Roots(t.Context())
	for i := range got {
		got[i].At = got[i].At.UTC()
	}
	if err != nil || !reflect.DeepEqual(got, []mcphost.Root{a, b}) {
		t.Errorf("%+v, %v", got, err)
	}
	if d, err := s.Disclosed(t.Context(), "s"); err != nil || d != launch {
		t.Errorf("%v, %v", d, err)
	}
	if d, err := s.Disclosed(t.Context(), "t"); err != nil || !d.IsZero() {
		t.Errorf("%v, %v", d, err)
	}
	if err := s.RemoveRoot(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Roots(t.Context()); err != nil || len(got) != 1 || got[0].ID != "b" {
		t.Errorf("%+v, %v", got, err)
	}
}
