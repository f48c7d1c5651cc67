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

// A stderrLog takes a server's stderr in pieces. Everything goes through the buffer, which keeps the newest part; the
// callback sees every line up to a rate, and how many lines it has missed.
type stderrLog struct {
	tell func(string) // may be nil
	now  func() time.Time

	mu    sync.Mutex // guards what follows
	buf   []byte     // whole lines, then the one that is being written from index open
	open  int
	extra int // bytes cut from the open line

	since  time.Time // beginning of the second that told counts
	told   int
	bytes  int
	missed int
}

// write takes the next piece. It is called by one goroutine.
func (l *stderrLog) write(p []byte) {
	for len(p) > 0 {
		line, rest, ended := bytes.Cut(p, []byte("\n"))
		l.mu.Lock()
		room := max(0, maxLineBytes-(len(l.buf)-l.open))
		l.buf = append(l.buf, line[:min(room, len(line))]...)
		l.extra += max(0, len(line)-room)
		l.mu.Unlock()
		if ended {
			l.endLine()
		}
		p = rest
	}
}

// end takes note that nothing will follow.
func (l *stderrLog) end() {
	if len(l.buf) > l.open {
		l.endLine()
	}
	l.report()
}

func (l *stderrLog) endLine() {
	text, tell := l.closeLine()
	if tell {
		l.tell(text)
	}
}

// closeLine ends the open line and returns it if the callback may see it.
func (l *stderrLog) closeLine() (text string, tell bool) {
	now := l.now()
	if now.Sub(l.since) >= time.Second {
		l.report()
		l.since, l.told, l.bytes = now, 0, 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	line := l.buf[l.open:]
	if l.tell != nil && l.told < tellLines && l.bytes+len(line) <= tellBytes {
		l.told++
		l.bytes += len(line)
		text, tell = l.text(line, l.extra), true
	} else {
		l.missed++
	}
	if l.extra > 0 {
		l.buf = append(l.buf, cutMark(l.extra)...)
	}
	l.buf = append(l.buf, '\n')
	if len(l.buf) > 2*keepBytes {
		l.buf = l.buf[:copy(l.buf, l.buf[len(l.buf)-keepBytes:])]
	}
	l.open, l.extra = len(l.buf), 0
	return text, tell
}

// report tells how many lines the callback has missed.
func (l *stderrLog) report() {
	if l.missed > 0 && l.tell != nil {
		l.tell(fmt.Sprintf("[%d lines left out]", l.missed))
	}
	l.missed = 0
}

// lines returns the newest lines, the open one included.
func (l *stderrLog) lines() []string {
	l.mu.Lock()
	buf := l.buf
	whole := len(buf) <= keepBytes
	if !whole {
		buf = buf[len(buf)-keepBytes:]
	}
	text := string(buf)
	if l.extra > 0 {
		text += cutMark(l.extra)
	}
	l.mu.Unlock()
	if text == "" {
		return nil
	}
	all := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if !whole {
		all = all[1:] // its beginning is gone
	}
	all = all[max(0, len(all)-keepLines):]
	for i, line := range all {
		all[i] = visible(line)
	}
	return all
}

func (l *stderrLog) text(line []byte, extra int) string {
	if extra > 0 {
		return visible(string(line)) + cutMark(extra)
	}
	return visible(string(line))
}

func cutMark(extra int) string { return fmt.Sprintf("… [%d bytes cut]", extra) }

// visible returns line without its carriage return and with bytes that are no UTF-8 spelled out.
func visible(line string) string {
	line = strings.TrimSuffix(line, "\r")
	if utf8.ValidString(line) {
		return line
	}
	var b strings.Builder
	for i, r := range line {
		if r == utf8.RuneError && !strings.HasPrefix(line[i:], string(utf8.RuneError)) {
			fmt.Fprintf(&b, `\x%02x`, line[i])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
