package mcphost

// This file is one configured server and the life of its connection: start, crash, back-off, stop.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/session"
)

const (
	maxCrashes = 5                // in a row; then it stays down until somebody starts it (ACC A06, SEC A13)
	healthy    = 60 * time.Second // of Ready forget earlier crashes
)

// A Server is one configured server. It is safe for concurrent use.
type Server struct {
	id   string
	host *Host
	log  serverLog

	nudge chan struct{} // ends a back-off

	mu       sync.Mutex // guards what follows
	config   Config
	status   Status
	since    time.Time
	crashes  int
	retrying bool
	failure  *Failure
	life     *life
	removed  bool // it never starts again
	aside    bool // it is not in the profile in use; written under Host.mu too
	live     *live
	tools    toolSet
	reviewed *Reviewed // nil = no instructions were ever reviewed; read at each start
	noise    int
	slots    chan struct{} // calls in flight; made anew at a start
}

// A life is one period from Start to the end of the last restart.
type life struct {
	cancel context.CancelFunc
	ready  chan struct{} // closed at the first Ready
	done   chan struct{}
	err    error // why it ended; read after done
}

// live is an open connection.
type live struct {
	session *session.Session
	stream  jsonrpc.Stream
	stale   map[string]chan struct{} // a list is to be fetched again; by its method
	listing chan struct{}            // holds a token while the tools are fetched
	lost    chan error               // it was found dead: why
	others  otherLists
	launch  consent.Launch
	digest  consent.Digest // of launch
	secrets *masker
	trace   *tracer // nil = nobody traces
	opened  time.Duration
}

func newServer(h *Host, c Config) *Server {
	s := &Server{id: c.ID, host: h, config: c, nudge: make(chan struct{}, 1), status: StatusStopped, since: h.opts.Now()}
	if c.Disabled {
		s.status = StatusDisabled
	}
	return s
}

// ID returns the id that the host gave the server.
func (s *Server) ID() string { return s.id }

// Config returns the configuration.
func (s *Server) Config() Config {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.config
}

func (s *Server) configure(c Config) {
	s.mu.Lock()
	s.config = c
	switch {
	case c.Disabled && s.life == nil:
		s.become(StatusDisabled)
	case !c.Disabled && s.status == StatusDisabled:
		s.become(StatusStopped)
	}
	s.mu.Unlock()
	s.host.bus.publish(ServerChanged{s.id})
}

// Snapshot returns the server's state.
func (s *Server) Snapshot() Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	snap := Snapshot{
		Config: s.config, Status: s.status, Since: s.since, Crashes: s.crashes, Restarting: s.retrying, Failure: s.failure,
		Tools: len(s.tools.order), Changed: s.tools.changed(), Warning: s.tools.warning, Stale: s.tools.stale, Noise: s.noise, Aside: s.aside,
	}
	if s.live != nil {
		snap.Instructions = s.instructions()
		snap.Info, snap.Launch, snap.Opened = s.live.session.Info(), s.live.launch, s.live.opened
	}
	return snap
}

// Start begins to connect on behalf of an actor and returns at once. A running server stays as it is. The
// error is ErrDisabled, ErrAside, ErrClosed or, after Remove, ErrUnknownServer.
func (s *Server) Start(actor consent.Actor) error {
	_, err := s.start(actor)
	return err
}

