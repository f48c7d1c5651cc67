package main

// This file puts the engine together: the only place that sees the host, the store and the front ends at once.

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"gatehouse/app"
	"gatehouse/app/cli"
	"gatehouse/app/desktop"
	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
	"gatehouse/mcphost/trace"
	"gatehouse/mcphost/transport"
	"gatehouse/store"
)

// An engine is an open store with a running host on it.
type engine struct {
	store   *store.Store
	host    *mcphost.Host
	secrets mcphost.Secrets
	state   store.SecretsState
	guard   *transport.Supervisor
	asks    sync.WaitGroup // the login shell is being asked for its PATH
	hurry   func()         // ends that; nil without
}

// parts is what the front ends choose.
type parts struct {
	dataDir string
	asker   consent.Asker
	servers mcphost.Servers // nil = the stored ones
	roots   mcphost.Roots   // nil = the stored ones
	options mcphost.Options
	window  bool // take the window lock
}

func open(ctx context.Context, p parts, log *slog.Logger) (e *engine, err error) {
	e = &engine{}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.close(context.WithoutCancel(ctx)))
		}
	}()
	environ := os.Environ()
	resolver := transport.NewResolver(&transport.ResolverOptions{Environ: environ, Own: !p.window})
	if p.window { // the first server that starts will want it
		asking, stop := context.WithCancel(ctx)
		e.hurry = stop
		e.asks.Go(func() { resolver.Path(asking) })
	}
	if e.store, err = store.Open(ctx, p.dataDir, &store.Options{Logger: log}); err != nil {
		return e, err
	}
	if p.window {
		if err = e.store.LockWindow(); err != nil {
			return e, err
		}
	}
	e.secrets, e.state = store.OpenSecrets(ctx, &store.SecretsOptions{Logger: log})
	self, err := os.Executable()
	if err != nil {
		return e, fmt.Errorf("finding this program: %w", err)
	}
	e.guard = transport.NewSupervisor(filepath.Join(p.dataDir, "run"), []string{self, "guardian"}, &transport.SupervisorOptions{Logger: log})
	if err = e.guard.Start(ctx); err != nil {
		return e, err
	}
	o := p.options
	o.Client = protocol.Implementation{Name: "gatehouse", Title: "Gatehouse", Version: version, Description: "A desktop host for MCP servers"}
	o.Environ, o.Resolver, o.Supervisor, o.Opener, o.Logger = environ, resolver, e.guard, desktop.OpenURL, log
	o.DataDir = p.dataDir
	servers := p.servers
	if servers == nil {
		servers = e.store
	}
	roots := p.roots
	if roots == nil {
		roots = e.store
	}
	broker := consent.NewBroker(p.asker, e.store, &consent.Options{Logger: log})
	e.host = mcphost.New(broker, mcphost.Ports{Servers: servers, Pins: e.store, Calls: e.store, Secrets: e.secrets, Eras: e.store, Tasks: e.store, Roots: roots}, &o)
	return e, e.host.Open(ctx)
}

func (e *engine) close(ctx context.Context) error {
	var errs []error
	if e.hurry != nil {
		e.hurry()
	}
	e.asks.Wait()
	if e.host != nil {
		errs = append(errs, e.host.Close(ctx))
	}
	if e.guard != nil {
		errs = append(errs, e.guard.Close())
	}
	if e.store != nil {
		errs = append(errs, e.store.Close())
	}
	return errors.Join(errs...)
}

func dataDir(given string) (string, error) {
	if given != "" {
		return filepath.Abs(given)
	}
	return store.DefaultDir()
}

func openForWindow(ctx context.Context, dir string, log *slog.Logger, changed func()) (*app.Engine, error) {
	queue := consent.NewQueue(&consent.QueueOptions{OnChange: changed})
	ring := trace.NewRing(trace.Limits{})
	o := mcphost.Options{Offer: session.Offer{Form: true, URL: true, Sampling: true, SamplingTools: true, Roots: true}, Trace: ring.Add}
	e, err := open(ctx, parts{dataDir: dir, asker: queue, options: o, window: true}, log)
	if err != nil {
		return nil, err
	}
	model, err := scriptedModel()
	if err != nil {
		return nil, errors.Join(err, e.close(ctx))
	}
	closing := func(ctx context.Context) error {
		defer ring.Close()
		return e.close(ctx)
	}
	out := &app.Engine{
		Host: e.host, Queue: queue, History: e.store, Profiles: e.store, Settings: e.store, Secrets: e.secrets, Model: model, Trace: ring,
		DataDir: dir, Close: closing,
	}
	if e.state.Reason != "" {
		out.Notices = append(out.Notices, app.Notice{Code: "keyring-" + e.state.Where, Detail: e.state.Reason})
	}
	return out, nil
}

func openForTerminal(ctx context.Context, s cli.Setup, log *slog.Logger) (*cli.Engine, error) {
	dir, err := dataDir(s.DataDir)
	if err != nil {
		return nil, err
	}
	o := mcphost.Options{Trace: s.Trace, Offer: s.Offer, LogLevel: s.LogLevel}
	if s.Timeout > 0 {
		o.Limits = session.Limits{Open: s.Timeout, List: s.Timeout, Inactive: s.Timeout, Total: s.Timeout}
	}
	e, err := open(ctx, parts{dataDir: dir, asker: s.Asker, servers: s.Servers, roots: s.Roots, options: o}, log)
	if err != nil {
		return nil, err
	}
	network, err := app.SavedNetwork(ctx, e.store)
	if err != nil {
		return nil, errors.Join(err, e.close(ctx))
	}
	e.host.Reach(network)
	if s.Timeout == 0 {
		tuning, err := app.SavedTuning(ctx, e.store)
		if err != nil {
			return nil, errors.Join(err, e.close(ctx))
		}
		tuning.Restart = false // a command that fails says so
		e.host.Tune(tuning)
	}
	out := &cli.Engine{Host: e.host, Close: e.close}
	if e.state.Reason != "" {
		out.Notices = append(out.Notices, "Keyring: "+e.state.Reason)
	}
	return out, nil
}

// errorCodes names the store's errors for the page's catalogue and for --json.
func errorCodes() []app.ErrorCode {
	return []app.ErrorCode{
		{Err: store.ErrNewer, Code: "data-newer"},
		{Err: store.ErrCorrupt, Code: "data-corrupt"},
		{Err: store.ErrReadOnly, Code: "data-read-only"},
		{Err: store.ErrFull, Code: "disk-full"},
		{Err: store.ErrGone, Code: "data-gone"},
		{Err: store.ErrWindowOpen, Code: "second-window"},
		{Err: store.ErrNameTaken, Code: "name-taken"},
		{Err: store.ErrNotFound, Code: "not-found"},
	}
}

func codeOf(err error) (string, bool) {
	for _, c := range errorCodes() {
		if errors.Is(err, c.Err) {
			return c.Code, true
		}
	}
	return "", false
}
