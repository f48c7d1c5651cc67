package app

// This file is the profiles: named sets of servers, one of which is in use.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"gatehouse/mcphost"
)

const (
	keyProfile = "profile" // setting: the id of the one in use
	maxName    = 60        // of a profile or a server, characters
)

// Profiles is bound to the page.
type Profiles struct{ *desk }

// A Profile is a named set of servers. Without a name it is the first one, which the page names.
type Profile struct {
	ID      string   `json:"id"` // "" for a new one
	Name    string   `json:"name"`
	Servers []string `json:"servers"`
}

// A ProfileList is all profiles, oldest first, and which one is in use.
type ProfileList struct {
	Current  string    `json:"current"`
	Profiles []Profile `json:"profiles"`
}

// A RunningCall is a call that a change of the profile in use would stop.
type RunningCall struct {
	ID         string `json:"id"`
	ServerName string `json:"serverName"`
	Tool       string `json:"tool"`
	State      string `json:"state"`
}

// A ProfileChange is what came of a change: the profile's id, or the calls that would stop. If there are any, nothing
// was changed, and the page asks the user first.
type ProfileChange struct {
	ID      string        `json:"id"`
	Running []RunningCall `json:"running"`
}

// ListProfiles returns the profiles.
func (v *Profiles) ListProfiles() (l ProfileList, err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return ProfileList{}, err
	}
	all, err := e.Profiles.Profiles(ctx)
	if err != nil {
		return ProfileList{}, err
	}
	l = ProfileList{Current: e.Host.Profile(), Profiles: []Profile{}}
	for _, p := range all {
		l.Profiles = append(l.Profiles, Profile{p.ID, p.Name, list(p.Servers)})
	}
	return l, nil
}

// SwitchProfile uses another profile. With stop it stops the calls of the servers that leave, if there are any.
func (v *Profiles) SwitchProfile(id string, stop bool) (c ProfileChange, err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return c, err
	}
	e.changing.Lock()
	defer e.changing.Unlock()
	p, err := e.profile(ctx, id)
	if err != nil {
		return c, err
	}
	return e.change(p, stop, func() error {
		if err := e.Settings.SetSetting(ctx, keyProfile, id); err != nil {
			return err
		}
		return e.Host.Switch(ctx, p)
	})
}

// SaveProfile adds a profile, or replaces the one with its id; one that was removed is back. If it is in use, its
// servers start and stop at once, with stop even those that have calls.
func (v *Profiles) SaveProfile(given Profile, stop bool) (c ProfileChange, err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return c, err
	}
	e.changing.Lock()
	defer e.changing.Unlock()
	p, err := given.check()
	if err != nil {
		return c, err
	}
	defer v.emit("profiles", "", "")
	if p.ID != e.Host.Profile() {
		return ProfileChange{ID: p.ID, Running: []RunningCall{}}, e.Profiles.PutProfile(ctx, p)
	}
	return e.change(p, stop, func() error {
		if err := e.Profiles.PutProfile(ctx, p); err != nil {
			return err
		}
		return e.Host.Switch(ctx, p)
	})
}

// RemoveProfile removes a profile that is not in use. Its servers and its history stay.
func (v *Profiles) RemoveProfile(id string) (err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return err
	}
	e.changing.Lock()
	defer e.changing.Unlock()
	if id == e.Host.Profile() {
		return &failure{"profile-in-use", "", errors.New("the profile is in use")}
	}
	defer v.emit("profiles", "", "")
	return e.Profiles.RemoveProfile(ctx, id)
}

// change does what leaves p in use, unless that would stop calls and stop does not allow it. It needs e.changing.
func (e *Engine) change(p mcphost.Profile, stop bool, do func() error) (ProfileChange, error) {
	c := ProfileChange{ID: p.ID, Running: []RunningCall{}}
	if !stop {
		for _, call := range e.Host.Stopping(p) {
			c.Running = append(c.Running, RunningCall{call.ID, call.Server, call.Tool, string(call.State)})
		}
	}
	if len(c.Running) > 0 {
		return c, nil
	}
	return c, do()
}

// check returns the profile that the page describes; a new one gets an id.
func (given Profile) check() (mcphost.Profile, error) {
	p := mcphost.Profile{ID: given.ID, Name: strings.TrimSpace(given.Name), Servers: given.Servers}
	if p.ID == "" {
		p.ID = mcphost.NewID()
	}
	if p.Name == "" && p.ID != mcphost.FirstProfile || utf8.RuneCountInString(p.Name) > maxName {
		return p, badInput("name", given.Name)
	}
	return p, nil
}

// profile returns one profile.
func (e *Engine) profile(ctx context.Context, id string) (mcphost.Profile, error) {
	all, err := e.Profiles.Profiles(ctx)
	if err != nil {
		return mcphost.Profile{}, err
	}
	i := slices.IndexFunc(all, func(p mcphost.Profile) bool { return p.ID == id })
	if i < 0 {
		return mcphost.Profile{}, &failure{"unknown-profile", "", fmt.Errorf("there is no profile %q", id)}
	}
	return all[i], nil
}

// resumeProfile uses the profile that was in use last, or the first one.
func (e *Engine) resumeProfile(ctx context.Context) error {
	last, err := e.Settings.Setting(ctx, keyProfile)
	if err != nil {
		return err
	}
	all, err := e.Profiles.Profiles(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(p mcphost.Profile) bool { return p.ID == last })
	e.Host.Use(all[max(i, 0)])
	return nil
}

// add adds a server to the host and to the profile in use, or to neither.
func (e *Engine) add(ctx context.Context, c mcphost.Config) error {
	e.changing.Lock()
	defer e.changing.Unlock()
	p, err := e.profile(ctx, e.Host.Profile())
	if err != nil {
		return err
	}
	if err := e.Host.Add(ctx, c); err != nil {
		return err
	}
	p.Servers = append(p.Servers, c.ID)
	if err := e.Profiles.PutProfile(ctx, p); err != nil {
		return errors.Join(err, e.Host.Remove(ctx, c.ID))
	}
	return nil
}
