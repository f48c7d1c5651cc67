package app

// This file is the Roots page: folders and files, and which server gets to know of which.

import (
	"errors"
	"os"
	"path/filepath"

	"gatehouse/mcphost"
)

// Roots is bound to the page.
type Roots struct{ *desk }

// A RootRow is a folder or a file.
type RootRow struct {
	ID       string            `json:"id"`
	Path     string            `json:"path"`
	Name     string            `json:"name"`
	URI      string            `json:"uri"` // as servers get it
	Type     string            `json:"type"`
	ReadOnly bool              `json:"readOnly"` // a mark; nothing enforces it
	Missing  bool              `json:"missing"`  // it is not there any more, or leads elsewhere: nobody is told
	Home     bool              `json:"home"`     // the user's whole home folder
	Servers  map[string]string `json:"servers"`  // by id: "ask" or "visible"; absent = hidden
}

// Roots returns all roots.
func (v *Roots) Roots() (rows []RootRow, err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return nil, err
	}
	all, err := e.Host.Roots(ctx)
	for _, r := range all {
		row := RootRow{
			ID: r.ID, Path: r.Path, Name: r.Name, URI: mcphost.RootURI(r.Path), Type: r.Type, ReadOnly: r.ReadOnly, Missing: r.Missing(),
			Home: r.Path == e.home(), Servers: map[string]string{},
		}
		for server, visibility := range r.Servers {
			row.Servers[server] = string(visibility)
		}
		rows = append(rows, row)
	}
	return list(rows), err
}

// home is the user's home folder, "" if that cannot be told.
func (e *Engine) home() string {
	dir, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return ""
	}
	return dir
}

// PickRoot lets the user choose a folder, or a file, in the system's own dialog and adds it. No server gets to know of it
// yet. The id is "" if they chose none.
func (v *Roots) PickRoot(file bool) (id string, err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return "", err
	}
	path, err := v.frame.AskRoot(file)
	if err != nil || path == "" {
		return "", err
	}
	r, err := e.Host.AddRoot(ctx, path)
	return r.ID, rootFailure(path, err)
}

// ShowRoot says what a server gets to know of a root: "" (nothing), "ask" or "visible".
func (v *Roots) ShowRoot(id, serverID, visibility string) (err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return err
	}
	switch mcphost.RootVisibility(visibility) {
	case mcphost.RootHidden, mcphost.RootAsk, mcphost.RootVisible:
		return e.Host.ShowRoot(ctx, id, serverID, mcphost.RootVisibility(visibility))
	}
	return badInput("visibility", visibility)
}

// RemoveRoot forgets a root; the folder stays as it is.
func (v *Roots) RemoveRoot(id string) (err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return err
	}
	return e.Host.RemoveRoot(ctx, id)
}

func rootFailure(path string, err error) error {
	for known, code := range map[error]string{
		mcphost.ErrRootMissing: "root-missing", mcphost.ErrRootWhole: "root-whole", mcphost.ErrRootOwn: "root-own",
		mcphost.ErrRootTwice: "root-twice", mcphost.ErrTooMany: "root-many",
	} {
		if errors.Is(err, known) {
			return &failure{code, path, err}
		}
	}
	return err
}
