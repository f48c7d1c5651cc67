package transport

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
)

// synctestHTTP runs f in a bubble, where waiting costs no time, against a server in memory.
func synctestHTTP(t *testing.T, name string, handlers map[string]http.HandlerFunc, f func(t *testing.T, h *HTTP, r *remote)) {
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r, conns := &remote{}, make(pipeListener)
			server := &http.Server{Handler: r.record(handlers)}
			served := make(chan struct{})
			go func() { defer close(served); _ = server.Serve(conns) }() // until Close
			h, err := DialHTTP("http://localhost/mcp", &HTTPOptions{Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
				ours, theirs := net.Pipe()
				select {
				case conns <- theirs:
					return ours, nil
				case <-ctx.Done():
					return nil, ctx.Err()
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			f(t, h, r)
			if err := h.Close(); err != nil {
				t.Error(err)
			}
			_ = server.Close() // closes conns
			<-served
		})
	})
}

// A pipeListener accepts what is sent to it.
type pipeListener chan net.Conn

func (l pipeListener) Accept() (net.Conn, error) {
	if c, ok := <-l; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

// Close is called once.
func (l pipeListener) Close() error {
	close(l)
	return nil
}

func (l pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

func discardLog() *log.Logger { return log.New(io.Discard, "", 0) }
