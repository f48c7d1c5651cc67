package mcphosttest

// This file is a proxy that counts what it is asked for.

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// A Proxy is an HTTP proxy on loopback. It knows one server and leads every CONNECT there, whatever it names.
type Proxy struct {
	URL    string
	to     string
	status int
	tunnel sync.WaitGroup

	mu       sync.Mutex // guards what follows
	connects []string
	login    []string
}

// NewProxy starts a proxy that ends with the test. It leads to an address host:port, or refuses everything with the
// status, if that is not 0.
func NewProxy(t testing.TB, to string, status int) *Proxy {
	t.Helper()
	p := &Proxy{to: to, status: status}
	web := httptest.NewServer(p)
	p.URL = web.URL
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
		p.tunnel.Wait()
	})
	return p
}

// Connects are the addresses asked for with CONNECT so far.
func (p *Proxy) Connects() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.connects...)
}

// Logins are the Proxy-Authorization fields of the requests so far, "" where there was none.
func (p *Proxy) Logins() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.login...)
}

func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.connects = append(p.connects, r.Host)
	p.login = append(p.login, r.Header.Get("Proxy-Authorization"))
	p.mu.Unlock()
	if p.status != 0 || r.Method != http.MethodConnect {
		w.WriteHeader(max(p.status, http.StatusBadRequest))
		return
	}
	far, err := net.Dial("tcp", p.to)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	near, buffered, err := w.(http.Hijacker).Hijack()
	if err != nil {
		far.Close()
		return
	}
	_, _ = io.WriteString(near, "HTTP/1.1 200 OK\r\n\r\n") // a client that has gone ends the copying
	p.tunnel.Go(func() {
		defer near.Close()
		_, _ = io.Copy(near, far)
	})
	p.tunnel.Go(func() {
		defer far.Close()
		_, _ = io.Copy(far, buffered)
	})
}
