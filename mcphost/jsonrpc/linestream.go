package jsonrpc

// This file frames messages as lines, as MCP does over stdio.

import (
	"context"
	"encoding/json"
	"io"
	"sync"
)

// LineOptions adjust [LineStream].
type LineOptions struct {
	Limits Limits // only FrameBytes matters here
}

// LineStream returns a Stream of frames that end with a newline. A frame over the limit is skipped to its end, in
// space that the limit bounds, and reported as *FrameTooLargeError. Lines of white space are passed over; any other
// line is a frame, and the Peer tells whether it is a message. The last line need not end if it is whole JSON.
//
// A Write returns when its frame is written, or when its ctx ends while that is under way: then the frame still goes
// out whole, for half a line would spoil the next one.
//
// Closer must end a Read of r and a Write of w that are under way; Close calls it once, nil for nothing to do.
func LineStream(r io.Reader, w io.Writer, closer func() error, o *LineOptions) Stream {
	var limits *Limits
	if o != nil {
		limits = &o.Limits
	}
	return &lineStream{
		reader: lineReader{r: r, limit: limits.resolve().FrameBytes},
		writer: lineWriter{w: w},
		closer: closer,
	}
}

type lineStream struct {
	reader lineReader
	writer lineWriter
	closer func() error
	once   sync.Once
	err    error // of closer
}

func (s *lineStream) Read(ctx context.Context) ([]byte, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		line, err := s.reader.next()
		switch {
		case err != nil:
			return nil, err
		case len(trimSpace(line)) == 0:
		case s.reader.cut && !json.Valid(trimFrame(line)):
			return line, io.ErrUnexpectedEOF
		default:
			return line, nil
		}
	}
}

func (s *lineStream) Write(ctx context.Context, m *Message) error { return s.writer.write(ctx, m.Raw) }

func (s *lineStream) Close() error {
	s.once.Do(func() {
		s.writer.stop()
		if s.closer != nil {
			s.err = s.closer()
		}
		s.writer.wait()
	})
	return s.err
}
