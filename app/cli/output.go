package cli

// This file writes results to stdout and failures to where they belong.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"gatehouse/mcphost"
)

// print writes a result.
func (r *run) print(b []byte) error {
	if _, err := r.Stdout.Write(b); err != nil {
		return fmt.Errorf("%w: %w", errOutput, err)
	}
	return nil
}

// A document is one JSON object under construction. encoding/json would rewrite what has to stay as it was received.
type document struct{ b bytes.Buffer }

func (d *document) name(name string) {
	if d.b.Len() == 0 {
		d.b.WriteByte('{')
	} else {
		d.b.WriteByte(',')
	}
	fmt.Fprintf(&d.b, "%q:", name)
}

// raw adds a member whose value is JSON text that is kept byte for byte.
func (d *document) raw(name string, value json.RawMessage) {
	d.name(name)
	if len(value) == 0 {
		value = json.RawMessage("null")
	}
	d.b.Write(value)
}

// add adds a member.
func (d *document) add(name string, value any) {
	d.name(name)
	enc := json.NewEncoder(&d.b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(value) // only values of our own types come here, and they encode
	d.b.Truncate(d.b.Len() - 1)
}

// bytes ends the document.
func (d *document) bytes() []byte {
	d.b.WriteString("}\n")
	return d.b.Bytes()
}

// A problem is an error as it leaves the program.
type problem struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// fail reports an error and returns the exit code.
func (r *run) fail(ctx context.Context, err error) int {
	code, exit := r.classify(ctx, err)
	message := oneLine(explain(err, code))
	r.showEnd(err)
	if r.flags.json && !errors.Is(err, errOutput) {
		var d document
		d.add("error", problem{code, message})
		if failed := r.print(d.bytes()); failed == nil {
			return exit
		}
	}
	fmt.Fprintln(r.Stderr, "gatehouse: "+message)
	return exit
}

// showEnd shows how a local server that ended was started, and its last words (ACC A03). Secrets are masked.
func (r *run) showEnd(err error) {
	var failed *connectError
	var ended *mcphost.ExitError
	if !errors.As(err, &ended) {
		return
	}
	for _, line := range ended.Stderr.First {
		r.note("  stderr: %s", line)
	}
	if n := ended.Stderr.LeftOut; n > 0 {
		r.note("  (%d lines left out)", n)
	}
	for _, line := range ended.Stderr.Last {
		r.note("  stderr: %s", line)
	}
	if errors.As(err, &failed) && failed.launch.Command != "" {
		r.note("  started as: %s", failed.commandLine())
	}
}

// commandLine is what was started, each argument quoted where it needs to be.
func (e *connectError) commandLine() string {
	words := append([]string{e.launch.Command}, mcphost.MaskedArgs(e.launch.Args)...)
	for i, w := range words {
		if w == "" || strings.ContainsAny(w, " \t\n\"'\\") {
			words[i] = fmt.Sprintf("%q", w)
		}
	}
	return strings.Join(words, " ")
}
