package consent

// This file is the one strict JSON scanner of the package: what OneLine refuses and what the risk table reads come
// from the same pass (RFC 8259, with the duplicate-key and surrogate rules of I-JSON, RFC 7493).

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"
)

const (
	maxDepth    = 200 // deeper values have no honest display and would exhaust a recursive reader
	maxKeyShown = 60  // characters of a key in an error
)

// A SyntaxError says where JSON text is not acceptable, and matches [ErrInvalid].
type SyntaxError struct {
	Line, Column int    // 1-based; columns count characters
	Problem      string // short and lower case: `duplicate key "a"`
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

// Unwrap returns [ErrInvalid].
func (e *SyntaxError) Unwrap() error { return ErrInvalid }

// A scanner reads one JSON value. Each token goes to emit, each string value and each member's name, with its path, to
// visit; both may be nil.
type scanner struct {
	src   []byte
	pos   int
	path  []step // kept for visit only
	emit  func(token []byte)
	visit func(path []step, text string, isName bool)
}

// A step is one element of a path: a member's name, or an index when name is unused.
type step struct {
	name    string
	index   int
	isIndex bool
}

// scan reads the whole input as one value.
func (s *scanner) scan() error {
	s.space()
	if err := s.value(0); err != nil {
		return err
	}
	s.space()
	if s.pos < len(s.src) {
		return s.fail(s.pos, "text after the end of the value")
	}
	return nil
}

func (s *scanner) fail(pos int, format string, args ...any) error {
	line, column := 1, 1
	for rest := s.src[:min(pos, len(s.src))]; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		rest = rest[n:]
		if column++; r == '\n' {
			line, column = line+1, 1
		}
	}
	return &SyntaxError{Line: line, Column: column, Problem: fmt.Sprintf(format, args...)}
}

