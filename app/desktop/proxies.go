package desktop

// This file asks the desktop which proxy leads to a server: the portal answers from the settings of GNOME, KDE and
// others, and runs their PAC script if there is one, in a process of its own
// (https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.ProxyResolver.html).

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"
)

const (
	portalService = "org.freedesktop.portal.Desktop"
	portalPath    = "/org/freedesktop/portal/desktop"
	portalProxies = "org.freedesktop.portal.ProxyResolver"

	proxyWait  = 5 * time.Second // for the portal, which may have to start or to fetch a script
	proxyHolds = time.Minute     // an answer: settings change
	mostOrigin = 256             // remembered answers
)

// Proxies remembers for a while what the desktop says. It is safe for concurrent use.
type Proxies struct {
	now func() time.Time

	mu    sync.Mutex
	known map[string]proxyAnswer // by origin
}

type proxyAnswer struct {
	proxy *url.URL // nil = none
	err   error
	until time.Time
}

// NewProxies returns Proxies that remember nothing.
func NewProxies() *Proxies { return &Proxies{now: time.Now, known: map[string]proxyAnswer{}} }

// For returns the proxy for a server: nil if the desktop wants none, or if there is no desktop that could be asked. Only the
// scheme and the host of a server are told, as browsers do.
func (p *Proxies) For(server *url.URL) (*url.URL, error) {
	origin := server.Scheme + "://" + server.Host + "/"
	p.mu.Lock()
	known, ok := p.known[origin]
	p.mu.Unlock()
	if ok && p.now().Before(known.until) {
		return known.proxy, known.err
	}
	answer := proxyAnswer{until: p.now().Add(proxyHolds)}
	if list, ok := lookUp(origin); ok {
		answer.proxy, answer.err = firstOf(list)
	}
	p.mu.Lock()
	if len(p.known) >= mostOrigin {
		clear(p.known)
	}
	p.known[origin] = answer
	p.mu.Unlock()
	return answer.proxy, answer.err
}

// lookUp asks the portal; ok is false if there is nobody to ask.
func lookUp(origin string) (list []string, ok bool) {
	bus, err := Connect()
	if err != nil {
		return nil, false
	}
	defer bus.Close()
	ctx, cancel := context.WithTimeout(context.Background(), proxyWait)
	defer cancel()
	portal := bus.conn.Object(portalService, dbus.ObjectPath(portalPath))
	err = portal.CallWithContext(ctx, portalProxies+".Lookup", 0, origin).Store(&list)
	return list, err == nil
}

// firstOf returns the first proxy of a list that we can speak to, nil if that is none.
func firstOf(list []string) (*url.URL, error) {
	for _, each := range list {
		if each == "direct://" {
			return nil, nil
		}
		u, err := url.Parse(each)
		if err != nil || u.Hostname() == "" {
			continue
		}
		switch u.Scheme {
		case "http", "https", "socks5", "socks5h":
			return u, nil
		case "socks": // of any version
			u.Scheme = "socks5"
			return u, nil
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	schemes := make([]string, len(list))
	for i, each := range list {
		schemes[i], _, _ = strings.Cut(each, "://")
	}
	return nil, errors.New("it is of a kind that is not known here: " + strings.Join(schemes, ", "))
}
