package session

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"gatehouse/mcphost/protocol"
)

// What was read is kept up to a number and up to a size, the newest; a single one that is larger is not.
func TestReadsKept(t *testing.T) {
	kept := func(r *reads, uri string) bool {
		result, _ := r.get(uri)
		return result != nil
	}
	of := func(n int) *protocol.ReadResourceResult {
		return &protocol.ReadResourceResult{Raw: bytes.Repeat([]byte("x"), n)}
	}
	var many reads
	for i := range readsKept {
		many.put(fmt.Sprint(i), of(1), time.Time{}, 0)
	}
	if !kept(&many, "0") {
		t.Error("n: the oldest is gone")
	}
	many.put("more", of(1), time.Time{}, 0)
	if kept(&many, "0") || !kept(&many, "1") || !kept(&many, "more") {
		t.Error("n+1: not just the oldest is gone")
	}
	var large reads
	large.put("a", of(readBytes-1), time.Time{}, 0)
	large.put("b", of(1), time.Time{}, 0)
	if !kept(&large, "a") || !kept(&large, "b") {
		t.Error("n bytes: one is gone")
	}
	large.put("c", of(1), time.Time{}, 0)
	if kept(&large, "a") || !kept(&large, "b") || !kept(&large, "c") {
		t.Error("n+1 bytes: not just the oldest is gone")
	}
	var single reads
	single.put("fits", of(readBytes), time.Time{}, 0)
	if !kept(&single, "fits") {
		t.Error("one of n bytes is not kept")
	}
	single.put("large", of(readBytes+1), time.Time{}, 0)
	if kept(&single, "large") || !kept(&single, "fits") {
		t.Error("one of n+1 bytes is kept, or pushed out what was")
	}
}
