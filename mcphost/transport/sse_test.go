package transport

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"

	"gatehouse/mcphost/jsonrpc"
)

// got is what a reader makes of a stream.
type got struct {
	events []event
	at     cursor
}

func readAll(t *testing.T, r io.Reader, limit int) got {
	t.Helper()
	var g got
	e := newEventReader(r, limit, &g.at)
	for {
		ev, err := e.next()
		if err == io.EOF {
			return g
		}
		if err != nil {
			t.Fatal(err)
		}
		g.events = append(g.events, ev)
	}
}

func TestEvents(t *testing.T) {
	for _, test := range []struct {
		name, stream string
		data         []string
		lastID       string
	}{
		{"line feeds", "data: a\n\ndata: b\n\n", []string{"a", "b"}, ""},
		{"carriage returns", "data: a\r\rdata: b\r\r", []string{"a", "b"}, ""},
		{"both", "data: a\r\n\r\ndata: b\r\n\r\n", []string{"a", "b"}, ""},
		{"mixed", "data: a\r\n\ndata: b\n\r\n", []string{"a", "b"}, ""},
		{"byte order mark", "\xef\xbb\xbfdata: a\n\n", []string{"a"}, ""},
		{"second byte order mark", "\xef\xbb\xbf\xef\xbb\xbfdata: a\n\ndata: b\n\n", []string{"b"}, ""},
		{"several lines", "data: a\ndata: b\ndata:c\n\n", []string{"a\nb\nc"}, ""},
		{"one space goes", "data:a\n\ndata:  b\n\n", []string{"a", " b"}, ""},
		{"empty data", "data\n\ndata:\n\ndata\ndata\n\n", []string{"", "", "\n"}, ""},
		{"no data", "event: x\nid: 7\n\n", nil, "7"},
		{"comments", ": hi\n:\n\ndata: a\n: x\n\n", []string{"a"}, ""},
		{"unknown fields", "foo: a\nDATA: b\n data: c\ndata: d\n\n", []string{"d"}, ""},
		{"colon in the value", "data: a: b\n\n", []string{"a: b"}, ""},
		{"cut off", "data: a\n\ndata: b\n", []string{"a"}, ""},
		{"cut off in the id", "id: 1\ndata: a\n\nid: 2\ndata: b", []string{"a"}, "1"},
		{"id stays", "id: 1\ndata: a\n\ndata: b\n\n", []string{"a", "b"}, "1"},
		{"id is taken back", "id: 1\ndata: a\n\nid\ndata: b\n\n", []string{"a", "b"}, ""},
		{"id with NUL", "id: 1\ndata: a\n\nid: 2\x003\ndata: b\n\n", []string{"a", "b"}, "1"},
		{"long id", "id: " + strings.Repeat("x", maxEventID+1) + "\ndata: a\n\n", []string{"a"}, ""},
		{"longest id", "id: " + strings.Repeat("x", maxEventID) + "\ndata: a\n\n", []string{"a"}, strings.Repeat("x", maxEventID)},
	} {
		for _, r := range []io.Reader{strings.NewReader(test.stream), iotest.OneByteReader(strings.NewReader(test.stream))} {
			g := readAll(t, r, 1<<20)
			var data []string
			for _, ev := range g.events {
				data = append(data, string(ev.data))
			}
			if !slices.Equal(data, test.data) || g.at.lastID != test.lastID {
				t.Errorf("%s: got %q and id %q, want %q and %q", test.name, data, g.at.lastID, test.data, test.lastID)
			}
		}
	}
}

