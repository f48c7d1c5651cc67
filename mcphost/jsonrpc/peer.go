package jsonrpc

// This file defines Peer, its life and its options.

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// A Handler serves what the other side asks and tells. Its methods are called from the peer's goroutines.
type Handler interface {
	// Request answers a request; up to Limits.Requests run at once. The result is encoded as by [NewResponse]. An
	// *Error goes back as it is, any other error as CodeInternal without its text. ctx ends on CancelIncoming and
	// when the peer ends.
	Request(ctx context.Context, m *Message) (result any, err error)

	// Notification takes notifications, one after the other in the order of their arrival. It must not wait for a
	// Call. ctx ends when the peer is closed.
	Notification(ctx context.Context, m *Message)
}

// Options adjust a [Peer]. The functions must not block; each may be nil.
type Options struct {
	Limits Limits

	// Tap sees every frame as it was read or is about to be written. The bytes must not be changed.
	Tap func(d Direction, frame []byte, at time.Time)

	// Noise sees what the other side should not have written; see the Noise… kinds.
	Noise func(kind string, raw []byte)

	// CancelRequest runs in its own goroutine when the ctx of a Call ends after the request went out and before it
	// was answered. Its ctx ends after 10 seconds or when the peer is closed.
	CancelRequest func(ctx context.Context, id ID)

	Now    func() time.Time // time.Now if nil; for Tap
	Logger *slog.Logger     // discarded if nil
}

// Kinds of noise. Each is counted in [Stats].
const (
	NoiseStray     = "stray"     // a line that is no JSON object or array: a banner, a log line
	NoiseInvalid   = "invalid"   // a frame or message that Parse refuses
	NoiseTooLarge  = "too large" // how a frame over the limit begins
	NoiseUnknownID = "unknown"   // a response to something never asked
	NoiseLate      = "late"      // a response to a call that has ended
	NoiseNoID      = "no id"     // an error that answers nothing in particular
	NoiseDuplicate = "duplicate" // a request under an id already used
	NoiseOverload  = "overload"  // a request or notification beyond the limits
)

// Stats counts what went through a peer.
type Stats struct {
	FramesIn, FramesOut int64
	BytesIn, BytesOut   int64
	Noise               map[string]int64 // by kind
}

// A Peer is one side of a JSON-RPC connection.
type Peer struct {
	mu sync.Mutex
}

// NewPeer returns a peer that has not started. A nil handler refuses every request; nil options are the defaults.
func NewPeer(s Stream, h Handler, o *Options) *Peer { return &Peer{} }

func (p *Peer) Start()                {}
func (p *Peer) Done() <-chan struct{} { return nil }
func (p *Peer) Err() error            { return nil }
func (p *Peer) Close() error          { return nil }
func (p *Peer) Stats() Stats          { return Stats{} }
func (p *Peer) CancelIncoming(id ID)  {}

// Settle waits until every notification that arrived before has been handled, or ctx ends.
func (p *Peer) Settle(ctx context.Context) {}
func (p *Peer) Call(ctx context.Context, method string, params any, onID func(ID)) (*Message, error) {
	return nil, nil
}
func (p *Peer) Notify(ctx context.Context, method string, params any) error { return nil }
