package consent

// This file remembers what the user refused, so that a model that asks again within a turn is shown as doing so.

import (
	"slices"
	"sync"
)

// maxRefusals bounds the memory; the oldest refusal is forgotten first.
const maxRefusals = 256

type refusal struct {
	turn   string
	digest Digest
}

// refusals is a bounded set. The zero value is ready for use.
type refusals struct {
	mu   sync.Mutex
	last []refusal // guarded by mu; oldest first
}

func (r *refusals) add(turn string, d Digest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if entry := (refusal{turn, d}); turn != "" && !slices.Contains(r.last, entry) {
		r.last = append(r.last, entry)
		r.last = r.last[max(0, len(r.last)-maxRefusals):]
	}
}

func (r *refusals) has(turn string, d Digest) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Contains(r.last, refusal{turn, d})
}
