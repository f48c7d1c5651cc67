package chat

import (
	"testing"

	"gatehouse/mcphost/llm"
)

// An answer may have 128 uses of tools; a delta for one more, or for none, changes nothing.
func TestMostUses(t *testing.T) {
	uses := merge(nil, llm.ToolUseDelta{Index: maxUses - 1, ID: "last"})
	if len(uses) != maxUses || uses[maxUses-1].ID != "last" {
		t.Fatalf("%d uses", len(uses))
	}
	for _, index := range []int{maxUses, -1} {
		if got := merge(uses, llm.ToolUseDelta{Index: index, ID: "x"}); len(got) != maxUses {
			t.Errorf("use %d: %d uses", index, len(got))
		}
	}
}
