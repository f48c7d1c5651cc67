package jsonrpc

// This file defines Peer: its life, its options, and what it does with each frame.

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"
)

// A Handler serves what the other side asks and tells. Its methods are called from the peer's goroutines; a panic
// is logged and counts as an internal error.
type Handler interface {
	// Request answers a request; up to Limits.Requests run at once. The result is encoded as by [NewResponse]. An
	// *Error goes back as it is, any other error as CodeInternal without its text. A result with a method Sent() is told
	// when its response has been written, or never will be. ctx ends on CancelIncoming and when the peer ends.
	Request(ctx context.Context, m *Message) (result any, err error)

	// Notification takes notifications, one after the other in the order of their arrival. It must not wait for a
	// Call, and not call Settle or Close. ctx ends when the peer is closed.
	Notification(ctx context.Context, m *Message)
}

// Options adjust a [Peer]. Its functions must not block; each may be nil.
type Options struct {
	Limits Limits

	// Tap sees every frame as it was read or is about to be written, from several goroutines. A frame that cannot be
	// written, or is withdrawn before it is, has been seen nevertheless. ctx is that of whoever sends.
	Tap func(ctx context.Context, s Sight)

	// Noise sees what the other side should not have written, by kind: see the Noise… constants. It is called after Tap
	// and before the next frame, as often as the other side likes, so what is kept of it needs a bound.
	Noise func(kind string, raw []byte)

	// CancelRequest is called in a goroutine of its own when the ctx of a Call ends after the request went out and
	// before it was answered. Its ctx ends after ten seconds. Close gives it a second.
	CancelRequest func(ctx context.Context, id ID)

	Now    func() time.Time // for Tap; nil is time.Now
	Logger *slog.Logger     // nil discards
}

// A Sight is a frame that goes by. Nothing in it may be changed.
type Sight struct {
	Direction Direction
	At        time.Time
	Frame     []byte     // of one that was too large, its head
	Size      int64      // of the whole frame
	Messages  []*Message // that were read in it, or the one that is about to be written
	Err       error      // why it, or part of it, is no message
}

// A Peer is one side of a JSON-RPC connection. Its methods are safe for concurrent use.
type Peer struct {
	stream  Stream
	options Options
	stats   stats
	calls   calls
	inbox   *inbox
	server  *server
	done    chan struct{} // closed when nothing more is read
	wg      sync.WaitGroup
	cancels sync.WaitGroup // runs of Options.CancelRequest

	mu      sync.Mutex // guards the fields below
	cancel  context.CancelFunc
	started bool
	closing bool
}

// NewPeer returns a peer over s, which it closes in the end. It does nothing before Start. A nil handler refuses
// every request and ignores notifications; nil options are the defaults.
func NewPeer(s Stream, h Handler, o *Options) *Peer {
	p := &Peer{stream: s, done: make(chan struct{})}
	if o != nil {
		p.options = *o
	}
	p.options.Limits = p.options.Limits.resolve()
	if p.options.Logger == nil {
		p.options.Logger = slog.New(slog.DiscardHandler)
	}
	if p.options.Now == nil {
		p.options.Now = time.Now
	}
	if h == nil {
		h = nobody{}
	}
	h = guarded{h, p.options.Logger}
	p.inbox = newInbox(h, p.options.Limits)
	p.server = newServer(h, p.options.Limits, p.respond)
	return p
}

// Start begins to read. It does nothing when called again or after Close.
func (p *Peer) Start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.started || p.closing {
		return
	}
	p.started = true
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	p.wg.Go(func() { p.run(ctx) })
	p.wg.Go(func() { p.inbox.run(ctx) })
	p.wg.Go(func() { p.server.writeRefusals(ctx) })
}

// flushTime is how long Close waits for what Options.CancelRequest has to say.
const flushTime = time.Second

// Close ends the peer: it lets CancelRequest finish for calls that have ended, for a second at most, closes the stream,
// fails the calls under way, discards notifications that wait, and returns when every handler has returned. The error is
// the stream's. It must not be called from a handler.
func (p *Peer) Close() error {
	p.mu.Lock()
	p.closing = true
	p.mu.Unlock()
	p.flush()
	p.mu.Lock()
	if p.cancel != nil {
		p.cancel()
	}
	if !p.started {
		p.started = true
		p.end(ErrClosed)
	}
	p.mu.Unlock()
	p.inbox.discard()
	err := p.stream.Close()
	p.wg.Wait()
	p.cancels.Wait()
	p.server.wg.Wait()
	return err
}

// flush waits for CancelRequest; none begins any more.
func (p *Peer) flush() {
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.cancels.Wait()
	}()
	select {
	case <-done:
	case <-time.After(flushTime):
	}
}

