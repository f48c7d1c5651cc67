package app

// This file is the texts of Copy report: of a server, and of the whole.

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"gatehouse/mcphost/consent"
)

// report is plain text for a bug report or a search: secrets are masked, and what a server wrote cannot act on the
// terminal that it is pasted into.
func report(version string, d ServerDetail) string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	line("Gatehouse", version)
	line("Server", d.Name)
	line("Transport", d.Transport)
	line("Command", d.Origin)
	line("Resolved", d.Command)
	line("Status", d.Status)
	line("Protocol", d.Revision)
	for _, v := range append(d.Draft.Env, d.Draft.Headers...) {
		line("Passes", v.Name) // never the value
	}
	if f := d.Failure; f != nil {
		line("Failure", f.Code+": "+f.Message)
		if f.ExitCode >= 0 {
			line("Exit code", fmt.Sprint(f.ExitCode))
		}
		line("Signal", f.Signal)
		line("Likely cause", f.Hint)
		line("Searched", strings.Join(f.Searched, ":"))
		for _, l := range f.Stderr.First {
			fmt.Fprintf(&b, "stderr| %s\n", consent.Untrusted(l).Display())
		}
		if f.Stderr.LeftOut > 0 {
			fmt.Fprintf(&b, "(%d lines left out)\n", f.Stderr.LeftOut)
		}
		for _, l := range f.Stderr.Last {
			fmt.Fprintf(&b, "stderr| %s\n", consent.Untrusted(l).Display())
		}
	}
	return b.String()
}

// Report is plain text about this installation for whoever helps: no server, no name and no secret is in it.
func (a *App) Report() (text string, err error) {
	defer catch(&err)
	e, _, err := a.engine()
	if err != nil {
		return "", err
	}
	d, err := a.Data()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Gatehouse: %s\nSystem: %s/%s\nBuilt with: %s%s\n", a.version, runtime.GOOS, runtime.GOARCH, runtime.Version(), revision())
	fmt.Fprintf(&b, "Program: %s\nData folder: %s\nDatabase: %d bytes, backups: %d bytes\n", a.self, e.DataDir, d.DatabaseBytes, d.BackupBytes)
	fmt.Fprintf(&b, "Servers: %d, remote: %d\nDecisions: %d, calls: %d, trusted definitions: %d\n", d.Servers, len(d.Remote), d.Decisions, d.Calls, d.Definitions)
	for _, n := range e.Notices {
		fmt.Fprintf(&b, "Notice: %s: %s\n", n.Code, consent.Untrusted(n.Detail).Display())
	}
	return b.String(), nil
}

// revision is the commit that the program was built from, if the build knew it.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return ", commit " + s.Value
		}
	}
	return ""
}
