package protocol

// This file defines the notifications about a request under way: progress and cancellation.

import "encoding/json"

// ProgressParams reports how far a request is.
type ProgressParams struct {
	ProgressToken json.RawMessage // a string or integer
	Progress      float64
	Total         *float64
	Message       string
}

// CancelledParams withdraws a request.
type CancelledParams struct {
	RequestID json.RawMessage `json:"requestId,omitempty"` // a string or integer
	Reason    string          `json:"reason,omitempty"`
}
