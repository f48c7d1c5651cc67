// Package trace keeps every frame that crosses a connection, in both directions.
package trace

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
	"time"

	"gatehouse/mcphost/jsonrpc"
)

// A Direction says which way a frame went.
type Direction string

// The directions, seen from the host.
const (
	Out Direction = "out"
	In  Direction = "in"
)

const (
	gatherTime = 20 * time.Millisecond // frames that come within it are written together
	gatherMost = 1 << 20               // bytes that do not wait for others
	queueMost  = 32 << 20              // bytes that wait to be written; then Frame waits
	ownWrite   = 64 << 10              // bytes of a frame that is written by itself, without a copy
)

// A Writer appends frames as JSON lines: {"t", "server", "dir", "frame"}. It is safe for concurrent use. A row at once
// would cost more than the call that it is about, so a goroutine writes what has gathered; Close waits for it. A write
// error ends the trace, and not the connection: Close returns it.
type Writer struct {
	w     io.Writer
	hurry chan struct{} // there is enough to write
	tasks sync.WaitGroup

	mu    sync.Mutex // guards the fields below
	room  *sync.Cond // queue was taken
	queue []entry
	bytes int  // in queue
	busy  bool // a goroutine gathers and writes
	err   error

	buf []byte // of the goroutine
}

type entry struct {
	server string
	dir    Direction
	frame  []byte
	at     time.Time
}

// NewWriter returns a Writer on w.
func NewWriter(w io.Writer) *Writer {
	t := &Writer{w: w, hurry: make(chan struct{}, 1)}
	t.room = sync.NewCond(&t.mu)
	return t
}

// Frame appends one frame, which must not change afterwards. It must not be called after Close.
func (t *Writer) Frame(server string, dir Direction, frame []byte, at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.bytes >= queueMost && t.err == nil {
		t.room.Wait()
	}
	if t.err != nil {
		return
	}
	t.queue = append(t.queue, entry{server, dir, frame, at})
	t.bytes += len(frame)
	if !t.busy {
		t.busy = true
		t.tasks.Go(t.run)
	}
	if t.bytes >= gatherMost {
		t.hasten()
	}
}

func (t *Writer) hasten() {
	select {
	case t.hurry <- struct{}{}:
	default: // it does already
	}
}

// Close writes what has gathered and returns the first error of writing.
func (t *Writer) Close() error {
	t.hasten()
	t.tasks.Wait()
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

// run gathers and writes until nothing has come for a while.
func (t *Writer) run() {
	pause := time.NewTimer(gatherTime)
	defer pause.Stop()
	for {
		select {
		case <-pause.C:
		case <-t.hurry:
		}
		batch := t.take()
		if batch == nil {
			return
		}
		err := t.write(batch)
		t.mu.Lock()
		if t.err == nil {
			t.err = err
		}
		t.mu.Unlock()
		pause.Reset(gatherTime)
	}
}

// take empties the queue. An empty one ends the goroutine's time.
func (t *Writer) take() []entry {
	t.mu.Lock()
	defer t.mu.Unlock()
	batch := t.queue
	t.queue, t.bytes, t.busy = nil, 0, batch != nil
	t.room.Broadcast()
	return batch
}

func (t *Writer) write(batch []entry) error {
	t.buf = t.buf[:0]
	for _, e := range batch {
		t.buf = appendHead(t.buf, e)
		frame := asJSON(e.frame)
		if len(frame) < ownWrite {
			t.buf = append(t.buf, frame...)
		} else {
			if err := t.flush(); err != nil {
				return err
			}
			if _, err := t.w.Write(frame); err != nil {
				return err
			}
		}
		t.buf = append(t.buf, "}\n"...)
	}
	return t.flush()
}

func (t *Writer) flush() error {
	_, err := t.w.Write(t.buf)
	t.buf = t.buf[:0]
	return err
}

// appendHead appends all of a line but the frame. The time is RFC 3339 with nanoseconds, UTC.
func appendHead(b []byte, e entry) []byte {
	server, _ := json.Marshal(e.server) // a string always encodes
	b = append(b, `{"t":"`...)
	b = e.at.UTC().AppendFormat(b, time.RFC3339Nano)
	b = append(b, `","server":`...)
	b = append(b, server...)
	b = append(b, `,"dir":"`...)
	b = append(b, e.dir...)
	return append(b, `","frame":`...)
}

// asJSON is the frame on one line; what is no JSON becomes a JSON string.
func asJSON(frame []byte) []byte {
	if jsonrpc.CheckValue(frame, nil) != nil && !json.Valid(frame) {
		quoted, _ := json.Marshal(string(frame)) // a string always encodes
		return quoted
	}
	if bytes.IndexByte(frame, '\n') < 0 && bytes.IndexByte(frame, '\r') < 0 {
		return frame
	}
	var line bytes.Buffer
	_ = json.Compact(&line, frame) // it is valid
	return line.Bytes()
}
