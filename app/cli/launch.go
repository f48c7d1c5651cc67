package cli

// This file writes down what a launch starts.

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/transport"
)

func (p *page) launchTitle(r consent.Request) {
	if r.Launch.Transport == mcphost.HTTP {
		p.line("Gatehouse needs your decision: connect to “%s”?", oneLine(r.Server.Alias))
		p.line("A remote server sees what is sent to it. Nothing has been sent yet.")
		return
	}
	p.line("Gatehouse needs your decision: let “%s” run a program on this computer?", oneLine(r.Server.Alias))
	p.line("A local server can do whatever you can do. Nothing has been started yet.")
}

// launch writes what will be started or contacted, an argument a row.
func (p *page) launch(l consent.Launch, environ []string) {
	p.line("")
	if l.Transport == mcphost.HTTP {
		p.field("Address     ", oneLine(l.URL))
		p.variables("Headers", l.Headers)
		return
	}
	p.field("Program     ", oneLine(l.Command))
	for i, a := range l.Args {
		p.field(fmt.Sprintf("Argument %-2d%s ", i+1, lengthOf(a)), oneLine(a))
	}
	if len(l.Args) == 0 {
		p.line("No arguments")
	}
	p.field("Folder      ", oneLine(l.Dir))
	p.variables("Variables", l.Env)
	p.line("Passed on besides: %s", strings.Join(transport.BaseEnvNames(environ), " "))
}

// lengthOf tells the length where it is hard to see.
func lengthOf(argument string) string {
	switch n := utf8.RuneCountInString(argument); {
	case n == 0:
		return " (empty)"
	case n > usualWidth:
		return fmt.Sprintf(" (%d characters)", n)
	}
	return ""
}

func (p *page) variables(label string, vars []consent.Var) {
	if len(vars) == 0 {
		p.line("%s: none", label)
		return
	}
	p.line("%s:", label)
	for _, v := range vars {
		switch source, key, _ := strings.Cut(v.Ref, ":"); {
		case source == "env":
			p.line("  %s = the value of your variable %s, not shown", oneLine(v.Name), oneLine(key))
		case v.Ref != "":
			p.line("  %s = kept in the keyring, not shown", oneLine(v.Name))
		default:
			p.field("  "+oneLine(v.Name)+" ", oneLine(v.Value))
		}
	}
}

// launchLines is a launch as lines to compare.
func launchLines(l consent.Launch) []string {
	lines := []string{"program " + l.Command}
	if l.Transport == mcphost.HTTP {
		lines = []string{"address " + l.URL}
	}
	for _, a := range l.Args {
		lines = append(lines, "argument "+a)
	}
	if l.Dir != "" {
		lines = append(lines, "folder "+l.Dir)
	}
	for _, v := range l.Env {
		lines = append(lines, "variable "+assignment(v))
	}
	for _, v := range l.Headers {
		lines = append(lines, "header "+assignment(v))
	}
	return lines
}

func assignment(v consent.Var) string {
	if v.Ref != "" {
		return v.Name + " = ${" + v.Ref + "}"
	}
	return v.Name + " = " + v.Value
}
