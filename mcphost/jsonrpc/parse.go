package jsonrpc

// This file parses frames: the envelope of JSON-RPC 2.0, and its batches, which 2025-03-26 servers may send.

import (
	"bytes"
	"errors"
)

// Parse reads one frame: a message, or a batch of them. White space and a byte order mark around it are tolerated.
//
// It refuses what two readers could understand differently: invalid JSON or UTF-8, a key twice anywhere, an envelope
// key in other case or with NUL, a message that is neither or both of request and response, a null or fractional id,
// an error code that is no integer. Unknown envelope keys are ignored. The error is a *FrameError. In a batch of valid
// JSON a message spoils only itself: Parse returns the good ones, and the errors of the others joined.
//
// The messages' raw parts are spans of frame, which must not change afterwards. Nil limits are the defaults.
func Parse(frame []byte, lim *Limits) ([]*Message, error) {
	data := trimFrame(frame)
	s := newScanner(data, lim)
	defer s.release()
	if len(frame) > s.limits.FrameBytes {
		return nil, &FrameError{Reason: "the frame is too large", Offset: s.limits.FrameBytes, ID: answeredID(data)}
	}
	if s.peek() == '[' {
		return s.batch()
	}
	single := &struct { // one allocation
		message Message
		list    [1]*Message
	}{}
	if !s.message(&single.message) || !s.end() {
		err := s.fault()
		err.ID = answeredID(data)
		return nil, err
	}
	single.list[0] = &single.message
	return single.list[:], nil
}

func (s *scanner) batch() ([]*Message, error) {
	if !s.array() || !s.end() { // the syntax first, so that every element has an end
		return nil, s.fault()
	}
	var list []*Message
	var errs []error
	s.pos = 0
	s.enter()
	for more := s.peek() != ']'; more; {
		if len(list)+len(errs) == s.limits.Batch {
			s.fail("too many messages in a batch")
			return nil, s.fault()
		}
		start := s.pos
		if m := new(Message); s.message(m) {
			list = append(list, m)
		} else {
			err := s.fault()
			s.rewind(start, 1)
			s.value()
			err.ID = answeredID(s.data[start:s.pos])
			errs = append(errs, err)
		}
		s.space()
		more = s.peek() == ','
		s.pos++
		s.space()
	}
	if len(list)+len(errs) == 0 {
		return nil, &FrameError{Reason: "empty batch"}
	}
	return list, errors.Join(errs...)
}

// message scans one message into m.
func (s *scanner) message(m *Message) bool {
	start := s.pos
	if s.peek() != '{' {
		return s.fail("not a message")
	}
	var e envelope
	if !s.fields(envelopeKeys[:], e[:]) {
		return false
	}
	m.Raw = s.data[start:s.pos:s.pos]
	if string(e[keyVersion]) != `"2.0"` {
		return s.fail("not JSON-RPC 2.0")
	}
	if e[keyMethod] != nil {
		return s.request(&e, m)
	}
	return s.response(&e, m)
}

// An envelope holds the text of a message's members by index in envelopeKeys, nil if absent.
type envelope [6][]byte

const (
	keyVersion = iota
	keyID
	keyMethod
	keyParams
	keyResult
	keyError
)

var (
	envelopeKeys = [...]string{"jsonrpc", "id", "method", "params", "result", "error"}
	errorKeys    = [...]string{"code", "message", "data"}
)

// fields scans an object. It puts the text of the member names[i] into values[i] and refuses a key that only
// resembles a name.
func (s *scanner) fields(names []string, values [][]byte) bool {
	if !s.enter() {
		return false
	}
	if s.peek() == '}' {
		return s.leave()
	}
	base := len(s.keys)
	for more := true; more; {
		key, ok := s.key()
		if !ok {
			return false
		}
		field := indexOf(names, key)
		if field < 0 && resembles(names, key) {
			return s.fail("a key that resembles a protocol key")
		}
		start := s.pos
		if !s.value() {
			return false
		}
		if field >= 0 {
			values[field] = s.data[start:s.pos:s.pos]
		}
		if more, ok = s.next(base); !ok {
			return false
		}
	}
	return true
}

func indexOf(names []string, key []byte) int {
	for i, name := range names {
		if string(key) == name {
			return i
		}
	}
	return -1
}

// resembles reports whether a reader that ignores case or stops at NUL would take key for one of names.
func resembles(names []string, key []byte) bool {
	key, _, _ = bytes.Cut(key, []byte{0})
	for _, name := range names {
		if bytes.EqualFold(key, []byte(name)) {
			return true
		}
	}
	return false
}

func (s *scanner) request(e *envelope, m *Message) bool {
	if e[keyResult] != nil || e[keyError] != nil {
		return s.fail("both request and response")
	}
	if e[keyMethod][0] != '"' || len(e[keyMethod]) == len(`""`) {
		return s.fail("the method is no name")
	}
	m.Method = textOf(e[keyMethod])
	if e[keyID] != nil && !s.id(e[keyID], m) {
		return false
	}
	switch params := e[keyParams]; {
	case params == nil || params[0] == 'n':
	case params[0] == '{' || params[0] == '[':
		m.Params = params
	default:
		return s.fail("params is neither object nor array")
	}
	return true
}

func (s *scanner) response(e *envelope, m *Message) bool {
	if (e[keyResult] == nil) == (e[keyError] == nil) {
		if e[keyResult] == nil {
			return s.fail("neither result nor error")
		}
		return s.fail("both result and error")
	}
	if id := e[keyID]; id != nil && id[0] != 'n' {
		if !s.id(id, m) {
			return false
		}
	} else if e[keyError] == nil {
		return s.fail("a result without id")
	}
	m.Result = e[keyResult]
	return e[keyError] == nil || s.errorObject(e[keyError], m)
}

// id reads text as the id of m.
func (s *scanner) id(text []byte, m *Message) bool {
	if len(text) > s.limits.IDBytes {
		return s.fail("the id is too long")
	}
	var ok bool
	if m.ID, ok = idOf(text); !ok {
		return s.fail("the id is neither string nor integer")
	}
	return true
}

// errorObject reads raw, which s has already found valid, as the error of m.
func (s *scanner) errorObject(raw []byte, m *Message) bool {
	if raw[0] != '{' {
		return s.fail("the error is no object")
	}
	sub := newScanner(raw, &s.limits)
	defer sub.release()
	var values [3][]byte
	if !sub.fields(errorKeys[:], values[:]) {
		return s.fail(sub.reason + " in the error")
	}
	code, message := values[0], values[1]
	n, ok := parseInt(code)
	if !ok || !isInteger(code) {
		return s.fail("the error code is no integer")
	}
	m.Error = &Error{Code: n, Data: values[2]}
	if message == nil {
		return true
	}
	if message[0] != '"' {
		return s.fail("the error message is no string")
	}
	m.Error.Message = textOf(message)
	return true
}
