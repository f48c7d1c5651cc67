package transport

// This file reads an event stream (WHATWG HTML, "Server-sent events", 9.2.6) from a server that is not trusted.

import (
	"bytes"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"gatehouse/mcphost/jsonrpc"
)

const (
	eventChunk   = 32 << 10
	fieldRoom    = len(bom + "data: ")
	maxEventName = 256
	maxEventID   = 1 << 10 // a longer id is ignored: it has to fit a header field
	maxSpare     = 1 << 20 // kept for the next line
	headBytes    = 256     // of an event that is too large
	bom          = "\xef\xbb\xbf"
)

// An event is one message of an event stream.
type event struct {
	name string // "" = message
	data []byte
}

// A cursor is a place in a stream, and how long to wait before going on from there.
type cursor struct {
	lastID string // of the last event, with or without data; "" = none
	retry  time.Duration
	asked  bool // the server has asked for retry
}

// An eventReader cuts events out of a stream. Its memory is bounded by the limit on the data of one event.
type eventReader struct {
	r     io.Reader
	limit int

	at   *cursor
	seen func(e Event, size int) // what is told beside messages; nil = nobody looks

	chunk      []byte // unread: chunk[start:end]
	start, end int
	afterCR    bool // a line feed now belongs to the line end before it
	begun      bool // behind the first line

	line    []byte // being read, up to the limit
	lineLen int    // its whole length

	// The event that is being gathered.
	name    string
	id      string        // persists from event to event
	wait    time.Duration // that this event asks for
	data    []byte
	hasData bool
	size    int64            // of data, with what did not fit
	skipped *jsonrpc.Skipped // all of the data, if that is too large
	passed  bool             // skipped has seen the line that is being read
}

// newEventReader returns a reader that keeps at up to date.
func newEventReader(r io.Reader, limit int, at *cursor) *eventReader {
	return &eventReader{r: r, limit: limit, at: at, id: at.lastID, chunk: make([]byte, eventChunk)}
}

// next returns the next event that has data; the slice belongs to the caller. A *jsonrpc.FrameTooLargeError means
// that one event was skipped. Any other error ends the stream; what came before it without a blank line is no event.
func (e *eventReader) next() (event, error) {
	for {
		if err := e.readLine(); err != nil {
			return event{}, err
		}
		if e.lineLen > 0 {
			e.field()
			continue
		}
		e.tell()
		e.at.lastID = e.id
		ev, size, complete, skipped := event{e.name, e.data}, e.size, e.hasData, e.skipped
		e.name, e.data, e.hasData, e.size, e.skipped = "", nil, false, 0, nil
		switch {
		case skipped != nil:
			return event{}, &jsonrpc.FrameTooLargeError{Limit: e.limit, Size: size, ID: skipped.Answers(), Head: ev.data}
		case complete:
			return ev, nil
		}
	}
}

// tell shows the event that has ended, if it is more than a message.
func (e *eventReader) tell() {
	ev := Event{Name: e.name, Retry: e.wait}
	e.wait = 0
	if e.id != e.at.lastID {
		ev.ID = e.id
	}
	if ev.Name == "message" {
		ev.Name = ""
	}
	if e.seen == nil || ev == (Event{}) {
		return
	}
	if ev.Name != "" {
		ev.Data = string(e.data[:min(len(e.data), headBytes)])
	}
	e.seen(ev, int(e.size))
}

// readLine reads a line without its end: CR, LF or both. A line beyond the limit is counted, but not kept.
func (e *eventReader) readLine() error {
	e.line, e.lineLen, e.passed = e.line[:0], 0, false
	if cap(e.line) > maxSpare {
		e.line = nil
	}
	for {
		if e.start == e.end {
			if err := e.fill(); err != nil {
				return err
			}
		}
		rest := e.chunk[e.start:e.end]
		if e.afterCR {
			e.afterCR = false
			if rest[0] == '\n' {
				e.start++
				continue
			}
		}
		i := lineEnd(rest)
		if i < 0 {
			e.keep(rest)
			e.start = e.end
			continue
		}
		e.keep(rest[:i])
		e.afterCR = rest[i] == '\r'
		e.start += i + 1
		if !e.begun {
			e.begun = true
			if line, ok := bytes.CutPrefix(e.line, []byte(bom)); ok {
				e.line, e.lineLen = line, e.lineLen-3
			}
		}
		return nil
	}
}

func (e *eventReader) fill() error {
	for {
		n, err := e.r.Read(e.chunk)
		e.start, e.end = 0, n
		if n > 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (e *eventReader) keep(part []byte) {
	e.lineLen += len(part)
	if e.begun && len(e.line) > 0 && e.line[0] == ':' {
		return // an endless comment
	}
	room := max(0, min(e.limit+fieldRoom-len(e.line), len(part)))
	e.line = append(e.line, part[:room]...)
	if room == len(part) {
		return
	}
	if name, value := e.parts(); name == "data" {
		if !e.passed {
			e.skip(value)
			e.passed = true
		}
		e.skipped.Write(part[room:])
	}
}

// skip passes a line of data by, and with the first one all before it.
func (e *eventReader) skip(value []byte) {
	if e.skipped == nil {
		e.skipped = &jsonrpc.Skipped{}
		e.skipped.Write(e.data)
	}
	if e.hasData {
		e.skipped.Write([]byte{'\n'})
	}
	e.skipped.Write(value)
}

// parts returns the name and the value of the line.
func (e *eventReader) parts() (name string, value []byte) {
	n, value, _ := bytes.Cut(e.line, []byte(":"))
	return string(n), bytes.TrimPrefix(value, []byte(" "))
}

func lineEnd(b []byte) int {
	lf := bytes.IndexByte(b, '\n')
	if lf >= 0 {
		b = b[:lf]
	}
	if cr := bytes.IndexByte(b, '\r'); cr >= 0 {
		return cr
	}
	return lf
}

func (e *eventReader) field() {
	field, value := e.parts()
	whole := e.lineLen == len(e.line)
	switch {
	case field == "data":
		e.addData(value)
	case !whole:
		return
	case field == "event":
		e.name = string(value[:min(len(value), maxEventName)])
	case field == "id":
		if len(value) <= maxEventID && bytes.IndexByte(value, 0) < 0 {
			e.id = string(value)
		}
	case field == "retry":
		if d, ok := parseRetry(string(value)); ok {
			e.at.retry, e.at.asked, e.wait = d, true, d
		}
	}
}

// addData adds a line to the data; lines are joined by line feeds.
func (e *eventReader) addData(value []byte) {
	first := !e.hasData
	e.size += int64(len(value) + e.lineLen - len(e.line))
	if !first {
		e.size++
	}
	if e.size > int64(e.limit) && !e.passed {
		e.skip(value)
	}
	e.hasData = true
	switch {
	case e.size > int64(e.limit): // the beginning will do
		e.data = bytes.Clone(e.data[:min(len(e.data), headBytes)])
		e.data = append(e.data, value[:min(len(value), headBytes-len(e.data))]...)
	case first && len(value) >= eventChunk:
		e.data, e.line = value, nil // large enough to give away without a copy
	case first:
		e.data = bytes.Clone(value)
	default:
		e.data = append(append(e.data, '\n'), value...)
	}
}

// parseRetry reads milliseconds: ASCII digits and nothing else.
func parseRetry(s string) (time.Duration, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	ms, err := strconv.ParseInt(s, 10, 64)
	if err != nil || ms > math.MaxInt64/int64(time.Millisecond) {
		return math.MaxInt64, true // out of range: for ever
	}
	return time.Duration(ms) * time.Millisecond, true
}
