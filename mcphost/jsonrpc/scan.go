package jsonrpc

// This file is the one scanner for everything the other side writes: RFC 8259 JSON in UTF-8 without duplicate keys
// and within the limits on depth and keys. It copies nothing but keys that contain escapes.

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"sync"
	"unicode/utf8"
)

// CheckValue reports whether raw is exactly one JSON value as the scanner wants it: valid JSON in valid UTF-8, no
// key twice in an object, not deeper than lim.Depth. The error is a *FrameError; nil limits are the defaults.
func CheckValue(raw []byte, lim *Limits) error {
	s := newScanner(raw, lim)
	defer s.release()
	s.space()
	if !s.value() || !s.end() {
		return s.fault()
	}
	return nil
}

// A scanner walks over data. Its methods return false after a fault, which err then describes.
type scanner struct {
	data   []byte
	pos    int
	depth  int
	limits Limits
	reason string
	keys   [][]byte // keys of the open objects, unescaped
	used   int      // how far keys has been filled
	table  []uint32 // scratch of duplicate
}

var scanners = sync.Pool{New: func() any { return new(scanner) }}

func newScanner(data []byte, lim *Limits) *scanner {
	s := scanners.Get().(*scanner)
	s.data, s.pos, s.depth, s.reason = data, 0, 0, ""
	s.limits = lim.resolve()
	s.keys = s.keys[:0]
	return s
}

// release gives s back. Large scratch space is let go.
func (s *scanner) release() {
	clear(s.keys[:max(s.used, len(s.keys))])
	s.data, s.used = nil, 0
	if cap(s.keys) > 1<<12 {
		s.keys, s.table = nil, nil
	}
	scanners.Put(s)
}

func (s *scanner) fail(reason string) bool {
	if s.reason == "" {
		s.reason = reason
	}
	return false
}

// fault describes the fault and forgets it.
func (s *scanner) fault() *FrameError {
	err := &FrameError{Reason: s.reason, Offset: s.pos}
	if s.reason == reasonSyntax && s.pos >= len(s.data) {
		err.Reason = "unexpected end"
	}
	s.reason = ""
	return err
}

// rewind goes back to pos, inside depth arrays and no object.
func (s *scanner) rewind(pos, depth int) {
	s.used = max(s.used, len(s.keys))
	s.pos, s.depth, s.keys = pos, depth, s.keys[:0]
}

// end reports whether nothing follows.
func (s *scanner) end() bool {
	s.space()
	return s.pos == len(s.data) || s.fail("more than one value")
}

const reasonSyntax = "invalid JSON"

func (s *scanner) space() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\r', '\n':
			s.pos++
		default:
			return
		}
	}
}

// peek returns the current byte, or 0 at the end.
func (s *scanner) peek() byte {
	if s.pos < len(s.data) {
		return s.data[s.pos]
	}
	return 0
}

// value scans one value. It recurses no deeper than the limit.
func (s *scanner) value() bool {
	switch c := s.peek(); c {
	case '"':
		_, ok := s.str()
		return ok
	case '{':
		return s.object()
	case '[':
		return s.array()
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	default:
		if c == '-' || c-'0' <= 9 {
			return s.number()
		}
		return s.fail(reasonSyntax)
	}
}

func (s *scanner) word(w string) bool {
	if len(s.data)-s.pos < len(w) || string(s.data[s.pos:s.pos+len(w)]) != w {
		return s.fail(reasonSyntax)
	}
	s.pos += len(w)
	return true
}

func (s *scanner) enter() bool {
	if s.depth >= s.limits.Depth {
		return s.fail("nested too deeply")
	}
	s.depth++
	s.pos++
	s.space()
	return true
}

func (s *scanner) leave() bool {
	s.depth--
	s.pos++
	return true
}

func (s *scanner) array() bool {
	if !s.enter() {
		return false
	}
	if s.peek() == ']' {
		return s.leave()
	}
	for {
		if !s.value() {
			return false
		}
		s.space()
		switch s.peek() {
		case ',':
			s.pos++
			s.space()
		case ']':
			return s.leave()
		default:
			return s.fail(reasonSyntax)
		}
	}
}

func (s *scanner) object() bool {
	if !s.enter() {
		return false
	}
	base := len(s.keys)
	if s.peek() == '}' {
		return s.leave()
	}
	for {
		if _, ok := s.key(); !ok || !s.value() {
			return false
		}
		more, ok := s.next(base)
		if !ok {
			return false
		}
		if !more {
			return true
		}
	}
}

