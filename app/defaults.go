package app

// This file keeps what the user sets for all servers.

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"gatehouse/mcphost"
)

const keyDefaults = "servers.defaults"

// ServerDefaults is what the user sets for all servers.
type ServerDefaults struct {
	InactiveMin int  `json:"inactiveMin"` // minutes of a call without progress; counts from the next call on
	TotalMin    int  `json:"totalMin"`    // minutes of a call; from the next call on
	InFlight    int  `json:"inFlight"`    // calls a server runs at once; from its next start on
	OpenSec     int  `json:"openSec"`     // seconds to open a session; from the next start on
	Restart     bool `json:"restart"`     // start crashed servers again; from the next crash on
	Resume      bool `json:"resume"`      // start the enabled servers with the app; from its next start on
}

// ServerDefaultsView is what is set now, what is set on a new system, and between what numbers may be.
type ServerDefaultsView struct {
	Now   ServerDefaults `json:"now"`
	Usual ServerDefaults `json:"usual"`
	Least ServerDefaults `json:"least"`
	Most  ServerDefaults `json:"most"`
}

var (
	usualDefaults = ServerDefaults{InactiveMin: 5, TotalMin: 60, InFlight: 8, OpenSec: 60, Restart: true, Resume: true}
	leastDefaults = ServerDefaults{InactiveMin: 1, TotalMin: 1, InFlight: 1, OpenSec: 5}
	mostDefaults  = ServerDefaults{InactiveMin: 120, TotalMin: 1440, InFlight: 64, OpenSec: 600}
)

// numbers are the fields that have a range, by their name on the page.
func (d ServerDefaults) numbers() map[string]int {
	return map[string]int{"inactiveMin": d.InactiveMin, "totalMin": d.TotalMin, "inFlight": d.InFlight, "openSec": d.OpenSec}
}

func (d ServerDefaults) check() error {
	least, most := leastDefaults.numbers(), mostDefaults.numbers()
	for name, n := range d.numbers() {
		if n < least[name] || n > most[name] {
			return badInput(name, strconv.Itoa(n))
		}
	}
	return nil
}

func (d ServerDefaults) tuning() mcphost.Tuning {
	return mcphost.Tuning{
		Open: time.Duration(d.OpenSec) * time.Second, Inactive: time.Duration(d.InactiveMin) * time.Minute,
		Total: time.Duration(d.TotalMin) * time.Minute, InFlight: d.InFlight, Restart: d.Restart,
	}
}

// savedDefaults reads what was set. What is missing, or cannot be, is as on a new system.
func savedDefaults(ctx context.Context, s Settings) (ServerDefaults, error) {
	text, err := s.Setting(ctx, keyDefaults)
	if err != nil || text == "" {
		return usualDefaults, err
	}
	d := usualDefaults
	if err := errors.Join(json.Unmarshal([]byte(text), &d), d.check()); err != nil {
		return usualDefaults, nil // another version's
	}
	return d, nil
}

// SavedTuning is what the user has set for all servers, as the host takes it.
func SavedTuning(ctx context.Context, s Settings) (mcphost.Tuning, error) {
	d, err := savedDefaults(ctx, s)
	return d.tuning(), err
}

// ServerDefaults returns what is set for all servers.
func (v *Servers) ServerDefaults() (view ServerDefaultsView, err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return ServerDefaultsView{}, err
	}
	now, err := savedDefaults(ctx, e.Settings)
	return ServerDefaultsView{Now: now, Usual: usualDefaults, Least: leastDefaults, Most: mostDefaults}, err
}

// SetServerDefaults keeps what is set for all servers and lets the engine use it; each field says from when on.
func (v *Servers) SetServerDefaults(d ServerDefaults) (err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return err
	}
	if err := d.check(); err != nil {
		return err
	}
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	if err := e.Settings.SetSetting(ctx, keyDefaults, string(text)); err != nil {
		return err
	}
	e.Host.Tune(d.tuning())
	v.emit("app", "", "")
	return nil
}
