package cli

// This file reads servers from a file in the form that MCP hosts share: {"mcpServers": {name: {…}}}.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

// adHoc returns the server of --config with this name, and nothing else of the file: one bad entry does not spoil the
// others.
func (r *run) adHoc(name string) (mcphost.Servers, error) {
	c, notes, err := readConfig(r.flags.config, name)
	for _, n := range notes {
		r.note("gatehouse: %s", n)
	}
	if err != nil {
		return nil, err
	}
	return adHoc{c}, nil
}

// readConfig reads one server. The notes say what was ignored.
func readConfig(path, name string) (c mcphost.Config, notes []string, err error) {
	top, _, err := readObject("bad-config", path)
	if err != nil {
		return c, nil, err
	}
	if !top.has("mcpServers") {
		return c, nil, top.fault("", errors.New(`there is no "mcpServers" in it`))
	}
	servers, err := top.object("mcpServers")
	if err != nil {
		return c, nil, err
	}
	if name, err = servers.named(name); err != nil {
		return c, nil, err
	}
	entry, err := servers.object(name)
	if err != nil {
		return c, nil, err
	}
	for _, key := range entry.unknown("type", "command", "args", "env", "cwd", "url", "headers", "disabled") {
		notes = append(notes, fmt.Sprintf("%s: %s is not known and was ignored", path, entry.place(key)))
	}
	c, err = entry.server(name)
	return c, notes, err
}

// named returns the member with exactly this name, else the only one whose name differs only in case.
func (o object) named(name string) (string, error) {
	if _, ok := o.members[name]; ok {
		return name, nil
	}
	var same []string
	for _, n := range o.names() {
		if strings.EqualFold(n, name) {
			same = append(same, n)
		}
	}
	if len(same) != 1 {
		return "", o.fault("", unknownServer(name, o.names()))
	}
	return same[0], nil
}

// server turns an entry into a configuration.
func (o object) server(name string) (c mcphost.Config, err error) {
	c = mcphost.Config{ID: adHocID(name), Name: name}
	if c.Transport, err = o.transport(); err != nil {
		return c, err
	}
	if c.Disabled, err = o.truth("disabled"); err != nil {
		return c, err
	}
	if c.Transport == mcphost.HTTP {
		if c.URL, err = o.text("url"); err != nil {
			return c, err
		}
		c.Headers, err = o.variables("headers")
		return c, err
	}
	if c.Command, err = o.text("command"); err != nil {
		return c, err
	}
	if c.Args, err = o.texts("args"); err != nil {
		return c, err
	}
	if c.Dir, err = o.text("cwd"); err != nil {
		return c, err
	}
	c.Env, err = o.variables("env")
	return c, err
}

// transport reads "type", or tells it from what else is there.
func (o object) transport() (string, error) {
	kind, err := o.text("type")
	switch {
	case err != nil:
		return "", err
	case kind == "stdio" || kind == "" && o.has("command") && !o.has("url"):
		kind = mcphost.Stdio
	case kind == "http" || kind == "streamable-http" || kind == "sse" || kind == "" && o.has("url") && !o.has("command"):
		kind = mcphost.HTTP
	case kind != "":
		return "", o.fault("type", fmt.Errorf(`must be "stdio", "http", "streamable-http" or "sse", not %q`, kind))
	case o.has("url"):
		return "", o.fault("", errors.New(`"command" and "url" exclude each other`))
	}
	switch needed := map[string]string{mcphost.Stdio: "command", mcphost.HTTP: "url"}[kind]; {
	case needed == "":
		return "", o.fault("", errors.New(`"command" or "url" is missing`))
	case !o.has(needed):
		return "", o.fault("", fmt.Errorf("%q is missing", needed))
	}
	return kind, nil
}

var wholeReference = regexp.MustCompile(`^\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}$`)

// variables reads environment variables or headers, in the order of their names. A value that is nothing but a
// reference to a variable becomes one, so that it is named and not shown.
func (o object) variables(name string) ([]consent.Var, error) {
	inner, err := o.object(name)
	if err != nil {
		return nil, err
	}
	var vars []consent.Var
	for _, n := range inner.names() {
		if !inner.has(n) {
			return nil, inner.wrong(n, "a string")
		}
		value, err := inner.text(n)
		if err != nil {
			return nil, err
		}
		v := consent.Var{Name: n, Value: value}
		if m := wholeReference.FindStringSubmatch(value); m != nil {
			v = consent.Var{Name: n, Ref: "env:" + m[1]}
		}
		vars = append(vars, v)
	}
	return vars, nil
}

// adHocID names a server of a file by its name alone: it keeps its consents and trusted definitions wherever the file
// lies, and a changed command is noticed as a change.
func adHocID(name string) string {
	sum := sha256.Sum256([]byte(name))
	return "adhoc-" + hex.EncodeToString(sum[:16])
}

// adHoc is the one server of a run, which nothing stores.
type adHoc struct{ config mcphost.Config }

// Servers implements [mcphost.Servers].
func (a adHoc) Servers(context.Context) ([]mcphost.Config, error) {
	return []mcphost.Config{a.config}, nil
}

var errAdHoc = errors.New("servers of --config are not stored")

// PutServer implements [mcphost.Servers] by refusing.
func (adHoc) PutServer(context.Context, mcphost.Config) error { return errAdHoc }

// RemoveServer implements [mcphost.Servers] by refusing.
func (adHoc) RemoveServer(context.Context, string) error { return errAdHoc }
