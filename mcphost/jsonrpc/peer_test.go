package jsonrpc_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/mcphost/jsonrpc"
)

// A far is the other side, frame by frame.
type far struct {
	t      *testing.T
	stream jsonrpc.Stream
}

func (f far) write(frames ...string) {
	f.t.Helper()
	for _, frame := range frames {
		if err := f.stream.Write(context.Background(), &jsonrpc.Message{Raw: []byte(frame)}); err != nil {
			f.t.Fatal(err)
		}
	}
}

func (f far) read() string {
	f.t.Helper()
	frame, err := f.stream.Read(context.Background())
	if err != nil {
		f.t.Fatal(err)
	}
	return string(frame)
}

func (f far) expect(want string) {
	f.t.Helper()
	if got := f.read(); got != want {
		f.t.Errorf("read\n%s\nwant\n%s", got, want)
	}
}

// nothing checks that there is nothing to read.
func (f far) nothing() {
	f.t.Helper()
	synctest.Wait()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if frame, err := f.stream.Read(ctx); err == nil {
		f.t.Errorf("read %s", frame)
	}
}

// noises records what Options.Noise sees.
type noises struct {
	mu   sync.Mutex
	list []string
}

func (n *noises) add(kind string, raw []byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, kind+" "+string(raw))
}

func (n *noises) all() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.list)
}

// A handler is two functions, each optional.
type handler struct {
	request      func(context.Context, *jsonrpc.Message) (any, error)
	notification func(context.Context, *jsonrpc.Message)
}

func (h handler) Request(ctx context.Context, m *jsonrpc.Message) (any, error) {
	if h.request == nil {
		return nil, nil
	}
	return h.request(ctx, m)
}

func (h handler) Notification(ctx context.Context, m *jsonrpc.Message) {
	if h.notification != nil {
		h.notification(ctx, m)
	}
}

// connect runs test with a peer and the other side in a bubble of fake time, and closes both.
func connect(t *testing.T, h jsonrpc.Handler, o *jsonrpc.Options, test func(t *testing.T, p *jsonrpc.Peer, f far)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		near, other := jsonrpc.Pipe()
		p := jsonrpc.NewPeer(near, h, o)
		p.Start()
		defer p.Close()
		defer other.Close()
		test(t, p, far{t, other})
	})
}

// A pending call.
type pending struct {
	message *jsonrpc.Message
	err     error
	done    chan struct{}
}

func (c *pending) wait() (*jsonrpc.Message, error) {
	<-c.done
	return c.message, c.err
}

func call(ctx context.Context, p *jsonrpc.Peer, method string, params any) *pending {
	c := &pending{done: make(chan struct{})}
	go func() {
		defer close(c.done)
		c.message, c.err = p.Call(ctx, method, params, nil)
	}()
	return c
}

func TestCallsAndAnswersInAnyOrder(t *testing.T) {
	connect(t, nil, nil, func(t *testing.T, p *jsonrpc.Peer, f far) {
		var id jsonrpc.ID
		first := &pending{done: make(chan struct{})}
		go func() {
			defer close(first.done)
			first.message, first.err = p.Call(t.Context(), "a", json.RawMessage(`{"x": 1.0}`), func(i jsonrpc.ID) { id = i })
		}()
		f.expect(`{"jsonrpc":"2.0","id":1,"method":"a","params":{"x": 1.0}}`)
		second := call(t.Context(), p, "b", nil)
		f.expect(`{"jsonrpc":"2.0","id":2,"method":"b"}`)
		f.write(`{"jsonrpc":"2.0","id":2,"error":{"code":-5,"message":"no","data":7}}`, `{"result":{"y":2.0},"jsonrpc":"2.0","id":1}`)
		if m, err := first.wait(); err != nil || string(m.Result) != `{"y":2.0}` || id != jsonrpc.IntID(1) {
			t.Errorf("first: %v, %v, id %s", m, err, id)
		}
		m, err := second.wait()
		var failure *jsonrpc.Error
		if !errors.As(err, &failure) || failure.Code != -5 || string(failure.Data) != "7" || m == nil || m.Error != failure {
			t.Errorf("second: %v, %v", m, err)
		}
		if err := p.Notify(t.Context(), "n", struct{}{}); err != nil {
			t.Error(err)
		}
		f.expect(`{"jsonrpc":"2.0","method":"n","params":{}}`)
	})
}

func TestCallCannotBeBuilt(t *testing.T) {
	connect(t, nil, nil, func(t *testing.T, p *jsonrpc.Peer, f far) {
		if _, err := p.Call(t.Context(), "a", json.RawMessage(`{`), nil); err == nil {
			t.Error("invalid params went out")
		}
		f.nothing()
	})
}

func TestCancelledCall(t *testing.T) {
	var noise noises
	var p *jsonrpc.Peer
	o := &jsonrpc.Options{Noise: noise.add, CancelRequest: func(ctx context.Context, id jsonrpc.ID) {
		if _, ok := ctx.Deadline(); !ok || ctx.Err() != nil {
			t.Errorf("the context of CancelRequest: %v", ctx.Err())
		}
		_ = p.Notify(ctx, "cancelled", map[string]jsonrpc.ID{"requestId": id})
	}}
	connect(t, nil, o, func(t *testing.T, peer *jsonrpc.Peer, f far) {
		p = peer
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		c := call(ctx, p, "slow", nil)
		f.read()
		if _, err := c.wait(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error: %v", err)
		}
		f.expect(`{"jsonrpc":"2.0","method":"cancelled","params":{"requestId":1}}`)
		const late = `{"jsonrpc":"2.0","id":1,"result":{}}`
		f.write(late)
		synctest.Wait()
		if got := noise.all(); !slices.Equal(got, []string{"late " + late}) {
			t.Errorf("noise: %q", got)
		}
	})
}

