package jsonrpc

// This file defines Message and builds outgoing ones.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// A Message is one JSON-RPC message. Its raw parts are spans of Raw: treat them as read-only.
type Message struct {
	ID     ID              // none for a notification, and for an error that answers nothing in particular
	Method string          // of a request or notification
	Params json.RawMessage // an object or array, nil if absent or null
	Result json.RawMessage // of a response; "null" is a result
	Error  *Error          // of a response
	Raw    []byte          // the whole message; of an outgoing one exactly one line, without its end
}

// IsRequest reports whether m asks for a response.
func (m *Message) IsRequest() bool { return m.Method != "" && !m.ID.IsZero() }

// IsNotification reports whether m asks for no response.
func (m *Message) IsNotification() bool { return m.Method != "" && m.ID.IsZero() }

// IsResponse reports whether m answers a request.
func (m *Message) IsResponse() bool { return m.Method == "" }

// NewRequest builds a request. Params is nil for none, a json.RawMessage that is kept byte for byte (line ends
// outside strings aside), or a value for encoding/json.
func NewRequest(id ID, method string, params any) (*Message, error) {
	if id.IsZero() {
		return nil, errors.New("a request needs an id")
	}
	return newCall(id, method, params)
}

// NewNotification builds a notification; params as for [NewRequest].
func NewNotification(method string, params any) (*Message, error) {
	return newCall(ID{}, method, params)
}

func newCall(id ID, method string, params any) (*Message, error) {
	if method == "" {
		return nil, errors.New("a request needs a method")
	}
	value, err := encode(params)
	if err != nil {
		return nil, fmt.Errorf("params of %s: %w", method, err)
	}
	raw := make([]byte, 0, len(`{"jsonrpc":"2.0","id":,"method":"","params":}`)+20+len(id.text)+len(method)+len(value))
	raw = append(raw, `{"jsonrpc":"2.0",`...)
	if !id.IsZero() {
		raw = append(raw, `"id":`...)
		raw = append(id.append(raw), ',')
	}
	raw = append(raw, `"method":`...)
	raw = appendString(raw, method)
	m := &Message{ID: id, Method: method}
	if value != nil {
		raw = append(raw, `,"params":`...)
		raw, m.Params = appendSpan(raw, value)
	}
	m.Raw = append(raw, '}')
	return m, nil
}

// NewResponse builds the response to request id; result as params for [NewRequest], nil stands for {}.
func NewResponse(id ID, result any) (*Message, error) {
	value, err := encode(result)
	if err != nil {
		return nil, fmt.Errorf("result: %w", err)
	}
	if value == nil {
		value = []byte("{}")
	}
	m := &Message{ID: id}
	raw := appendResponseHead(make([]byte, 0, 64+len(id.text)+len(value)), id)
	raw = append(raw, `"result":`...)
	raw, m.Result = appendSpan(raw, value)
	m.Raw = append(raw, '}')
	return m, nil
}

// NewErrorResponse builds the error response to request id. Data that is no valid JSON is left out.
func NewErrorResponse(id ID, e *Error) *Message {
	m := &Message{ID: id, Error: e}
	raw := appendResponseHead(make([]byte, 0, 96+len(id.text)+len(e.Message)+len(e.Data)), id)
	raw = append(raw, `"error":{"code":`...)
	raw = IntID(e.Code).append(raw)
	raw = append(raw, `,"message":`...)
	raw = appendString(raw, e.Message)
	if data, err := encode(e.Data); err == nil && data != nil {
		raw = append(raw, `,"data":`...)
		raw = append(raw, data...)
	}
	m.Raw = append(raw, "}}"...)
	return m
}

func appendResponseHead(dst []byte, id ID) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	return append(id.append(dst), ',')
}

// appendSpan appends value to dst and returns the span it takes there. The caller has made room: dst never moves.
func appendSpan(dst, value []byte) (grown []byte, span json.RawMessage) {
	start := len(dst)
	dst = append(dst, value...)
	return dst, dst[start:len(dst):len(dst)]
}

// encode returns v as JSON on one line, nil for nil.
func encode(v any) (json.RawMessage, error) {
	if v == nil {
		return nil, nil
	}
	raw, ok := v.(json.RawMessage)
	if !ok {
		var buf bytes.Buffer
		enc := json.NewEncoder(&buf)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			return nil, err
		}
		return bytes.TrimRight(buf.Bytes(), "\n"), nil
	}
	if len(raw) == 0 {
		return nil, nil
	}
	if err := CheckValue(raw, nil); err != nil {
		return nil, err
	}
	if bytes.IndexByte(raw, '\n') < 0 && bytes.IndexByte(raw, '\r') < 0 {
		return raw, nil
	}
	return joinLines(raw), nil
}

// joinLines removes the line ends of a valid JSON value; valid JSON has them outside strings only.
func joinLines(raw []byte) []byte {
	out := make([]byte, 0, len(raw))
	for _, c := range raw {
		if c != '\n' && c != '\r' {
			out = append(out, c)
		}
	}
	return out
}

const hexDigits = "0123456789abcdef"

// appendString appends s as a JSON string; what is no UTF-8 becomes U+FFFD.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < 0x20:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[r>>4], hexDigits[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
