package protocol

// This file defines the notifications about a request under way: progress and cancellation.

import (
	"bytes"
	"encoding/json"
	"errors"
)

// ProgressParams reports how far a request is.
type ProgressParams struct {
	ProgressToken json.RawMessage // a string or number
	Progress      float64
	Total         *float64
	Message       string // since 2025-03-26
}

// CancelledParams withdraws a request.
type CancelledParams struct {
	RequestID json.RawMessage `json:"requestId,omitempty"` // a string or number; nil if absent
	Reason    string          `json:"reason,omitempty"`
}

// UnmarshalJSON implements [json.Unmarshaler]; see [Decode].
func (v *ProgressParams) UnmarshalJSON(raw []byte) error { return Decode(bytes.Clone(raw), v) }

// UnmarshalJSON implements [json.Unmarshaler]; see [Decode].
func (v *CancelledParams) UnmarshalJSON(raw []byte) error { return Decode(bytes.Clone(raw), v) }

func (v *ProgressParams) decode(r *reader) error {
	var progress *float64
	isObject := r.object(func(key []byte) {
		switch string(key) {
		case "progressToken":
			v.ProgressToken = r.token()
		case "progress":
			progress = r.number()
		case "total":
			v.Total = r.number()
		case "message":
			v.Message, _ = r.text()
		default:
			r.value()
		}
	})
	switch {
	case !isObject:
		return errNoObject
	case v.ProgressToken == nil:
		return errors.New("no progressToken")
	case progress == nil:
		return errors.New("progress is no number")
	}
	v.Progress = *progress
	return nil
}

func (v *CancelledParams) decode(r *reader) error {
	if !r.object(func(key []byte) {
		switch string(key) {
		case "requestId":
			v.RequestID = r.token()
		case "reason":
			v.Reason, _ = r.text()
		default:
			r.value()
		}
	}) {
		return errNoObject
	}
	return nil
}

// token reads a string or number and returns its text, nil for any other value.
func (r *reader) token() json.RawMessage {
	if r.peek() == '"' {
		return r.value()
	}
	return r.scalar()
}

// WaitingParams report progress to a server, whose request waits for the user.
type WaitingParams struct {
	ProgressToken json.RawMessage `json:"progressToken"`
	Progress      int             `json:"progress"`
	Message       string          `json:"message,omitempty"` // since 2025-03-26
}
