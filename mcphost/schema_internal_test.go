package mcphost

import (
	"encoding/json"
	"slices"
	"testing"
)

// Whatever a server writes as a schema, and whatever is checked against it: no panic, a bounded number of problems, the
// same ones each time; and what is no JSON is never right.
func FuzzSchema(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}`), []byte(`{"n":1e400}`))
	f.Fuzz(func(t *testing.T, raw, value []byte) {
		for _, formats := range []bool{false, true} {
			s, err := compileSchemaWith(raw, formats)
			if err != nil {
				continue
			}
			problems := s.check(value)
			if len(problems) > maxProblems {
				t.Fatalf("%d problems", len(problems))
			}
			if !json.Valid(value) && len(problems) == 0 {
				t.Fatalf("%q was found right", value)
			}
			if again := s.check(value); len(again) != len(problems) || len(problems) == 1 && !slices.Equal(again, problems) {
				t.Fatalf("first %v, then %v", problems, again)
			}
		}
	})
}