// Done is closed when the peer has ended: nothing more is read and every call has failed.
func (p *Peer) Done() <-chan struct{} { return p.done }

// Err returns nil before Done is closed, then why: io.EOF if the other side ended, ErrClosed after Close, or how
// reading failed.
func (p *Peer) Err() error { return p.calls.cause() }

// Stats returns the counters so far.
func (p *Peer) Stats() Stats { return p.stats.snapshot() }

// Settle waits until every notification that has arrived so far is handled, or dropped because the peer is closed. It
// returns ctx's error if that ends first. A caller that needs the progress of a call before its result calls it after
// Call: a result does not wait in line.
func (p *Peer) Settle(ctx context.Context) error { return p.inbox.settle(ctx) }

// CancelIncoming ends the ctx of the request that the other side made under id; the request will not be answered. An
// id that is not open is ignored.
func (p *Peer) CancelIncoming(id ID) { p.server.cancel(id) }

// run reads to the end. Requests cannot be answered afterwards, so their contexts end with it.
func (p *Peer) run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for {
		frame, err := p.stream.Read(ctx)
		var big *FrameTooLargeError
		switch {
		case err == nil:
			p.receive(ctx, frame)
		case errors.As(err, &big):
			p.see(ctx, Sight{Frame: big.Head, Size: big.Size, Err: big})
			p.noise(NoiseTooLarge, big.Head)
			p.calls.settle(big.ID, nil, big)
		case len(frame) > 0 && errors.Is(err, io.ErrUnexpectedEOF): // cut off: the end that follows fails the calls, and says more
			p.see(ctx, Sight{Frame: frame, Size: int64(len(frame)), Err: err})
			p.stats.count(Incoming, frame)
			p.noise(kindOf(frame), frame)
		default:
			p.mu.Lock()
			if p.closing {
				err = ErrClosed
			}
			p.mu.Unlock()
			p.end(err)
			return
		}
	}
}

// end fails the calls under way and lets the notifications that wait be handled.
func (p *Peer) end(cause error) {
	p.calls.end(cause)
	p.inbox.finish()
	close(p.done)
}

// see shows what was read.
func (p *Peer) see(ctx context.Context, s Sight) {
	if p.options.Tap != nil {
		s.Direction, s.At = Incoming, p.options.Now()
		p.options.Tap(ctx, s)
	}
}

func (p *Peer) receive(ctx context.Context, frame []byte) {
	p.stats.count(Incoming, frame)
	messages, err := Parse(frame, &p.options.Limits)
	p.see(ctx, Sight{Frame: frame, Size: int64(len(frame)), Messages: messages, Err: err})
	for _, m := range messages {
		switch {
		case m.IsRequest():
			if kind := p.server.accept(ctx, m); kind != "" {
				p.noise(kind, m.Raw)
			}
		case m.IsNotification():
			if !p.inbox.put(m) {
				p.noise(NoiseOverload, m.Raw)
			}
		case m.ID.IsZero():
			p.noise(NoiseNoID, m.Raw)
		default:
			if kind := p.calls.settle(m.ID, m, nil); kind != "" {
				p.noise(kind, m.Raw)
			}
		}
	}
	if err != nil {
		p.reject(frame, err)
	}
}

// reject reports the faults of a frame and fails the calls that it was to answer.
func (p *Peer) reject(frame []byte, err error) {
	faults := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		faults = joined.Unwrap()
	}
	for _, err := range faults {
		p.noise(kindOf(frame), frame)
		var fault *FrameError
		if errors.As(err, &fault) {
			p.calls.settle(fault.ID, nil, &InvalidResponseError{Reason: fault.Error(), Raw: frame})
		}
	}
}

// kindOf tells a frame that is no message from a line that was never to be one.
func kindOf(frame []byte) string {
	if text := trimFrame(frame); len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return NoiseStray
	}
	return NoiseInvalid
}

func (p *Peer) noise(kind string, raw []byte) {
	p.stats.noise(kind)
	if p.options.Noise != nil {
		p.options.Noise(kind, raw)
	}
}

// send writes m.
func (p *Peer) send(ctx context.Context, m *Message) error {
	if p.options.Tap != nil {
		p.options.Tap(ctx, Sight{Direction: Outgoing, At: p.options.Now(), Frame: m.Raw, Size: int64(len(m.Raw)), Messages: []*Message{m}})
	}
	if err := p.stream.Write(ctx, m); err != nil {
		return err
	}
	p.stats.count(Outgoing, m.Raw)
	return nil
}

// respond writes a response. Nobody is left to tell if that fails.
func (p *Peer) respond(ctx context.Context, m *Message) {
	if err := p.send(ctx, m); err != nil {
		p.options.Logger.Debug("response not written", "error", err)
	}
}
