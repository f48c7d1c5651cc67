package jsonrpc_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"gatehouse/mcphost/jsonrpc"
)

func TestRequestsAreAnswered(t *testing.T) {
	h := handler{request: func(_ context.Context, m *jsonrpc.Message) (any, error) {
		switch m.Method {
		case "value":
			return map[string]string{"a": "<b>"}, nil
		case "nothing":
			return nil, nil
		case "refused":
			return nil, fmt.Errorf("wrapped: %w", &jsonrpc.Error{Code: -1, Message: "no"})
		case "unencodable":
			return make(chan int), nil
		case "panic":
			panic("secret")
		}
		return nil, errors.New("secret")
	}}
	connect(t, h, nil, func(t *testing.T, p *jsonrpc.Peer, f far) {
		const internal = `"error":{"code":-32603,"message":"internal error"}`
		for i, c := range []struct{ method, want string }{
			{"value", `"result":{"a":"<b>"}`},
			{"nothing", `"result":{}`},
			{"refused", `"error":{"code":-1,"message":"no"}`},
			{"unencodable", internal},
			{"panic", internal},
			{"other", internal},
		} {
			f.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":"%d","method":"%s"}`, i, c.method))
			f.expect(fmt.Sprintf(`{"jsonrpc":"2.0","id":"%d",%s}`, i, c.want))
		}
	})
}

func TestNobodyHandles(t *testing.T) {
	connect(t, nil, nil, func(t *testing.T, p *jsonrpc.Peer, f far) {
		f.write(`{"jsonrpc":"2.0","method":"n"}`, `{"jsonrpc":"2.0","id":1,"method":"r"}`)
		f.expect(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"method not found"}}`)
	})
}

// A blocker handles requests until it is told to let them go.
type blocker struct {
	started atomic.Int64
	release chan struct{}
}

func (b *blocker) request(ctx context.Context, m *jsonrpc.Message) (any, error) {
	b.started.Add(1)
	select {
	case <-b.release:
	case <-ctx.Done():
	}
	return nil, nil
}

func request(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"r"}`, id)
}

