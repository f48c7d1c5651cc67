package mcphost

// This file opens a connection: launch consent → transport → session → tools → pins.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
	"gatehouse/mcphost/transport"
)

// approved returns the launch of a configuration once the user has allowed it.
func (s *Server) approved(ctx context.Context, c Config, actor consent.Actor) (consent.Launch, error) {
	l, err := s.host.Launch(ctx, c)
	if err != nil {
		return l, err
	}
	approval, err := s.host.broker.Approve(ctx, consent.Request{
		Kind: consent.KindLaunch, Server: identity(c, l, protocol.Implementation{}), Actor: actor, Profile: s.host.Profile(), Launch: &l,
	})
	s.host.bus.publish(DecisionsChanged{})
	if err != nil {
		return l, err
	}
	return l, approval.Use(l.Digest())
}

// connect opens a connection on behalf of an actor and lists the tools. Nothing is started, resolved from the
// keyring or contacted before the Broker's Approval for exactly this launch.
func (s *Server) connect(ctx context.Context, actor consent.Actor) (*live, error) {
	c := s.Config()
	l, err := s.approved(ctx, c, actor)
	if err != nil {
		return nil, err
	}
	s.startsNow()
	values, err := s.host.values(ctx, c.ID, l)
	if err != nil {
		return nil, err
	}
	secrets := newMasker(l, values)
	began := s.host.opts.Now()
	conn := &live{
		launch: l, digest: l.Digest(), secrets: secrets, trace: s.newTracer(secrets), stale: map[string]chan struct{}{},
		listing: make(chan struct{}, 1), lost: make(chan error, 1),
	}
	for _, list := range session.Lists() {
		conn.stale[list] = make(chan struct{}, 1)
	}
	known := s.host.known(ctx, l)
	// The approval covers one start and, if the server exits because of the question for its era, one more.
	dial := func(ctx context.Context) (_ jsonrpc.Stream, err error) {
		if conn.stream, err = s.open(ctx, conn, values, known.Wire); err == nil {
			conn.trace.opened(conn.stream, maskedURL(l.URL))
		}
		return conn.stream, err
	}
	if _, err := dial(ctx); err != nil {
		return nil, err
	}
	o := s.sessionOptions(conn)
	o.Era, o.Known = c.Conversation.Era, known.Era
	if l.Transport == Stdio {
		o.Redial = dial
	}
	if conn.session, err = session.Open(ctx, conn.stream, o); err != nil {
		err = explain(err, conn)
		conn.trace.mark("end", err.Error())
		return nil, err
	}
	conn.trace.mark("ready", string(conn.session.Info().Revision))
	s.host.remember(ctx, conn)
	list, err := s.list(ctx, conn)
	if session.IsAnswer(err) { // the server works, only its list cannot be read
		list, err = toolList{warning: err.Error()}, nil
	}
	if err != nil {
		err = errors.Join(explain(err, conn), conn.session.Close())
		conn.trace.mark("end", err.Error())
		return nil, err
	}
	conn.opened = s.host.opts.Now().Sub(began)
	s.readReviewed(ctx)
	s.mu.Lock()
	s.live = conn
	s.tools.replace(list)
	s.mu.Unlock()
	s.listed(list, secrets, true)
	if conn.session.Info().Revision.Modern() { // it goes with every request; the first is not to lack it
		if err := s.applyLogLevel(ctx); err != nil {
			s.logf("gatehouse", secrets.text("the level of the log: "+err.Error()))
		}
	}
	return conn, nil
}

// attend keeps the tool list fresh until the connection ends or ctx does, then cleans up.
func (s *Server) attend(ctx context.Context, conn *live) error {
	watch, stop := context.WithCancel(ctx)
	var wg sync.WaitGroup
	for list, stale := range conn.stale {
		wg.Go(func() { s.keepFresh(watch, conn, list, stale) })
	}
	wg.Go(func() {
		if conn.session.Info().Revision.Modern() {
			return // it was set before the first request
		}
		if err := s.applyLogLevel(watch); err != nil && watch.Err() == nil {
			s.logf("gatehouse", conn.secrets.text("logging/setLevel: "+err.Error()))
		}
	})
	var lost error
	select {
	case <-conn.session.Done():
	case lost = <-conn.lost:
	case <-ctx.Done():
	}
	stop()
	wg.Wait()
	s.mu.Lock()
	s.live = nil
	s.tools.clear()
	s.mu.Unlock()
	err := cmp.Or(lost, conn.session.Err(), errors.New("the connection ended"))
	err = explain(err, conn)
	if closing := conn.session.Close(); closing != nil {
		s.logf("gatehouse", conn.secrets.text("closing: "+closing.Error()))
	}
	conn.trace.mark("end", err.Error())
	s.host.bus.publish(ToolsChanged{s.id})
	return err
}

func (s *Server) sessionOptions(conn *live) *session.Options {
	secrets := conn.secrets
	limits := s.host.opts.Limits
	limits.Open = s.host.tuning.Load().Open
	o := &session.Options{
		Client: s.host.opts.Client, Limits: limits, Logger: s.host.opts.Logger,
		Changed:   func(list string) { conn.poke(list) },
		Renewed:   func() { conn.poke(session.Lists()...) },
		Updated:   func(uri string) { s.host.bus.publish(ResourceUpdated{s.id, uri}) },
		Completed: func(elicitation string) { s.host.visits.completed(s.id, elicitation) },
		Alive:     s.alive,
		Log:       func(p protocol.LoggingMessageParams) { s.logged(p, secrets) },
		Noise: func(kind string, raw []byte) {
			s.mu.Lock()
			s.noise++
			s.mu.Unlock()
			conn.trace.noise(kind, raw)
			s.logf("noise", kind+": "+secrets.head(raw, 500))
		},
	}
	o.Offer.Tasks = true // they can be followed whoever answers
	if answerer := s.host.opts.Answerer; answerer != nil {
		o.Offer, o.Asker = answerer.Offer(s.Config()), asker{s, conn.launch, secrets}
	}
	if conn.trace != nil {
		o.Tap = conn.trace.see
	}
	return o
}

