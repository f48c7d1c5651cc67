package app

// This file says what is kept where, and what leaves this computer.

import (
	"net/url"
	"os"

	"gatehouse/app/desktop"
	"gatehouse/mcphost"
)

// A RemoteServer is one that calls go to over the network.
type RemoteServer struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Host string `json:"host"`
}

// A DataReport is what is kept, and to whom something goes.
type DataReport struct {
	DatabaseBytes int64          `json:"databaseBytes"`
	BackupBytes   int64          `json:"backupBytes"`
	Servers       int            `json:"servers"`
	Decisions     int            `json:"decisions"`
	Calls         int            `json:"calls"`
	Definitions   int            `json:"definitions"`
	Secrets       int            `json:"secrets"` // references to the keyring
	Remote        []RemoteServer `json:"remote"`
}

// Data returns what is kept, and to whom something goes.
func (a *App) Data() (r DataReport, err error) {
	defer catch(&err)
	e, ctx, err := a.engine()
	if err != nil {
		return DataReport{}, err
	}
	kept, err := e.History.Kept(ctx)
	if err != nil {
		return DataReport{}, err
	}
	r = DataReport{
		DatabaseBytes: kept.DatabaseBytes, BackupBytes: kept.BackupBytes, Decisions: kept.Decisions, Calls: kept.Calls,
		Definitions: kept.Definitions, Remote: []RemoteServer{},
	}
	for _, s := range e.Host.Servers() {
		c := s.Config()
		r.Servers++
		r.Secrets += len(mcphost.SecretKeys(c))
		if u, err := url.Parse(c.URL); err == nil && c.Transport == mcphost.HTTP {
			r.Remote = append(r.Remote, RemoteServer{ID: c.ID, Name: c.Name, Host: u.Host})
		}
	}
	return r, nil
}

// OpenDataFolder shows the data folder in the file manager.
func (a *App) OpenDataFolder() (err error) {
	defer catch(&err)
	e, _, err := a.engine()
	if err != nil {
		return err
	}
	if err := desktop.OpenFolder(e.DataDir); err != nil {
		return &failure{"no-file-manager", e.DataDir, err}
	}
	return nil
}

// maxSaved is in bytes: texts of the page are far smaller.
const maxSaved = 8 << 20

// SaveText asks the user for a file and writes a text of the page to it. It reports whether they named one.
func (a *App) SaveText(name, text string) (saved bool, err error) {
	defer catch(&err)
	if _, _, err := a.engine(); err != nil {
		return false, err
	}
	if len(text) > maxSaved {
		return false, badInput("text", name)
	}
	path, err := a.frame.AskFile(name)
	if err != nil || path == "" {
		return false, err
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return false, &failure{"not-saved", path, err}
	}
	return true, nil
}
