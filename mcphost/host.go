package mcphost

// This file is the Host: the set of servers, and the door to them.

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
	"gatehouse/mcphost/trace"
	"gatehouse/mcphost/transport"
)

// Ports is what a Host keeps its state in.
type Ports struct {
	Servers Servers
	Pins    Pins
	Calls   Calls
	Secrets Secrets
	Eras    Eras  // nil remembers nothing
	Tasks   Tasks // nil: a task is lost with the program
	Roots   Roots // nil: there are none; required for Offer.Roots
}

// Options of a Host.
type Options struct {
	Client     protocol.Implementation // what servers are told about us
	Environ    []string                // the app's environment; servers get only an allow-listed part
	Resolver   *transport.Resolver     // required for local servers
	Supervisor *transport.Supervisor   // required for local servers; ends them when the app dies
	Limits     session.Limits
	Offer      session.Offer                               // what servers may ask at the gate
	Opener     func(ctx context.Context, url string) error // opens an address in the browser; required for Offer.URL
	DataDir    string                                      // Gatehouse's own folder: no root; "" = unknown
	Answerer   Answerer                                    // of what servers ask, in place of the gate
	InFlight   int                                         // calls a server may run at once, default 8 (P6), until Tune
	Restart    bool                                        // start crashed servers again, with back-off, until Tune
	LogLevel   string                                      // what servers are asked to log, in the place of what their configurations say; "" = that
	Trace      func(trace.Entry)                           // what crosses every connection; it must not block
	Now        func() time.Time
	Logger     *slog.Logger
}

// Errors of a Host.
var (
	ErrUnknownServer = errors.New("there is no such server")
	ErrUnknownTool   = errors.New("the server has no such tool")
	ErrNotConnected  = errors.New("the server is not connected")
	ErrDisabled      = errors.New("the server is disabled")
	ErrClosed        = errors.New("the host is closing")
)

// A Host owns the servers. It is safe for concurrent use. Close ends everything it started.
type Host struct {
	broker      *consent.Broker
	ports       Ports
	opts        Options
	bus         *Bus
	calls       *calls
	visits      *visits
	samples     pace
	roots       sync.Mutex              // one change of the roots at a time
	tuning      atomic.Pointer[Tuning]  // never nil
	network     atomic.Pointer[Network] // never nil
	connections atomic.Int64            // opened so far
	resumes     atomic.Bool             // tasks of earlier runs, and its own after a lost connection

	mu      sync.Mutex
	servers []*Server          // in the order of creation
	removed map[string]*Server // by id; each may come back
	profile string             // id of the one in use
	waking  chan struct{}      // closed at the end of the round of Wake; nil = there is none
	closed  bool
}

// New returns a Host without servers; Open loads them. It does no I/O.
func New(broker *consent.Broker, ports Ports, o *Options) *Host {
	h := &Host{broker: broker, ports: ports, bus: newBus(), calls: newCalls(), visits: &visits{}, removed: map[string]*Server{}}
	if o != nil {
		h.opts = *o
	}
	if h.opts.Now == nil {
		h.opts.Now = time.Now
	}
	if h.opts.Logger == nil {
		h.opts.Logger = slog.New(slog.DiscardHandler)
	}
	h.opts.Offer.URL = h.opts.Offer.URL && h.opts.Opener != nil
	h.opts.Offer.Roots = h.opts.Offer.Roots && ports.Roots != nil
	h.visits.changed = func() { h.bus.publish(VisitsChanged{}) }
	if h.opts.Answerer == nil && h.opts.Offer != (session.Offer{}) {
		h.opts.Answerer = gate{h}
	}
	h.Reach(Network{Proxy: transport.EnvironProxy(h.opts.Environ)})
	l := h.opts.Limits
	h.Tune(Tuning{Open: l.Open, Inactive: l.Inactive, Total: l.Total, InFlight: h.opts.InFlight, Restart: h.opts.Restart})
	return h
}

