package transport

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
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

	"gatehouse/mcphost/mcphosttest"
)

// An authority signs certificates in tests.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  []byte
}

func newAuthority(t *testing.T, name string) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &authority{cert, key, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})}
}

// serve starts a server with a certificate for host, valid from and until so long from now.
func (a *authority) serve(t *testing.T, host string, from, until time.Duration) *httptest.Server {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "leaf of " + host}, NotBefore: time.Now().Add(from), NotAfter: time.Now().Add(until),
	}
	if ip := net.ParseIP(host); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{host}
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, key.Public(), a.key)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { sendJSON(w, answer(1)) }))
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	s.Config.ErrorLog = discardLog()
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// ACC A15: the failure names subject, issuer and reason; the authority's PEM makes it work, where it was given.
func TestCertificateError(t *testing.T) {
	ours, theirs := newAuthority(t, "Test CA"), newAuthority(t, "Other CA")
	cas, err := ParseCAs(ours.pem)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		server *httptest.Server
		reason CertificateReason // "" = works with the authority
		issuer string
	}{
		{ours.serve(t, "127.0.0.1", -time.Hour, time.Hour), "", ""},
		{theirs.serve(t, "127.0.0.1", -time.Hour, time.Hour), UnknownAuthority, "CN=Other CA"},
		{ours.serve(t, "127.0.0.1", -time.Hour, -time.Minute), Expired, "CN=Test CA"},
		{ours.serve(t, "127.0.0.1", time.Minute, time.Hour), NotYetValid, "CN=Test CA"},
		{ours.serve(t, "192.0.2.1", -time.Hour, time.Hour), WrongHost, "CN=Test CA"},
	} {
		_, err := outcome(t, dial(t, test.server.URL, HTTPOptions{CAs: cas}), request(t, 1, "x"))
		var e *CertificateError
		switch {
		case test.reason == "" && err != nil:
			t.Errorf("trusted: %v", err)
		case test.reason != "" && (!errors.As(err, &e) || e.Reason != test.reason || !strings.HasPrefix(e.Subject, "CN=leaf of ") || e.Issuer != test.issuer || e.Host != "127.0.0.1" || !NotExecuted(err)):
			t.Errorf("%s: %+v, %v", test.reason, e, err)
		case test.reason == WrongHost && !slices.Equal(e.Names, []string{"192.0.2.1"}):
			t.Errorf("names %q", e.Names)
		}
		if _, err := outcome(t, dial(t, test.server.URL, HTTPOptions{}), request(t, 1, "x")); err == nil {
			t.Error("trusted by another connection")
		}
	}
}

func TestParseCAs(t *testing.T) {
	a, b := newAuthority(t, "A"), newAuthority(t, "B")
	key := pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: []byte("canary")})
	pad := func(n int) []byte { return append(slices.Clone(a.pem), strings.Repeat("\n", n-len(a.pem))...) }
	for name, test := range map[string]struct {
		file []byte
		n    int // 0 = refused
	}{
		"one": {a.pem, 1}, "two": {slices.Concat([]byte("a comment\n"), a.pem, b.pem), 2}, "none": {[]byte("hello"), 0}, "empty": {nil, 0},
		"a private key": {slices.Concat(a.pem, key), 0}, "broken": {pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte("x")}), 0},
		"at the limit": {pad(MaxCAs), 1}, "over the limit": {pad(MaxCAs + 1), 0},
	} {
		got, err := ParseCAs(test.file)
		if len(got) != test.n || (err == nil) != (test.n > 0) || err != nil && strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %d, %v", name, len(got), err)
		}
	}
}