// A request that never went out is not cancelled at the other side.
func TestCancelledBeforeItWentOut(t *testing.T) {
	o := &jsonrpc.Options{CancelRequest: func(context.Context, jsonrpc.ID) { t.Error("CancelRequest was called") }}
	connect(t, nil, o, func(t *testing.T, p *jsonrpc.Peer, f far) {
		ctx, cancel := context.WithCancel(t.Context())
		var written int
		for p.Stats().FramesOut == int64(written) { // until the pipe is full
			go p.Notify(ctx, "fill", nil)
			synctest.Wait()
			written++
		}
		c := call(ctx, p, "blocked", nil)
		synctest.Wait()
		cancel()
		if _, err := c.wait(); !errors.Is(err, context.Canceled) {
			t.Errorf("error: %v", err)
		}
	})
}

// Nothing the other side writes ends the session, and a spoilt answer fails its call.
func TestNoise(t *testing.T) {
	var noise noises
	connect(t, nil, &jsonrpc.Options{Noise: noise.add}, func(t *testing.T, p *jsonrpc.Peer, f far) {
		frames := []struct{ kind, frame string }{
			{"stray", "Server running on stdio"},
			{"stray", "\x1b[32m✓\x1b[0m \xff\xfe\x00"},
			{"invalid", `{"level":"info"}`},
			{"invalid", `{"half":`},
			{"invalid", `[]`},
			{"noID", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`},
			{"unknownID", `{"jsonrpc":"2.0","id":99,"result":{}}`},
			{"unknownID", `{"jsonrpc":"2.0","id":"1","result":{}}`},
			{"unknownID", `{"jsonrpc":"2.0","id":-1,"result":{}}`},
		}
		var want []string
		counts := map[string]int64{}
		for _, n := range frames {
			f.write(n.frame)
			want = append(want, n.kind+" "+n.frame)
			counts[n.kind]++
		}
		c := call(t.Context(), p, "a", nil)
		f.read()
		f.write("\ufeff [" + `{"jsonrpc":"2.0","id":1,"result":{}}` + "]\r")
		if _, err := c.wait(); err != nil {
			t.Error(err)
		}
		if got := noise.all(); !slices.Equal(got, want) {
			t.Errorf("noise:\n%q\nwant\n%q", got, want)
		}
		if stats := p.Stats(); fmt.Sprint(stats.Noise) != fmt.Sprint(counts) || stats.FramesIn != int64(len(frames)+1) || stats.FramesOut != 1 {
			t.Errorf("stats: %+v", stats)
		}
	})
}

func TestInvalidResponseFailsItsCall(t *testing.T) {
	for _, frame := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}`,
		`{"jsonrpc":"2.0","id":1}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":""}}`,
		`{"result":{"a":1,"a":2},"jsonrpc":"2.0","id":1}`,
		"{\"result\":\"\xff\",\"jsonrpc\":\"2.0\",\"id\":1}",
		`[{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":1}]`,
	} {
		connect(t, nil, nil, func(t *testing.T, p *jsonrpc.Peer, f far) {
			c := call(t.Context(), p, "a", nil)
			f.read()
			f.write(frame)
			_, err := c.wait()
			var invalid *jsonrpc.InvalidResponseError
			if !errors.As(err, &invalid) || string(invalid.Raw) != frame {
				t.Errorf("%s: %v", frame, err)
			}
			if n := p.Stats().Noise[jsonrpc.NoiseInvalid]; n != 1 {
				t.Errorf("%s: counted %d times", frame, n)
			}
		})
	}
}

func TestTapSeesEveryFrame(t *testing.T) {
	var seen []string
	long := strings.Repeat("x", 70) // more than a frame may have
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	o := &jsonrpc.Options{
		Now:    func() time.Time { return start },
		Limits: jsonrpc.Limits{FrameBytes: 64},
		Tap: func(_ context.Context, s jsonrpc.Sight) {
			seen = append(seen, fmt.Sprint(s.Direction, " ", string(s.Frame), " ", s.Size, " ", len(s.Messages), " ", s.Err != nil, " ", s.At.Equal(start)))
		},
	}
	connect(t, nil, o, func(t *testing.T, p *jsonrpc.Peer, f far) {
		c := call(t.Context(), p, "a", nil)
		f.read()
		f.write("hello")
		f.write(long)
		f.write(`{"jsonrpc":"2.0","id":1,"result":{}}`)
		if _, err := c.wait(); err != nil {
			t.Error(err)
		}
		want := []string{
			`out {"jsonrpc":"2.0","id":1,"method":"a"} 37 1 false true`, "in hello 5 0 true true", "in " + long + " 70 0 true true",
			`in {"jsonrpc":"2.0","id":1,"result":{}} 36 1 false true`,
		}
		if !slices.Equal(seen, want) {
			t.Errorf("seen:\n%q", seen)
		}
	})
}
