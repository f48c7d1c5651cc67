package desktop

import (
	"errors"
	"net/url"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// A portal answers what the desktop's settings or its PAC script say.
type portal struct {
	mu     sync.Mutex
	asked  []string
	answer []string
}

func (p *portal) Lookup(uri string) ([]string, *dbus.Error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, uri)
	if p.answer == nil {
		return nil, dbus.MakeFailedError(errors.New("the script cannot be fetched"))
	}
	return p.answer, nil
}

func (p *portal) told() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked)
}

func (p *portal) set(answer ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer = answer
}

// ACC A15: the desktop's settings are honoured, by the portal: it is told the origin alone, and asked again after a while.
func TestProxies(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no session bus on this system")
	}
	startBus(t)
	server, err := url.Parse("https://mcp.example/path?token=canary")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1, 0)
	fresh := func() *Proxies {
		p := NewProxies()
		p.now = func() time.Time { return now }
		return p
	}
	if u, err := fresh().For(server); u != nil || err != nil {
		t.Errorf("without a portal: %v, %v", u, err)
	}
	desktop := &portal{}
	conn := connect(t).conn
	if err := conn.Export(desktop, portalPath, portalProxies); err != nil {
		t.Fatal(err)
	}
	if reply, err := conn.RequestName(portalService, 0); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal(reply, err)
	}
	for _, test := range []struct {
		answer []string
		want   string // "" = none
	}{
		{[]string{"http://proxy.example:3128"}, "http://proxy.example:3128"},
		{[]string{"socks://proxy.example:1080", "direct://"}, "socks5://proxy.example:1080"},
		{[]string{"socks4://proxy.example:1080", "https://second.example"}, "https://second.example"},
		{[]string{"direct://", "http://proxy.example:3128"}, ""},
		{[]string{}, ""},
		{nil, ""}, // it fails: as browsers do
	} {
		desktop.set(test.answer...)
		u, err := fresh().For(server)
		if err != nil || (u == nil) != (test.want == "") || u != nil && u.String() != test.want {
			t.Errorf("%q: %v, %v", test.answer, u, err)
		}
	}
	if slices.ContainsFunc(desktop.told(), func(asked string) bool { return asked != "https://mcp.example/" }) {
		t.Errorf("told %q", desktop.told())
	}
	desktop.set("socks4://proxy.example:1080")
	if _, err := fresh().For(server); err == nil {
		t.Errorf("a proxy that we cannot speak to was taken")
	}

	p := fresh()
	desktop.set("http://first.example:1")
	before := len(desktop.told())
	for range 3 {
		if u, err := p.For(server); err != nil || u.Host != "first.example:1" {
			t.Fatal(u, err)
		}
	}
	desktop.set("http://second.example:1")
	now = now.Add(proxyHolds)
	if u, err := p.For(server); err != nil || u.Host != "second.example:1" || len(desktop.told()) != before+2 {
		t.Errorf("%v, %v, asked %d times", u, err, len(desktop.told())-before)
	}
}
