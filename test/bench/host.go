package main

// This file is HOST, the whole path of a call in Gatehouse: a policy consents, SQLite keeps the history, the trace is
// on. It is put together as wire.go does it.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/trace"
	"gatehouse/mcphost/transport"
	"gatehouse/store"
)

// guardian is the command with which this program is the guardian of its servers.
const guardian = "guardian"

// A policy lets everything through, as {"launch": "allow", "tools": {"*": "allow"}} does.
type policy struct{}

func (policy) Ask(_ context.Context, r consent.Request) (consent.Answer, error) {
	return consent.Answer{Allow: true, By: "policy bench.json, 0", Digest: r.Digest()}, nil
}

var script = consent.Actor{Kind: consent.ActorScript}

// An engine is an open store with a running host on it.
type engine struct {
	store *store.Store
	guard *transport.Supervisor
	host  *mcphost.Host
}

func openEngine(ctx context.Context, dir string, o mcphost.Options) (e *engine, err error) {
	e = &engine{}
	if e.store, err = store.Open(ctx, dir, nil); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	e.guard = transport.NewSupervisor(filepath.Join(dir, "run"), []string{self, guardian}, nil)
	if err = e.guard.Start(ctx); err != nil {
		return nil, err
	}
	o.Client = protocol.Implementation{Name: "gatehouse", Version: "bench"}
	o.Environ, o.Supervisor = os.Environ(), e.guard
	o.Resolver = transport.NewResolver(&transport.ResolverOptions{Environ: o.Environ})
	o.InFlight = inFlight
	broker := consent.NewBroker(policy{}, e.store, nil)
	e.host = mcphost.New(broker, mcphost.Ports{Servers: e.store, Pins: e.store, Calls: e.store}, &o)
	return e, e.host.Open(ctx)
}

// start adds a server, a command line or an address, and waits until it is ready.
func (e *engine) start(ctx context.Context, name string, command []string) (id string, err error) {
	id = mcphost.NewID()
	c := mcphost.Config{ID: id, Name: name, Transport: mcphost.Stdio, Command: command[0], Args: command[1:]}
	if strings.HasPrefix(command[0], "http://") {
		c = mcphost.Config{ID: id, Name: name, Transport: mcphost.HTTP, URL: command[0]}
	}
	if err := e.host.Add(ctx, c); err != nil {
		return "", err
	}
	s, err := e.host.Server(id)
	if err != nil {
		return "", err
	}
	return id, s.Connect(ctx, script)
}

func (e *engine) close(ctx context.Context) error {
	return errors.Join(e.host.Close(ctx), e.guard.Close(), e.store.Close())
}

type host struct {
	*engine
	server string
	trace  *os.File // nil without one
	writer *trace.Writer
	ring   *trace.Ring // nil without one
}

// A keeping is where the trace goes: as the terminal keeps it, as the window does, or not at all.
type keeping int

const (
	nowhere keeping = iota
	inFile
	inMemory
)

func newHost(ctx context.Context, s setup, kept keeping) (client, error) {
	h := &host{}
	var o mcphost.Options
	var err error
	switch kept {
	case inMemory:
		h.ring = trace.NewRing(trace.Limits{})
		o.Trace = h.ring.Add
	case inFile:
		if h.trace, err = os.Create(filepath.Join(s.dir, "trace.jsonl")); err != nil {
			return nil, err
		}
		h.writer = trace.NewWriter(h.trace)
		o.Trace = h.writer.Add
	}
	if h.engine, err = openEngine(ctx, filepath.Join(s.dir, "data"), o); err != nil {
		return nil, err
	}
	h.server, err = h.start(ctx, "echo", s.server)
	return h, err
}

func (h *host) call(ctx context.Context, size int) error {
	v, err := h.host.Call(ctx, mcphost.CallRequest{
		ServerID: h.server, Tool: "reply", Arguments: fmt.Appendf(nil, `{"size":%d}`, size), Actor: script,
	})
	if err == nil && (v.Result.IsError || len(v.Result.Content) == 0 || v.Unrecorded != nil) {
		err = errors.New("no reply")
	}
	return err
}

func (h *host) close() error {
	err := h.engine.close(context.Background())
	if h.ring != nil {
		h.ring.Close()
	}
	if h.trace != nil {
		err = errors.Join(err, h.writer.Close(), h.trace.Close())
	}
	return err
}
