package transport

// This file is the proxy between this machine and a server (ACC A15). A server on this machine is never reached
// through one, so that what the dialler checks of it (SEC B9) is checked of the server, not of the proxy.

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpproxy"
)

// A Proxy says through which proxy a server is reached; nil = none. Its password, if it has one, is never shown.
type Proxy func(server *url.URL) (*url.URL, error)

// EnvironProxy returns the proxy that the variables HTTP_PROXY, HTTPS_PROXY and NO_PROXY of an environment name, in upper
// or lower case, and nil if they name none.
func EnvironProxy(environ []string) Proxy {
	get := func(name string) string {
		var upper, lower string
		for _, v := range environ {
			switch key, value, _ := strings.Cut(v, "="); key {
			case name:
				upper = value
			case strings.ToLower(name):
				lower = value
			}
		}
		if upper != "" {
			return upper
		}
		return lower
	}
	return newProxy(httpproxy.Config{HTTPProxy: get("HTTP_PROXY"), HTTPSProxy: get("HTTPS_PROXY"), NoProxy: get("NO_PROXY")})
}

// FixedProxy returns the proxy at an address, host:port or a URL of http, https or socks5, for every server but those
// that except names as NO_PROXY does. It refuses an address with a name or password: this one is stored.
func FixedProxy(address, except string) (Proxy, error) {
	u, err := ProxyURL(address)
	if err != nil {
		return nil, err
	}
	return newProxy(httpproxy.Config{HTTPProxy: u.String(), HTTPSProxy: u.String(), NoProxy: except}), nil
}

// ProxyURL reads the address of a proxy: host:port, or a URL of http, https or socks5 with nothing else in it.
func ProxyURL(address string) (*url.URL, error) {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, errors.New("it is no address") // the cause quotes it
	case u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "socks5" && u.Scheme != "socks5h":
		return nil, fmt.Errorf("%q is no kind of proxy that can be used", u.Scheme)
	case u.Hostname() == "" || u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("it is not host and port")
	case u.User != nil:
		return nil, errors.New("it holds a name or password")
	}
	u.Path = ""
	return u, nil
}

func newProxy(c httpproxy.Config) Proxy {
	if c.HTTPProxy == "" && c.HTTPSProxy == "" {
		return nil
	}
	return c.ProxyFunc()
}

// A ProxyError is a proxy that cannot be reached, or refuses.
type ProxyError struct {
	Proxy  string // its address, without name and password
	Status int    // of its answer, 0 = none
	Err    error
}

func (e *ProxyError) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("the proxy %s answered with status %d %s", e.Proxy, e.Status, http.StatusText(e.Status))
	}
	return fmt.Sprintf("the proxy %s: %v", e.Proxy, e.Err)
}

// Unwrap returns the cause.
func (e *ProxyError) Unwrap() error { return e.Err }

// proxyFor returns the proxy for a request, nil = none.
func (p Proxy) proxyFor(u *url.URL) (*url.URL, error) {
	if p == nil || isLoopback(u.Hostname()) {
		return nil, nil
	}
	proxy, err := p(u)
	if errors.As(err, new(*ProxyError)) {
		return nil, err
	}
	if err != nil {
		return nil, &ProxyError{Proxy: "for " + place(u), Err: errors.New("its address cannot be read")} // the cause quotes it
	}
	return proxy, nil
}

// connected judges a proxy's answer to CONNECT.
func connected(_ context.Context, proxy *url.URL, _ *http.Request, resp *http.Response) error {
	if resp.StatusCode == http.StatusOK {
		return nil
	}
	return &ProxyError{Proxy: place(proxy), Status: resp.StatusCode}
}

// proxyError returns err as a *ProxyError if the way to the proxy was the trouble.
func (p Proxy) proxyError(u *url.URL, err error) error {
	var op *net.OpError
	if errors.As(err, new(*ProxyError)) || !errors.As(err, &op) || op.Op != "proxyconnect" {
		return err
	}
	if proxy, _ := p.proxyFor(u); proxy != nil {
		return &ProxyError{Proxy: place(proxy), Err: certificateError(proxy.Hostname(), op.Err)}
	}
	return err
}