// key scans a key and its colon and records the key. It returns the unescaped text.
func (s *scanner) key() ([]byte, bool) {
	if s.peek() != '"' {
		return nil, s.fail(reasonSyntax)
	}
	if len(s.keys) >= s.limits.Keys {
		return nil, s.fail("too many keys")
	}
	start := s.pos + 1
	escaped, ok := s.str()
	if !ok {
		return nil, false
	}
	key := s.data[start : s.pos-1]
	if escaped {
		key = unescape(key)
	}
	s.keys = append(s.keys, key)
	s.space()
	if s.peek() != ':' {
		return nil, s.fail(reasonSyntax)
	}
	s.pos++
	s.space()
	return key, true
}

// next scans what follows a member of the object whose keys begin at base.
func (s *scanner) next(base int) (more, ok bool) {
	s.space()
	switch s.peek() {
	case ',':
		s.pos++
		s.space()
		return true, true
	case '}':
		if s.duplicate(s.keys[base:]) {
			return false, s.fail("duplicate key")
		}
		s.used = max(s.used, len(s.keys))
		s.keys = s.keys[:base]
		return false, s.leave()
	default:
		return false, s.fail(reasonSyntax)
	}
}

const fewKeys = 12 // up to here comparing all pairs is faster than hashing

var keySeed = maphash.MakeSeed()

// duplicate reports whether a key occurs twice.
func (s *scanner) duplicate(keys [][]byte) bool {
	if len(keys) <= fewKeys {
		for i, a := range keys {
			for _, b := range keys[:i] {
				if len(a) == len(b) && string(a) == string(b) {
					return true
				}
			}
		}
		return false
	}
	size := 2 << bits.Len(uint(len(keys)))
	if cap(s.table) < size {
		s.table = make([]uint32, size)
	}
	table := s.table[:size] // open addressing: 0 is free, otherwise 1 + index of a key
	clear(table)
	mask := uint64(size - 1)
	for i, key := range keys {
		slot := maphash.Bytes(keySeed, key) & mask
		for ; table[slot] != 0; slot = (slot + 1) & mask {
			if bytes.Equal(keys[table[slot]-1], key) {
				return true
			}
		}
		table[slot] = uint32(i + 1)
	}
	return false
}

func (s *scanner) number() bool {
	if s.peek() == '-' {
		s.pos++
	}
	if s.peek() == '0' {
		s.pos++
	} else if !s.digits() {
		return false
	}
	if s.peek() == '.' {
		s.pos++
		if !s.digits() {
			return false
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.pos++
		if c := s.peek(); c == '+' || c == '-' {
			s.pos++
		}
		return s.digits()
	}
	return true
}

// digits scans at least one digit.
func (s *scanner) digits() bool {
	start := s.pos
	for s.peek()-'0' <= 9 {
		s.pos++
	}
	return s.pos > start || s.fail(reasonSyntax)
}

// str scans a string and reports whether it contains escapes.
func (s *scanner) str() (escaped, ok bool) {
	i := s.pos + 1
	for {
		i = skipPlain(s.data, i)
		if i >= len(s.data) {
			s.pos = i
			return escaped, s.fail(reasonSyntax)
		}
		switch c := s.data[i]; {
		case c == '"':
			s.pos = i + 1
			return escaped, true
		case c == '\\':
			escaped = true
			n := escapeLen(s.data[i:])
			if n == 0 {
				s.pos = i
				return true, s.fail("invalid escape")
			}
			i += n
		case c < 0x20:
			s.pos = i
			return escaped, s.fail("control character in a string")
		default:
			r, n := utf8.DecodeRune(s.data[i:])
			if r == utf8.RuneError && n == 1 {
				s.pos = i
				return escaped, s.fail("invalid UTF-8")
			}
			i += n
		}
	}
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// skipPlain returns the index of the first byte from i on that is a quote, a backslash, a control character or not
// ASCII. It looks at eight bytes at a time: a byte is zero in x if it borrows into its high bit in x-ones.
func skipPlain(data []byte, i int) int {
	for ; i+8 <= len(data); i += 8 {
		w := binary.LittleEndian.Uint64(data[i:])
		quote, slash := w^(ones*'"'), w^(ones*'\\')
		found := (w | (w - ones*0x20) | (quote - ones) | (slash - ones)) & highs
		if found != 0 {
			return i + bits.TrailingZeros64(found)/8 // borrows spoil only the bytes behind the first one found
		}
	}
	for i < len(data) {
		if c := data[i]; c < 0x20 || c >= 0x80 || c == '"' || c == '\\' {
			break
		}
		i++
	}
	return i
}

// escapeLen returns the length of the escape sequence that data begins with, 0 if it is invalid.
func escapeLen(data []byte) int {
	if len(data) < 2 {
		return 0
	}
	switch data[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(data) >= 6 && hex4(data[2:6]) >= 0 {
			return 6
		}
	}
	return 0
}
