package consent

// This file turns what was shown into digests. Every field is hashed with its length in front, so no two different
// requests share an input; JSON would not do, because it folds invalid UTF-8 into one replacement character.

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"hash"
)

// A hasher feeds length-prefixed fields of one domain into SHA-256.
type hasher struct{ h hash.Hash }

func newHasher(domain string) hasher {
	h := hasher{sha256.New()}
	h.text(domain)
	return h
}

func (h hasher) count(n int) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(n))
	h.h.Write(b[:])
}

func (h hasher) text(fields ...string) {
	for _, f := range fields {
		h.count(len(f))
		h.h.Write([]byte(f))
	}
}

func (h hasher) list(fields []string) {
	h.count(len(fields))
	h.text(fields...)
}

func (h hasher) vars(vars []Var) {
	h.count(len(vars))
	for _, v := range vars {
		h.text(v.Name, v.Value, v.Ref)
	}
}

func (h hasher) sum() Digest {
	var d Digest
	h.h.Sum(d[:0])
	return d
}

// DefinitionDigest identifies a tool's definition by its canonical form: member order, white space and string escapes
// do not count, the text of numbers does (2^53 and 2^53+1 differ, and so do 1 and 1.0). Bytes that have no canonical
// form (invalid JSON, duplicate keys) are identified as they are, in a domain of their own.
func DefinitionDigest(definition json.RawMessage) Digest {
	canonical, err := canonicalJSON(definition)
	if err != nil {
		h := newHasher("gatehouse.definition.raw.v1")
		h.text(string(definition))
		return h.sum()
	}
	h := newHasher("gatehouse.definition.v1")
	h.text(string(canonical))
	return h.sum()
}
