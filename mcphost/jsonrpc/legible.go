package jsonrpc

// This file finds out which call a spoilt or skipped frame answers, in constant space.

// answeredID returns the id of the request that the spoilt message raw answers, none if that is not legible.
func answeredID(raw []byte) ID {
	var f idFinder
	f.write(raw)
	return f.answered()
}

// An idFinder watches one message go by, piece by piece, and picks up the member "id" at its top level. The message
// need not be valid JSON, as long as its quotes and brackets pair up to there. The zero idFinder is ready.
type idFinder struct {
	depth    int
	done     bool // behind the message, or it is none
	inString bool
	escaped  bool // the next byte of the string is
	key      [len(`"method"`) + 1]byte
	keyLen   int
	token    [256]byte // what stands at the top level since the last separator
	tokenLen int       // len(token) = did not fit
	ids      int
	id       ID
	request  bool
}

// answered returns the id of the request that the message answers, none if it is a request itself or is not legible.
func (f *idFinder) answered() ID {
	if f.request || f.ids != 1 {
		return ID{}
	}
	return f.id
}

func (f *idFinder) write(p []byte) {
	for i := 0; i < len(p) && !f.done; i++ {
		if f.inString {
			i = f.inside(p, i)
			continue
		}
		switch c := p[i]; {
		case isSpace(c) || f.depth == 0 && c >= 0x80: // a byte order mark
		case f.depth == 0:
			f.depth, f.done = 1, c != '{'
		case c == '{' || c == '[':
			f.keep(c)
			f.depth++
		case c == '}' || c == ']':
			if f.depth--; f.depth == 0 {
				f.member()
				f.done = true
			}
		case c == ':' && f.depth == 1:
			f.keyLen = copy(f.key[:], f.token[:f.tokenLen])
			f.tokenLen = 0
		case c == ',' && f.depth == 1:
			f.member()
		default:
			f.inString = c == '"'
			f.keep(c)
		}
	}
}

// inside handles the byte p[i] of a string, and those behind it that do not matter. It returns the last one's index.
func (f *idFinder) inside(p []byte, i int) int {
	switch c := p[i]; {
	case f.escaped:
		f.escaped = false
	case c == '\\':
		f.escaped = true
	case c == '"':
		f.inString = false
	case f.depth > 1:
		return skipPlain(p, i+1) - 1
	}
	f.keep(p[i])
	return i
}

// keep appends a byte of the top level to the token.
func (f *idFinder) keep(c byte) {
	if f.depth == 1 && f.tokenLen < len(f.token) {
		f.token[f.tokenLen] = c
		f.tokenLen++
	}
}

// member ends a member of the top level.
func (f *idFinder) member() {
	switch string(f.key[:f.keyLen]) {
	case `"id"`:
		f.ids++
		if f.tokenLen < len(f.token) {
			f.id, _ = ParseID(append([]byte(nil), f.token[:f.tokenLen]...))
		}
	case `"method"`:
		f.request = true
	}
	f.keyLen, f.tokenLen = 0, 0
}
