package jsonrpc

// This file defines Stream, what a transport gives to a Peer.

import "context"

// A Stream moves frames between two peers. Read is called by one goroutine at a time, Write by many.
type Stream interface {
	// Read returns the next frame without its line end. The slice belongs to the caller. At the end it returns
	// io.EOF, or another error if the connection failed. A *FrameTooLargeError means that one frame was skipped:
	// the next Read goes on behind it. A frame together with io.ErrUnexpectedEOF is the beginning of one that was cut
	// off by the end, which the next Read returns. Read returns when ctx ends or, at the latest, when the stream is closed.
	Read(ctx context.Context) ([]byte, error)

	// Write sends m.Raw; m is not changed and may be shared. Writes do not interleave. When ctx ends before m is
	// under way, Write withdraws it and returns ctx's error. If nothing can be written any more, the error is a
	// *ClosedError.
	Write(ctx context.Context, m *Message) error

	// Close ends both directions and makes blocked Reads and Writes return. It may be called more than once.
	Close() error
}

// A Direction is the way of a frame, seen from this side.
type Direction uint8

// The two directions.
const (
	Incoming Direction = iota + 1
	Outgoing
)

// String returns "in" or "out".
func (d Direction) String() string {
	if d == Outgoing {
		return "out"
	}
	return "in"
}
