package jsonrpc

// This file connects two peers in memory.

import (
	"context"
	"io"
	"slices"
	"sync"
)

// pipeFrames is how many frames wait on each way before a Write blocks.
const pipeFrames = 16

// Pipe returns the two ends of a connection in memory. What was written before an end closed can still be read at
// the other.
func Pipe() (Stream, Stream) {
	a, b := make(chan []byte, pipeFrames), make(chan []byte, pipeFrames)
	p := &pipeEnd{in: a, out: b, closed: make(chan struct{})}
	q := &pipeEnd{in: b, out: a, closed: make(chan struct{})}
	p.other, q.other = q, p
	return p, q
}

type pipeEnd struct {
	in     <-chan []byte
	out    chan<- []byte
	other  *pipeEnd
	once   sync.Once
	closed chan struct{}
}

func (p *pipeEnd) Read(ctx context.Context) ([]byte, error) {
	select {
	case frame := <-p.in:
		return frame, nil
	default:
	}
	select {
	case frame := <-p.in:
		return frame, nil
	case <-p.other.closed:
		select {
		case frame := <-p.in:
			return frame, nil
		default:
			return nil, io.EOF
		}
	case <-p.closed:
		return nil, ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pipeEnd) Write(ctx context.Context, m *Message) error {
	select {
	case <-p.closed:
		return &ClosedError{Cause: ErrClosed}
	case <-p.other.closed:
		return &ClosedError{Cause: io.ErrClosedPipe}
	case <-ctx.Done():
		return ctx.Err()
	default:
	}
	select {
	case p.out <- slices.Clone(m.Raw):
		return nil
	case <-p.closed:
		return &ClosedError{Cause: ErrClosed}
	case <-p.other.closed:
		return &ClosedError{Cause: io.ErrClosedPipe}
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *pipeEnd) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}
