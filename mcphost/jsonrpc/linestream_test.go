package jsonrpc_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"gatehouse/mcphost/jsonrpc"
)

func reading(r io.Reader, limit int) jsonrpc.Stream {
	return jsonrpc.LineStream(r, io.Discard, nil, &jsonrpc.LineOptions{Limits: jsonrpc.Limits{FrameBytes: limit}})
}

// Frames of all sizes around those of the buffers, read in pieces of all sizes.
func TestLinesOfEverySize(t *testing.T) {
	sizes := []int{1, 2, 8<<10 - 1, 8 << 10, 8<<10 + 1, 64<<10 - 1, 64 << 10, 64<<10 + 1, 3, 72 << 10, 136 << 10, 1 << 20, 5, 200}
	var all []byte
	for i, n := range sizes {
		all = append(all, bytes.Repeat([]byte{byte('a' + i)}, n)...)
		all = append(all, "\n\r\n \n"...)
	}
	all = append(all, "the last line has no end"...)
	for name, r := range map[string]io.Reader{
		"whole": bytes.NewReader(all), "half": iotest.HalfReader(bytes.NewReader(all)), "with the error": iotest.DataErrReader(bytes.NewReader(all)),
		"byte by byte": iotest.OneByteReader(bytes.NewReader(all)),
	} {
		s := reading(r, 0)
		var frames [][]byte
		for i, n := range sizes {
			frame, err := s.Read(t.Context())
			if err != nil || len(frame) != n {
				t.Fatalf("%s: frame %d: %d bytes, want %d: %v", name, i, len(frame), n, err)
			}
			frames = append(frames, frame)
		}
		if last, err := s.Read(t.Context()); err != io.ErrUnexpectedEOF || string(last) != "the last line has no end" {
			t.Errorf("%s: last %q, %v", name, last, err)
		}
		if _, err := s.Read(t.Context()); err != io.EOF {
			t.Errorf("%s: end: %v", name, err)
		}
		for i, frame := range frames { // they belong to the caller: later reads have left them alone
			if bytes.Count(frame, []byte{byte('a' + i)}) != len(frame) {
				t.Errorf("%s: frame %d was changed", name, i)
			}
		}
	}
}

func TestFrameLimit(t *testing.T) {
	for _, limit := range []int{1, 100, 8 << 10, 64 << 10, 100_000} {
		fits, over := strings.Repeat("x", limit), strings.Repeat("y", limit+1)
		for _, r := range []func(io.Reader) io.Reader{iotest.HalfReader, iotest.OneByteReader, func(r io.Reader) io.Reader { return r }} {
			s := reading(r(strings.NewReader(fits+"\n"+over+"\n"+fits+"\n"+over)), limit)
			for i := range 4 {
				frame, err := s.Read(t.Context())
				if i%2 == 0 && (err != nil || string(frame) != fits) {
					t.Errorf("limit %d, frame %d: %d bytes, %v", limit, i, len(frame), err)
				}
				var big *jsonrpc.FrameTooLargeError
				if i%2 == 1 && (!errors.As(err, &big) || big.Size != int64(limit+1) || big.Limit != limit || !strings.HasPrefix(over, string(big.Head))) {
					t.Errorf("limit %d, frame %d: %v", limit, i, err)
				}
			}
			if _, err := s.Read(t.Context()); err != io.EOF {
				t.Errorf("limit %d: end: %v", limit, err)
			}
		}
	}
}

