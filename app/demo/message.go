package demo

// This file reads and writes JSON-RPC 2.0 messages, one a line.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"sync"
	"unicode/utf8"
)

// Error codes of JSON-RPC and MCP.
const (
	codeParse            = -32700
	codeInvalidRequest   = -32600
	codeMethodNotFound   = -32601
	codeInvalidParams    = -32602
	codeInternal         = -32603
	codeResourceNotFound = -32002
	codeURLRequired      = -32042
)

// An rpcError is a JSON-RPC error.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (e *rpcError) Error() string { return e.Message }

func invalidParams(format string, values ...any) error {
	return &rpcError{Code: codeInvalidParams, Message: fmt.Sprintf(format, values...)}
}

// A message is what a client sends.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`

	key string // of the id, for comparing
}

func (m message) isResponse() bool { return m.Method == "" && (m.Result != nil || m.Error != nil) }

// parseMessage reads one message. With a fault the message holds the id to answer with, nil if that is not legible.
func parseMessage(raw []byte) (m message, fault *rpcError) {
	if !json.Valid(raw) || !utf8.Valid(raw) {
		return message{}, &rpcError{Code: codeParse, Message: "this is not JSON"}
	}
	invalid := func(text string) (message, *rpcError) {
		if m.key == "" {
			m.ID = nil
		}
		return m, &rpcError{Code: codeInvalidRequest, Message: text}
	}
	err := json.Unmarshal(raw, &m)
	var legible bool
	m.key, legible = idKey(m.ID)
	switch {
	case err != nil || m.JSONRPC != "2.0":
		return invalid("this is not a JSON-RPC 2.0 message")
	case m.ID != nil && !legible:
		return invalid("an id is a string or an integer")
	case m.Method == "" && !m.isResponse():
		return invalid("the method is missing")
	case bytes.Equal(m.Params, []byte("null")):
		m.Params = nil
	case m.Params != nil && m.Params[0] != '{':
		return m, &rpcError{Code: codeInvalidParams, Message: "params is an object"}
	}
	return m, nil
}

var integer = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)

// idKey returns a text that is equal for equal ids and for progress tokens, which have the same form; ok is false if it
// is none.
func idKey(raw json.RawMessage) (key string, ok bool) {
	if integer.Match(raw) {
		return string(raw), true
	}
	var text string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &text) != nil {
		return "", false
	}
	return `"` + text, true
}

type response struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"` // nil becomes null
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

func failed(id json.RawMessage, e *rpcError) response {
	return response{JSONRPC: "2.0", ID: id, Error: e}
}

func answered(id json.RawMessage, result any, err error) response {
	if err == nil {
		return response{JSONRPC: "2.0", ID: id, Result: result}
	}
	var e *rpcError
	if !errors.As(err, &e) {
		e = &rpcError{Code: codeInternal, Message: err.Error()}
	}
	return failed(id, e)
}

// batch leaves out what needs no reply; it is nil if nothing is left.
func batch(replies []any) any {
	var kept []any
	for _, r := range replies {
		if r != nil {
			kept = append(kept, r)
		}
	}
	if kept == nil {
		return nil
	}
	return kept
}

type notification struct {
	JSONRPC string `json:"jsonrpc"`
	Method  string `json:"method"`
	Params  any    `json:"params,omitempty"`
}

// An output writes messages that do not interleave.
type output struct {
	w io.Writer

	mu  sync.Mutex
	err error // the first failure; nothing is written after it
}

func (o *output) notify(method string, params any) {
	o.send(notification{JSONRPC: "2.0", Method: method, Params: params})
}

func (o *output) send(v any) {
	var line bytes.Buffer
	enc := json.NewEncoder(&line) // ends with a newline, and has none inside
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return
	}
	if err == nil {
		_, err = o.w.Write(line.Bytes())
	}
	if err != nil {
		o.err = fmt.Errorf("writing: %w", err)
	}
}

func (o *output) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

var errLineTooLong = fmt.Errorf("a message has at most %d bytes", maxLine)

// readLine returns the next line; the last one need not end. A line that is too long is skipped whole.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := r.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > maxLine; !tooLong {
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
		case tooLong && (err == nil || err == io.EOF):
			return nil, errLineTooLong
		case err == io.EOF && len(line) > 0:
			return line, nil
		default:
			return line, err
		}
	}
}

// The shapes of a line.
const (
	shapeEmpty = iota
	shapeBatch
	shapeOther
)

func shape(line []byte) (kind int, raw []byte) {
	raw = bytes.TrimSpace(line)
	switch {
	case len(raw) == 0:
		return shapeEmpty, nil
	case raw[0] == '[':
		return shapeBatch, raw
	}
	return shapeOther, raw
}
