package mcphost

// This file is roots/add and roots/remove, which the text of 2024-11-05 lets servers ask for. Neither acts alone: the user
// decides about exactly the root that would be shared with that server, or no longer.

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"net/url"
	"path/filepath"
	"slices"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

// errNoSuchRoot is the one answer about every path that cannot be added or removed: what is on this computer is not told.
var errNoSuchRoot = &jsonrpc.Error{Code: protocol.CodeServerError, Message: "This cannot be a root"}

// changeRoots asks for leave to add or remove a root, and does it.
func (g gate) changeRoots(ctx context.Context, q Question) error {
	propose, do := g.host.rootToAdd, g.host.shareRoot
	kind := consent.KindRootAdd
	if q.Method == protocol.MethodRootsRemove {
		propose, do, kind = g.host.rootToHide, g.host.hideRoot, consent.KindRootRemove
	}
	proposed, err := propose(ctx, q)
	if err != nil {
		g.host.opts.Logger.DebugContext(ctx, "a change of the roots was not asked for", "server", q.Server.ID, "error", err)
		return errNoSuchRoot
	}
	shown, err := asShown(proposed.wire(q.Revision))
	if err != nil {
		return err
	}
	if _, err := g.askWith(ctx, q, consent.Request{Kind: kind}, proposed.Name, shown); err != nil {
		return err
	}
	again, err := propose(ctx, q) // what is there now, not what was there when it was asked
	if err != nil {
		return err
	}
	if now, err := asShown(again.wire(q.Revision)); err != nil || !bytes.Equal(now, shown) {
		return errors.Join(consent.ErrMismatch, err)
	}
	return do(ctx, again, q.Server.ID)
}

// rootToAdd is the root that a server asks for, with the mark that it has set. The name is ours: theirs may be another's.
// One that is there already has an ID.
func (h *Host) rootToAdd(ctx context.Context, q Question) (Root, error) {
	path, err := rootPath(q.Root.URI)
	if err != nil {
		return Root{}, err
	}
	r, err := h.ReadRoot(path)
	if err != nil {
		return Root{}, err
	}
	all, err := h.Roots(ctx)
	if i := slices.IndexFunc(all, func(other Root) bool { return other.Path == r.Path }); i >= 0 {
		r = all[i]
	}
	r.ReadOnly = r.ReadOnly || q.Root.ReadOnly
	return r, err
}

// rootToHide is the root, known to the server, that it asks to remove.
func (h *Host) rootToHide(ctx context.Context, q Question) (Root, error) {
	all, err := h.Roots(ctx)
	i := slices.IndexFunc(all, func(r Root) bool { return RootURI(r.Path) == q.Root.URI && r.For(q.Server.ID) != RootHidden })
	if err != nil || i < 0 {
		return Root{}, errors.Join(ErrRootMissing, err)
	}
	return all[i], nil
}

// shareRoot adds a root, if it is not there, and shows it to a server, which is told that its roots have changed.
func (h *Host) shareRoot(ctx context.Context, r Root, serverID string) error {
	h.roots.Lock()
	defer h.roots.Unlock()
	all, err := h.Roots(ctx)
	switch {
	case err != nil:
		return err
	case r.ID == "" && len(all) >= maxRoots:
		return ErrTooMany
	case r.ID == "":
		r.ID, r.At = NewID(), h.opts.Now()
	}
	return h.setRoot(ctx, r, serverID, RootVisible)
}

// hideRoot lets a server no longer know of a root. Others, and the user, keep it.
func (h *Host) hideRoot(ctx context.Context, r Root, serverID string) error {
	h.roots.Lock()
	defer h.roots.Unlock()
	return h.setRoot(ctx, r, serverID, RootHidden)
}

// setRoot keeps a root as one server gets it. It needs h.roots.
func (h *Host) setRoot(ctx context.Context, r Root, serverID string, v RootVisibility) error {
	servers := map[string]RootVisibility{}
	maps.Copy(servers, r.Servers)
	servers[serverID] = v
	r.Servers = servers
	if err := h.ports.Roots.PutRoot(ctx, r); err != nil {
		return err
	}
	h.rootsChanged(ctx, []string{serverID})
	return nil
}

// rootPath reads a file URI of this computer.
func rootPath(uri string) (string, error) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Opaque != "" {
		return "", errors.Join(errors.New("no file URI of this computer"), err)
	}
	path := filepath.FromSlash(u.Path)
	if len(path) > 2 && filepath.VolumeName(path[1:]) != "" {
		path = path[1:] // /C:/…
	}
	return path, nil
}
