package mcphost

// This file turns a Config into the Launch that is shown, digested and approved, and fills its references in
// afterwards. Forms: ${VAR}, ${VAR:-default}, ${env:VAR}, ${keyring:key}.
//
// Command, arguments, folder and URL are filled in before consent, so that the user sees what will run.
// Environment variables and headers keep their references: their values are secrets more often than not.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/transport"
)

// The transports of a Config.
const (
	Stdio = "stdio"
	HTTP  = "http"
)

// A ConfigError says which field of a server's configuration is wrong.
type ConfigError struct {
	Field string // as in the configuration: "command", "env.NAME", "args[2]" …
	Err   error
}

func (e *ConfigError) Error() string { return e.Field + ": " + e.Err.Error() }
func (e *ConfigError) Unwrap() error { return e.Err }

// Launch returns what starting c means now: the command made absolute, references filled in where they are
// shown. It starts nothing. Errors are *ConfigError; an unknown command wraps *transport.NotFoundError.
func (h *Host) Launch(ctx context.Context, c Config) (consent.Launch, error) {
	env := lookup(h.opts.Environ)
	l := consent.Launch{Transport: c.Transport}
	var err error
	switch c.Transport {
	case Stdio:
		if l.Command, err = expand("command", c.Command, env); err != nil {
			return l, err
		}
		if l.Command, err = h.opts.Resolver.Resolve(ctx, l.Command); err != nil {
			return l, &ConfigError{"command", err}
		}
		for i, a := range c.Args {
			field := fmt.Sprintf("args[%d]", i)
			if a, err = expand(field, a, env); err != nil {
				return l, err
			}
			if strings.ContainsRune(a, 0) {
				return l, &ConfigError{field, errors.New("it holds a NUL character, which no program can be given")}
			}
			l.Args = append(l.Args, a)
		}
		if l.Dir, err = directory(c.Dir, env); err != nil {
			return l, err
		}
		l.Env = c.Env
		return l, checkNames("env", c.Env)
	case HTTP:
		if l.URL, err = expand("url", c.URL, env); err != nil {
			return l, err
		}
		l.Headers = c.Headers
		if _, err = transport.DialHTTP(l.URL, nil); err != nil { // it contacts nothing
			return l, &ConfigError{"url", err}
		}
		return l, checkNames("headers", c.Headers)
	}
	return l, &ConfigError{"type", fmt.Errorf("%q is not a transport; use %q or %q", c.Transport, Stdio, HTTP)}
}

func directory(dir string, env func(string) (string, bool)) (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", &ConfigError{"cwd", err}
	}
	if dir, err = expand("cwd", dir, env); err != nil {
		return "", err
	}
	switch {
	case dir == "" || dir == "~":
		dir = home
	case strings.HasPrefix(dir, "~/"):
		dir = filepath.Join(home, dir[2:])
	}
	if !filepath.IsAbs(dir) {
		return "", &ConfigError{"cwd", fmt.Errorf("%q is not an absolute path", dir)}
	}
	info, err := os.Stat(dir)
	if err != nil {
		return "", &ConfigError{"cwd", err}
	}
	if !info.IsDir() {
		return "", &ConfigError{"cwd", fmt.Errorf("%q is not a folder", dir)}
	}
	return filepath.Clean(dir), nil
}

func checkNames(field string, vars []consent.Var) error {
	seen := map[string]bool{}
	for _, v := range vars {
		name := v.Name
		if field == "headers" {
			name = strings.ToLower(name)
		}
		if name == "" || strings.ContainsAny(name, "=\x00\r\n :") {
			return &ConfigError{field, fmt.Errorf("%q is not a name", v.Name)}
		}
		if seen[name] {
			return &ConfigError{field + "." + v.Name, fmt.Errorf("the name is given twice")}
		}
		if strings.ContainsAny(v.Value, "\x00") || (field == "headers" && strings.ContainsAny(v.Value, "\r\n")) {
			return &ConfigError{field + "." + v.Name, fmt.Errorf("the value holds a character that cannot be sent")}
		}
		seen[name] = true
	}
	return nil
}

var reference = regexp.MustCompile(`\$\{[^{}]*\}`)

// expand fills ${VAR}, ${VAR:-default} and ${env:VAR} in; other references are an error here.
func expand(field, s string, env func(string) (string, bool)) (string, error) {
	return replace(field, s, func(name, fallback string, hasFallback bool) (string, error) {
		return fill(name, fallback, hasFallback, env)
	})
}

func replace(field, s string, value func(name, fallback string, hasFallback bool) (string, error)) (string, error) {
	var failed error
	out := reference.ReplaceAllStringFunc(s, func(ref string) string {
		name, fallback, has := strings.Cut(ref[2:len(ref)-1], ":-")
		v, err := value(strings.TrimPrefix(name, "env:"), fallback, has)
		if err != nil && failed == nil {
			failed = &ConfigError{field, err}
		}
		return v
	})
	return out, failed
}

// values resolves the references of a launch's variables or headers, in their order. It runs after consent; a
// server reaches only keys under its own id (SEC J4).
func (h *Host) values(ctx context.Context, serverID string, l consent.Launch) ([]string, error) {
	field, vars := "env", l.Env
	if l.Transport == HTTP {
		field, vars = "headers", l.Headers
	}
	env := lookup(h.opts.Environ)
	out := make([]string, len(vars))
	for i, v := range vars {
		text := v.Value
		if v.Ref != "" {
			text = "${" + v.Ref + "}"
		}
		value, err := replace(field+"."+v.Name, text, func(name, fallback string, has bool) (string, error) {
			if key, ok := strings.CutPrefix(name, "keyring:"); ok {
				return h.secret(ctx, serverID, key)
			}
			return fill(name, fallback, has, env)
		})
		if err != nil {
			return nil, err
		}
		out[i] = value
	}
	return out, nil
}

// fill looks one reference up in the environment.
func fill(name, fallback string, hasFallback bool, env func(string) (string, bool)) (string, error) {
	if kind, _, found := strings.Cut(name, ":"); found {
		return "", fmt.Errorf("references of the kind ${%s:…} are not known here", kind)
	}
	if v, ok := env(name); ok {
		return v, nil
	}
	if hasFallback {
		return fallback, nil
	}
	return "", fmt.Errorf("the environment has no variable %s", name)
}

// SecretKey is the keyring key of one variable of one server; field is "env" or "headers".
func SecretKey(serverID, field, name string) string { return serverID + "/" + field + "/" + name }

func (h *Host) secret(ctx context.Context, serverID, key string) (string, error) {
	if !strings.HasPrefix(key, serverID+"/") {
		return "", fmt.Errorf("the keyring entry %q belongs to another server", key)
	}
	return h.ports.Secrets.Secret(ctx, key)
}

func lookup(environ []string) func(string) (string, bool) {
	m := make(map[string]string, len(environ))
	for _, e := range environ {
		if name, value, ok := strings.Cut(e, "="); ok {
			m[name] = value
		}
	}
	return func(name string) (string, bool) { v, ok := m[name]; return v, ok }
}

// identity is how requests name a server.
func identity(c Config, l consent.Launch, info protocol.Implementation) consent.Server {
	return consent.Server{ID: c.ID, Alias: c.Name, Claimed: info.Name, Origin: Origin(l)}
}
