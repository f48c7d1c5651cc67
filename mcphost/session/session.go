// Package session is one negotiated conversation with one server: it opens it, calls it and listens to it.
// It decides nothing: consent is taken before a Session is opened or called (package mcphost).
package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

// Limits of a session. Zero fields take the defaults of DefaultLimits.
type Limits struct {
	Frames   jsonrpc.Limits
	Open     time.Duration // for initialize as a whole
	List     time.Duration // for one whole list, all pages
	Pages    int           // per list
	Items    int           // per list
	Inactive time.Duration // of a call without progress
	Total    time.Duration // of a call, whatever progress comes
}

// DefaultLimits returns the limits of ACC A16 and SEC C1.
func DefaultLimits() Limits {
	return Limits{
		Frames: jsonrpc.DefaultLimits(), Open: 60 * time.Second, List: 60 * time.Second,
		Pages: 1000, Items: 50_000, Inactive: 5 * time.Minute, Total: time.Hour,
	}
}

// Options of Open. Callbacks may be nil; they are called from the session's goroutines and must not block long.
type Options struct {
	Client       protocol.Implementation
	Limits       Limits
	ToolsChanged func()                                     // notifications/tools/list_changed came
	Log          func(protocol.LoggingMessageParams)        // notifications/message
	Noise        func(kind string, raw []byte)              // what is no protocol: stray lines, bad frames
	Tap          func(jsonrpc.Direction, []byte, time.Time) // every frame
	Logger       *slog.Logger
}

// Info is what the server said of itself when the session opened. All of it is untrusted.
type Info struct {
	Revision     protocol.Revision
	Server       protocol.Implementation
	Capabilities protocol.ServerCapabilities
	Instructions string
	Raw          json.RawMessage // the initialize result as received
}

// ErrRevision is wrapped when the server answers with a revision Gatehouse does not speak.
var ErrRevision = errors.New("unknown protocol revision")

// A Session is safe for concurrent use.
type Session struct {
	peer *jsonrpc.Peer
	opts Options
	info Info

	mu       sync.Mutex
	opening  jsonrpc.ID      // id of initialize, which is never cancelled on the wire
	token    int64           // last progress token
	progress map[int64]*call // calls in flight by token
}

// remote is what HTTP needs to know of the conversation it carries.
type remote interface {
	SetRevision(string)
	OpenStream(ctx context.Context) error
}

// Open sends initialize with the newest legacy revision and accepts every older one as the answer. On error
// the stream is closed. (Lifecycle, revision 2025-11-25.)
func Open(ctx context.Context, stream jsonrpc.Stream, o *Options) (*Session, error) {
	s := &Session{progress: map[int64]*call{}}
	if o != nil {
		s.opts = *o
	}
	s.opts.Limits = s.opts.Limits.withDefaults()
	s.peer = jsonrpc.NewPeer(stream, handler{s}, &jsonrpc.Options{
		Limits: s.opts.Limits.Frames, Tap: s.opts.Tap, Noise: s.opts.Noise,
		CancelRequest: s.cancelled, Logger: s.opts.Logger,
	})
	s.peer.Start()
	if err := s.initialize(ctx, stream); err != nil {
		return nil, errors.Join(err, s.peer.Close())
	}
	return s, nil
}

func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	set := func(v *time.Duration, d time.Duration) {
		if *v == 0 {
			*v = d
		}
	}
	set(&l.Open, d.Open)
	set(&l.List, d.List)
	set(&l.Inactive, d.Inactive)
	set(&l.Total, d.Total)
	if l.Pages == 0 {
		l.Pages = d.Pages
	}
	if l.Items == 0 {
		l.Items = d.Items
	}
	if l.Frames == (jsonrpc.Limits{}) {
		l.Frames = d.Frames
	}
	return l
}

func (s *Session) initialize(ctx context.Context, stream jsonrpc.Stream) error {
	ctx, cancel := context.WithTimeout(ctx, s.opts.Limits.Open)
	defer cancel()
	params := protocol.InitializeParams{ProtocolVersion: protocol.Latest, ClientInfo: s.opts.Client}
	m, err := s.peer.Call(ctx, protocol.MethodInitialize, params, func(id jsonrpc.ID) {
		s.mu.Lock()
		s.opening = id
		s.mu.Unlock()
	})
	if err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	var result protocol.InitializeResult
	if err := protocol.Decode(m.Result, &result); err != nil {
		return fmt.Errorf("initialize: the answer cannot be read: %w", err)
	}
	revision := result.ProtocolVersion
	if !revision.Legacy() {
		return fmt.Errorf("initialize: %w %q", ErrRevision, clip(string(revision)))
	}
	s.info = Info{
		Revision: revision, Server: result.ServerInfo, Capabilities: result.Capabilities,
		Instructions: result.Instructions, Raw: m.Result,
	}
	r, isRemote := stream.(remote)
	if isRemote {
		r.SetRevision(string(revision))
	}
	if err := s.peer.Notify(ctx, protocol.NotificationInitialized, nil); err != nil {
		return fmt.Errorf("%s: %w", protocol.NotificationInitialized, err)
	}
	if isRemote {
		if err := r.OpenStream(context.WithoutCancel(ctx)); err != nil {
			return fmt.Errorf("listening: %w", err)
		}
	}
	return nil
}

// Info returns what the server said of itself.
func (s *Session) Info() Info { return s.info }

// Done is closed when the connection has ended; Err then says why.
func (s *Session) Done() <-chan struct{} { return s.peer.Done() }

// Err returns why the connection ended: nil while it stands, jsonrpc.ErrClosed after Close.
func (s *Session) Err() error { return s.peer.Err() }

// Close ends the conversation and, for a local server, its process. It waits for both.
func (s *Session) Close() error { return s.peer.Close() }

// cancelled tells the server that nobody waits for an answer any more. initialize must not be cancelled.
func (s *Session) cancelled(ctx context.Context, id jsonrpc.ID) {
	s.mu.Lock()
	opening := s.opening == id
	s.mu.Unlock()
	if opening {
		return
	}
	params := protocol.CancelledParams{RequestID: json.RawMessage(id.String()), Reason: "The user or the host stopped this request."}
	if err := s.peer.Notify(ctx, protocol.NotificationCancelled, params); err != nil && s.opts.Logger != nil {
		s.opts.Logger.DebugContext(ctx, "cancel not delivered", "error", err)
	}
}