// ACC A15: the proxy of the environment is used, for what it is meant for and never for this machine.
func TestProxy(t *testing.T) {
	ca := newAuthority(t, "Test CA")
	cas := []*x509.Certificate{ca.cert}
	server := ca.serve(t, "server.test", -time.Hour, time.Hour)
	local := ca.serve(t, "127.0.0.1", -time.Hour, time.Hour)
	proxy := mcphosttest.NewProxy(t, server.Listener.Addr().String(), 0)
	with := func(login string) string { return strings.Replace(proxy.URL, "http://", "http://"+login, 1) }
	for _, test := range []struct {
		name    string
		environ []string
		url     string
		through bool
		login   string
	}{
		{"HTTPS_PROXY", []string{"HTTPS_PROXY=" + proxy.URL, "HTTP_PROXY=http://other.test"}, "https://server.test/mcp", true, ""},
		{"lower case", []string{"https_proxy=" + proxy.URL}, "https://server.test/mcp", true, ""},
		{"with a password", []string{"HTTPS_PROXY=" + with("me:canary@")}, "https://server.test/mcp", true, "Basic bWU6Y2FuYXJ5"},
		{"for http only", []string{"HTTP_PROXY=" + proxy.URL}, "https://server.test/mcp", false, ""},
		{"NO_PROXY", []string{"HTTPS_PROXY=" + proxy.URL, "NO_PROXY=x, .test"}, "https://server.test/mcp", false, ""},
		{"all but that", []string{"HTTPS_PROXY=" + proxy.URL, "NO_PROXY=other.test"}, "https://server.test/mcp", true, ""},
		{"none", nil, "https://server.test/mcp", false, ""},
		{"this machine", []string{"HTTPS_PROXY=" + proxy.URL}, local.URL, false, ""},
	} {
		var dialled []string
		before := len(proxy.Connects())
		h := dial(t, test.url, HTTPOptions{CAs: cas, Proxy: EnvironProxy(test.environ), Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			dialled = append(dialled, address)
			if address == "server.test:443" {
				address = server.Listener.Addr().String()
			}
			return new(net.Dialer).DialContext(ctx, network, address)
		}})
		if _, err := outcome(t, h, request(t, 1, "x")); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		asked := proxy.Connects()[before:]
		if through := len(asked) == 1 && asked[0] == "server.test:443"; through != test.through || len(dialled) != 1 || test.through != (dialled[0] == strings.TrimPrefix(proxy.URL, "http://")) {
			t.Errorf("%s: the proxy was asked for %q, dialled %q", test.name, asked, dialled)
		}
		if test.through && proxy.Logins()[before] != test.login {
			t.Errorf("%s: login %q", test.name, proxy.Logins()[before])
		}
	}
}

// What can be a proxy that is kept, and for whom it is not.
func TestFixedProxy(t *testing.T) {
	p, err := FixedProxy("proxy.test:3128", "direct.test, .inner.test")
	if err != nil {
		t.Fatal(err)
	}
	for server, want := range map[string]string{
		"https://server.test/mcp": "http://proxy.test:3128", "http://server.test/mcp": "http://proxy.test:3128",
		"https://direct.test/mcp": "", "https://a.inner.test/mcp": "", "https://127.0.0.1/mcp": "",
	} {
		u, err := url.Parse(server)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.proxyFor(u)
		if err != nil || (got == nil) != (want == "") || got != nil && got.String() != want {
			t.Errorf("%s: %v, %v", server, got, err)
		}
	}
	for _, address := range []string{"", "ftp://p:1", "http://me:canary@p:1", "http://p:1/path", "http://p:1?q", "http://:80", "http://[::1", "a b"} {
		if _, err := FixedProxy(address, ""); err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("%q: %v", address, err)
		}
	}
	for _, address := range []string{"p:1", "https://p", "socks5://p:1080", "http://p:1/"} {
		if _, err := FixedProxy(address, ""); err != nil {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// SEC B9 with a proxy: whatever the proxy function says, a server on this machine is dialled, and checked, directly.
func TestProxyNeverForThisMachine(t *testing.T) {
	trap := mcphosttest.NewTrap(t)
	u, err := url.Parse("http://" + trap.Addr)
	if err != nil {
		t.Fatal(err)
	}
	always := func(*url.URL) (*url.URL, error) { return u, nil }
	r := newRemote(t, onPost(func(w http.ResponseWriter, _ *http.Request) { sendJSON(w, answer(1)) }))
	port := r.URL[strings.LastIndex(r.URL, ":"):]
	for _, address := range []string{"http://127.0.0.1" + port, "http://localhost" + port, "http://LOCALHOST" + port, "http://[::ffff:127.0.0.1]" + port} {
		h := dial(t, address, HTTPOptions{Proxy: always})
		if _, err := outcome(t, h, request(t, 1, "x")); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	if n := trap.Hits(); n != 0 {
		t.Errorf("the proxy was asked %d times", n)
	}
}

// A proxy that refuses or is not there is named, without its password.
func TestProxyError(t *testing.T) {
	refusing := mcphosttest.NewProxy(t, "", http.StatusProxyAuthRequired)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	for name, test := range map[string]struct {
		proxy  string
		status int
	}{
		"refuses":       {strings.Replace(refusing.URL, "http://", "http://me:canary@", 1), 407},
		"is not there":  {"http://me:canary@" + l.Addr().String(), 0},
		"is no address": {"http://me:canary@[::1", 0},
	} {
		h := dial(t, "https://server.test/mcp", HTTPOptions{Proxy: func(*url.URL) (*url.URL, error) { return url.Parse(test.proxy) }})
		_, err := outcome(t, h, request(t, 1, "x"))
		var e *ProxyError
		if !errors.As(err, &e) || e.Status != test.status || strings.Contains(err.Error(), "canary") || !NotExecuted(err) {
			t.Errorf("%s: %+v, %v", name, e, err)
		}
	}
}
