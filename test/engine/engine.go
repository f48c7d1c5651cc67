// Package engine is Gatehouse's engine as it ships, with a user who says yes, for tests against servers that are not
// ours.
package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
	"gatehouse/mcphost/trace"
	"gatehouse/mcphost/transport"
	"gatehouse/store"
)

// User is who wants everything.
var User = consent.Actor{Kind: consent.ActorScript}

// Options of Open. The zero value is ready for use.
type Options struct {
	Trace    io.Writer                                                       // gets every frame; nil = nobody
	Guardian []string                                                        // the command of a guardian; local servers need one
	Answer   func(context.Context, mcphost.Question) (session.Answer, error) // what servers ask; nil = Willing
	Log      io.Writer                                                       // nil = nobody
}

// An Engine is a running host on a store of its own. Close ends both.
type Engine struct {
	*mcphost.Host
	dir    string
	store  *store.Store
	guard  *transport.Supervisor
	frames *trace.Writer
}

// Open starts the engine in a temporary folder.
func Open(ctx context.Context, o Options) (e *Engine, err error) {
	e = &Engine{frames: trace.NewWriter(or(o.Trace))}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.Close())
		}
	}()
	if e.dir, err = os.MkdirTemp("", "gatehouse-engine-"); err != nil {
		return e, err
	}
	if e.store, err = store.Open(ctx, e.dir, nil); err != nil {
		return e, err
	}
	if o.Answer == nil {
		o.Answer = Willing
	}
	log := slog.New(slog.NewTextHandler(or(o.Log), nil))
	options := &mcphost.Options{
		Client:   protocol.Implementation{Name: "gatehouse", Title: "Gatehouse", Version: "0", Description: "A desktop host for MCP servers"},
		Environ:  os.Environ(),
		Answerer: answerer(o.Answer),
		Trace:    e.frames.Add,
		Logger:   log,
	}
	options.Resolver = transport.NewResolver(&transport.ResolverOptions{Environ: options.Environ})
	if o.Guardian != nil {
		e.guard = transport.NewSupervisor(e.dir, o.Guardian, &transport.SupervisorOptions{Logger: log})
		if err = e.guard.Start(ctx); err != nil {
			return e, err
		}
		options.Supervisor = e.guard
	}
	broker := consent.NewBroker(yes{}, e.store, &consent.Options{Logger: log})
	e.Host = mcphost.New(broker, mcphost.Ports{Servers: e.store, Pins: e.store, Calls: e.store, Secrets: &store.Memory{}, Eras: e.store, Tasks: e.store}, options)
	return e, nil
}

func or(w io.Writer) io.Writer {
	if w == nil {
		return io.Discard
	}
	return w
}

// Close ends what Open has started and removes the folder.
func (e *Engine) Close() error {
	var errs []error
	if e.Host != nil {
		errs = append(errs, e.Host.Close(context.Background()))
	}
	errs = append(errs, e.frames.Close())
	if e.guard != nil {
		errs = append(errs, e.guard.Close())
	}
	if e.store != nil {
		errs = append(errs, e.store.Close())
	}
	return errors.Join(append(errs, os.RemoveAll(e.dir))...)
}

// Connect adds a server and waits until it is ready. Its id is made here.
func (e *Engine) Connect(ctx context.Context, c mcphost.Config) (*mcphost.Server, error) {
	c.ID = mcphost.NewID()
	if err := e.Add(ctx, c); err != nil {
		return nil, err
	}
	s, err := e.Server(c.ID)
	if err != nil {
		return nil, err
	}
	if err := s.Connect(ctx, User); err != nil {
		return nil, fmt.Errorf("connecting: %w", err)
	}
	return s, nil
}

// Tool calls a tool, which must not answer with an error.
func (e *Engine) Tool(ctx context.Context, s *mcphost.Server, tool string, arguments json.RawMessage) (*protocol.CallToolResult, error) {
	view, err := e.Call(ctx, mcphost.CallRequest{ServerID: s.ID(), Tool: tool, Arguments: arguments, Actor: User})
	if err != nil {
		return nil, fmt.Errorf("calling %s: %w", tool, err)
	}
	if view.Result.IsError {
		return nil, fmt.Errorf("calling %s: the tool answered with an error: %s", tool, view.Result.Raw)
	}
	return view.Result, nil
}

// yes is a user who allows what is asked, as it was asked.
type yes struct{}

func (yes) Ask(_ context.Context, r consent.Request) (consent.Answer, error) {
	return consent.Answer{Allow: true, By: "test", Digest: r.Digest()}, nil
}
