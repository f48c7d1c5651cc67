package app

import (
	"errors"
	"path/filepath"
	"testing"
)

// A folder that the user picks is a root that nobody knows of, until a cell of it is changed; what cannot be one says why.
func TestRootsPage(t *testing.T) {
	w := openWindow(t)
	roots := &Roots{w.desk}
	w.frame.root = t.TempDir()
	id, err := roots.PickRoot(false)
	if err != nil || id == "" {
		t.Fatalf("%q, %v", id, err)
	}
	var refused *failure
	if _, err := roots.PickRoot(false); !errors.As(err, &refused) || refused.code != "root-twice" {
		t.Errorf("twice: %v", err)
	}
	w.frame.root = filepath.Join(t.TempDir(), "none")
	if _, err := roots.PickRoot(false); !errors.As(err, &refused) || refused.code != "root-missing" {
		t.Errorf("missing: %v", err)
	}
	w.frame.root = ""
	if id, err := roots.PickRoot(true); id != "" || err != nil {
		t.Errorf("none chosen: %q, %v", id, err)
	}
	if err := roots.ShowRoot(id, "none", "visible"); err == nil {
		t.Error("shown to a server that is not there")
	}
	if err := roots.ShowRoot(id, "none", "always"); err == nil {
		t.Error("a visibility that there is none of")
	}
	rows, err := roots.Roots()
	if err != nil || len(rows) != 1 || rows[0].Type != "directory" || len(rows[0].Servers) != 0 || rows[0].Missing {
		t.Fatalf("%+v, %v", rows, err)
	}
	if err := roots.RemoveRoot(id); err != nil {
		t.Fatal(err)
	}
	if rows, err := roots.Roots(); err != nil || len(rows) != 0 {
		t.Errorf("%+v, %v", rows, err)
	}
}
