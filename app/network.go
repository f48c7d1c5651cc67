package app

// This file keeps how remote servers are reached: the user's proxy and authorities for all of them.

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"strings"

	"gatehouse/app/desktop"
	"gatehouse/mcphost"
	"gatehouse/mcphost/transport"
)

const keyNetwork = "network"

// Where the proxy comes from.
const (
	proxySystem = "system" // the environment if it names one, else the desktop
	proxyNone   = "none"
	proxyOwn    = "own" // the given one
)

// A NetworkSettings is how all remote servers are reached, from the next start of each on.
type NetworkSettings struct {
	Proxy       string   `json:"proxy"`       // "system", "none" or "own"
	Address     string   `json:"address"`     // of "own": host:port or a URL
	Except      string   `json:"except"`      // hosts that "own" is not for, as in NO_PROXY
	Authorities []string `json:"authorities"` // files of certificates
}

// A NetworkView is the settings and whom the files make believable.
type NetworkView struct {
	NetworkSettings
	Environment bool        `json:"environment"` // it names a proxy
	Believed    []Authority `json:"believed"`
	Problem     string      `json:"problem"` // why the files cannot be used, "" = they can
}

// network turns the settings into what the host takes.
func (n NetworkSettings) network(environ []string) (out mcphost.Network, err error) {
	out.Authorities = n.Authorities
	switch n.Proxy {
	case proxySystem:
		if out.Proxy = transport.EnvironProxy(environ); out.Proxy == nil {
			out.Proxy = ofDesktop(desktop.NewProxies())
		}
	case proxyNone:
	case proxyOwn:
		if out.Proxy, err = transport.FixedProxy(strings.TrimSpace(n.Address), n.Except); err != nil {
			return out, &failure{"bad-proxy", n.Address, err}
		}
	default:
		return out, badInput("proxy", n.Proxy)
	}
	return out, nil
}

// ofDesktop is what the desktop's settings say, as the host takes it.
func ofDesktop(p *desktop.Proxies) transport.Proxy {
	return func(server *url.URL) (*url.URL, error) {
		u, err := p.For(server)
		if err != nil {
			err = &transport.ProxyError{Proxy: "of the desktop's settings", Err: err}
		}
		return u, err
	}
}

// savedNetwork reads what was set. What is missing, or cannot be, is as on a new system.
func savedNetwork(ctx context.Context, s Settings) (NetworkSettings, error) {
	usual := NetworkSettings{Proxy: proxySystem, Authorities: []string{}}
	text, err := s.Setting(ctx, keyNetwork)
	if err != nil || text == "" {
		return usual, err
	}
	n := usual
	if err := json.Unmarshal([]byte(text), &n); err != nil {
		return usual, nil // another version's
	}
	if _, err := n.network(nil); err != nil {
		return usual, nil
	}
	n.Authorities = list(n.Authorities)
	return n, nil
}

// SavedNetwork is what the user has set for all remote servers, as the host takes it.
func SavedNetwork(ctx context.Context, s Settings) (mcphost.Network, error) {
	n, err := savedNetwork(ctx, s)
	if err != nil {
		return mcphost.Network{}, err
	}
	return n.network(os.Environ())
}

// Network returns how remote servers are reached.
func (v *Servers) Network() (view NetworkView, err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return NetworkView{}, err
	}
	view.NetworkSettings, err = savedNetwork(ctx, e.Settings)
	view.Environment = transport.EnvironProxy(os.Environ()) != nil
	var problem error
	if view.Believed, problem = authorities(view.Authorities); problem != nil {
		view.Problem = problem.Error()
	}
	return view, err
}

// SetNetwork keeps how remote servers are reached. Files that cannot be used are refused.
func (v *Servers) SetNetwork(n NetworkSettings) (err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return err
	}
	n.Authorities = list(filled(n.Authorities))
	out, err := n.network(os.Environ())
	if err != nil {
		return err
	}
	if _, err := mcphost.Authorities(n.Authorities); err != nil {
		return &failure{"bad-authorities", errors.Unwrap(err).Error(), err}
	}
	text, err := json.Marshal(n)
	if err != nil {
		return err
	}
	if err := e.Settings.SetSetting(ctx, keyNetwork, string(text)); err != nil {
		return err
	}
	e.Host.Reach(out)
	v.emit("app", "", "")
	return nil
}
