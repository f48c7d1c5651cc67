package mcphost

import (
	"fmt"
	"slices"
	"testing"
)

// What fits is shown whole; one line more, and the lines between the first and the last are counted.
func TestExcerptOf(t *testing.T) {
	lines := make([]string, stderrFirst+stderrShown+2)
	for i := range lines {
		lines[i] = fmt.Sprint(i)
	}
	fits := lines[:stderrFirst+stderrShown]
	if got := excerptOf(fits); got.First != nil || got.LeftOut != 0 || !slices.Equal(got.Last, fits) {
		t.Errorf("%d lines became %+v", len(fits), got)
	}
	got := excerptOf(lines)
	if got.LeftOut != 2 || !slices.Equal(got.First, lines[:stderrFirst]) || !slices.Equal(got.Last, lines[stderrFirst+2:]) {
		t.Errorf("%d lines became %+v", len(lines), got)
	}
}
