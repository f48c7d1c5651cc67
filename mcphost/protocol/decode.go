package protocol

// This file decodes: one pass over valid JSON, without reflection, from spans of the received bytes.

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A Decodable is a shape that is received: a pointer to one of this package's types with a decode method.
type Decodable interface {
	decode(r *reader) error
}

// Decode reads raw into v, which should be zero. Raw must be valid JSON that does not change afterwards: v's raw
// parts are spans of it. The error says why v as a whole cannot be used.
func Decode(raw json.RawMessage, v Decodable) error {
	r := &reader{data: raw}
	r.space()
	if err := v.decode(r); err != nil {
		return err
	}
	if r.space(); r.pos != len(r.data) {
		return errMalformed
	}
	return nil
}

var (
	errMalformed = errors.New("malformed JSON")
	errNoObject  = errors.New("not an object")
)

// A reader walks over valid JSON. Malformed JSON takes it to the end early.
type reader struct {
	data    []byte
	pos     int
	nesting int // of blocks within blocks
}

func (r *reader) space() {
	for r.pos < len(r.data) {
		switch r.data[r.pos] {
		case ' ', '\t', '\r', '\n':
			r.pos++
		default:
			return
		}
	}
}

// peek returns the first byte of what comes, 0 at the end.
func (r *reader) peek() byte {
	if r.pos < len(r.data) {
		return r.data[r.pos]
	}
	return 0
}

func (r *reader) giveUp() { r.pos = len(r.data) + 1 }

// since returns what was read from start on.
func (r *reader) since(start int) json.RawMessage {
	end := min(r.pos, len(r.data))
	return r.data[min(start, end):end:end]
}

// value reads any value and returns its text.
func (r *reader) value() json.RawMessage {
	start := r.pos
	switch r.peek() {
	case '"':
		r.quoted()
	case '{', '[':
		r.nested()
	default:
		for r.pos < len(r.data) && !endsScalar(r.data[r.pos]) {
			r.pos++
		}
		if r.pos == start {
			r.giveUp()
		}
	}
	return r.since(start)
}

func endsScalar(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', ',', ':', ']', '}':
		return true
	}
	return false
}

// quoted reads a string and reports whether it contains escapes.
func (r *reader) quoted() (escaped bool) {
	start := r.pos + 1
	end := start + max(0, bytes.IndexByte(r.data[start:], '"'))
	n := bytes.IndexByte(r.data[start:end], '\\')
	if n < 0 && end < len(r.data) && r.data[end] == '"' {
		r.pos = end + 1
		return false
	}
	for i := start + max(0, n); i < len(r.data); i++ {
		switch r.data[i] {
		case '"':
			r.pos = i + 1
			return true
		case '\\':
			i++
		}
	}
	r.giveUp()
	return true
}

// nested reads an object or array of any depth.
func (r *reader) nested() {
	for depth := 0; r.pos < len(r.data); {
		switch r.data[r.pos] {
		case '"':
			r.quoted()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		r.pos++
		if depth == 0 {
			return
		}
	}
	r.giveUp()
}

// object reads an object; member reads the value of each key. Any other value is passed over: false.
func (r *reader) object(member func(key []byte)) bool {
	if r.peek() != '{' {
		r.value()
		return false
	}
	r.sequence('}', func() {
		start := r.pos + 1
		if r.peek() != '"' {
			r.giveUp()
			return
		}
		escaped := r.quoted()
		if r.pos > len(r.data) {
			return
		}
		key := r.data[start : r.pos-1]
		if escaped {
			key = []byte(unescape(key))
		}
		if r.space(); r.peek() != ':' {
			r.giveUp()
			return
		}
		r.pos++
		r.space()
		member(key)
	})
	return true
}

// array reads an array; element reads each element. Any other value is passed over: false.
func (r *reader) array(element func()) bool {
	if r.peek() != '[' {
		r.value()
		return false
	}
	r.sequence(']', element)
	return true
}

// sequence reads what stands between brackets, separated by commas.
func (r *reader) sequence(end byte, item func()) {
	r.pos++
	if r.space(); r.peek() == end {
		r.pos++
		return
	}
	for {
		item()
		r.space()
		switch r.peek() {
		case ',':
			r.pos++
			r.space()
		case end:
			r.pos++
			return
		default:
			r.giveUp()
			return
		}
	}
}

// text reads a string. Any other value is passed over: "", false.
func (r *reader) text() (string, bool) {
	if r.peek() != '"' {
		r.value()
		return "", false
	}
	start := r.pos + 1
	escaped := r.quoted()
	if r.pos > len(r.data) {
		return "", false
	}
	body := r.data[start : r.pos-1]
	if escaped {
		return unescape(body), true
	}
	return string(body), true
}

// boolean reads true or false; nil for any other value.
func (r *reader) boolean() *bool {
	switch string(r.value()) {
	case "true":
		return new(true)
	case "false":
		return new(false)
	}
	return nil
}

// flag reads a boolean that is false if it is not there.
func (r *reader) flag() bool {
	b := r.boolean()
	return b != nil && *b
}

// number reads a finite number; nil for any other value.
func (r *reader) number() *float64 {
	n, err := strconv.ParseFloat(string(r.scalar()), 64)
	if err != nil {
		return nil
	}
	return &n
}

// size reads a count; nil for any other value.
func (r *reader) size() *int64 {
	n, err := strconv.ParseInt(string(r.scalar()), 10, 64)
	if err != nil || n < 0 {
		return nil
	}
	return &n
}

// scalar reads a value and returns its text if that is a number, nil otherwise.
func (r *reader) scalar() json.RawMessage {
	raw := r.value()
	if len(raw) > 0 && (raw[0] == '-' || raw[0]-'0' <= 9) {
		return raw
	}
	return nil
}

// texts reads a list of strings; what is none is left out.
func (r *reader) texts() []string {
	var list []string
	r.array(func() {
		if s, ok := r.text(); ok {
			list = append(list, s)
		}
	})
	return list
}

// objectText reads an object and returns its text, nil for any other value.
func (r *reader) objectText() json.RawMessage {
	if raw := r.value(); len(raw) > 0 && raw[0] == '{' {
		return raw
	}
	return nil
}

var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescape returns the text of a string's body. Half a surrogate pair and an invalid escape become U+FFFD.
func unescape(body []byte) string {
	var out strings.Builder
	out.Grow(len(body))
	for i := 0; i < len(body); {
		c := body[i]
		if c != '\\' {
			out.WriteByte(c)
			i++
			continue
		}
		if i+1 < len(body) && escapes[body[i+1]] != 0 {
			out.WriteByte(escapes[body[i+1]])
			i += 2
			continue
		}
		r, n := codeUnit(body[i:])
		if utf16.IsSurrogate(r) {
			low, m := codeUnit(body[i+n:])
			if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
				n += m
			}
		}
		out.WriteRune(r)
		i += n
	}
	return out.String()
}

// codeUnit reads a \uXXXX that s begins with, and its length. Anything else is U+FFFD, and at most two bytes.
func codeUnit(s []byte) (rune, int) {
	if len(s) >= 6 && s[0] == '\\' && s[1] == 'u' {
		if n, err := strconv.ParseUint(string(s[2:6]), 16, 16); err == nil {
			return rune(n), 6
		}
	}
	return utf8.RuneError, min(2, len(s))
}
