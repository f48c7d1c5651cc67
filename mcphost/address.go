package mcphost

// This file reads the address that a server wants opened, as a person should see it (2025-11-25, "URL Mode Elicitation";
// SEC F2, F3). What a browser could read otherwise than we do is refused.

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"gatehouse/mcphost/consent"
)

// maxAddress is in bytes; it is an argument of a program.
const maxAddress = 8 << 10

// An Address is a URL that may be opened once the user agrees. Before, Domain and After are the whole of it, byte for byte.
type Address struct {
	Before, Domain, After string // Domain is what the owner of the site has registered, or the whole host
	Registered            string // Domain in ASCII
	Unicode               string // how the host displays, if that is not what is in ASCII
	Strange               []StrangeLetter
	Secure                bool // https
}

// A StrangeLetter is a letter of a host that is not of the Latin alphabet, or is one with a mark.
type StrangeLetter struct {
	Letter rune
	Script string // as Unicode calls it
}

// ReadAddress reads a URL that a server gives. Only https may be opened, and http on this computer; nothing with a user
// name, and nothing that has more than one reading.
func ReadAddress(text string) (Address, error) {
	if len(text) > maxAddress {
		return Address{}, fmt.Errorf("the URL is longer than %d bytes", maxAddress)
	}
	for _, r := range text {
		if _, hidden := consent.Hidden(r); hidden || r <= ' ' || r == unicode.ReplacementChar || strings.ContainsRune("\\\"<>^`{|}", r) {
			return Address{}, errors.New("the URL has a character that no URL has")
		}
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return Address{}, errors.New("the URL cannot be read")
	case u.Scheme != "https" && u.Scheme != "http" || !strings.HasPrefix(text, u.Scheme+"://"):
		return Address{}, errors.New("the URL is not one of https")
	case u.User != nil:
		return Address{}, errors.New("the URL has a user name")
	case u.Hostname() == "":
		return Address{}, errors.New("the URL has no host")
	}
	host := u.Hostname()
	ascii, err := asciiHost(host)
	if err != nil || strings.Contains(ascii, "..") {
		return Address{}, errors.New("the URL has a host that is none")
	}
	a := Address{Registered: ascii, Secure: u.Scheme == "https"}
	if !a.Secure && !loopback(ascii) {
		return Address{}, errors.New("the URL is not one of https")
	}
	shown := host
	if registered, err := publicsuffix.EffectiveTLDPlusOne(strings.TrimSuffix(ascii, ".")); err == nil && !isIP(ascii) {
		a.Registered, shown = registered, lastLabels(host, strings.Count(registered, ".")+1)
	}
	start := strings.Index(text, "://") + len("://")
	start += strings.Index(text[start:], host) + len(host) - len(shown) // a host stands in a URL as url.Parse returns it
	a.Before, a.Domain, a.After = text[:start], text[start:start+len(shown)], text[start+len(shown):]
	if display, err := idna.Display.ToUnicode(ascii); err == nil && display != strings.TrimSuffix(ascii, ".") && display != ascii {
		a.Unicode, a.Strange = display, strangeLetters(display)
	}
	return a, nil
}

// asciiHost is a host as it is looked up.
func asciiHost(host string) (string, error) {
	if isIP(host) {
		return host, nil
	}
	return idna.Lookup.ToASCII(strings.ToLower(host))
}

func isIP(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil
}

// loopback reports whether a host is this computer by its name or number alone.
func loopback(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// lastLabels returns the last n labels of a host, with the final dot if there is one.
func lastLabels(host string, n int) string {
	end := len(strings.TrimSuffix(host, "."))
	at := end
	for ; n > 0; n-- {
		at = strings.LastIndexAny(host[:at], ".")
		if at < 0 {
			return host
		}
	}
	return host[at+1:]
}

const maxStrange = 8 // letters that are named

func strangeLetters(host string) (strange []StrangeLetter) {
	for _, r := range host {
		if r <= unicode.MaxASCII || len(strange) == maxStrange {
			continue
		}
		s := StrangeLetter{Letter: r, Script: "Latin"}
		for name, table := range unicode.Scripts {
			if unicode.Is(table, r) {
				s.Script = name
			}
		}
		strange = append(strange, s)
	}
	return strange
}
