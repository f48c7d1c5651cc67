package mcphost

// This file is how remote servers are reached: through which proxy, and whose certificates are believed (ACC A15).

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"gatehouse/mcphost/transport"
)

// A Network is how all remote servers are reached. The zero Network has no proxy, and believes whom the system believes.
type Network struct {
	Proxy       transport.Proxy // nil = none
	Authorities []string        // files of certificates, believed beside the system's and those of each server
}

// Reach replaces how remote servers are reached, from the next start of each on. Until then the environment's proxy is
// used.
func (h *Host) Reach(n Network) { h.network.Store(&n) }

// mostAuthorities bounds the files of certificates of one list.
const mostAuthorities = 16

// Authorities reads certificates of authorities from files in PEM form; "~/" is the user's home. Errors are *ConfigError.
func Authorities(files []string) (all []*x509.Certificate, err error) {
	wrong := func(err error) error { return &ConfigError{"authorities", err} }
	if len(files) > mostAuthorities {
		return nil, wrong(fmt.Errorf("more than %d files", mostAuthorities))
	}
	for _, name := range files {
		path := name
		if rest, ok := strings.CutPrefix(name, "~/"); ok {
			home, err := os.UserHomeDir()
			if err != nil {
				return nil, wrong(err)
			}
			path = filepath.Join(home, rest)
		}
		if !filepath.IsAbs(path) {
			return nil, wrong(fmt.Errorf("%q is not an absolute path", name))
		}
		pem, err := readAuthorities(path)
		if err != nil {
			return nil, wrong(err)
		}
		list, err := transport.ParseCAs(pem)
		if err != nil {
			return nil, wrong(fmt.Errorf("%s: %w", name, err))
		}
		all = append(all, list...)
	}
	return all, nil
}

// readAuthorities reads no more than ParseCAs takes, and nothing that could keep us waiting.
func readAuthorities(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", path, errors.New("not a file"))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, transport.MaxCAs+1))
}
