package mcphost_test

import (
	"encoding/pem"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/session"
	"gatehouse/mcphost/transport"
)

// secured puts TLS in front of a scripted server; its certificate lies in the file that is returned.
func secured(t *testing.T) (address, file string) {
	t.Helper()
	plain, err := url.Parse(mcphosttest.NewHTTP(t, mcphosttest.Scenario{}, nil).URL)
	if err != nil {
		t.Fatal(err)
	}
	forward := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: plain.Scheme, Host: plain.Host})
	}}
	web := httptest.NewUnstartedServer(forward)
	web.Config.ErrorLog = log.New(io.Discard, "", 0)
	web.StartTLS()
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	file = filepath.Join(t.TempDir(), "authority.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: web.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return web.URL + plain.Path, file
}

var you = consent.Actor{Kind: consent.ActorUser}

// addRemote configures a server at an address.
func (h *house) addRemote(name, address string) *mcphost.Server {
	h.t.Helper()
	c := mcphost.Config{ID: mcphost.NewID(), Name: name, Transport: mcphost.HTTP, URL: address}
	if err := h.Add(h.t.Context(), c); err != nil {
		h.t.Fatal(err)
	}
	s, err := h.Server(c.ID)
	if err != nil {
		h.t.Fatal(err)
	}
	return s
}

// ACC A15: the authority of a server is believed for this server only, that of all for all of them, and neither asks for
// the launch again.
func TestAuthorities(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	address, file := secured(t)
	mine, other := h.addRemote("mine", address), h.addRemote("other", address)
	refused := func(s *mcphost.Server) {
		t.Helper()
		var e *transport.CertificateError
		if err := s.Connect(t.Context(), you); !errors.As(err, &e) || e.Reason != transport.UnknownAuthority || !strings.Contains(err.Error(), "Acme Co") {
			t.Fatalf("%v", err)
		}
	}
	refused(mine)
	if err := h.Converse(t.Context(), mine.ID(), mcphost.Conversation{Authorities: []string{file}}); err != nil {
		t.Fatal(err)
	}
	h.connect(mine)
	refused(other)
	h.Reach(mcphost.Network{Authorities: []string{file}})
	h.connect(other)
	launches := 0
	for _, r := range h.requests() {
		if r.Kind == consent.KindLaunch {
			launches++
		}
	}
	if launches != 2 {
		t.Errorf("%d launches were asked for", launches)
	}
}

// Which files of certificates cannot be used, and that it is said of which field.
func TestAuthoritiesThatAreNone(t *testing.T) {
	_, file := secured(t)
	text := filepath.Join(t.TempDir(), "text.pem")
	if err := os.WriteFile(text, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	if all, err := mcphost.Authorities(slices.Repeat([]string{file}, 16)); len(all) != 16 || err != nil {
		t.Errorf("as many as may be: %d, %v", len(all), err)
	}
	for name, files := range map[string][]string{
		"no certificate": {text}, "not there": {file + "x"}, "a folder": {filepath.Dir(file)}, "relative": {"x.pem"},
		"a device": {"/dev/zero"}, "too many": slices.Repeat([]string{file}, 17),
	} {
		var e *mcphost.ConfigError
		if _, err := mcphost.Authorities(files); !errors.As(err, &e) || e.Field != "authorities" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The proxy that is set reaches the servers from their next start on; the environment's holds until then (ACC A15).
func TestReachByProxy(t *testing.T) {
	refusing := func() *mcphosttest.Proxy { return mcphosttest.NewProxy(t, "", http.StatusForbidden) }
	environment, set := refusing(), refusing()
	h := newHouse(t, mcphost.Options{Environ: []string{"HTTPS_PROXY=" + environment.URL}})
	c := mcphost.Config{Transport: mcphost.HTTP, URL: "https://server.invalid/mcp"}
	h.fails(c)
	if n, m := len(environment.Connects()), len(set.Connects()); n == 0 || m != 0 {
		t.Errorf("the environment's proxy was asked %d times, the other one %d times", n, m)
	}
	before := len(environment.Connects())
	proxy, err := transport.FixedProxy(strings.TrimPrefix(set.URL, "http://"), "")
	if err != nil {
		t.Fatal(err)
	}
	h.Reach(mcphost.Network{Proxy: proxy})
	h.fails(c)
	if n, m := len(environment.Connects())-before, len(set.Connects()); n != 0 || m == 0 {
		t.Errorf("then %d and %d times", n, m)
	}
}

// Asked again, a server that has learnt the modern era is found to have.
func TestAskEraAgain(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	s := h.add("s", mcphosttest.Command(t, mcphosttest.Scenario{}))
	h.connect(s)
	l, err := h.Launch(t.Context(), s.Config())
	if err != nil {
		t.Fatal(err)
	}
	if v := h.Remembered(t.Context(), l); v.Era != session.EraLegacy {
		t.Fatalf("remembered: %+v", v)
	}
	if err := h.AskEraAgain(t.Context(), s.ID()); err != nil {
		t.Fatal(err)
	}
	if v := h.Remembered(t.Context(), l); v.Era != "" {
		t.Errorf("still remembered: %+v", v)
	}
}
