package transport

// This file keeps the last of what a server writes to stderr, however much that is (SEC B6). It is a neutral log:
// nothing in it is an error by being there (SEC S3).

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	maxLineBytes = 8 << 10 // of one line; the rest of it is cut
	keepLines    = 1000
	keepBytes    = 1 << 20
	tellLines    = 1000 // a second that the callback sees
	tellBytes    = 1 << 20
)

// A Line is one line that a server has written to stderr. The text is the server's: untrusted.
type Line struct {
	At   time.Time
	Text string
}

// A stderrLog takes a server's stderr in pieces. The newest lines are kept; the callback sees every line up to a rate,
// and how many it has missed.
type stderrLog struct {
	tell func(string) // may be nil
	now  func() time.Time

	// Of the one goroutine that writes.
	since       time.Time // beginning of the second that the next two count
	told, bytes int
	missed      int

	mu   sync.Mutex // guards what follows
	kept []stderrLine
	size int        // bytes in kept
	open stderrLine // being written
}

type stderrLine struct {
	at   time.Time
	text []byte
	cut  int // bytes left out
}

// write takes the next piece.
func (l *stderrLog) write(p []byte) {
	now := l.now()
	for len(p) > 0 {
		part, rest, ended := bytes.Cut(p, []byte("\n"))
		l.mu.Lock()
		l.open.at = now
		room := min(maxLineBytes-len(l.open.text), len(part))
		l.open.text = append(l.open.text, part[:room]...)
		l.open.cut += len(part) - room
		l.mu.Unlock()
		if ended {
			l.endLine()
		}
		p = rest
	}
}

// end takes note that nothing will follow.
func (l *stderrLog) end() {
	if len(l.open.text) > 0 {
		l.endLine()
	}
	l.report()
}

func (l *stderrLog) endLine() {
	if l.tell != nil {
		l.tellLine(l.open)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.size += len(l.open.text)
	l.kept = append(l.kept, l.open)
	l.open = stderrLine{}
	for len(l.kept) > keepLines || l.size > keepBytes {
		oldest := l.kept[0]
		l.kept[0] = stderrLine{}
		l.kept = l.kept[1:]
		l.size -= len(oldest.text)
		if cap(oldest.text) <= 2*keepBytes/keepLines {
			l.open.text = oldest.text[:0] // a flood costs no new memory
		}
	}
}

func (l *stderrLog) tellLine(line stderrLine) {
	if line.at.Sub(l.since) >= time.Second {
		l.report()
		l.since, l.told, l.bytes = line.at, 0, 0
	}
	if l.told >= tellLines || l.bytes+len(line.text) > tellBytes {
		l.missed++
		return
	}
	l.told++
	l.bytes += len(line.text)
	l.tell(line.String())
}

// report tells how many lines the callback has missed.
func (l *stderrLog) report() {
	if l.missed > 0 {
		l.tell(fmt.Sprintf("[%d lines left out]", l.missed))
	}
	l.missed = 0
}

// lines returns the newest lines, the one that is being written included.
func (l *stderrLog) lines() []Line {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := make([]Line, 0, len(l.kept)+1)
	for _, line := range l.kept {
		lines = append(lines, Line{line.at, line.String()})
	}
	if len(l.open.text) > 0 {
		lines = append(lines, Line{l.open.at, l.open.String()})
	}
	return lines[max(0, len(lines)-keepLines):]
}

// String returns the line without its carriage return, with bytes that are no UTF-8 spelled out and a mark where it
// was cut.
func (l stderrLine) String() string {
	text := bytes.TrimSuffix(l.text, []byte("\r"))
	if l.cut == 0 {
		return visible(string(text))
	}
	for range utf8.UTFMax - 1 { // of a character that was cut in two
		if r, n := utf8.DecodeLastRune(text); r == utf8.RuneError && n == 1 {
			text = text[:len(text)-1]
		}
	}
	return visible(string(text)) + fmt.Sprintf("… [%d bytes cut]", l.cut+len(l.text)-len(text))
}

func visible(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)) {
			fmt.Fprintf(&b, `\x%02x`, s[i])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
