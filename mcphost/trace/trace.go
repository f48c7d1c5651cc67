// Package trace keeps every frame that crosses a connection, in both directions.
package trace

import (
	"encoding/json"
	"io"
	"sync"
	"time"
)

// A Direction says which way a frame went.
type Direction string

// The directions, seen from the host.
const (
	Out Direction = "out"
	In  Direction = "in"
)

// A Writer appends frames as JSON lines: {"t", "server", "dir", "frame"}. It is safe for concurrent use.
// Write errors are kept and returned by Err: a full disk must not end a connection.
type Writer struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

// NewWriter returns a Writer on w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

type line struct {
	T      string          `json:"t"` // RFC 3339 with nanoseconds, UTC
	Server string          `json:"server"`
	Dir    Direction       `json:"dir"`
	Frame  json.RawMessage `json:"frame"` // the frame; a JSON string where it is not JSON
}

// Frame appends one frame.
func (w *Writer) Frame(server string, dir Direction, frame []byte, at time.Time) {
	l := line{T: at.UTC().Format(time.RFC3339Nano), Server: server, Dir: dir, Frame: frame}
	if !json.Valid(frame) {
		l.Frame, _ = json.Marshal(string(frame)) // a string always encodes
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	enc := json.NewEncoder(w.w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(l); err != nil && w.err == nil {
		w.err = err
	}
}

// Err returns the first write error.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}
