package cli

// This file finds a server and connects to it, with the consent that this needs.

import (
	"context"
	"fmt"
	"strings"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

// find returns the server with exactly this name, else the one whose name differs only in case.
func find(h *mcphost.Host, name string) (*mcphost.Server, error) {
	var names []string
	for _, s := range h.Servers() {
		if s.Config().Name == name {
			return s, nil
		}
		names = append(names, s.Config().Name)
	}
	s, err := h.ServerNamed(name)
	if err != nil {
		return nil, unknownServer(name, names)
	}
	return s, nil
}

func unknownServer(name string, known []string) error {
	list := "; there are none"
	if len(known) > 0 {
		list = "; known are " + strings.Join(known, ", ")
	}
	return fmt.Errorf("%w: %q%s", mcphost.ErrUnknownServer, name, list)
}

// connect starts the server, asking for consent if its launch is not approved, and waits until it is ready.
func (r *run) connect(ctx context.Context, s *mcphost.Server) error {
	if err := r.launchDenied(ctx, s); err != nil {
		return err
	}
	if err := s.Connect(ctx, actor); err != nil {
		return r.failed(ctx, s, err)
	}
	if w := s.Snapshot().Warning; w != "" {
		r.note("gatehouse: the list of tools: %s", w)
	}
	return nil
}

// launchDenied makes a policy's "deny" hold where the host would not ask, because the launch was allowed before.
func (r *run) launchDenied(ctx context.Context, s *mcphost.Server) error {
	if r.policy == nil || r.policy.launch != deny {
		return nil
	}
	l, err := r.engine.Host.Launch(ctx, s.Config())
	if err != nil {
		return err
	}
	_, standing, err := r.engine.Host.Approved(ctx, s.ID(), l.Digest())
	if err != nil || !standing {
		return err // the policy is asked and answers
	}
	d := consent.Decision{Kind: consent.KindLaunch, Server: consent.Server{Alias: s.Config().Name}, By: r.policy.by, Reason: launchDenies}
	return &consent.Refusal{Decision: d}
}

// actor is on whose behalf everything here happens.
var actor = consent.Actor{Kind: consent.ActorScript}

// failed adds to an error which server it is about.
func (r *run) failed(ctx context.Context, s *mcphost.Server, err error) error {
	e := &connectError{name: s.Config().Name, err: err}
	e.launch, _ = r.engine.Host.Launch(context.WithoutCancel(ctx), s.Config()) // if that fails, err says so already
	return e
}

// A connectError is a server that did not become ready, or did not stay so.
type connectError struct {
	name   string
	launch consent.Launch
	err    error
}

func (e *connectError) Error() string { return e.name + ": " + e.err.Error() }

func (e *connectError) Unwrap() error { return e.err }
