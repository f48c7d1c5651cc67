package jsonrpc

// This file defines ID, the identifier of a request.

import (
	"errors"
	"strconv"
)

type idKind uint8

const (
	idNone   idKind = iota
	idInt           // an integer that int64 holds
	idBig           // any other integer, by its text
	idString        // a string, by its JSON text
)

// An ID identifies a request: an integer or a string whose exact text is kept. IDs are comparable; two strings are
// equal if they are written alike. The zero ID is none.
type ID struct {
	kind idKind
	num  int64
	text string
}

// IntID returns the integer id n.
func IntID(n int64) ID { return ID{kind: idInt, num: n} }

// StringID returns the string id s.
func StringID(s string) ID { return ID{kind: idString, text: string(appendString(nil, s))} }

var errID = errors.New("an id is a string or an integer")

// ParseID reads the JSON text of an id. Null, fractions and exponents are refused.
func ParseID(raw []byte) (ID, error) {
	if err := CheckValue(raw, nil); err != nil {
		return ID{}, errID
	}
	id, ok := idOf(trimSpace(raw))
	if !ok {
		return ID{}, errID
	}
	return id, nil
}

// idOf reads an id from the text of a valid JSON value.
func idOf(text []byte) (ID, bool) {
	if len(text) == 0 {
		return ID{}, false
	}
	if text[0] == '"' {
		return ID{kind: idString, text: string(text)}, true
	}
	if !isInteger(text) {
		return ID{}, false
	}
	if n, ok := parseInt(text); ok {
		return IntID(n), true
	}
	return ID{kind: idBig, text: string(text)}, true
}

// isInteger reports whether a valid JSON value is an integer without fraction and exponent.
func isInteger(text []byte) bool {
	for i, c := range text {
		if (c < '0' || c > '9') && (i > 0 || c != '-') {
			return false
		}
	}
	return len(text) > 0
}

// parseInt reads the text of an integer; ok is false if int64 cannot hold it with the same text.
func parseInt(text []byte) (n int64, ok bool) {
	if string(text) == "-0" {
		return 0, false
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	return n, err == nil
}

// IsZero reports whether id is none.
func (id ID) IsZero() bool { return id.kind == idNone }

// String returns the JSON text of the id, or "" for none.
func (id ID) String() string {
	if id.kind == idInt {
		return strconv.FormatInt(id.num, 10)
	}
	return id.text
}

// MarshalJSON returns the exact text of the id; none is null.
func (id ID) MarshalJSON() ([]byte, error) { return id.append(nil), nil }

// UnmarshalJSON reads the JSON text of an id; null is none.
func (id *ID) UnmarshalJSON(raw []byte) error {
	if string(raw) == "null" {
		*id = ID{}
		return nil
	}
	var err error
	*id, err = ParseID(raw)
	return err
}

func (id ID) append(dst []byte) []byte {
	switch id.kind {
	case idNone:
		return append(dst, "null"...)
	case idInt:
		return strconv.AppendInt(dst, id.num, 10)
	default:
		return append(dst, id.text...)
	}
}
