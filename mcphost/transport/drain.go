package transport

// This file reads the output of a process that may have ended while others still hold its pipe.

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

const (
	drainTime  = 250 * time.Millisecond // after its end in which output is waited for
	drainBytes = 1 << 20                // of output after its end; what a pipe can hold
)

// A drain reads the output of a process. After the process has ended it gives what is there and then the end of the
// stream, although a grandchild may keep the pipe open and even write to it.
type drain struct {
	pipe  *os.File
	ended <-chan struct{} // closed when the process has ended
	empty chan struct{}   // closed when everything has been read
	once  sync.Once       // for empty
	after int             // bytes read after the end of the process
	until time.Time       // waited for
}

func newDrain(pipe *os.File, ended <-chan struct{}) *drain {
	return &drain{pipe: pipe, ended: ended, empty: make(chan struct{})}
}

func (d *drain) Read(p []byte) (int, error) {
	n, err := d.read(p)
	if err != nil {
		d.once.Do(func() { close(d.empty) })
	}
	return n, err
}

func (d *drain) read(p []byte) (int, error) {
	select {
	case <-d.ended:
		return d.rest(p)
	default:
	}
	n, err := d.pipe.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) { // set by wake
		<-d.ended
		return d.rest(p)
	}
	return n, closedIsEOF(err)
}

// wake ends a Read that waits; the process has ended.
func (d *drain) wake() {
	_ = d.pipe.SetReadDeadline(time.Now()) // not on Windows: there the job's end closes the pipe
}

// rest reads what was in the pipe when the process ended, also when the reader comes late, and what follows soon.
func (d *drain) rest(p []byte) (n int, err error) {
	if d.after >= drainBytes {
		return 0, io.EOF
	}
	if d.until.IsZero() {
		d.until = time.Now().Add(drainTime)
	}
	for range 2 { // the first deadline may fall to a late wake
		wait := max(time.Until(d.until), time.Millisecond)
		_ = d.pipe.SetReadDeadline(time.Now().Add(wait))
		n, err = d.pipe.Read(p)
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			d.after += n
			return n, closedIsEOF(err)
		}
	}
	return 0, io.EOF
}

func closedIsEOF(err error) error {
	if errors.Is(err, os.ErrClosed) {
		return io.EOF
	}
	return err
}
