package jsonrpc

// This file writes frames as lines, one after the other, without making a caller wait longer than it wants to.

import (
	"context"
	"io"
	"slices"
	"sync"
)

// batchBytes is how much is written at once when several frames wait. A larger frame is written alone.
const batchBytes = 64 << 10

// A lineWriter writes lines to w. Frames queue up while a write is under way and then go out together: the goroutine
// that writes lives only as long as there is something to write.
type lineWriter struct {
	w  io.Writer
	wg sync.WaitGroup

	mu    sync.Mutex // guards the fields below
	queue []*line    // not yet under way
	busy  bool       // a goroutine is writing
	err   error      // why nothing can be written any more

	batch []*line // of the writing goroutine
	buf   []byte  // of the writing goroutine
}

// A line is one frame on its way.
type line struct {
	raw  []byte
	done chan error // receives one value
}

func (l *lineWriter) write(ctx context.Context, raw []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	it := &line{raw: raw, done: make(chan error, 1)}
	l.mu.Lock()
	if l.err != nil {
		defer l.mu.Unlock()
		return &ClosedError{Cause: l.err}
	}
	l.queue = append(l.queue, it)
	if !l.busy {
		l.busy = true
		l.wg.Go(l.run)
	}
	l.mu.Unlock()
	select {
	case err := <-it.done:
		return err
	case <-ctx.Done():
	}
	if l.withdraw(it) {
		return ctx.Err()
	}
	select {
	case err := <-it.done:
		return err
	default: // under way
		return nil
	}
}

// withdraw takes it out of the queue and reports whether it was still there.
func (l *lineWriter) withdraw(it *line) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.Index(l.queue, it)
	if i < 0 {
		return false
	}
	l.queue = slices.Delete(l.queue, i, i+1)
	return true
}

// stop refuses further frames and those that are not under way.
func (l *lineWriter) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fail(ErrClosed)
}

func (l *lineWriter) wait() { l.wg.Wait() }

// fail ends the writer for the given cause. The caller holds mu.
func (l *lineWriter) fail(cause error) {
	if l.err == nil {
		l.err = cause
	}
	for _, it := range l.queue {
		it.done <- &ClosedError{Cause: l.err}
	}
	l.queue = nil
}

// run writes until nothing waits.
func (l *lineWriter) run() {
	for l.take() {
		n, err := l.flush()
		for _, it := range l.batch {
			if n -= len(it.raw) + 1; n >= 0 {
				it.done <- nil
			} else {
				it.done <- &ClosedError{Cause: err}
			}
		}
		clear(l.batch)
		if err != nil {
			l.mu.Lock()
			l.fail(err)
			l.mu.Unlock()
		}
	}
}

// take moves the next frames from the queue to the batch. Without any it ends the goroutine's time.
func (l *lineWriter) take() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for size := 0; n < len(l.queue); n++ {
		if size += len(l.queue[n].raw) + 1; n > 0 && size > batchBytes {
			break
		}
	}
	l.batch = append(l.batch[:0], l.queue[:n]...)
	l.queue = slices.Delete(l.queue, 0, n)
	l.busy = n > 0
	return l.busy
}

// flush writes the batch and returns how many bytes of it went out.
func (l *lineWriter) flush() (int, error) {
	if first := l.batch[0].raw; len(first) >= batchBytes {
		n, err := l.w.Write(first)
		if err != nil {
			return n, err
		}
		_, err = l.w.Write([]byte{'\n'})
		return n + 1, err
	}
	l.buf = l.buf[:0]
	for _, it := range l.batch {
		l.buf = append(append(l.buf, it.raw...), '\n')
	}
	return l.w.Write(l.buf)
}
