package mcphost_test

import (
	"strings"
	"testing"

	"gatehouse/mcphost"
)

// What may be opened is shown whole, with the registered domain set off (SEC F3).
func TestReadAddress(t *testing.T) {
	for text, want := range map[string]mcphost.Address{
		"https://login.payport.example/consent?a=b#c": {Domain: "payport.example", Registered: "payport.example", Secure: true},
		"https://bank.com.evil.co.uk/" + strings.Repeat("x", 2000): {
			Domain: "evil.co.uk", Registered: "evil.co.uk", Secure: true,
		},
		"https://a.github.io:8443/":       {Domain: "a.github.io", Registered: "a.github.io", Secure: true},
		"https://bank.com./":              {Domain: "bank.com.", Registered: "bank.com", Secure: true},
		"https://BANK.com/":               {Domain: "BANK.com", Registered: "bank.com", Secure: true},
		"https://127.0.0.1/":              {Domain: "127.0.0.1", Registered: "127.0.0.1", Secure: true},
		"http://[::1]:80/":                {Domain: "::1", Registered: "::1"},
		"http://localhost:8080/done":      {Domain: "localhost", Registered: "localhost"},
		"https://x/?u=https://y.example/": {Domain: "x", Registered: "x", Secure: true},
		"https://https.example/https.example": {
			Domain: "https.example", Registered: "https.example", Secure: true,
		},
		"https://xn--pyport-3nf.example/": {
			Domain: "xn--pyport-3nf.example", Registered: "xn--pyport-3nf.example", Unicode: "pаyport.example", Secure: true,
		},
		"https://pаyport.example/": {Domain: "pаyport.example", Registered: "xn--pyport-3nf.example", Unicode: "pаyport.example", Secure: true},
	} {
		got, err := mcphost.ReadAddress(text)
		if err != nil {
			t.Errorf("%.60s: %v", text, err)
			continue
		}
		if got.Before+got.Domain+got.After != text {
			t.Errorf("%.60s: shown as %+v", text, got)
		}
		if want.Unicode != "" && (len(got.Strange) != 1 || got.Strange[0].Letter != 'а' || got.Strange[0].Script != "Cyrillic") {
			t.Errorf("%.60s: strange %+v", text, got.Strange)
		}
		if got.Domain != want.Domain || got.Registered != want.Registered || got.Unicode != want.Unicode || got.Secure != want.Secure {
			t.Errorf("%.60s: %+v", text, got)
		}
	}
}

// What is never offered (SEC F2, F3).
func TestAddressesThatAreNone(t *testing.T) {
	longest := "https://a.example/" + strings.Repeat("x", 8<<10-len("https://a.example/"))
	if _, err := mcphost.ReadAddress(longest); err != nil {
		t.Errorf("the longest: %v", err)
	}
	for _, text := range []string{
		longest + "x", "", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "vbscript:x", "ms-settings:x", "smb://h/s", "//h/",
		"http://user@evil.example/", "https://user:pw@evil.example/", "https://bank.com@evil.example/", "https://@evil.example/", `\\unc\share`, "-flag",
		"--version", "http://remote.example/", "http://10.0.0.1/", "https:/one.example", "https:bank.com", "HTTPS:bank.com", "https://", "https:///x",
		"https://good.example\\@evil.example/", "https://a.example/ b", "https://a.example/\n", " https://a.example/", "https://a.example/\u200b",
		"https://a\u202e.example/", "https://exa%6dple.com/", "https://a.example:port/", "https://a b.example/", "https://xn--\u0000.example/",
		"https://a.example/\xff", "https://a.example/`id`", "https://[::1", "https://a..example/",
	} {
		if a, err := mcphost.ReadAddress(text); err == nil {
			t.Errorf("%.60q: %+v", text, a)
		}
	}
}