// The id is found wherever it stands, which for TypeScript servers is at the end.
func TestSkippedFrameFailsItsCall(t *testing.T) {
	filler := strings.Repeat(`\"}],\\`, 30_000)
	for _, frame := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"a":["` + filler + `"]}}`,
		`{"result":{"a":["` + filler + `"],"id":7},"jsonrpc":"2.0","id":1}`,
	} {
		synctest.Test(t, func(t *testing.T) {
			fromServer, server := io.Pipe()
			s := jsonrpc.LineStream(fromServer, io.Discard, fromServer.Close, &jsonrpc.LineOptions{Limits: jsonrpc.Limits{FrameBytes: 100_000}})
			var noise noises
			p := jsonrpc.NewPeer(s, nil, &jsonrpc.Options{Noise: noise.add})
			p.Start()
			defer p.Close()
			c := call(t.Context(), p, "a", nil)
			synctest.Wait()
			_, _ = io.WriteString(server, frame+"\n")
			_, err := c.wait()
			var big *jsonrpc.FrameTooLargeError
			if !errors.As(err, &big) || big.ID != jsonrpc.IntID(1) || big.Size != int64(len(frame)) {
				t.Errorf("the call: %v", err)
			}
			if got := noise.all(); len(got) != 1 || got[0] != "tooLarge "+frame[:1024] {
				t.Errorf("noise: %.200q", got)
			}
			c = call(t.Context(), p, "b", nil)
			synctest.Wait()
			_, _ = io.WriteString(server, `{"jsonrpc":"2.0","id":2,"result":{}}`+"\n")
			if _, err := c.wait(); err != nil {
				t.Errorf("the next call: %v", err)
			}
		})
	}
}

// The end of a server that dies while it writes is that end, not half an answer. A whole answer without a newline counts.
func TestFrameCutOff(t *testing.T) {
	const answer = "\ufeff" + `{"jsonrpc":"2.0","id":1,"result":{}}`
	for _, n := range []int{len(answer), len(answer) - 1, 30} {
		synctest.Test(t, func(t *testing.T) {
			fromServer, server := io.Pipe()
			var noise noises
			p := jsonrpc.NewPeer(jsonrpc.LineStream(fromServer, io.Discard, fromServer.Close, nil), nil, &jsonrpc.Options{Noise: noise.add})
			p.Start()
			defer p.Close()
			c := call(t.Context(), p, "a", nil)
			synctest.Wait()
			_, _ = io.WriteString(server, answer[:n]) // a pipe with a reader
			server.Close()
			_, err := c.wait()
			var closed *jsonrpc.ClosedError
			switch {
			case n == len(answer):
				if err != nil {
					t.Errorf("the whole answer: %v", err)
				}
			case !errors.As(err, &closed) || closed.Cause != io.EOF || !closed.Sent:
				t.Errorf("%d bytes: %v", n, err)
			case len(noise.all()) != 1 || noise.all()[0] != "invalid "+answer[:n]:
				t.Errorf("%d bytes: noise %q", n, noise.all())
			}
		})
	}
}

// endless is a line that does not end for a long time.
type endless struct{ left int }

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.left)
	for i := range p[:n] {
		p[i] = 'x'
	}
	e.left -= n
	return n, nil
}

func TestSkippingIsBoundedInSpace(t *testing.T) {
	const limit = 4 << 20
	s := reading(&endless{left: 16 * limit}, limit)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := s.Read(t.Context())
	runtime.ReadMemStats(&after)
	var big *jsonrpc.FrameTooLargeError
	if !errors.As(err, &big) || big.Size != 16*limit {
		t.Fatal(err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used >= 2*limit { // ever allocated, so no collector can hide it
		t.Errorf("%d bytes allocated for a limit of %d", used, limit)
	}
}

func TestReadStopsForItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := reading(strings.NewReader("x\n"), 0).Read(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := reading(iotest.ErrReader(io.ErrUnexpectedEOF), 0).Read(t.Context()); err != io.ErrUnexpectedEOF {
		t.Error(err)
	}
	if _, err := reading(stuck{}, 0).Read(t.Context()); err != io.ErrNoProgress {
		t.Error(err)
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func raw(text string) *jsonrpc.Message { return &jsonrpc.Message{Raw: []byte(text)} }

// A gate is a writer that waits to be opened and records each Write.
type gate struct {
	open   chan struct{}
	mu     sync.Mutex
	writes []string
}

func (g *gate) Write(p []byte) (int, error) {
	if _, ok := <-g.open; !ok {
		return len(p) / 2, os.ErrClosed
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.writes = append(g.writes, string(p))
	return len(p), nil
}

func (g *gate) Close() error { close(g.open); return nil }

func TestWritesDoNotInterleaveAndGoOutTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gate{open: make(chan struct{})}
		s := jsonrpc.LineStream(strings.NewReader(""), g, g.Close, nil)
		big := strings.Repeat("b", 64<<10)
		results := make(chan error, 5)
		for _, text := range []string{"one", "two", "three", big, "four"} {
			go func() { results <- s.Write(t.Context(), raw(text)) }()
			synctest.Wait()
		}
		for range 5 {
			g.open <- struct{}{}
		}
		for range 5 {
			if err := <-results; err != nil {
				t.Error(err)
			}
		}
		if got := strings.Join(g.writes, "|"); got != "one\n|two\nthree\n|"+big+"|\n|four\n" {
			t.Errorf("writes: %.100q", got)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestWriteHonoursItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gate{open: make(chan struct{})}
		s := jsonrpc.LineStream(strings.NewReader(""), g, g.Close, nil)
		ctx, cancel := context.WithCancel(t.Context())
		underWay, queued := make(chan error, 1), make(chan error, 1)
		go func() { underWay <- s.Write(ctx, raw("under way")) }()
		synctest.Wait()
		go func() { queued <- s.Write(ctx, raw("queued")) }()
		synctest.Wait()
		cancel()
		if err := <-underWay; err != nil {
			t.Errorf("under way: %v", err)
		}
		if err := <-queued; !errors.Is(err, context.Canceled) {
			t.Errorf("queued: %v", err)
		}
		if err := s.Write(ctx, raw("too late")); !errors.Is(err, context.Canceled) {
			t.Errorf("too late: %v", err)
		}
		g.open <- struct{}{}
		synctest.Wait()
		if got := strings.Join(g.writes, "|"); got != "under way\n" {
			t.Errorf("writes: %q", got)
		}
		_ = s.Close()
	})
}

func TestCloseEndsWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gate{open: make(chan struct{})}
		s := jsonrpc.LineStream(strings.NewReader(""), g, g.Close, nil)
		results := make(chan error, 2)
		for range 2 {
			go func() { results <- s.Write(t.Context(), raw("blocked")) }()
			synctest.Wait()
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		_ = s.Close() // once is enough
		var closed *jsonrpc.ClosedError
		for range 2 {
			if err := <-results; !errors.As(err, &closed) || closed.Sent {
				t.Errorf("blocked: %v", err)
			}
		}
		if err := s.Write(t.Context(), raw("afterwards")); !errors.Is(err, jsonrpc.ErrClosed) {
			t.Errorf("afterwards: %v", err)
		}
	})
}

// partial writes n bytes and then fails.
type partial struct{ n int }

func (p partial) Write([]byte) (int, error) { return p.n, io.ErrClosedPipe }

func TestWriteFailsForGood(t *testing.T) {
	for n, sent := range map[int]bool{0: false, 2: false, 5: true} {
		s := jsonrpc.LineStream(strings.NewReader(""), partial{n}, nil, nil)
		var closed *jsonrpc.ClosedError
		if err := s.Write(t.Context(), raw("four")); (err == nil) != sent || err != nil && !errors.As(err, &closed) {
			t.Errorf("%d bytes went out: %v", n, err)
		}
		_ = s.Close()
		if err := s.Write(t.Context(), raw("next")); !errors.As(err, &closed) || !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("%d bytes went out, next: %v", n, err)
		}
	}
}

// Two peers over real pipes.
func TestPeersOverPipes(t *testing.T) {
	near, other := overPipes(t)
	echo := handler{request: func(_ context.Context, m *jsonrpc.Message) (any, error) { return m.Params, nil }}
	p, q := jsonrpc.NewPeer(near, nil, nil), jsonrpc.NewPeer(other, echo, nil)
	p.Start()
	q.Start()
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			text := strings.Repeat("x", i*i*100)
			m, err := p.Call(t.Context(), "echo", []string{text}, nil)
			if err != nil || string(m.Result) != `["`+text+`"]` {
				t.Errorf("call %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	if err := q.Close(); err != nil {
		t.Error(err)
	}
	<-p.Done()
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func overPipes(t testing.TB) (near, other jsonrpc.Stream) {
	t.Helper()
	r1, w1, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r2, w2, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	both := func(a, b *os.File) func() error {
		return func() error { return errors.Join(a.Close(), b.Close()) }
	}
	return jsonrpc.LineStream(r1, w2, both(r1, w2), nil), jsonrpc.LineStream(r2, w1, both(r2, w1), nil)
}
