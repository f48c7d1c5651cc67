package cli

// This file tells servers the roots that a policy names.

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

// givenRoots are the roots of a policy, and those that it lets servers add: every server of the run may know of the
// first, and each of what it has added. They end with the run.
type givenRoots struct {
	mu   sync.Mutex // guards what follows
	list []mcphost.Root
}

// givenRoots returns the roots of the policy, nil without.
func (r *run) givenRoots() mcphost.Roots {
	if r.policy == nil || r.policy.roots == nil {
		return nil
	}
	given := &givenRoots{}
	for _, path := range r.policy.roots {
		given.list = append(given.list, mcphost.Root{
			ID: path, Path: filepath.Clean(path), Name: filepath.Base(path), Servers: map[string]mcphost.RootVisibility{mcphost.EveryServer: mcphost.RootVisible},
		})
	}
	return given
}

// Roots implements [mcphost.Roots].
func (g *givenRoots) Roots(context.Context) ([]mcphost.Root, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.list), nil
}

// PutRoot implements [mcphost.Roots].
func (g *givenRoots) PutRoot(_ context.Context, r mcphost.Root) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if i := slices.IndexFunc(g.list, func(other mcphost.Root) bool { return other.ID == r.ID }); i >= 0 {
		g.list[i] = r
	} else {
		g.list = append(g.list, r)
	}
	return nil
}

// RemoveRoot implements [mcphost.Roots]: nobody in a run removes a root.
func (*givenRoots) RemoveRoot(context.Context, string) error {
	return errors.New("the roots of a policy are not removed")
}

// Disclosed implements [mcphost.Roots]: each run decides anew.
func (*givenRoots) Disclosed(context.Context, string) (d consent.Digest, err error) { return d, nil }

// PutDisclosed implements [mcphost.Roots]: each run decides anew.
func (*givenRoots) PutDisclosed(context.Context, string, consent.Digest) error { return nil }
