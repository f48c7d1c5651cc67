//go:build linux

package desktop

import (
	"os"
	"path/filepath"
	"testing"
)

// opener puts a program named xdg-open on an otherwise empty PATH.
func opener(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
}

// The path is one argument, whatever is in it: no shell reads it.
func TestOpenFolder(t *testing.T) {
	out := filepath.Join(t.TempDir(), "argv")
	opener(t, `printf '%s\n' "$#" "$@" > `+out)
	dir := t.TempDir() + "/a b; touch $(c) 'd\""
	if err := OpenFolder(dir); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if want := "1\n" + dir + "\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

func TestOpenFolderFails(t *testing.T) {
	opener(t, "exit 3")
	if err := OpenFolder("/x"); err == nil {
		t.Error("the opener failed, and nobody said so")
	}
	t.Setenv("PATH", t.TempDir())
	if err := OpenFolder("/x"); err == nil {
		t.Error("there is no opener, and nobody said so")
	}
	opener(t, "exit 0")
	if err := OpenFolder("-x"); err == nil {
		t.Error("a relative path was opened")
	}
}

// An address arrives byte for byte as one argument; what is none of the web is not opened (SEC F11).
func TestOpenURL(t *testing.T) {
	out := filepath.Join(t.TempDir(), "argv")
	opener(t, `printf '%s\n' "$#" "$@" >> `+out)
	url := "https://a.example/$(touch%20x);`id`?a=1&b='2'#~!()[]*"
	if err := OpenURL(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{"-x", "--help", "file:///etc/passwd", "javascript:alert(1)", "vscode://x", "/etc/passwd", ""} {
		if err := OpenURL(t.Context(), other); err == nil {
			t.Errorf("%q was opened", other)
		}
	}
	got, err := os.ReadFile(out)
	if want := "1\n" + url + "\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	opener(t, "exit 3")
	if err := OpenURL(t.Context(), url); err == nil {
		t.Error("the browser failed, and nobody said so")
	}
}
