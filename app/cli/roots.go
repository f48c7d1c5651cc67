package cli

// This file tells servers the roots that a policy names.

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

// givenRoots are the roots of a policy: every server of the run may know of them.
type givenRoots []mcphost.Root

// givenRoots returns the roots of the policy, nil without.
func (r *run) givenRoots() mcphost.Roots {
	if r.policy == nil || r.policy.roots == nil {
		return nil
	}
	given := givenRoots{}
	for _, path := range r.policy.roots {
		given = append(given, mcphost.Root{
			ID: path, Path: filepath.Clean(path), Name: filepath.Base(path), Servers: map[string]mcphost.RootVisibility{mcphost.EveryServer: mcphost.RootVisible},
		})
	}
	return given
}

var errGiven = errors.New("the roots of a policy do not change")

// Roots implements [mcphost.Roots].
func (g givenRoots) Roots(context.Context) ([]mcphost.Root, error) { return slices.Clone(g), nil }

// PutRoot implements [mcphost.Roots]: a policy's roots do not change.
func (givenRoots) PutRoot(context.Context, mcphost.Root) error { return errGiven }

// RemoveRoot implements [mcphost.Roots]: a policy's roots do not change.
func (givenRoots) RemoveRoot(context.Context, string) error { return errGiven }

// Disclosed implements [mcphost.Roots]: each run decides anew.
func (givenRoots) Disclosed(context.Context, string) (d consent.Digest, err error) { return d, nil }

// PutDisclosed implements [mcphost.Roots]: each run decides anew.
func (givenRoots) PutDisclosed(context.Context, string, consent.Digest) error { return nil }
