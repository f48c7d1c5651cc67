package app

// This file is the Servers page: the configured servers, their state and their life.

import (
	"gatehouse/mcphost/consent"
)

// Servers is bound to the page.
type Servers struct{ *desk }

// ListServers returns a row per server, oldest first.
func (v *Servers) ListServers() (rows []ServerRow, err error) {
	defer catch(&err)
	e, _, err := v.engine()
	if err != nil {
		return nil, err
	}
	for _, s := range e.Host.Servers() {
		rows = append(rows, serverRow(s.Snapshot()))
	}
	return list(rows), nil
}

// Server returns everything about one server.
func (v *Servers) Server(id string) (d ServerDetail, err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return ServerDetail{}, err
	}
	s, err := e.Host.Server(id)
	if err != nil {
		return ServerDetail{}, err
	}
	return serverDetail(ctx, e, s.Snapshot()), nil
}

// CheckServer says what a draft would run and what is wrong with it. It starts and contacts nothing.
func (v *Servers) CheckServer(draft ServerDraft) (c DraftCheck, err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return DraftCheck{}, err
	}
	return checkDraft(ctx, e, draft), nil
}

// AddServer stores a server and its secrets, puts it into the profile in use and returns its id. Nothing starts.
func (v *Servers) AddServer(draft ServerDraft) (id string, err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return "", err
	}
	return saveDraft(ctx, e, "", draft)
}

// UpdateServer replaces a server's definition. A changed launch asks for consent at the next start.
func (v *Servers) UpdateServer(id string, draft ServerDraft) (err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return err
	}
	_, err = saveDraft(ctx, e, id, draft)
	return err
}

// RemoveServer stops a server and takes it out of the list. RestoreServer brings it back, ForgetServer ends it for good;
// without either it ends with the app. Its history stays.
func (v *Servers) RemoveServer(id string) (err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return err
	}
	return e.Host.Remove(ctx, id)
}

// RestoreServer undoes RemoveServer and returns the server's name, another one if its own is taken by now. Configuration,
// secrets and trusted tools are as before. Nothing starts.
func (v *Servers) RestoreServer(id string) (name string, err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return "", err
	}
	e.changing.Lock()
	defer e.changing.Unlock()
	if name, err = e.Host.Restore(ctx, id); err != nil {
		return "", err
	}
	p, err := e.profile(ctx, e.Host.Profile()) // which may be another one by now
	if err == nil {
		e.Host.Use(p)
	}
	return name, err
}

// ForgetServer deletes a removed server with its secrets.
func (v *Servers) ForgetServer(id string) (err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return err
	}
	return e.Host.Forget(ctx, id)
}

// SetServerEnabled switches a server on or off; switching off stops it, switching on starts nothing.
func (v *Servers) SetServerEnabled(id string, enabled bool) (err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return err
	}
	s, err := e.Host.Server(id)
	if err != nil {
		return err
	}
	c := s.Config()
	c.Disabled = !enabled
	return e.Host.Update(ctx, c)
}

// StartServer begins to connect and returns at once; a launch that is not approved waits at the gate.
func (v *Servers) StartServer(id string) (err error) {
	defer catch(&err)
	e, _, err := v.engine()
	if err != nil {
		return err
	}
	s, err := e.Host.Server(id)
	if err != nil {
		return err
	}
	return s.Start(consent.Actor{Kind: consent.ActorUser})
}

// StopServer ends a server's connection and process and waits for both.
func (v *Servers) StopServer(id string) (err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return err
	}
	s, err := e.Host.Server(id)
	if err != nil {
		return err
	}
	return s.Stop(ctx)
}

// ServerReport is the text of Copy report. Secrets are not in it: references stay references.
func (v *Servers) ServerReport(id string) (text string, err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return "", err
	}
	s, err := e.Host.Server(id)
	if err != nil {
		return "", err
	}
	return report(v.version, serverDetail(ctx, e, s.Snapshot())), nil
}
