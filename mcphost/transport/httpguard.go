package transport

// This file holds what a remote connection refuses: addresses, redirects, header fields (SEC B7–B9, B14).

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	maxRedirects = 5
	maxHead      = 256 << 10 // of a response, in bytes
	maxSessionID = 1 << 10
)

// ErrInsecure is wrapped when a URL would send everything in the clear over a network.
var ErrInsecure = errors.New("http:// is only for servers on this computer")

// checkURL parses the address of a server; here says that it must be, and stay, on this machine.
func checkURL(raw string, allowInsecure bool) (u *url.URL, here bool, err error) {
	u, err = url.Parse(raw)
	if err != nil {
		var e *url.Error
		if errors.As(err, &e) {
			err = e.Err // without the URL, whose query may hold a secret
		}
		return nil, false, fmt.Errorf("the server's address: %w", err)
	}
	switch {
	case u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.Opaque != "":
		return nil, false, errors.New("the server's address is no https:// or http:// URL")
	case u.User != nil:
		return nil, false, errors.New("the server's address holds a user name or password; use a header")
	}
	u.Fragment, u.RawFragment = "", ""
	if u.Scheme == "http" && !allowInsecure {
		if !isLoopback(u.Hostname()) {
			return nil, false, fmt.Errorf("%s: %w", origin(u), ErrInsecure)
		}
		here = true
	}
	return u, here, nil
}

// isLoopback reports whether a host is this machine by its name. What the name resolves to is checked when dialling.
func isLoopback(host string) bool {
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// dialer returns what connects to a server. With here, every address is checked once more when it is dialled: a name
// may resolve to anything.
func dialer(here bool) func(ctx context.Context, network, address string) (net.Conn, error) {
	d := &net.Dialer{Timeout: 30 * time.Second}
	if here {
		d.Control = func(_, address string, _ syscall.RawConn) error {
			addr, err := netip.ParseAddrPort(address)
			if err != nil {
				return err
			}
			if !addr.Addr().Unmap().IsLoopback() {
				return ErrInsecure
			}
			return nil
		}
	}
	return d.DialContext
}

// checkRedirect lets 307 and 308 pass, which keep method and body, within one origin. Any other redirect is an answer
// like any status that means failure: neither header nor body goes elsewhere.
func checkRedirect(req *http.Request, via []*http.Request) error {
	status := req.Response.StatusCode
	same := req.URL.User == nil && origin(req.URL) == origin(via[0].URL)
	kept := status == http.StatusTemporaryRedirect || status == http.StatusPermanentRedirect
	if !same || !kept || len(via) > maxRedirects {
		return http.ErrUseLastResponse
	}
	return nil
}

// origin returns scheme, host and port.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// place returns a URL for messages: without its query, which may hold a secret.
func place(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// ownFields are set by the protocol or the connection, never by a configuration.
var ownFields = []string{
	"Accept", "Accept-Encoding", "Connection", "Content-Encoding", "Content-Length", "Content-Type", "Host", "Keep-Alive",
	"Last-Event-Id", "Mcp-Method", "Mcp-Name", "Mcp-Protocol-Version", "Mcp-Session-Id", "Proxy-Authorization",
	"Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
}

// checkHeader returns a copy with canonical names. Errors name the field, never its value.
func checkHeader(header http.Header) (http.Header, error) {
	checked := http.Header{}
	for name, values := range header {
		canonical := http.CanonicalHeaderKey(name)
		switch {
		case !isToken(name):
			return nil, fmt.Errorf("%q cannot be the name of a header field", name)
		case slices.Contains(ownFields, canonical) || strings.HasPrefix(canonical, mirrorPrefix):
			return nil, fmt.Errorf("the header field %s is not free: the protocol sets it", canonical)
		case slices.ContainsFunc(values, func(v string) bool { return strings.ContainsFunc(v, notInField) }):
			return nil, fmt.Errorf("the header field %s holds a control character", canonical)
		}
		checked[canonical] = append(checked[canonical], values...)
	}
	return checked, nil
}

// isToken reports whether name is a token of RFC 9110, section 5.6.2.
func isToken(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r >= 0x7f || r <= ' ' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

func notInField(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// validSession reports whether a server may name its session so: visible ASCII (MCP, "Session Management").
func validSession(id string) bool {
	return id != "" && len(id) <= maxSessionID && !strings.ContainsFunc(id, func(r rune) bool { return r < '!' || r > '~' })
}
