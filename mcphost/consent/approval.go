package consent

// This file defines Approval, the only key to a side effect.

import (
	"bytes"
	"encoding/json"
	"sync/atomic"
)

// An Approval lets one effect happen once. Only [Broker.Approve] mints one, after its decision is durable. The zero
// Approval allows nothing; copies share their one use. Safe for concurrent use.
type Approval struct{ grant *grant }

type grant struct {
	decision Decision
	used     atomic.Bool
}

// Decision returns the record this approval rests on; the caller owns the copy.
func (a Approval) Decision() Decision {
	if a.grant == nil {
		return Decision{}
	}
	return a.grant.decision.clone()
}

// Arguments returns the approved argument bytes, after edits, or the approved reply; nil for a launch. The caller owns
// the copy.
func (a Approval) Arguments() json.RawMessage {
	if a.grant == nil {
		return nil
	}
	d := a.grant.decision
	return bytes.Clone(Request{ToolCall: d.ToolCall, Question: d.Question}.content())
}

// Use spends the approval on exactly what has digest d. It returns [ErrMismatch] for any other digest, for a second
// use and for the zero Approval. A mismatch does not spend it.
func (a Approval) Use(d Digest) error {
	if a.grant == nil || d != a.grant.decision.Digest || !a.grant.used.CompareAndSwap(false, true) {
		return ErrMismatch
	}
	return nil
}
