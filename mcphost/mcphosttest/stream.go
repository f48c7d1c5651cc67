package mcphosttest

// This file runs a scenario in process, over a stream of frames.

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"testing"

	"gatehouse/mcphost/jsonrpc"
)

// A Stream is the client's end of a scripted server in the same process. It implements [jsonrpc.Stream].
type Stream struct {
	Record
	server *server
	out    chan []byte   // whole lines for the client
	done   chan struct{} // closed by Close or Exit
	turns  sync.WaitGroup

	mu     sync.Mutex // guards closed and the start of turns
	closed bool

	writing sync.Mutex // guards half
	half    []byte     // written without a line break so far
}

// NewStream starts a scripted server in this process. The test's end closes it and waits for its goroutines.
func NewStream(t testing.TB, s Scenario) *Stream {
	st := &Stream{
		Record: Record(filepath.Join(t.TempDir(), "received.jsonl")),
		out:    make(chan []byte),
		done:   make(chan struct{}),
	}
	st.server = newServer(s, st.done, func(int) { st.end() })
	st.turns.Go(func() { st.server.start(st.send) })
	t.Cleanup(func() { st.Close() })
	return st
}

// Read returns the next line that the server has written.
func (s *Stream) Read(ctx context.Context) ([]byte, error) {
	select {
	case line := <-s.out:
		return line, nil
	case <-s.done:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write hands a frame to the server.
func (s *Stream) Write(_ context.Context, m *jsonrpc.Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return &jsonrpc.ClosedError{Cause: io.EOF}
	}
	if err := appendLine(string(s.Record), bytes.Clone(m.Raw)); err != nil {
		return err
	}
	if t := s.server.receive(m.Raw, s.send); t != nil {
		s.turns.Go(t.run)
	}
	return nil
}

// Ask lets the server send a request now, with raw params ("" = none), and returns its id as JSON text. The answer will be
// among the frames of Record.
func (s *Stream) Ask(method, params string) (id string) {
	s.server.mu.Lock()
	s.server.asked++
	id = fmt.Sprintf(`"s%d"`, s.server.asked)
	s.server.mu.Unlock()
	s.send([]byte(`{"jsonrpc":"2.0","id":` + id + `,"method":` + string(quote(method)) + member("params", params) + "}\n"))
	return id
}

// Close ends the server.
func (s *Stream) Close() error {
	s.end()
	s.turns.Wait()
	return nil
}

func (s *Stream) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.closed = true
		close(s.done)
	}
}

// send cuts what the server writes into lines.
func (s *Stream) send(b []byte) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.half = append(s.half, b...)
	for {
		line, rest, found := bytes.Cut(s.half, []byte("\n"))
		if !found {
			return
		}
		s.half = rest
		select {
		case s.out <- bytes.Clone(line):
		case <-s.done:
			return
		}
	}
}
