package mcphost

import (
	"fmt"
	"testing"
)

// What fits is shown whole; one line more, and the lines between the first and the last are counted.
func TestFirstAndLast(t *testing.T) {
	lines := make([]string, stderrFirst+stderrShown+2)
	for i := range lines {
		lines[i] = fmt.Sprint(i)
	}
	whole := lines[:stderrFirst+stderrShown]
	if got := firstAndLast(whole); fmt.Sprint(got) != fmt.Sprint(whole) {
		t.Errorf("%d lines became %q", len(whole), got)
	}
	got := firstAndLast(lines)
	if len(got) != stderrFirst+1+stderrShown || got[0] != "0" || got[stderrFirst-1] != "4" || got[stderrFirst] != "[2 lines left out]" ||
		got[stderrFirst+1] != "7" || got[len(got)-1] != lines[len(lines)-1] {
		t.Errorf("%d lines became %q", len(lines), got)
	}
}
