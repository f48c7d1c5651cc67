package app

// This file is the text of Copy report.

import (
	"fmt"
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
		line("Searched", strings.Join(f.Searched, ":"))
		for _, l := range f.Stderr {
			fmt.Fprintf(&b, "stderr| %s\n", consent.Untrusted(l).Display())
		}
	}
	return b.String()
}
