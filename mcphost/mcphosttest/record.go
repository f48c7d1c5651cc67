package mcphosttest

// This file reads what a scripted server has received.

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// A Record is the file in which a server notes every frame before it acts on it.
type Record string

// Frames are the frames received so far, exactly as received; none if the server never ran.
func (r Record) Frames(t testing.TB) []string {
	t.Helper()
	text := readFile(t, string(r))
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// Of are the frames received so far that carry this method.
func (r Record) Of(t testing.TB, method string) []string {
	t.Helper()
	var frames []string
	for _, f := range r.Frames(t) {
		var m struct{ Method string }
		if json.Unmarshal([]byte(f), &m) == nil && m.Method == method {
			frames = append(frames, f)
		}
	}
	return frames
}

// Count is the number of frames received so far that carry this method.
func (r Record) Count(t testing.TB, method string) int {
	t.Helper()
	return len(r.Of(t, method))
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(b)
}
