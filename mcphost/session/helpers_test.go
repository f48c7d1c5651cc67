package session_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gatehouse/mcphost/mcphosttest"
)

func itoa(n int) string { return strconv.Itoa(n) }

// methods are the methods received so far, in order; only = none but these.
func methods(t *testing.T, r mcphosttest.Record, only ...string) string {
	t.Helper()
	var list []string
	for _, f := range r.Frames(t) {
		var m struct{ Method string }
		if json.Unmarshal([]byte(f), &m) == nil && m.Method != "" && (len(only) == 0 || slices.Contains(only, m.Method)) {
			list = append(list, m.Method)
		}
	}
	return strings.Join(list, " ")
}
