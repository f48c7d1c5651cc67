package mcphost

// This file is the roots: the folders and files that servers may know about, and what each of them gets (Client Features /
// Roots). A root is a statement, not a fence.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/protocol"
)

// A RootVisibility says whether a server gets to know of a root.
type RootVisibility string

// The visibilities.
const (
	RootHidden  RootVisibility = ""
	RootAsk     RootVisibility = "ask"     // the user is asked each time
	RootVisible RootVisibility = "visible" // once the server has been told roots at all
)

// EveryServer stands for all servers in Root.Servers.
const EveryServer = "*"

// A Root is a folder or a file.
type Root struct {
	ID       string
	Path     string // absolute, symbolic links resolved
	Name     string
	ReadOnly bool   // a mark; nothing enforces it
	Type     string // "directory", "file", or what a server has said
	At       time.Time
	Servers  map[string]RootVisibility // by id; absent = hidden
}

// For returns what a server gets to know.
func (r Root) For(serverID string) RootVisibility {
	if v, ok := r.Servers[serverID]; ok {
		return v
	}
	return r.Servers[EveryServer]
}

// Roots keeps the roots, and the launch of each server that has been told any.
type Roots interface {
	Roots(ctx context.Context) ([]Root, error) // oldest first
	PutRoot(ctx context.Context, r Root) error // insert or replace by ID; no path is there twice
	RemoveRoot(ctx context.Context, id string) error
	Disclosed(ctx context.Context, serverID string) (launch consent.Digest, err error) // zero = never told
	PutDisclosed(ctx context.Context, serverID string, launch consent.Digest) error
}

const maxRoots = 200

// Errors of a path that cannot be a root.
var (
	ErrRootMissing = errors.New("there is no such folder or file")
	ErrRootWhole   = errors.New("the whole file system is no root")
	ErrRootOwn     = errors.New("the folder of Gatehouse itself is no root")
	ErrRootTwice   = errors.New("it is a root already")
	ErrTooMany     = errors.New("there are too many roots")
)

// ReadRoot checks a path and returns it as it is kept: absolute, with symbolic links resolved (SEC G2).
func (h *Host) ReadRoot(path string) (Root, error) {
	if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return Root{}, fmt.Errorf("%q: %w", path, ErrRootMissing)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return Root{}, fmt.Errorf("%w: %w", ErrRootMissing, err)
	}
	info, err := os.Stat(real)
	switch {
	case err != nil:
		return Root{}, fmt.Errorf("%w: %w", ErrRootMissing, err)
	case filepath.Dir(real) == real:
		return Root{}, ErrRootWhole
	case !info.IsDir() && !info.Mode().IsRegular():
		return Root{}, fmt.Errorf("%q: %w", path, ErrRootMissing)
	}
	if own, err := filepath.EvalSymlinks(h.opts.DataDir); err == nil && (real == own || strings.HasPrefix(real, own+string(filepath.Separator))) {
		return Root{}, ErrRootOwn
	}
	r := Root{Path: real, Name: filepath.Base(real), Type: "file"}
	if info.IsDir() {
		r.Type = "directory"
	}
	return r, nil
}