func TestRequestLimits(t *testing.T) {
	for name, c := range map[string]struct {
		limits           jsonrpc.Limits
		running, waiting int
	}{
		"as set":     {jsonrpc.Limits{Requests: 2, Waiting: 3}, 2, 3},
		"by default": {jsonrpc.Limits{}, 64, 1024},
		"in bytes":   {jsonrpc.Limits{Requests: 1, QueueBytes: 2 * len(request(100))}, 1, 2},
		"one is big": {jsonrpc.Limits{Requests: 1, QueueBytes: 1}, 1, 1},
	} {
		b := &blocker{}
		connect(t, handler{request: b.request}, &jsonrpc.Options{Limits: c.limits}, func(t *testing.T, p *jsonrpc.Peer, f far) {
			b.release = make(chan struct{})
			for id := range c.running + c.waiting {
				f.write(request(100 + id))
			}
			f.nothing()
			if n := b.started.Load(); n != int64(c.running) {
				t.Errorf("%s: %d run at once", name, n)
			}
			f.write(request(5000))
			f.expect(`{"jsonrpc":"2.0","id":5000,"error":{"code":-32000,"message":"too many requests at once"}}`)
			call := call(t.Context(), p, "meanwhile", nil) // the read loop is free
			f.read()
			f.write(`{"jsonrpc":"2.0","id":1,"result":{}}`)
			if _, err := call.wait(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			close(b.release)
			for range c.running + c.waiting {
				f.read()
			}
			f.nothing()
			if n := p.Stats().Noise[jsonrpc.NoiseOverload]; n != 1 || b.started.Load() != int64(c.running+c.waiting) {
				t.Errorf("%s: %d overloads, %d handled", name, n, b.started.Load())
			}
		})
	}
}

func TestRepeatedIDsAreRefused(t *testing.T) {
	b := &blocker{}
	var noise noises
	connect(t, handler{request: b.request}, &jsonrpc.Options{Noise: noise.add}, func(t *testing.T, p *jsonrpc.Peer, f far) {
		b.release = make(chan struct{})
		const refused = `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"this id was used before"}}`
		f.write(request(1), request(1)) // the first is open
		f.expect(refused)
		close(b.release)
		f.expect(`{"jsonrpc":"2.0","id":1,"result":{}}`)
		f.write(request(1)) // and now past
		f.expect(refused)
		f.write(`{"jsonrpc":"2.0","id":"1","method":"r"}`)
		f.expect(`{"jsonrpc":"2.0","id":"1","result":{}}`)
		if got := noise.all(); !slices.Equal(got, []string{"duplicate " + request(1), "duplicate " + request(1)}) {
			t.Errorf("noise: %q", got)
		}
		for id := range 1024 { // as many as are remembered
			f.write(request(2 + id))
			f.read()
		}
		f.write(request(1))
		f.expect(`{"jsonrpc":"2.0","id":1,"result":{}}`)
	})
}

func TestCancelIncoming(t *testing.T) {
	b := &blocker{} // until cancelled
	connect(t, handler{request: b.request}, &jsonrpc.Options{Limits: jsonrpc.Limits{Requests: 1}}, func(t *testing.T, p *jsonrpc.Peer, f far) {
		f.write(request(1), request(2), request(3))
		synctest.Wait()
		p.CancelIncoming(jsonrpc.IntID(2)) // waits
		p.CancelIncoming(jsonrpc.IntID(9)) // unknown
		p.CancelIncoming(jsonrpc.IntID(1)) // runs
		f.nothing()
		if n := b.started.Load(); n != 2 {
			t.Errorf("%d were handled, want 1 and 3", n)
		}
		p.CancelIncoming(jsonrpc.IntID(3))
		f.write(request(2))
		f.expect(`{"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"this id was used before"}}`)
	})
}

func TestRequestsEndWithTheOtherSide(t *testing.T) {
	var reasons []error
	h := handler{request: func(ctx context.Context, _ *jsonrpc.Message) (any, error) {
		<-ctx.Done()
		reasons = append(reasons, ctx.Err())
		return nil, nil
	}}
	connect(t, h, &jsonrpc.Options{Limits: jsonrpc.Limits{Requests: 1}}, func(t *testing.T, p *jsonrpc.Peer, f far) {
		f.write(request(1), request(2)) // the second waits
		synctest.Wait()
		f.stream.Close()
		synctest.Wait()
		if len(reasons) != 1 || !errors.Is(reasons[0], context.Canceled) {
			t.Errorf("the handler's context: %v", reasons)
		}
	})
}

func notification(i int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","method":"n%03d"}`, i) }

func TestNotificationsInOrder(t *testing.T) {
	var got []string
	h := handler{notification: func(_ context.Context, m *jsonrpc.Message) {
		got = append(got, m.Method)
		if len(got) == 2 {
			panic("does no harm")
		}
	}}
	connect(t, h, nil, func(t *testing.T, p *jsonrpc.Peer, f far) {
		for i := range 100 {
			f.write(notification(i))
		}
		c := call(t.Context(), p, "a", nil)
		f.read()
		f.write(notification(100), `{"jsonrpc":"2.0","id":1,"result":{}}`)
		if _, err := c.wait(); err != nil {
			t.Error(err)
		}
		if err := p.Settle(t.Context()); err != nil {
			t.Error(err)
		}
		if len(got) != 101 || !slices.IsSorted(got) {
			t.Errorf("handled before Settle returned: %v", got)
		}
	})
}

func TestNotificationLimits(t *testing.T) {
	for name, c := range map[string]struct {
		limits jsonrpc.Limits
		most   int
	}{
		"as set":     {jsonrpc.Limits{Notifications: 3}, 3},
		"by default": {jsonrpc.Limits{}, 4096},
		"in bytes":   {jsonrpc.Limits{QueueBytes: 2 * len(notification(0))}, 2},
		"one is big": {jsonrpc.Limits{QueueBytes: 1}, 1},
	} {
		var handled atomic.Int64
		var release chan struct{}
		h := handler{notification: func(context.Context, *jsonrpc.Message) { <-release; handled.Add(1) }}
		connect(t, h, &jsonrpc.Options{Limits: c.limits}, func(t *testing.T, p *jsonrpc.Peer, f far) {
			release = make(chan struct{})
			f.write(notification(0)) // is under way: it waits no longer
			synctest.Wait()
			for range c.most {
				f.write(notification(0))
			}
			synctest.Wait()
			if n := p.Stats().Noise[jsonrpc.NoiseOverload]; n != 0 {
				t.Errorf("%s: %d dropped", name, n)
			}
			f.write(notification(0))
			synctest.Wait()
			if n := p.Stats().Noise[jsonrpc.NoiseOverload]; n != 1 {
				t.Errorf("%s: %d dropped, want 1", name, n)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if err := p.Settle(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: settled: %v", name, err)
			}
			close(release)
			if err := p.Settle(t.Context()); err != nil || handled.Load() != int64(c.most)+1 {
				t.Errorf("%s: %d handled, %v", name, handled.Load(), err)
			}
		})
	}
}

// What a server says before it goes is heard; what waits when this side closes is not.
func TestNotificationsAtTheEnd(t *testing.T) {
	for _, byUs := range []bool{false, true} {
		var release chan struct{}
		var got []string
		h := handler{notification: func(_ context.Context, m *jsonrpc.Message) { <-release; got = append(got, m.Method) }}
		connect(t, h, nil, func(t *testing.T, p *jsonrpc.Peer, f far) {
			release = make(chan struct{})
			f.write(notification(0), notification(1))
			synctest.Wait()
			closed := make(chan struct{})
			if byUs {
				go func() { defer close(closed); p.Close() }()
			} else {
				f.stream.Close()
				close(closed)
			}
			<-p.Done()
			synctest.Wait()
			close(release)
			if err := p.Settle(t.Context()); err != nil {
				t.Error(err)
			}
			<-closed
			if want := "n000 n001"; strings.Join(got, " ") != want && !byUs {
				t.Errorf("heard %q", got)
			}
			if len(got) != 1 && byUs {
				t.Errorf("heard after Close: %q", got)
			}
		})
	}
}
