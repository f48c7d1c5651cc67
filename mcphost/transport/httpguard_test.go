package transport

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// SEC B7, B8: no redirect takes header or body to another origin; the trap stays at 0.
func TestHTTPRedirectsAreRefused(t *testing.T) {
	trap := newRemote(t, nil)
	trapTLS := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the trap was hit") }))
	defer trapTLS.Close()
	port := trap.URL[strings.LastIndex(trap.URL, ":"):]
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, target := range []string{
			trap.URL, trapTLS.URL, "http://localhost" + port + "/", "http://[::1]" + port + "/", "//127.0.0.1" + port, "file:///etc/passwd", "http://user@127.0.0.1" + port,
		} {
			r := newRemote(t, onPost(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", target)
				w.WriteHeader(status)
			}))
			h := dial(t, r.URL, HTTPOptions{Header: http.Header{"Authorization": {"Bearer x"}}})
			var e *HTTPError
			if _, err := outcome(t, h, request(t, 1, "x")); !errors.As(err, &e) || e.Status != status {
				t.Errorf("%d to %s: %v", status, target, err)
			}
		}
	}
	if n := len(trap.seen); n != 0 {
		t.Errorf("the trap was hit %d times: %v", n, trap.seen)
	}
}

// Within the origin, 307 and 308 are followed with method, header and body; five of them at most. Others are not.
func TestHTTPRedirectsWithinTheOrigin(t *testing.T) {
	for _, test := range []struct {
		status, hops int
		follow       bool
	}{{307, 1, true}, {308, 1, true}, {307, maxRedirects, true}, {307, maxRedirects + 1, false}, {301, 1, false}, {302, 1, false}, {303, 1, false}} {
		r := newRemote(t, onPost(func(w http.ResponseWriter, req *http.Request) {
			hop := len(req.URL.Path) - 1
			if hop < test.hops {
				http.Redirect(w, req, req.URL.Path+"x", test.status)
				return
			}
			sendJSON(w, answer(1))
		}))
		h := dial(t, r.URL, HTTPOptions{Header: http.Header{"Authorization": {"Bearer x"}}})
		m := request(t, 1, "x")
		frames, err := outcome(t, h, m)
		var e *HTTPError
		if test.follow != (err == nil && len(frames) == 1) || !test.follow && (!errors.As(err, &e) || e.Status != test.status) {
			t.Errorf("%d, %d hops: %q, %v", test.status, test.hops, frames, err)
		}
		posts := r.requests(http.MethodPost)
		last := posts[len(posts)-1]
		if last.body != string(m.Raw) || last.header.Get("Authorization") != "Bearer x" || test.follow && len(posts) != test.hops+1 {
			t.Errorf("%d: %d posts, the last %+v", test.status, len(posts), last)
		}
	}
}

// SEC B9.
func TestCheckURL(t *testing.T) {
	for raw, want := range map[string]struct{ here, fails, insecure bool }{
		"https://example.com/mcp":    {},
		"https://example.com:8443":   {},
		"HTTPS://example.com":        {},
		"https://127.0.0.1/":         {},
		"http://127.0.0.1:3000/mcp":  {here: true},
		"http://127.1.2.3":           {here: true},
		"http://[::1]:3000":          {here: true},
		"http://[::ffff:127.0.0.1]":  {here: true},
		"http://localhost:3000":      {here: true},
		"http://LOCALHOST.:3000":     {here: true},
		"http://example.com":         {fails: true, insecure: true},
		"http://192.168.1.2":         {fails: true, insecure: true},
		"http://0.0.0.0:3000":        {fails: true, insecure: true},
		"http://localhost.evil.com":  {fails: true, insecure: true},
		"http://127.0.0.1.evil.com":  {fails: true, insecure: true},
		"ftp://example.com":          {fails: true},
		"file:///etc/passwd":         {fails: true},
		"javascript:alert(1)":        {fails: true},
		"example.com":                {fails: true},
		"":                           {fails: true},
		"https://":                   {fails: true},
		"https:example.com":          {fails: true},
		"https://u:canary@h/":        {fails: true},
		"https://h/?k=canary%zz\x7f": {fails: true},
	} {
		u, here, err := checkURL(raw, false)
		if (err != nil) != want.fails || here != want.here || errors.Is(err, ErrInsecure) != want.insecure {
			t.Errorf("%s: %v, here %t, %v", raw, u, here, err)
		}
		if err != nil && strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: the error tells a secret: %v", raw, err)
		}
	}
	if u, here, err := checkURL("http://example.com/#x", true); err != nil || here || u.String() != "http://example.com/" {
		t.Errorf("insecure by consent: %v, %t, %v", u, here, err)
	}
}

