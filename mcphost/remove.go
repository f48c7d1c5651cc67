package mcphost

// This file takes servers away: first so that it can be undone, then for good.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gatehouse/mcphost/consent"
)

// Remove stops a server and takes it out of the list. All that is kept of it stays: [Host.Restore] brings it back as it
// was, [Host.Forget] ends it for good. What Close finds still undecided is forgotten. The error is ErrUnknownServer too
// if it is being removed already.
func (h *Host) Remove(ctx context.Context, id string) error {
	s, err := h.Server(id)
	if err != nil {
		return err
	}
	if !s.retire(true) { // somebody else is removing it
		return fmt.Errorf("%w: %q", ErrUnknownServer, id)
	}
	err = s.Stop(ctx)
	if err == nil {
		h.setAside(s) // first: Sweep must not take it for one of an earlier run
		c := s.Config()
		c.Removed = true
		err = h.ports.Servers.PutServer(ctx, c)
	}
	if err != nil {
		h.takeRemoved(id)
		s.retire(false)
		return err
	}
	h.mu.Lock()
	h.servers = slices.DeleteFunc(h.servers, func(s *Server) bool { return s.id == id })
	h.mu.Unlock()
	h.bus.publish(ServerChanged{id})
	return nil
}

// Restore undoes Remove and returns the server's name, which is another one if its own is another server's by now.
// Nothing is started. The error is ErrUnknownServer if there is nothing to undo; if the store refuses, the server stays
// removed.
func (h *Host) Restore(ctx context.Context, id string) (name string, err error) {
	s, err := h.takeRemoved(id)
	if err != nil {
		return "", err
	}
	c := s.Config()
	c.Name = h.FreeName(c.Name)
	if err := h.ports.Servers.PutServer(ctx, c); err != nil {
		h.setAside(s)
		return "", err
	}
	s.configure(c)
	s.retire(false)
	h.mu.Lock()
	h.servers = append(h.servers, s)
	slices.SortStableFunc(h.servers, func(a, b *Server) int { return a.Config().CreatedAt.Compare(b.Config().CreatedAt) })
	h.mu.Unlock()
	h.bus.publish(ServerChanged{id})
	return c.Name, nil
}

// FreeName returns name, or with the first number behind it that no server has.
func (h *Host) FreeName(name string) string {
	free := name
	for n := 2; ; n++ {
		if _, err := h.ServerNamed(free); err != nil {
			return free
		}
		free = fmt.Sprintf("%s %d", name, n)
	}
}

// Forget ends what Remove began: the server's secrets and its row go. Its history stays. On error it can be tried again.
func (h *Host) Forget(ctx context.Context, id string) error {
	s, err := h.takeRemoved(id)
	if err != nil {
		return err
	}
	if err := h.forget(ctx, s.Config()); err != nil {
		h.setAside(s)
		return err
	}
	return nil
}

// Sweep forgets the servers whose removal an earlier run left undecided. Only the process whose user removes servers
// calls it: it cannot tell its own earlier runs from another process.
func (h *Host) Sweep(ctx context.Context) error {
	configs, err := h.ports.Servers.Servers(ctx)
	if err != nil {
		return fmt.Errorf("looking for removed servers: %w", err)
	}
	var errs []error
	for _, c := range configs {
		if c.Removed && !slices.Contains(h.removedNow(), c.ID) {
			errs = append(errs, h.forget(ctx, c))
		}
	}
	return errors.Join(errs...)
}

// forgetRemoved forgets every server that this Host has removed.
func (h *Host) forgetRemoved(ctx context.Context) error {
	var errs []error
	for _, id := range h.removedNow() {
		errs = append(errs, h.Forget(ctx, id))
	}
	return errors.Join(errs...)
}

func (h *Host) removedNow() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Collect(maps.Keys(h.removed))
}

// takeRemoved hands a removed server to one caller, who puts it back if it fails.
func (h *Host) takeRemoved(id string) (*Server, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, ok := h.removed[id]
	if !ok {
		return nil, fmt.Errorf("%w: %q", ErrUnknownServer, id)
	}
	delete(h.removed, id)
	return s, nil
}

func (h *Host) setAside(s *Server) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.removed[s.id] = s
}

// forget deletes the secrets first: the row is what remembers them.
func (h *Host) forget(ctx context.Context, c Config) error {
	if err := h.forgetSecrets(ctx, c, Config{}); err != nil {
		return err
	}
	return h.ports.Servers.RemoveServer(ctx, c.ID)
}

// forgetSecrets deletes the secrets of old that now does not refer to.
func (h *Host) forgetSecrets(ctx context.Context, old, now Config) error {
	kept := func(ref string) bool {
		return slices.ContainsFunc(slices.Concat(now.Env, now.Headers), func(v consent.Var) bool {
			return v.Ref == ref || strings.Contains(v.Value, "${"+ref+"}")
		})
	}
	var errs []error
	for _, key := range SecretKeys(old) {
		if !kept("keyring:" + key) {
			errs = append(errs, h.ports.Secrets.DeleteSecret(ctx, key))
		}
	}
	return errors.Join(errs...)
}

// SecretKeys returns the keys of a server's own secrets.
func SecretKeys(c Config) (keys []string) {
	for _, v := range slices.Concat(c.Env, c.Headers) {
		if key, ok := strings.CutPrefix(v.Ref, "keyring:"); ok && strings.HasPrefix(key, c.ID+"/") {
			keys = append(keys, key)
		}
	}
	return keys
}