func (s *scanner) space() {
	for s.pos < len(s.src) {
		switch s.src[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// peek returns the next byte, or 0 at the end (0 begins no token).
func (s *scanner) peek() byte {
	if s.pos < len(s.src) {
		return s.src[s.pos]
	}
	return 0
}

func (s *scanner) token(start int) {
	if s.emit != nil {
		s.emit(s.src[start:s.pos])
	}
}

// punct takes the single byte c.
func (s *scanner) punct(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.pos++
	s.token(s.pos - 1)
	return true
}

func (s *scanner) value(depth int) error {
	switch c := s.peek(); {
	case c == '{' || c == '[':
		if depth == maxDepth {
			return s.fail(s.pos, "nested deeper than %d", maxDepth)
		}
		if c == '{' {
			return s.object(depth + 1)
		}
		return s.array(depth + 1)
	case c == '"':
		start := s.pos
		plain, err := s.str()
		if err == nil && s.visit != nil {
			s.visit(s.path, unquote(s.src[start:s.pos], plain), false)
		}
		return err
	case c == '-' || '0' <= c && c <= '9':
		return s.number()
	}
	for _, word := range []string{"true", "false", "null"} {
		if end := s.pos + len(word); end <= len(s.src) && string(s.src[s.pos:end]) == word {
			s.pos = end
			s.token(end - len(word))
			return nil
		}
	}
	return s.unexpected("a value")
}

func (s *scanner) unexpected(want string) error {
	if s.pos >= len(s.src) {
		return s.fail(s.pos, "the text ends where %s should be", want)
	}
	r, n := utf8.DecodeRune(s.src[s.pos:])
	if r == utf8.RuneError && n == 1 {
		return s.fail(s.pos, "invalid UTF-8")
	}
	return s.fail(s.pos, "%s where %s should be", strconv.QuoteRune(r), want)
}

func (s *scanner) object(depth int) error {
	s.punct('{')
	if s.space(); s.punct('}') {
		return nil
	}
	var seen names
	for {
		s.space()
		start := s.pos
		if s.peek() != '"' {
			return s.unexpected("a key")
		}
		if _, err := s.str(); err != nil {
			return err
		}
		name := textBytes(s.src[start:s.pos])
		if !seen.add(name) {
			return s.fail(start, "duplicate key %s", strconv.Quote(firstRunes(string(name), maxKeyShown)))
		}
		if s.space(); !s.punct(':') {
			return s.unexpected("a colon")
		}
		s.space()
		if s.visit != nil {
			s.path = append(s.path, step{name: string(name)})
			s.visit(s.path, s.path[len(s.path)-1].name, true)
		}
		if err := s.value(depth); err != nil {
			return err
		}
		s.path = s.path[:max(0, len(s.path)-1)]
		if s.space(); s.punct('}') {
			return nil
		}
		if !s.punct(',') {
			return s.unexpected("a comma or a closing brace")
		}
	}
}

const fewNames = 12 // up to here comparing all is faster than hashing

// names are the names of one object.
type names struct {
	few  [fewNames][]byte
	n    int
	many map[string]bool
}

// add reports whether name is new.
func (n *names) add(name []byte) bool {
	for _, other := range n.few[:n.n] {
		if bytes.Equal(other, name) {
			return false
		}
	}
	if n.n < fewNames {
		n.few[n.n] = name
		n.n++
		return true
	}
	if n.many == nil {
		n.many = make(map[string]bool)
	}
	if n.many[string(name)] {
		return false
	}
	n.many[string(name)] = true
	return true
}

func (s *scanner) array(depth int) error {
	s.punct('[')
	if s.space(); s.punct(']') {
		return nil
	}
	for i := 0; ; i++ {
		s.space()
		if s.visit != nil {
			s.path = append(s.path, step{index: i, isIndex: true})
		}
		if err := s.value(depth); err != nil {
			return err
		}
		s.path = s.path[:max(0, len(s.path)-1)]
		if s.space(); s.punct(']') {
			return nil
		}
		if !s.punct(',') {
			return s.unexpected("a comma or a closing bracket")
		}
	}
}

func (s *scanner) digits() bool {
	start := s.pos
	for c := s.peek(); '0' <= c && c <= '9'; c = s.peek() {
		s.pos++
	}
	return s.pos > start
}

func (s *scanner) number() error {
	start := s.pos
	if s.peek() == '-' {
		s.pos++
	}
	if s.peek() == '0' {
		s.pos++
	} else if !s.digits() {
		return s.unexpected("a digit")
	}
	if s.peek() == '.' {
		if s.pos++; !s.digits() {
			return s.unexpected("a digit")
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.pos++
		if c := s.peek(); c == '+' || c == '-' {
			s.pos++
		}
		if !s.digits() {
			return s.unexpected("a digit")
		}
	}
	s.token(start)
	return nil
}

// str reads a string and reports whether it has no escapes.
func (s *scanner) str() (plain bool, err error) {
	start := s.pos
	s.pos++
	plain = true
	for {
		switch c := s.peek(); {
		case s.pos >= len(s.src):
			return false, s.fail(start, "a string that does not end")
		case c == '"':
			s.pos++
			s.token(start)
			return plain, nil
		case c == '\\':
			plain = false
			if err := s.escape(); err != nil {
				return false, err
			}
		case c < ' ':
			return false, s.fail(s.pos, "an unescaped control character in a string")
		case c < utf8.RuneSelf:
			s.pos++
		default:
			r, n := utf8.DecodeRune(s.src[s.pos:])
			if r == utf8.RuneError && n == 1 {
				return false, s.fail(s.pos, "invalid UTF-8")
			}
			s.pos += n
		}
	}
}

// unquote decodes a string that str has checked, so it cannot fail.
func unquote(quoted []byte, plain bool) string {
	if plain {
		return string(quoted[1 : len(quoted)-1])
	}
	var text string
	_ = json.Unmarshal(quoted, &text)
	return text
}

// escape reads one escape sequence. Half a surrogate pair is refused: readers disagree on what it says.
func (s *scanner) escape() error {
	start := s.pos
	s.pos++
	switch s.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.pos++
		return nil
	case 'u':
		high, ok := s.hex4()
		switch {
		case !ok:
			return s.fail(start, "an incomplete \\u escape")
		case high < 0xD800 || high > 0xDFFF:
			return nil
		case high <= 0xDBFF && s.peek() == '\\':
			s.pos++
			if low, ok := s.hex4(); ok && 0xDC00 <= low && low <= 0xDFFF {
				return nil
			}
		}
		return s.fail(start, "half a surrogate pair")
	}
	return s.fail(start, "an unknown escape")
}

// hex4 reads "uXXXX".
func (s *scanner) hex4() (rune, bool) {
	if s.peek() != 'u' || s.pos+5 > len(s.src) {
		return 0, false
	}
	n, err := strconv.ParseUint(string(s.src[s.pos+1:s.pos+5]), 16, 32)
	s.pos += 5
	return rune(n), err == nil
}