// RootURI is the address of a path.
func RootURI(path string) string {
	slashed := filepath.ToSlash(path)
	if runtime.GOOS == "windows" {
		slashed = "/" + slashed
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}

// Missing reports whether a root is not where it was, or leads elsewhere by now.
func (r Root) Missing() bool {
	real, err := filepath.EvalSymlinks(r.Path)
	return err != nil || real != r.Path
}

// Roots returns all roots.
func (h *Host) Roots(ctx context.Context) ([]Root, error) {
	if h.ports.Roots == nil {
		return nil, nil
	}
	return h.ports.Roots.Roots(ctx)
}

// AddRoot adds a folder or a file that the user has chosen. No server gets to know of it yet.
func (h *Host) AddRoot(ctx context.Context, path string) (Root, error) {
	r, err := h.ReadRoot(path)
	if err != nil {
		return Root{}, err
	}
	h.roots.Lock()
	defer h.roots.Unlock()
	all, err := h.Roots(ctx)
	switch {
	case err != nil:
		return Root{}, err
	case len(all) >= maxRoots:
		return Root{}, ErrTooMany
	case slices.ContainsFunc(all, func(other Root) bool { return other.Path == r.Path }):
		return Root{}, ErrRootTwice
	}
	r.ID, r.At, r.Servers = NewID(), h.opts.Now(), map[string]RootVisibility{}
	if err := h.ports.Roots.PutRoot(ctx, r); err != nil {
		return Root{}, err
	}
	h.bus.publish(RootsChanged{})
	return r, nil
}

// ShowRoot changes what one server gets to know of a root; it is told that its roots have changed.
func (h *Host) ShowRoot(ctx context.Context, id, serverID string, v RootVisibility) error {
	if _, err := h.Server(serverID); err != nil {
		return err
	}
	h.roots.Lock()
	defer h.roots.Unlock()
	all, err := h.Roots(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(r Root) bool { return r.ID == id })
	if i < 0 {
		return ErrRootMissing
	}
	if all[i].For(serverID) == v {
		return nil
	}
	return h.setRoot(ctx, all[i], serverID, v)
}

// RemoveRoot forgets a root; the servers that knew of it are told.
func (h *Host) RemoveRoot(ctx context.Context, id string) error {
	h.roots.Lock()
	defer h.roots.Unlock()
	all, err := h.Roots(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(r Root) bool { return r.ID == id })
	if i < 0 {
		return ErrRootMissing
	}
	if err := h.ports.Roots.RemoveRoot(ctx, id); err != nil {
		return err
	}
	var concerned []string
	for _, s := range h.Servers() {
		if all[i].For(s.id) != RootHidden {
			concerned = append(concerned, s.id)
		}
	}
	h.rootsChanged(ctx, concerned)
	return nil
}

// rootsChanged tells exactly these servers.
func (h *Host) rootsChanged(ctx context.Context, servers []string) {
	h.bus.publish(RootsChanged{})
	for _, id := range servers {
		s, err := h.Server(id)
		if err != nil {
			continue
		}
		if conn, err := s.connection(); err == nil {
			if err := conn.session.RootsChanged(ctx); err != nil {
				h.opts.Logger.DebugContext(ctx, "a change of the roots was not told", "server", id, "error", err)
			}
		}
	}
}

// listRoots answers a server with what it may know. Nothing to tell is told without a question; so are roots that are
// visible, if a server was told roots before, in this form of its launch.
func (g gate) listRoots(ctx context.Context, q Question) (*protocol.ListRootsResult, error) {
	all, err := g.host.Roots(ctx)
	if err != nil {
		return nil, err
	}
	shown, ask := []protocol.Root{}, false
	for _, r := range all {
		if v := r.For(q.Server.ID); v != RootHidden && !r.Missing() {
			shown = append(shown, r.wire(q.Revision))
			ask = ask || v == RootAsk
		}
	}
	if len(shown) == 0 {
		return &protocol.ListRootsResult{Roots: shown}, nil
	}
	told, err := g.host.ports.Roots.Disclosed(ctx, q.Server.ID)
	if err != nil {
		return nil, err
	}
	if !ask && told == q.Launch {
		use := consent.Use{Target: fmt.Sprintf("%d roots", len(shown))}
		if err := g.host.broker.Note(ctx, consent.KindRootsTold, q.Server, g.host.Profile(), consent.ByShared, use); err != nil {
			return nil, err
		}
		g.host.bus.publish(DecisionsChanged{})
		return &protocol.ListRootsResult{Roots: shown}, nil
	}
	return g.revealRoots(ctx, q, shown)
}

// revealRoots asks which of the roots the server is told. Somebody's no tells none.
func (g gate) revealRoots(ctx context.Context, q Question, shown []protocol.Root) (*protocol.ListRootsResult, error) {
	reply, err := encodeRoots(shown)
	if err != nil {
		return nil, err
	}
	some := func(raw json.RawMessage) []consent.Problem {
		var chosen protocol.ListRootsResult
		err := json.Unmarshal(raw, &chosen)
		again, failed := encodeRoots(chosen.Roots)
		outside := slices.ContainsFunc(chosen.Roots, func(r protocol.Root) bool {
			return !slices.ContainsFunc(shown, func(o protocol.Root) bool { return sameRoot(o, r) })
		})
		if err != nil || failed != nil || string(again) != string(raw) || outside || len(chosen.Roots) == 0 {
			return []consent.Problem{{Pointer: "/roots", Message: "are not some of the roots that may be told"}}
		}
		return nil
	}
	if len(q.Params) == 0 {
		q.Params = json.RawMessage("{}")
	}
	asked, err := g.askWith(ctx, q, consent.Request{Kind: consent.KindRoots, Validate: some}, rootNames(shown), reply)
	var refusal *consent.Refusal
	if errors.As(err, &refusal) && refusal.Decision.By != consent.ByHost {
		return &protocol.ListRootsResult{Roots: []protocol.Root{}}, nil
	}
	if err != nil {
		return nil, err
	}
	var told protocol.ListRootsResult
	if err := json.Unmarshal(asked.Reply, &told); err != nil {
		return nil, err
	}
	return &told, g.host.ports.Roots.PutDisclosed(ctx, q.Server.ID, q.Launch)
}

// encodeRoots is the answer as it is shown and sent.
func encodeRoots(roots []protocol.Root) (json.RawMessage, error) {
	return asShown(protocol.ListRootsResult{Roots: roots})
}

func asShown(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

func sameRoot(a, b protocol.Root) bool {
	return a.URI == b.URI && a.Name == b.Name && bytes.Equal(a.Metadata, b.Metadata) && bytes.Equal(a.Meta, b.Meta)
}

func rootNames(roots []protocol.Root) string {
	var names []string
	for _, r := range roots {
		names = append(names, r.Name)
	}
	return strings.Join(names, ", ")
}

// metaRoot is our own key in a root's _meta: what 2024-11-05 calls metadata.
const metaRoot = "gatehouse/root"

// wire is a root as a server of that revision gets it.
func (r Root) wire(revision protocol.Revision) protocol.Root {
	w := protocol.Root{URI: RootURI(r.Path), Name: r.Name}
	if !r.ReadOnly {
		return w
	}
	metadata, _ := json.Marshal(map[string]any{"readOnly": r.ReadOnly, "type": r.Type}) // plain values always encode
	if !revision.AtLeast(protocol.Revision20250618) {
		w.Metadata = metadata
	} else {
		w.Meta = fmt.Appendf(nil, `{%q:%s}`, metaRoot, metadata)
	}
	return w
}