// open starts the process or prepares the HTTP connection. values are those of l.Env or l.Headers, in order.
func (s *Server) open(ctx context.Context, conn *live, values []string, wire transport.Wire) (jsonrpc.Stream, error) {
	l, secrets := conn.launch, conn.secrets
	if l.Transport == HTTP {
		header := http.Header{}
		for i, v := range l.Headers {
			header.Set(v.Name, values[i])
		}
		network := s.host.network.Load()
		cas, err := Authorities(s.Config().Conversation.Authorities)
		if err != nil {
			return nil, err
		}
		everywhere, err := Authorities(network.Authorities)
		if err != nil {
			return nil, err
		}
		o := &transport.HTTPOptions{
			Header: header, Wire: wire, Limits: s.host.opts.Limits.Frames, Proxy: network.Proxy, CAs: append(cas, everywhere...),
		}
		if conn.trace != nil {
			o.Record = conn.trace.record
		}
		stream, err := transport.DialHTTP(l.URL, o)
		if err != nil { // Launch has checked the URL
			return nil, &ConfigError{"headers", err}
		}
		return stream, nil
	}
	env := make([]string, len(values))
	for i, v := range l.Env {
		env[i] = v.Name + "=" + values[i]
	}
	return transport.StartStdio(ctx, transport.Command{Path: l.Command, Args: l.Args, Dir: l.Dir, Env: env}, &transport.StdioOptions{
		Supervisor: s.host.opts.Supervisor, Limits: s.host.opts.Limits.Frames,
		BaseEnv: transport.BaseEnv(s.host.opts.Environ, s.host.opts.Resolver.Path(ctx)),
		Stderr:  func(line string) { s.logf("stderr", secrets.text(line)) },
	})
}

// An ExitError is the end of a local server's process.
type ExitError struct {
	Exit   transport.Exit
	Stderr Excerpt
	Err    error // what we were doing
}

func (e *ExitError) Error() string {
	if e.Exit.Signal != "" {
		return fmt.Sprintf("the server was ended by %s (%v)", e.Exit.Signal, e.Err)
	}
	return fmt.Sprintf("the server exited with code %d (%v)", e.Exit.Code, e.Err)
}

func (e *ExitError) Unwrap() error { return e.Err }

// Of what a server wrote to stderr the failure card shows the last lines (ACC A03), and the first ones too: some programs
// give the reason first and then a page of usage.
const (
	stderrShown = 50
	stderrFirst = 5
)

// An Excerpt is what is shown of many lines.
type Excerpt struct {
	First   []string // none if no line is left out
	LeftOut int      // lines between First and Last
	Last    []string
}

func excerptOf(lines []string) Excerpt {
	out := len(lines) - stderrFirst - stderrShown
	if out <= 0 {
		return Excerpt{Last: lines}
	}
	return Excerpt{First: lines[:stderrFirst], LeftOut: out, Last: lines[stderrFirst+out:]}
}

// explain adds the end of the process to an error that it caused: the exit is often noticed just after the pipe
// breaks. A process that we ended because of the error explains nothing. Secrets in the error's text are masked:
// servers repeat what they refuse.
func explain(err error, conn *live) error {
	err = conn.secrets.error(err)
	p, ok := conn.stream.(*transport.Stdio)
	var closed *jsonrpc.ClosedError
	if !ok || errors.Is(err, jsonrpc.ErrClosed) || !errors.As(err, &closed) && !errors.Is(err, io.EOF) {
		return err
	}
	select {
	case <-p.Exit():
	case <-time.After(time.Second):
		return err
	}
	var lines []string
	for _, l := range p.Stderr() {
		lines = append(lines, conn.secrets.text(l.Text))
	}
	return &ExitError{Exit: p.ExitState(), Stderr: excerptOf(lines), Err: err}
}

func failureOf(err error, at time.Time) *Failure {
	f := &Failure{Code: "failed", Err: err, ExitCode: -1, At: at}
	var (
		missing *transport.NotFoundError
		config  *ConfigError
		exit    *ExitError
		status  *transport.HTTPError
		closed  *jsonrpc.ClosedError
		answer  *jsonrpc.Error
	)
	switch {
	case errors.As(err, &missing):
		f.Code, f.Searched = "not-found", missing.Searched
	case errors.As(err, &config):
		f.Code = "config"
	case errors.Is(err, consent.ErrUnrecorded):
		f.Code = "not-recorded"
	case errors.As(err, &exit):
		f.Code, f.ExitCode, f.Signal, f.Stderr = "exited", exit.Exit.Code, exit.Exit.Signal, exit.Stderr
	case errors.Is(err, session.ErrRevision):
		f.Code = "revision"
	case errors.As(err, &status):
		f.Code = "http"
	case errors.As(err, &answer):
		f.Code = "answered-error"
	case errors.Is(err, context.DeadlineExceeded):
		f.Code = "timeout"
	case errors.As(err, &closed):
		f.Code = "lost"
	}
	return f
}