// Open loads the configured servers. Nothing is started.
func (h *Host) Open(ctx context.Context) error {
	configs, err := h.ports.Servers.Servers(ctx)
	if err != nil {
		return fmt.Errorf("loading servers: %w", err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range configs {
		if !c.Removed {
			h.servers = append(h.servers, newServer(h, c))
		}
	}
	return nil
}

// Resume starts the enabled servers of the profile in use whose launch is already approved in exactly this form. The others wait for
// the user: no question comes up by itself when the app opens. The tasks that earlier runs have left are followed on as
// soon as their servers are connected.
func (h *Host) Resume(ctx context.Context) {
	h.resumes.Store(true)
	if _, err := h.resumeTasks(ctx, func(OpenTask) bool { return true }); err != nil {
		h.opts.Logger.ErrorContext(ctx, "the tasks of earlier runs cannot be read", "error", err)
	}
	for _, s := range h.Servers() {
		c := s.Config()
		if c.Disabled || s.Snapshot().Aside {
			continue
		}
		l, err := h.Launch(ctx, c)
		approved := false
		if err == nil {
			_, approved, err = h.Approved(ctx, c.ID, l.Digest())
		}
		if err != nil {
			s.fail(err)
		}
		if !approved {
			continue
		}
		if err := s.Start(consent.Actor{Kind: consent.ActorUser}); errors.Is(err, ErrClosed) {
			return // else it was disabled, set aside or removed meanwhile
		}
	}
}

// Approved returns the decision on which a launch with this digest would rest; ok is false if it would ask.
func (h *Host) Approved(ctx context.Context, serverID string, d consent.Digest) (consent.Decision, bool, error) {
	return h.broker.Standing(ctx, serverID, d)
}

// Inherited returns the names of the variables that every local server gets from the app's environment.
func (h *Host) Inherited() []string { return transport.BaseEnvNames(h.opts.Environ) }

// cancelWait is how long the servers of stopped calls live on to hear of it.
const cancelWait = 2 * time.Second

// Close stops all calls, then all servers, waits for them, and forgets the removed ones. The Host cannot be used afterwards.
func (h *Host) Close(ctx context.Context) error {
	h.mu.Lock()
	h.closed = true
	servers := slices.Clone(h.servers)
	h.mu.Unlock()
	h.calls.stopAll()
	cancelling, cancel := context.WithTimeout(ctx, cancelWait)
	defer cancel()
	_ = h.calls.wait(cancelling) // those that take longer are waited for below
	errs := make([]error, len(servers))
	var wg sync.WaitGroup
	for i, s := range servers {
		wg.Go(func() { errs[i] = s.Stop(ctx) })
	}
	wg.Wait()
	return errors.Join(append(errs, h.calls.wait(ctx), h.forgetRemoved(ctx))...)
}

// Subscribe reports every later change; see [Bus.Subscribe].
func (h *Host) Subscribe(f func(Numbered)) (unsubscribe func()) { return h.bus.Subscribe(f) }

// Servers returns the servers, oldest first.
func (h *Host) Servers() []*Server {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.servers)
}

// Server returns one server; the error is ErrUnknownServer.
func (h *Host) Server(id string) (*Server, error) {
	for _, s := range h.Servers() {
		if s.id == id {
			return s, nil
		}
	}
	return nil, fmt.Errorf("%w: %q", ErrUnknownServer, id)
}

// ServerNamed returns one server by the user's name for it, without regard to case.
func (h *Host) ServerNamed(name string) (*Server, error) {
	for _, s := range h.Servers() {
		if strings.EqualFold(s.Config().Name, name) {
			return s, nil
		}
	}
	return nil, fmt.Errorf("%w: %q", ErrUnknownServer, name)
}

// NewID returns a fresh id for a server or a call: 128 random bits.
func NewID() string { return strings.ToLower(rand.Text()) }

// Add stores a new server under its id, which must be fresh (NewID). Nothing is started.
func (h *Host) Add(ctx context.Context, c Config) error {
	c.CreatedAt = h.opts.Now()
	if err := h.ports.Servers.PutServer(ctx, c); err != nil {
		return err
	}
	s := newServer(h, c)
	h.mu.Lock()
	h.servers = append(h.servers, s)
	h.mu.Unlock()
	h.bus.publish(ServerChanged{c.ID})
	return nil
}

// Converse changes how a server is spoken to: times count from its next call on, the era from its next start on, the log
// level at once.
func (h *Host) Converse(ctx context.Context, id string, conversation Conversation) error {
	s, err := h.Server(id)
	if err != nil {
		return err
	}
	if err := conversation.check(); err != nil {
		return err
	}
	c := s.Config()
	c.Conversation = conversation
	if err := h.ports.Servers.PutServer(ctx, c); err != nil {
		return err
	}
	s.configure(c)
	return s.applyLogLevel(ctx)
}

// Update replaces a server's configuration, except how it is spoken to (Converse). A running server keeps running as it was started, unless it is
// disabled now; the next start uses the new definition and asks again if its launch differs. Secrets that nothing
// refers to any more are forgotten.
func (h *Host) Update(ctx context.Context, c Config) error {
	s, err := h.Server(c.ID)
	if err != nil {
		return err
	}
	old := s.Config()
	c.CreatedAt, c.Conversation = old.CreatedAt, old.Conversation
	if err := h.ports.Servers.PutServer(ctx, c); err != nil {
		return err
	}
	s.configure(c)
	if c.Disabled {
		if err := s.Stop(ctx); err != nil {
			return err
		}
	}
	return h.forgetSecrets(ctx, old, c)
}