func TestEventNames(t *testing.T) {
	g := readAll(t, strings.NewReader("event: ping\ndata: a\n\ndata: b\n\nevent: a\nevent: b\ndata: c\n\n"), 100)
	var names []string
	for _, ev := range g.events {
		names = append(names, ev.name)
	}
	if want := []string{"ping", "", "b"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
}

func TestEventRetry(t *testing.T) {
	for field, want := range map[string]time.Duration{
		"retry: 1500": 1500 * time.Millisecond, "retry:0": 0, "retry: 99999999999999999999": math.MaxInt64,
		"retry: -1": -1, "retry: 1.5": -1, "retry: 1s": -1, "retry": -1, "retry: ": -1, "retry: +1": -1, "retry: ١": -1, "retry:  1": -1,
	} {
		at := cursor{retry: -1}
		e := newEventReader(strings.NewReader(field+"\n\n"), 100, &at)
		if _, err := e.next(); err != io.EOF {
			t.Fatal(err)
		}
		if at.retry != want || at.asked != (want >= 0) {
			t.Errorf("%s: got %v, asked %t", field, at.retry, at.asked)
		}
	}
}

// SEC B4: at the limit an event is read, over it it is skipped, and the next one is read.
func TestEventLimit(t *testing.T) {
	for _, limit := range []int{3, 1000, 100_000} {
		for _, over := range []string{
			"data: " + strings.Repeat("x", limit+1),
			"data:" + strings.Repeat("x", limit+1),
			"data: " + strings.Repeat("x", limit-1) + "\ndata: x",
			strings.Repeat("data\n", limit+1) + "data",
			"data: " + strings.Repeat("x", 3*limit+40_000),
		} {
			exact := strings.Repeat("y", limit)
			stream := "data: " + exact + "\n\n" + over + "\n\ndata: " + exact[1:] + "\ndata\n\n"
			e := newEventReader(strings.NewReader(stream), limit, &cursor{})
			if ev, err := e.next(); err != nil || string(ev.data) != exact {
				t.Errorf("limit %d: at the limit: %d bytes, %v", limit, len(ev.data), err)
			}
			var big *jsonrpc.FrameTooLargeError
			if _, err := e.next(); !errors.As(err, &big) || big.Limit != limit || big.Size <= int64(limit) || len(big.Head) > headBytes {
				t.Errorf("limit %d: over the limit: %v", limit, err)
			}
			if ev, err := e.next(); err != nil || string(ev.data) != exact[1:]+"\n" {
				t.Errorf("limit %d: after it: %d bytes, %v", limit, len(ev.data), err)
			}
		}
	}
}

// Neither an endless comment nor an endless field fills the memory.
func TestEventMemory(t *testing.T) {
	for _, start := range []string{": ", "x: ", "data: ", "id: "} {
		stream := io.MultiReader(strings.NewReader(": a\n"+start), io.LimitReader(letterReader{}, 50<<20), strings.NewReader("\n\ndata: b\n\n"))
		e := newEventReader(stream, 1000, &cursor{})
		ev, err := e.next()
		if start == "data: " {
			var big *jsonrpc.FrameTooLargeError
			if !errors.As(err, &big) || big.Size != 50<<20 {
				t.Errorf("%s: %v", start, err)
			}
			ev, err = e.next()
		}
		if err != nil || string(ev.data) != "b" {
			t.Errorf("%s: %q, %v", start, ev.data, err)
		}
		if cap(e.line) > 4000 {
			t.Errorf("%s: %d bytes kept", start, cap(e.line))
		}
	}
}

type letterReader struct{}

func (letterReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func FuzzEvents(f *testing.F) {
	for _, s := range []string{
		"data: a\n\n", "\xef\xbb\xbfdata: a\r\n\r\n", "id: 1\nretry: 10\nevent: x\ndata: a\ndata: b\r\rdata", ":\n\n\n", "id: \x00\ndata\n\n", "data: \xff\xfe\n\n",
		"\ufeffdata:00\n\r", "id:0\n\n", "retry:0\nretry:99999999999999999999\n\n",
	} {
		f.Add([]byte(s), uint8(3), uint16(20))
	}
	f.Fuzz(func(t *testing.T, stream []byte, step uint8, limit uint16) {
		want := standard(stream)
		whole := readAll(t, bytes.NewReader(stream), len(stream)+1)
		if !whole.equal(want) {
			t.Fatalf("got %q %+v, want %q %+v", whole.events, whole.at, want.events, want.at)
		}
		pieces := readAll(t, &stepReader{bytes.NewReader(stream), int(step)%7 + 1}, len(stream)+1)
		if !pieces.equal(want) {
			t.Fatalf("in pieces: got %q, want %q", pieces.events, want.events)
		}
		e := newEventReader(bytes.NewReader(stream), int(limit), &cursor{})
		for _, ev := range want.events {
			one, err := e.next()
			var big *jsonrpc.FrameTooLargeError
			if tooLarge := len(ev.data) > int(limit); tooLarge != errors.As(err, &big) || !tooLarge && !bytes.Equal(one.data, ev.data) {
				t.Fatalf("limit %d: got %q, %v for %q", limit, one.data, err, ev.data)
			}
		}
	})
}

type stepReader struct {
	r    io.Reader
	step int
}

func (s *stepReader) Read(p []byte) (int, error) { return s.r.Read(p[:min(len(p), s.step)]) }

func (g got) equal(o got) bool {
	return g.at == o.at && slices.EqualFunc(g.events, o.events, func(a, b event) bool {
		return a.name == b.name && bytes.Equal(a.data, b.data)
	})
}

// standard reads a stream as the standard words it, without regard to time and space.
func standard(stream []byte) got {
	text := strings.TrimPrefix(string(stream), "\xef\xbb\xbf")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(text, "\n")
	var g got
	var data, name, id string
	for _, line := range lines[:len(lines)-1] { // the last one has no end
		if line == "" {
			g.at.lastID = id
			if data != "" {
				g.events = append(g.events, event{name, []byte(strings.TrimSuffix(data, "\n"))})
			}
			data, name = "", ""
			continue
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "data":
			data += value + "\n"
		case "event":
			name = value[:min(len(value), maxEventName)]
		case "id":
			if !strings.Contains(value, "\x00") && len(value) <= maxEventID {
				id = value
			}
		case "retry":
			if value != "" && utf8.ValidString(value) && strings.IndexFunc(value, func(r rune) bool { return r < '0' || r > '9' }) < 0 {
				ms, err := strconv.ParseInt(value, 10, 64)
				g.at.asked, g.at.retry = true, time.Duration(ms)*time.Millisecond
				if err != nil || ms > math.MaxInt64/1_000_000 {
					g.at.retry = math.MaxInt64
				}
			}
		}
	}
	return g
}
