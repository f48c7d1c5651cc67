package transport

import (
	"errors"
	"io"
	"testing"

	"gatehouse/mcphost/jsonrpc"
)

// forgotten waits until nothing is left of the only server.
func forgotten(t *testing.T, sup *Supervisor) {
	t.Helper()
	eventually(t, "the server is forgotten", func() bool {
		sup.mu.Lock()
		defer sup.mu.Unlock()
		return len(sup.trees) == 0
	})
}

// What a process wrote arrives although it is read only when nothing of the process is left.
func TestStdioLateReader(t *testing.T) {
	t.Parallel()
	sup := supervisor(t)
	s := serve(t, StdioOptions{Supervisor: sup}, "print:one", "print:two")
	forgotten(t, sup)
	if one, two := readLine(t, s), readLine(t, s); one != "one" || two != "two" {
		t.Errorf("got %q and %q", one, two)
	}
	if _, err := s.Read(t.Context()); err != io.EOF {
		t.Errorf("then %v", err)
	}
}

// A write that comes too late tells who ended: the process, or we.
func TestStdioWriteAfterTheEnd(t *testing.T) {
	t.Parallel()
	sup := supervisor(t)
	s := serve(t, StdioOptions{Supervisor: sup}, "exit:3")
	forgotten(t, sup)
	var closed *jsonrpc.ClosedError
	if err := s.Write(t.Context(), message(t, "a", nil)); !errors.As(err, &closed) || closed.Cause != io.EOF {
		t.Errorf("the process has ended: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Write(t.Context(), message(t, "a", nil)); !errors.As(err, &closed) || closed.Cause != jsonrpc.ErrClosed {
		t.Errorf("we have closed: %v", err)
	}
}
