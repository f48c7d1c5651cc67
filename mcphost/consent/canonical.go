package consent

// This file makes bytes canonical: arguments on one line as they go out, definitions for comparison.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
)

// OneLine returns the arguments object raw on one line: white space outside strings is removed, every string and
// number keeps its bytes. Nothing but white space means no arguments, "{}". Invalid JSON, invalid UTF-8, half surrogate
// pairs, duplicate keys, nesting deeper than 200 and anything but an object are refused with a [*SyntaxError].
func OneLine(raw []byte) (json.RawMessage, error) {
	s := scanner{src: raw}
	if s.space(); s.pos == len(raw) {
		return json.RawMessage("{}"), nil
	}
	if s.peek() != '{' {
		return nil, s.unexpected("an object")
	}
	line := make([]byte, 0, len(raw))
	s.emit = func(token []byte) { line = append(line, token...) }
	if err := s.scan(); err != nil {
		return nil, err
	}
	return line, nil
}

// canonicalJSON returns the form of the JSON Canonicalization Scheme (RFC 8785), except that numbers keep their text.
func canonicalJSON(raw []byte) ([]byte, error) {
	c := canonicalizer{out: make([]byte, 0, len(raw))}
	s := scanner{src: raw, emit: c.token}
	if err := s.scan(); err != nil {
		return nil, err
	}
	return c.out, nil
}

// A canonicalizer takes the tokens of a valid value and writes them in canonical order: an object's members are put in
// order when it closes.
type canonicalizer struct {
	out     []byte
	open    []container // innermost last
	members []member    // of the open objects, innermost last
	scratch []byte
}

// A container is an open object or array.
type container struct {
	isObject bool
	start    int // of its content in out
	members  int // the first of its own
}

// A member lies at out[start:end]; of the last one, end is not known yet.
type member struct {
	name       []byte
	start, end int
}

func (c *canonicalizer) token(token []byte) {
	inside := container{}
	if n := len(c.open); n > 0 {
		inside = c.open[n-1]
	}
	switch first := token[0]; {
	case first == '}' || first == ']':
		if inside.isObject {
			c.order(inside)
		}
		c.open = c.open[:len(c.open)-1]
	case first == '"' && inside.isObject && c.atName(inside):
		c.members = append(c.members, member{name: textBytes(token), start: len(c.out)})
	case first == ',' && inside.isObject:
		c.members[len(c.members)-1].end = len(c.out)
	}
	if token[0] == '"' && bytes.IndexByte(token, '\\') >= 0 {
		c.out = appendString(c.out, unquote(token, false))
		return
	}
	c.out = append(c.out, token...)
	if token[0] == '{' || token[0] == '[' {
		c.open = append(c.open, container{token[0] == '{', len(c.out), len(c.members)})
	}
}

// atName reports whether the string that comes next is the name of a member of the innermost container, an object.
func (c *canonicalizer) atName(inside container) bool {
	return len(c.out) == inside.start || c.members[len(c.members)-1].end == len(c.out)-len(",")
}

// order puts the members of the object that closes in order.
func (c *canonicalizer) order(object container) {
	members := c.members[object.members:]
	c.members = c.members[:object.members]
	if len(members) == 0 {
		return
	}
	members[len(members)-1].end = len(c.out)
	byName := func(a, b member) int { return compareUTF16(a.name, b.name) }
	if slices.IsSortedFunc(members, byName) {
		return
	}
	slices.SortFunc(members, byName)
	c.scratch = append(c.scratch[:0], c.out[object.start:]...)
	c.out = c.out[:object.start]
	for i, m := range members {
		if i > 0 {
			c.out = append(c.out, ',')
		}
		c.out = append(c.out, c.scratch[m.start-object.start:m.end-object.start]...)
	}
}

// textBytes returns what a string token says; it may be a part of the token.
func textBytes(token []byte) []byte {
	if bytes.IndexByte(token, '\\') < 0 {
		return token[1 : len(token)-1]
	}
	return []byte(unquote(token, false))
}

// compareUTF16 orders valid UTF-8 by its UTF-16 code units (RFC 8785 §3.2.3). That is the order of the bytes, except
// that characters beyond U+FFFF, which begin with F0 to F4, are surrogates there and come before U+E000 to U+FFFF,
// which begin with EE or EF.
func compareUTF16(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		if x == y {
			continue
		}
		if min(x, y) >= 0xEE && (x >= 0xF0) != (y >= 0xF0) {
			return cmp.Compare(y, x)
		}
		return cmp.Compare(x, y)
	}
	return cmp.Compare(len(a), len(b))
}

// appendString escapes what RFC 8785 §3.2.2.2 says must be escaped, and nothing else.
func appendString(b []byte, s string) []byte {
	const short = "btn\x00fr" // \b \t \n – \f \r, from U+0008 on
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c >= ' ':
			b = append(b, c)
		case c >= '\b' && c <= '\r' && c != '\v':
			b = append(b, '\\', short[c-'\b'])
		default:
			const digits = "0123456789abcdef"
			b = append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
	}
	return append(b, '"')
}
