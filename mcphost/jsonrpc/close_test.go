package jsonrpc_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/mcphost/jsonrpc"
)

// Whoever gives up a call and closes has still told the other side.
func TestCloseAfterCancelledCall(t *testing.T) {
	var p *jsonrpc.Peer
	o := &jsonrpc.Options{CancelRequest: func(ctx context.Context, id jsonrpc.ID) {
		time.Sleep(flushed) // in the bubble's time: the stream is slow
		_ = p.Notify(ctx, "cancelled", map[string]jsonrpc.ID{"requestId": id})
	}}
	connect(t, nil, o, func(t *testing.T, peer *jsonrpc.Peer, f far) {
		p = peer
		ctx, cancel := context.WithCancel(t.Context())
		c := call(ctx, p, "slow", nil)
		f.read()
		cancel()
		if _, err := c.wait(); !errors.Is(err, context.Canceled) {
			t.Errorf("error: %v", err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		f.expect(`{"jsonrpc":"2.0","method":"cancelled","params":{"requestId":1}}`)
	})
}

const flushed = time.Second / 2 // less than Close waits

func TestTheOtherSideEnds(t *testing.T) {
	connect(t, nil, nil, func(t *testing.T, p *jsonrpc.Peer, f far) {
		if p.Err() != nil {
			t.Errorf("before the end: %v", p.Err())
		}
		c := call(t.Context(), p, "a", nil)
		f.read()
		f.stream.Close()
		_, err := c.wait()
		var closed *jsonrpc.ClosedError
		if !errors.As(err, &closed) || !closed.Sent || !errors.Is(err, io.EOF) {
			t.Errorf("a call under way: %v", err)
		}
		<-p.Done()
		if _, err := p.Call(t.Context(), "b", nil, nil); !errors.As(err, &closed) || closed.Sent || !errors.Is(err, io.EOF) {
			t.Errorf("a call afterwards: %v", err)
		}
		if err := p.Notify(t.Context(), "n", nil); !errors.As(err, &closed) || closed.Sent {
			t.Errorf("a notification afterwards: %v", err)
		}
		if p.Err() != io.EOF {
			t.Errorf("Err: %v", p.Err())
		}
	})
}

func TestClose(t *testing.T) {
	ended := make(chan error, 1)
	h := handler{request: func(ctx context.Context, m *jsonrpc.Message) (any, error) {
		<-ctx.Done()
		ended <- ctx.Err()
		return nil, nil
	}}
	connect(t, h, nil, func(t *testing.T, p *jsonrpc.Peer, f far) {
		f.write(`{"jsonrpc":"2.0","id":1,"method":"wait"}`)
		c := call(t.Context(), p, "a", nil)
		f.read()
		synctest.Wait()
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if len(ended) != 1 { // Close has waited for the handler
			t.Error("a handler outlived Close")
		}
		if _, err := c.wait(); !errors.Is(err, jsonrpc.ErrClosed) || !errors.Is(p.Err(), jsonrpc.ErrClosed) {
			t.Errorf("call: %v, peer: %v", err, p.Err())
		}
		p.Start() // does nothing
		if err := p.Close(); err != nil {
			t.Errorf("again: %v", err)
		}
	})
}

func TestCloseWithoutStart(t *testing.T) {
	near, _ := jsonrpc.Pipe()
	p := jsonrpc.NewPeer(near, nil, nil)
	if err := p.Close(); err != nil || !errors.Is(p.Err(), jsonrpc.ErrClosed) {
		t.Errorf("%v, %v", err, p.Err())
	}
	<-p.Done()
	_ = p.Close()
}

// failing is a stream that cannot write.
type failing struct {
	jsonrpc.Stream
	err error
}

func (f failing) Write(context.Context, *jsonrpc.Message) error { return f.err }

func TestWriteFails(t *testing.T) {
	cause := errors.New("503")
	near, _ := jsonrpc.Pipe()
	p := jsonrpc.NewPeer(failing{near, cause}, nil, nil)
	p.Start()
	defer p.Close()
	var closed *jsonrpc.ClosedError
	if _, err := p.Call(t.Context(), "a", nil, nil); !errors.Is(err, cause) || errors.As(err, &closed) {
		t.Errorf("call: %v", err)
	}
	if err := p.Notify(t.Context(), "a", nil); !errors.Is(err, cause) {
		t.Errorf("notification: %v", err)
	}
}
