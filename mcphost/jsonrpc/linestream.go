package jsonrpc

// This file frames messages as lines, as MCP does over stdio.

import "io"

// LineOptions adjust [LineStream].
type LineOptions struct {
	Limits Limits // FrameBytes
}

// LineStream returns a Stream of frames that end with a newline. Closer must make a Read of r and a Write of w that
// are under way return; nil does nothing.
func LineStream(r io.Reader, w io.Writer, closer func() error, o *LineOptions) Stream { return nil }

// Pipe returns the two ends of a connection in memory.
func Pipe() (Stream, Stream) { return nil, nil }
