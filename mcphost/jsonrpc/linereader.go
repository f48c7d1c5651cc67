package jsonrpc

// This file cuts a byte stream into lines.

import (
	"bytes"
	"io"
	"sync"
)

const (
	firstChunk = 8 << 10  // enough for most servers for ever
	chunkBytes = 64 << 10 // what a pipe holds
	headBytes  = 1 << 10  // of a skipped frame that are kept to be shown
	idleReads  = 100      // empty reads in a row that are one too many
)

var chunks = sync.Pool{New: func() any { return new([chunkBytes]byte) }}

// A lineReader cuts lines out of r. Each line is copied once, into a slice of its own: one that is longer than the
// chunk is gathered in further chunks until its length is known.
type lineReader struct {
	r     io.Reader
	limit int
	chunk []byte // chunk[start:end] is unread
	start int
	end   int
	err   error    // of r; comes after what is unread
	parts [][]byte // how the line begins that chunk goes on with
	size  int      // of parts
	cut   bool     // the line returned last has no newline
}

// next returns the next line without its newline. At the end of r it returns what is left, with cut set, then r's error.
func (l *lineReader) next() ([]byte, error) {
	for seen := 0; ; seen = l.fill() {
		tail := l.chunk[l.start:l.end]
		if i := bytes.IndexByte(tail[seen:], '\n'); i >= 0 {
			tail = tail[:seen+i]
		}
		whole := l.start+len(tail) < l.end
		switch {
		case l.size+len(tail) > l.limit:
			return nil, l.skip()
		case whole || l.err != nil && l.size+len(tail) > 0:
			l.start, l.cut = min(l.start+len(tail)+1, l.end), !whole
			return l.join(tail), nil
		case l.err != nil:
			return nil, l.err
		}
	}
}

// join returns the line that ends with tail.
func (l *lineReader) join(tail []byte) []byte {
	line := make([]byte, 0, l.size+len(tail))
	for _, part := range l.parts {
		line = append(line, part...)
	}
	l.drop()
	return append(line, tail...)
}

// drop forgets the parts of the line.
func (l *lineReader) drop() {
	for i, part := range l.parts {
		if cap(part) == chunkBytes {
			chunks.Put((*[chunkBytes]byte)(part[:chunkBytes]))
		}
		l.parts[i] = nil
	}
	l.parts, l.size = l.parts[:0], 0
}

// fill reads more. It returns how many unread bytes of the chunk were there before.
func (l *lineReader) fill() int {
	switch {
	case l.start == l.end:
		l.start, l.end = 0, 0
	case l.end == len(l.chunk) && l.start > 0:
		l.end = copy(l.chunk, l.chunk[l.start:l.end])
		l.start = 0
	case l.end == len(l.chunk):
		l.parts = append(l.parts, l.chunk)
		l.size += len(l.chunk)
		l.chunk = chunks.Get().(*[chunkBytes]byte)[:]
		l.start, l.end = 0, 0
	}
	if l.chunk == nil {
		l.chunk = make([]byte, firstChunk)
	}
	before := l.end
	for range idleReads {
		n, err := l.r.Read(l.chunk[l.end:])
		l.end += n
		if l.err = err; n > 0 || err != nil {
			return before - l.start
		}
	}
	l.err = io.ErrNoProgress
	return before - l.start
}

// skip passes over the line under way, which exceeds the limit.
func (l *lineReader) skip() error {
	big := &FrameTooLargeError{Limit: l.limit}
	var finder idFinder
	pass := func(piece []byte) {
		big.Size += int64(len(piece))
		big.Head = append(big.Head, piece[:min(len(piece), headBytes-len(big.Head))]...)
		finder.write(piece)
	}
	for _, part := range l.parts {
		pass(part)
	}
	l.drop()
	for {
		tail := l.chunk[l.start:l.end]
		if i := bytes.IndexByte(tail, '\n'); i >= 0 {
			pass(tail[:i])
			l.start += i + 1
			break
		}
		pass(tail)
		l.start = l.end
		if l.err != nil {
			break
		}
		l.fill()
	}
	big.ID = finder.answered()
	return big
}
