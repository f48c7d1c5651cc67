package cli

// This file writes a request down for the terminal: the content of the window's gate as text. What stands at the margin
// is ours; what a server, a model or a file says stands behind a bar, whole, and names are indented.

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"gatehouse/mcphost/consent"
)

// question returns the text of a request for a terminal of that width.
func question(r consent.Request, environ []string, width int) []byte {
	p := newPage(width)
	p.line("\n%s", strings.Repeat("━", min(p.width, usualWidth)))
	switch {
	case r.Launch != nil:
		p.launchTitle(r)
	case r.ToolCall != nil:
		p.line("Gatehouse needs your decision: “%s” wants to run a tool", oneLine(r.Server.Alias))
	case r.Question != nil:
		p.line("Gatehouse needs your decision: “%s” %s", oneLine(r.Server.Alias), questionTitles[r.Kind])
	}
	p.line("%s", strings.Repeat("━", min(p.width, usualWidth)))
	p.line("%s", askedBy(r.Actor))
	if r.RefusedBefore {
		p.line("You refused the same call before.")
	}
	p.field("Origin   ", oneLine(r.Server.Origin))
	if r.Server.Claimed != "" {
		p.field("Calls itself (not checked) ", oneLine(r.Server.Claimed))
	}
	if r.Kind == consent.KindURL || r.Question == nil {
		p.risk(r.Risk)
	}
	switch {
	case r.Launch != nil:
		p.launch(*r.Launch, environ)
		if r.Before != nil {
			p.diff("Changed since it was allowed last:", launchLines(*r.Before), launchLines(*r.Launch))
		}
	case r.ToolCall != nil:
		p.call(*r.ToolCall)
	case r.Question != nil:
		p.asked(r)
		p.line("")
		return p.Bytes()
	}
	for _, problem := range r.Problems {
		p.field("Problem  ", oneLine(problem.Pointer+" "+problem.Message))
	}
	p.line("")
	return p.Bytes()
}

// questionTitles say what a server asks of the user.
var questionTitles = map[consent.Kind]string{
	consent.KindForm: "asks you for details",
	consent.KindURL:  "wants to open a page in your browser",

	consent.KindRoots:      "asks which folders it may know about",
	consent.KindRootAdd:    "asks to add a folder or file and to know about it",
	consent.KindRootRemove: "asks not to know about a folder or file any more",
	consent.KindSample:     "wants to ask a model a question; you answer in its place",
}

// asked writes what a server asks of the user.
func (p *page) asked(r consent.Request) {
	if r.Question.Tool != "" {
		p.field("Needed for ", oneLine(r.Question.Tool))
	}
	switch r.Kind {
	case consent.KindForm:
		p.form(r)
	case consent.KindURL:
		p.address(*r.Question)
	case consent.KindSample:
		p.sample(*r.Question)
	case consent.KindRootAdd, consent.KindRootRemove:
		p.line("The folder or file stays as it is. This is about exactly:")
		for _, line := range jsonLines(r.Question.Reply) {
			p.field("  ", visible(line))
		}
	case consent.KindRoots:
		p.line("Only names and paths are sent, never the files.\n\nExactly this would be sent:")
		for _, line := range jsonLines(r.Question.Reply) {
			p.field("  ", visible(line))
		}
	}
}

func askedBy(a consent.Actor) string {
	switch a.Kind {
	case consent.ActorScript:
		return "Asked for by the command line"
	case consent.ActorModel:
		return "Asked for by the model " + oneLine(a.Name)
	case consent.ActorServer:
		return "Asked for by the server"
	}
	return "Asked for by you"
}

// risk writes what Gatehouse found out.
func (p *page) risk(r consent.Risk) {
	var words []string
	for _, c := range r.Classes {
		words = append(words, classWords[c])
	}
	high := ""
	if r.High {
		high = " · HIGH RISK"
	}
	p.line("Risk     %s%s", strings.Join(words, ", "), high)
	if len(r.Findings) == 0 {
		p.line("  Gatehouse found nothing that stands out. That does not make it safe.")
	}
	for _, f := range r.Findings {
		p.field("  - "+findingWords(f.Code)+" ", oneLine(strings.TrimSpace(f.Detail+where(f))))
	}
}

// where says where a finding is.
func where(f consent.Finding) string {
	at := f.Pointer
	kind, name, _ := strings.Cut(f.Pointer, "/")
	switch {
	case f.Pointer == "":
		return " (definition)"
	case kind == "args":
		n, _ := strconv.Atoi(name) // the broker counts arguments from 0
		at = "argument " + strconv.Itoa(n+1)
	case kind == "env":
		at = "variable " + name
	case kind == "headers":
		at = "header " + name
	}
	if f.Line > 1 {
		at += ", line " + strconv.Itoa(f.Line)
	}
	return " (" + at + ")"
}

// call writes the arguments whole, then what the server says of its tool.
func (p *page) call(c consent.ToolCall) {
	p.field("Tool     ", oneLine(c.Tool))
	p.line("")
	names, values := members(c.Arguments)
	if len(names) == 0 {
		p.line("No arguments")
	} else {
		p.line("Arguments:")
	}
	for i, name := range names {
		p.field("  "+oneLine(name)+" ", value(values[i]))
	}
	if len(c.Previous) > 0 {
		p.diff("\nTHE DEFINITION OF THIS TOOL HAS CHANGED since it was trusted:", jsonLines(c.Previous), jsonLines(c.Definition))
		return
	}
	var definition struct{ Description any }
	_ = json.Unmarshal(c.Definition, &definition) // what cannot be read is not shown as a description
	if text, ok := definition.Description.(string); ok && text != "" {
		p.line("\nWritten by the server, not checked:")
		p.field("  ", visible(text))
	}
}

// members returns the members of an object in their order, the values as they stand.
func members(object json.RawMessage) (names []string, values []json.RawMessage) {
	d := json.NewDecoder(bytes.NewReader(object))
	if _, err := d.Token(); err != nil {
		return nil, nil
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			break
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			break
		}
		names, values = append(names, name.(string)), append(values, value)
	}
	return names, values
}

// value shows strings as text and everything else as it will be sent.
func value(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil && raw[0] == '"' {
		return visible(text)
	}
	return oneLine(string(raw))
}

// jsonLines is a JSON text as indented lines.
func jsonLines(raw json.RawMessage) []string {
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return []string{string(raw)}
	}
	return strings.Split(b.String(), "\n")
}
