package protocol

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// Limits at n and at n+1 that no test of their feature tries.
func TestLimits(t *testing.T) {
	for n, fits := range map[int]bool{maxTemplateVariables: true, maxTemplateVariables + 1: false} {
		template := "a:"
		for i := range n {
			template += fmt.Sprintf("{v%d}", i)
		}
		if _, err := TemplateVariables(template); (err == nil) != fits {
			t.Errorf("%d variables: %v", n, err)
		}
	}
	for ms, want := range map[int64]time.Duration{
		maxTTL.Milliseconds() - 1: maxTTL - time.Millisecond, maxTTL.Milliseconds(): maxTTL, maxTTL.Milliseconds() + 1: maxTTL,
	} {
		page, _, err := DecodePage[Tool](json.RawMessage(fmt.Sprintf(`{"tools":[],"ttlMs":%d}`, ms)), "tools")
		if err != nil || page.Cache.TTL != want {
			t.Errorf("%d ms: %v, %v", ms, page.Cache.TTL, err)
		}
	}
	for n, fits := range map[int]bool{maxNesting: true, maxNesting + 1: false} {
		block := `{"type":"text","text":"inmost"}`
		for range n {
			block = `{"type":"tool_result","toolUseId":"t","content":[` + block + `]}`
		}
		var c Content
		if err := Decode(json.RawMessage(block), &c); err != nil {
			t.Fatal(err)
		}
		inmost := &c
		depth := 0
		for len(inmost.Content) > 0 {
			inmost = &inmost.Content[0]
			depth++
		}
		if (inmost.Text == "inmost") != fits || depth > maxNesting {
			t.Errorf("%d within each other: %d are read, the inmost is %q %q", n, depth, inmost.Text, strings.TrimSpace(inmost.Err))
		}
	}
}
