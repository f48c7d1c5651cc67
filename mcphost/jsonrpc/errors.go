package jsonrpc

// This file defines the errors: what the other side answered, and how a frame, a call or a stream can fail.

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Error codes of JSON-RPC 2.0, section 5.1. CodeBusy is ours, from the range left to servers.
const (
	CodeParse          = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
	CodeBusy           = -32000 // too many requests wait already
)

// An Error is the error object of a response. Its text is the other side's: untrusted.
type Error struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *Error) Error() string { return fmt.Sprintf("error %d: %s", e.Code, e.Message) }

// ErrClosed is the cause of a [ClosedError] when this side closed.
var ErrClosed = errors.New("closed by this side")

// A ClosedError is the failure of a call because the connection is gone.
type ClosedError struct {
	Cause error // io.EOF if the other side ended, ErrClosed if this one did
	Sent  bool  // the request went out, so the other side may have acted on it
}

func (e *ClosedError) Error() string { return "connection closed: " + e.Cause.Error() }

// Unwrap returns the cause.
func (e *ClosedError) Unwrap() error { return e.Cause }

// A FrameError says why [Parse] refused a message.
type FrameError struct {
	Reason string
	Offset int // of the fault in the frame, in bytes
	ID     ID  // the request that the message answers, if it is a response and that much is legible
}

func (e *FrameError) Error() string { return fmt.Sprintf("%s at byte %d", e.Reason, e.Offset) }

// An InvalidResponseError is the failure of a call whose answer is no valid response.
type InvalidResponseError struct {
	Reason string
	Raw    []byte // the frame
}

func (e *InvalidResponseError) Error() string { return "invalid response: " + e.Reason }

// A FrameTooLargeError says that a frame exceeded its limit and was skipped. [Stream.Read] returns it and can go on;
// it is also the failure of the call that the frame answers.
type FrameTooLargeError struct {
	Limit int    // Limits.FrameBytes
	Size  int64  // bytes of the frame
	ID    ID     // the request that the frame answers, if it is a response and that much is legible
	Head  []byte // how the frame begins
}

func (e *FrameTooLargeError) Error() string {
	return fmt.Sprintf("frame of %d bytes exceeds the limit of %d", e.Size, e.Limit)
}
