package trace

// This file writes a trace to a file.

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"gatehouse/mcphost/jsonrpc"
)

const (
	gatherTime = 20 * time.Millisecond // frames that come within it are written together
	gatherMost = 1 << 20               // bytes that do not wait for others
	queueMost  = 32 << 20              // bytes that wait to be written; then Add waits
	ownWrite   = 64 << 10              // bytes of a frame that is written by itself, without a copy
	entryCost  = 512                   // bytes of an entry beside its frame
)

// A Writer appends entries as JSON lines: {"t", "server", "dir", "frame"} for a message, and for the others "fault",
// "http", "event" or "mark" in place of "frame". It is safe for concurrent use. A row at once would cost more than the
// call that it is about, so a goroutine masks and writes what has gathered; Close waits for it. A write error ends the
// trace, and not the connection: Close returns it.
type Writer struct {
	w     io.Writer
	hurry chan struct{} // there is enough to write
	tasks sync.WaitGroup

	mu    sync.Mutex // guards the fields below
	room  *sync.Cond // queue was taken
	queue []Entry
	bytes int  // in queue
	busy  bool // a goroutine gathers and writes
	err   error

	buf []byte // of the goroutine
}

// NewWriter returns a Writer on w.
func NewWriter(w io.Writer) *Writer {
	t := &Writer{w: w, hurry: make(chan struct{}, 1)}
	t.room = sync.NewCond(&t.mu)
	return t
}

// Add appends one entry. It must not be called after Close.
func (t *Writer) Add(e Entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.bytes >= queueMost && t.err == nil {
		t.room.Wait()
	}
	if t.err != nil {
		return
	}
	t.queue = append(t.queue, e)
	t.bytes += entryCost + len(e.Raw)
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
func (t *Writer) take() []Entry {
	t.mu.Lock()
	defer t.mu.Unlock()
	batch := t.queue
	t.queue, t.bytes, t.busy = nil, 0, batch != nil
	t.room.Broadcast()
	return batch
}

func (t *Writer) write(batch []Entry) error {
	t.buf = t.buf[:0]
	for _, e := range batch {
		t.buf = appendHead(t.buf, e)
		if e.Mask != nil {
			e.Raw = e.Mask(e.Raw)
		}
		frame := body(e)
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

// appendHead appends all of a line but its body. The time is RFC 3339 with nanoseconds, UTC.
func appendHead(b []byte, e Entry) []byte {
	server, _ := json.Marshal(e.Name) // a string always encodes
	b = append(b, `{"t":"`...)
	b = e.At.UTC().AppendFormat(b, time.RFC3339Nano)
	b = append(b, `","server":`...)
	b = append(b, server...)
	if e.Dir != "" {
		b = append(b, `,"dir":"`...)
		b = append(b, e.Dir...)
		b = append(b, '"')
	}
	if e.Cut > 0 {
		b = append(b, `,"size":`...)
		b = strconv.AppendInt(b, e.Size, 10)
	}
	if e.Fault != "" && e.Kind == Message {
		fault, _ := json.Marshal(e.Fault)
		b = append(append(b, `,"fault":`...), fault...)
	}
	b = append(b, `,"`...)
	if e.Kind == Message {
		return append(b, `frame":`...)
	}
	return append(append(b, e.Kind...), `":`...)
}

// body is what a line is about, as JSON on one line.
func body(e Entry) (text []byte) {
	switch e.Kind {
	case Message:
		return asJSON(e.Raw)
	case Fault:
		text, _ = json.Marshal(e.Fault)
	case Mark:
		text, _ = json.Marshal(strings.TrimSpace(e.Code + " " + e.Detail))
	default:
		text, _ = json.Marshal(fieldsOf(e))
	}
	return text
}

// httpFields is an exchange in a file.
type httpFields struct {
	Exchange int64               `json:"exchange"`
	Method   string              `json:"method,omitempty"`
	URL      string              `json:"url,omitempty"`
	Status   int                 `json:"status,omitempty"`
	Header   map[string][]string `json:"header,omitempty"`
	Size     int64               `json:"size,omitempty"` // of the body
	Error    string              `json:"error,omitempty"`
	Event    string              `json:"event,omitempty"`
	LastID   string              `json:"id,omitempty"`
	RetryMs  int64               `json:"retryMs,omitempty"`
	Data     string              `json:"data,omitempty"`
}

func fieldsOf(e Entry) httpFields {
	x := e.HTTP
	return httpFields{
		x.Number, x.Method, x.URL, x.Status, x.Header, max(e.Size, 0), x.Error, x.Event, x.LastID, x.Retry.Milliseconds(), x.Data,
	}
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
