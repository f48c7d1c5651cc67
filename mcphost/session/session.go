// Package session is one negotiated conversation with one server: it opens it, calls it and listens to it. Both eras
// and all revisions of the protocol look alike from outside; see [Open].
//
// It decides nothing: consent is taken before a Session is opened or called (package mcphost), and what a server asks
// leaves by one port, [Asker].
package session

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

// Options of Open. Callbacks may be nil; they are called from the session's goroutines and must not block long.
type Options struct {
	Client protocol.Implementation
	Limits Limits
	Offer  Offer // what the server may ask of us; exactly this is declared
	Asker  Asker // who answers; nil refuses everything
	Era    Era   // what the user has pinned; "" is EraAuto
	Known  Era   // what an earlier session has found out: tried first; "" or EraAuto = nothing

	// Redial starts the server again, once at most, if it exits because of the question for its era. Nil = it cannot.
	Redial func(ctx context.Context) (jsonrpc.Stream, error)

	Changed   func(list string)                    // a list is stale: the method that lists it
	Updated   func(uri string)                     // a subscribed resource has changed, or something below it
	Renewed   func()                               // the server had ended the session, and a new one is open
	Completed func(elicitation string)             // what an open URL elicitation led to is done
	Alive     func(alive bool)                     // false: pings stay unanswered; true: they are answered again
	Log       func(protocol.LoggingMessageParams)  // notifications/message
	Noise     func(kind string, raw []byte)        // what is no protocol: stray lines, bad frames
	Tap       func(context.Context, jsonrpc.Sight) // every frame
	Logger    *slog.Logger
}

// Info is what the server said of itself when the session opened. All of it is untrusted.
type Info struct {
	Revision     protocol.Revision // its Legacy and Modern tell the era
	Server       protocol.Implementation
	Capabilities protocol.ServerCapabilities
	Instructions string
	Raw          json.RawMessage // the result of initialize or server/discover as received
	Guessed      bool            // the era is legacy because the question for it was not answered
}

// Errors of a Session.
var (
	// ErrRevision is wrapped when the server speaks no revision that Gatehouse speaks.
	ErrRevision = errors.New("unknown protocol revision")

	// ErrNotOffered is wrapped when the server has not declared what the method needs; nothing was sent.
	ErrNotOffered = errors.New("the server does not offer this")
)

// A Session is safe for concurrent use.
type Session struct {
	opts   Options
	stream jsonrpc.Stream // set while opening, like peer
	peer   *jsonrpc.Peer
	meta   atomic.Pointer[string] // members of _meta that every request of the modern era carries
	lists  lists
	reads  reads
	subs   subscriptions

	received received
	work     context.Context // of the session's own goroutines; ends with Close
	stop     context.CancelFunc
	wg       sync.WaitGroup

	mu          sync.Mutex // guards what follows
	info        Info
	level       string                  // that the user wants logged, "" = not said
	unstoppable map[jsonrpc.ID]struct{} // requests that are never cancelled on the wire
	token       int64                   // last progress token
	calls       map[int64]*call         // in flight, by token
	tasks       map[string]*follower    // of the server that are followed, by id
	becoming    becoming
	questions   int             // open
	elicited    map[string]bool // open URL elicitations
	noComplete  bool            // completion/complete is unknown to the server
}

// remote is what HTTP needs to know of the conversation it carries.
type remote interface {
	SetRevision(revision string)
	OpenStream(ctx context.Context) error
}

// renewer is a connection whose session can be opened again (transport.HTTP.Renew).
type renewer interface {
	Renew(ctx context.Context, cause error, open func(ctx context.Context) error) error
}

// Open finds out which era the server belongs to, unless that is pinned or known, and opens the conversation. On error
// the stream is closed. (Versioning, revision 2026-07-28; Lifecycle, revision 2025-11-25.)
func Open(ctx context.Context, stream jsonrpc.Stream, o *Options) (*Session, error) {
	s := &Session{calls: map[int64]*call{}, tasks: map[string]*follower{}, unstoppable: map[jsonrpc.ID]struct{}{}, elicited: map[string]bool{}, becoming: newBecoming()}
	if o != nil {
		s.opts = *o
	}
	s.opts.Limits = s.opts.Limits.withDefaults()
	s.lists.init()
	s.work, s.stop = context.WithCancel(context.Background())
	s.attach(stream)
	limited, cancel := context.WithTimeout(ctx, s.opts.Limits.Open)
	defer cancel()
	if err := s.negotiate(limited); err != nil {
		return nil, errors.Join(late(ctx, s.opts.Limits.Open, err), s.Close())
	}
	s.attend()
	return s, nil
}

// attach begins to speak over a stream.
func (s *Session) attach(stream jsonrpc.Stream) {
	s.stream = stream
	s.peer = jsonrpc.NewPeer(stream, handler{s}, &jsonrpc.Options{
		Limits: s.opts.Limits.Frames, Tap: s.opts.Tap, Noise: s.opts.Noise,
		CancelRequest: s.cancelled, Logger: s.opts.Logger,
	})
	s.peer.Start()
}

// attend starts what runs for as long as the session: keep-alive, and the subscription of the modern era.
func (s *Session) attend() {
	if s.Info().Revision.Modern() {
		s.wg.Go(func() { s.subs.run(s.work, s) })
	} else {
		s.wg.Go(func() { s.keepAlive(s.work) })
	}
}

// Info returns what the server said of itself.
func (s *Session) Info() Info {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.info
}

// Done is closed when the connection has ended; Err then says why.
func (s *Session) Done() <-chan struct{} { return s.peer.Done() }

// Err returns why the connection ended: nil while it stands, jsonrpc.ErrClosed after Close.
func (s *Session) Err() error { return s.peer.Err() }

// Stats returns the counters of the connection, late and stray answers among them.
func (s *Session) Stats() jsonrpc.Stats { return s.peer.Stats() }

// Close ends the conversation and, for a local server, its process. It waits for both.
func (s *Session) Close() error {
	s.stop()
	err := s.peer.Close()
	s.wg.Wait()
	return err
}

// debug logs what nobody can act on.
func (s *Session) debug(ctx context.Context, message string, err error) {
	if err != nil && s.opts.Logger != nil {
		s.opts.Logger.DebugContext(ctx, message, "error", err)
	}
}