// Connect starts the server if need be and waits until it is Ready. The error says why it is not.
func (s *Server) Connect(ctx context.Context, actor consent.Actor) error {
	l, err := s.start(actor)
	if err != nil {
		return err
	}
	select {
	case <-l.ready:
		return nil
	case <-l.done:
		return l.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// start holds Host.mu to the end: Close finds every life that has begun.
func (s *Server) start(actor consent.Actor) (*life, error) {
	s.host.mu.Lock()
	defer s.host.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.host.closed:
		return nil, ErrClosed
	case s.removed:
		return nil, fmt.Errorf("%w: %q", ErrUnknownServer, s.id)
	case s.config.Disabled:
		return nil, ErrDisabled
	case s.aside:
		return nil, ErrAside
	case s.life != nil:
		return s.life, nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	l := &life{cancel: cancel, ready: make(chan struct{}), done: make(chan struct{})}
	s.life, s.crashes, s.failure = l, 0, nil
	s.slots = make(chan struct{}, s.host.tuning.Load().InFlight)
	s.become(StatusStarting)
	go func() {
		defer close(l.done)
		defer cancel()
		l.err = s.run(ctx, l, actor)
		s.ended(l)
	}()
	return l, nil
}

// Stop ends the connection and the process, and waits until both are gone.
func (s *Server) Stop(ctx context.Context) error {
	s.mu.Lock()
	l := s.life
	s.mu.Unlock()
	if l == nil {
		return nil
	}
	l.cancel()
	select {
	case <-l.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// run connects, and connects again after crashes, until ctx ends, consent is refused or it has crashed too often.
func (s *Server) run(ctx context.Context, l *life, actor consent.Actor) error {
	for {
		s.setStatus(StatusStarting)
		mark := s.log.last()
		conn, err := s.connect(ctx, actor)
		if err == nil {
			s.setStatus(StatusReady)
			select {
			case <-l.ready:
			default:
				close(l.ready)
			}
			ready := s.host.opts.Now()
			err = s.attend(ctx, conn)
			if s.host.opts.Now().Sub(ready) >= healthy {
				s.mu.Lock()
				s.crashes = 0
				s.mu.Unlock()
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.Is(err, errAsleep) {
			continue // at once: nothing has crashed
		}
		if !s.crashed(err, mark) {
			return err
		}
		if err := s.backOff(ctx); err != nil {
			return err
		}
	}
}

// crashed notes an unwanted end of what began after a line of the log, and reports whether to start again. Neither a refusal, nor a history that cannot
// be written, nor a configuration or a server that cannot work heals by repetition.
func (s *Server) crashed(err error, began int64) (again bool) {
	var refusal *consent.Refusal
	unrecorded := errors.Is(err, consent.ErrUnrecorded)
	if errors.As(err, &refusal) && !unrecorded {
		return false // the history says why
	}
	f := failureOf(err, s.host.opts.Now())
	if f.Stderr.Last == nil { // it ran on: what it wrote may still say why
		f.Stderr.Last = s.log.tail("stderr", began, stderrShown)
	}
	var config *ConfigError
	permanent := unrecorded || errors.As(err, &config) || errors.Is(err, session.ErrRevision)
	s.mu.Lock()
	s.failure = f
	s.crashes++
	again = s.host.tuning.Load().Restart && !permanent && s.crashes < maxCrashes
	s.retrying = again
	s.mu.Unlock()
	s.setStatus(StatusCrashed)
	return again
}

// fail shows why a server could not even be tried, unless somebody has started it meanwhile.
func (s *Server) fail(err error) {
	s.mu.Lock()
	if s.life == nil {
		s.failure = failureOf(err, s.host.opts.Now())
		s.status, s.since = StatusCrashed, s.failure.At
	}
	s.mu.Unlock()
	s.host.bus.publish(ServerChanged{s.id})
}

// backOff waits 1, 2, 4, 8 s with a fifth of jitter (ACC A06).
func (s *Server) backOff(ctx context.Context) error {
	s.mu.Lock()
	n := s.crashes
	s.mu.Unlock()
	d := time.Second << (n - 1)
	d += time.Duration((rand.Float64()*0.4 - 0.2) * float64(d))
	select {
	case <-s.nudge: // an old one
	default:
	}
	select {
	case <-s.nudge:
		return nil
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ended leaves the server as it is until the next start.
func (s *Server) ended(l *life) {
	s.mu.Lock()
	s.life, s.retrying = nil, false
	switch {
	case s.config.Disabled:
		s.become(StatusDisabled)
	case s.status != StatusCrashed || errors.Is(l.err, context.Canceled):
		s.become(StatusStopped)
	}
	s.mu.Unlock()
	s.host.bus.publish(ServerChanged{s.id})
}

func (s *Server) setStatus(status Status) {
	s.mu.Lock()
	s.become(status)
	s.mu.Unlock()
	s.host.bus.publish(ServerChanged{s.id})
}

// alive notes whether the server answers pings.
func (s *Server) alive(alive bool) {
	from, to := StatusReady, StatusDegraded
	if alive {
		from, to = to, from
	}
	s.mu.Lock()
	if s.status == from {
		s.become(to)
	}
	s.mu.Unlock()
	s.host.bus.publish(ServerChanged{s.id})
}

// connection returns the open connection; the error is ErrNotConnected.
func (s *Server) connection() (*live, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live == nil {
		return nil, fmt.Errorf("%s: %w", s.config.Name, ErrNotConnected)
	}
	return s.live, nil
}

// become needs s.mu.
func (s *Server) become(status Status) {
	if s.status != status {
		s.status, s.since = status, s.host.opts.Now()
	}
}

// startsNow begins the time of the start anew: until now the user was reading the question.
func (s *Server) startsNow() {
	s.mu.Lock()
	s.since = s.host.opts.Now()
	s.mu.Unlock()
	s.host.bus.publish(ServerChanged{s.id})
}

// retire lets a server that is being removed never start again, or, if removing it failed, lets it. It reports whether
// that is new.
func (s *Server) retire(removed bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	isNew := s.removed != removed
	s.removed = removed
	return isNew
}
