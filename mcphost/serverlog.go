package mcphost

// This file keeps the log of a server: what it writes to stderr, what it logs, what is no protocol, and our remarks.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"gatehouse/mcphost/protocol"
)

// A LogLine is one line of a server's log. Everything but Seq, At and Stream may be the server's: untrusted.
type LogLine struct {
	Seq    int64
	At     time.Time
	Stream string // "stderr", "noise" (not protocol), "log" (notifications/message), "gatehouse"
	Text   string
	Level  string // of "log": one of protocol.Levels, or what else the server wrote
	Logger string // of "log"
	Data   string // of "log": what was logged, as JSON; "" if Text says it all
}

// What is kept of each stream of a server.
const (
	logLines   = 1000
	logBytes   = 1 << 20
	logMessage = 8 << 10 // of one line
)

// A serverLog is a ring of lines for each stream: who floods one of them pushes nothing out of the others.
type serverLog struct {
	mu      sync.Mutex
	seq     int64
	streams map[string]*logStream
	told    bool // of lines that nobody has read yet
}

type logStream struct {
	lines []LogLine
	bytes int
}

func (l LogLine) size() int { return len(l.Text) + len(l.Level) + len(l.Logger) + len(l.Data) }

// add keeps a line and reports whether somebody should be told: once, until the log is read.
func (l *serverLog) add(line LogLine) (tell bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq++
	line.Seq = l.seq
	s := l.streams[line.Stream]
	if s == nil {
		if l.streams == nil {
			l.streams = map[string]*logStream{}
		}
		s = &logStream{}
		l.streams[line.Stream] = s
	}
	s.lines = append(s.lines, line)
	s.bytes += line.size()
	for len(s.lines) > logLines || s.bytes > logBytes {
		s.bytes -= s.lines[0].size()
		s.lines[0] = LogLine{}
		s.lines = s.lines[1:]
	}
	tell = !l.told
	l.told = true
	return tell
}

// after returns the lines with a higher sequence number.
func (l *serverLog) after(seq int64) []LogLine {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.told = false
	var out []LogLine
	for _, s := range l.streams {
		at, _ := slices.BinarySearchFunc(s.lines, seq+1, func(line LogLine, seq int64) int { return cmp.Compare(line.Seq, seq) })
		out = append(out, s.lines[at:]...)
	}
	slices.SortFunc(out, func(a, b LogLine) int { return cmp.Compare(a.Seq, b.Seq) })
	return out
}

// last returns the number of the newest line, 0 if there is none.
func (l *serverLog) last() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seq
}

// tail returns the text of the newest n lines of a stream after a sequence number.
func (l *serverLog) tail(stream string, after int64, n int) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []string
	if s := l.streams[stream]; s != nil {
		for _, line := range slices.Backward(s.lines) {
			if line.Seq > after && len(out) < n {
				out = append(out, line.Text)
			}
		}
	}
	slices.Reverse(out)
	return out
}

// Log returns the log lines after a sequence number, of each stream as many as are kept.
func (s *Server) Log(after int64) []LogLine { return s.log.after(after) }

// logf adds a line of text.
func (s *Server) logf(stream, text string) { s.logLine(LogLine{Stream: stream, Text: text}) }

// logLine hints at the log's growth no more often than somebody reads it: a flood costs the bus nothing.
func (s *Server) logLine(line LogLine) {
	line.At = s.host.opts.Now()
	if s.log.add(line) {
		s.host.bus.publish(LogAppended{s.id})
	}
}

// logged keeps what the server logs (Server Utilities / Logging). A text stays one; anything else is JSON, its head if it
// is long.
func (s *Server) logged(p protocol.LoggingMessageParams, secrets *masker) {
	line := LogLine{Stream: "log", Level: secrets.head([]byte(p.Level), 40), Logger: secrets.head([]byte(p.Logger), 100)}
	var text *string
	if json.Unmarshal(p.Data, &text) == nil && text != nil {
		line.Text = secrets.head([]byte(*text), logMessage)
	} else {
		line.Data = secrets.head(p.Data, logMessage)
	}
	s.logLine(line)
}

// head is the beginning of what a server wrote, masked.
func (m *masker) head(raw []byte, most int) string {
	const reach = 8 << 10 // behind the head: a secret may begin in it
	shown := m.bytes(raw[:min(len(raw), most+reach)])
	if len(raw) <= most {
		return strings.ToValidUTF8(string(shown), "\uFFFD")
	}
	return strings.ToValidUTF8(string(shown[:min(len(shown), most)]), "\uFFFD") + fmt.Sprintf(" … (%d bytes)", len(raw))
}