// A name that is said to be this machine must also resolve to it.
func TestDialerChecksAddresses(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if _, err := dialer(true)(ctx, "tcp", "192.0.2.1:80"); !errors.Is(err, ErrInsecure) {
		t.Errorf("got %v", err)
	}
	r := newRemote(t, nil)
	for _, here := range []bool{true, false} {
		c, err := dialer(here)(ctx, "tcp", r.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		c.Close()
	}
}

func TestCheckHeader(t *testing.T) {
	for _, bad := range []http.Header{
		{"Content-Length": {"1"}},
		{"mcp-session-id": {"x"}},
		{"MCP-Protocol-Version": {"x"}},
		{"Last-Event-ID": {"x"}},
		{"Host": {"x"}},
		{"accept": {"x"}},
		{"": {"x"}},
		{"a b": {"x"}},
		{"a:": {"x"}},
		{"ä": {"x"}},
		{"X": {"canary\r\nY: z"}},
		{"X": {"canary\x00"}},
		{"X": {"ok", "canary\n"}},
	} {
		if got, err := checkHeader(bad); err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("%q: %v, %v", bad, got, err)
		}
		if h, err := DialHTTP("https://example.com", &HTTPOptions{Header: bad}); err == nil {
			t.Errorf("%q: dialled", bad)
			h.Close()
		}
	}
	got, err := checkHeader(http.Header{"x-key": {"a\tb", "ü"}, "Authorization": {"Bearer x"}})
	if err != nil || !slices.Equal(got.Values("X-Key"), []string{"a\tb", "ü"}) || got.Get("Authorization") != "Bearer x" {
		t.Errorf("%v, %v", got, err)
	}
}

func TestOrigin(t *testing.T) {
	for raw, want := range map[string]string{
		"https://Example.com/a": "https://example.com:443", "http://h": "http://h:80", "http://[::1]:8080/x": "http://[::1]:8080",
	} {
		u, err := url.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		if got := origin(u); got != want {
			t.Errorf("%s: %s", raw, got)
		}
	}
}

// SEC B10: a certificate that does not prove the host ends the connection before anything is sent.
func TestHTTPCertificates(t *testing.T) {
	serve := func(cert tls.Certificate) *httptest.Server {
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { sendJSON(w, answer(1)) }))
		s.TLS = &tls.Config{Certificates: []tls.Certificate{cert}}
		s.Config.ErrorLog = discardLog()
		s.StartTLS()
		t.Cleanup(s.Close)
		return s
	}
	good := certificate(t, time.Now().Add(time.Hour), net.IPv4(127, 0, 0, 1))
	expired := certificate(t, time.Now().Add(-time.Hour), net.IPv4(127, 0, 0, 1))
	other := certificate(t, time.Now().Add(time.Hour), net.IPv4(192, 0, 2, 1))
	for _, test := range []struct {
		name    string
		cert    tls.Certificate
		trusted bool
		works   bool
	}{
		{"self-signed", good, false, false}, {"trusted", good, true, true}, {"expired", expired, true, false}, {"wrong host", other, true, false},
	} {
		o := HTTPOptions{}
		if test.trusted {
			o.CAs = []*x509.Certificate{test.cert.Leaf}
		}
		h := dial(t, serve(test.cert).URL, o)
		if _, err := outcome(t, h, request(t, 1, "x")); (err == nil) != test.works {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func certificate(t *testing.T, until time.Time, ip net.IP) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: until, IPAddresses: []net.IP{ip}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}
