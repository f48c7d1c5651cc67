package cli

// This file is `gatehouse doctor`: the steps of a connection, one after the other.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/trace"
	"gatehouse/mcphost/transport"
)

const doctorHelp = `Connects to SERVER step by step and says which step fails, why, and what to do. Starting the server needs your consent,
given on the terminal or by a policy. No tool is called.
`

// The states of a check.
const (
	checkOK       = "ok"
	checkFailed   = "failed"
	checkNotTried = "not tried"
)

// A check is one step of a connection.
type check struct {
	Name   string `json:"name"`
	Status string `json:"status"`
	Detail string `json:"detail,omitempty"` // what was found
	Cause  string `json:"cause,omitempty"`  // why it failed
	Fix    string `json:"fix,omitempty"`
}

// The checks, in the order of a connection.
const (
	checkConfig  = iota
	checkCommand // for a remote server: its address
	checkConsent
	checkProcess // for a remote server: it answers
	checkProtocol
	checkTools
)

// A diagnosis is the state of every check.
type diagnosis struct {
	server string
	checks []check
	err    error // of the first check that failed
}

func newDiagnosis(server string) *diagnosis {
	d := &diagnosis{server: server}
	for _, name := range []string{"configuration", "command", "launch consent", "process", "protocol", "tools"} {
		d.checks = append(d.checks, check{Name: name, Status: checkNotTried})
	}
	return d
}

func (d *diagnosis) ok(at int, format string, args ...any) {
	d.checks[at].Status, d.checks[at].Detail = checkOK, oneLine(fmt.Sprintf(format, args...))
}

func (d *diagnosis) fail(at int, err error, fix string) {
	d.checks[at].Status, d.checks[at].Cause, d.checks[at].Fix = checkFailed, oneLine(cause(err)), fix
	d.err = err
}

func (r *run) doctor(ctx context.Context) (int, error) {
	d := newDiagnosis(r.flags.args[0])
	w := &wire{}
	_, err := r.withServer(ctx, w.see, func(ctx context.Context, s *mcphost.Server) (int, error) {
		r.examine(ctx, d, s, w)
		return 0, nil
	})
	var file *fileError
	switch {
	case errors.As(err, &file) && file.code == "bad-config":
		d.fail(checkConfig, err, "correct the file")
	case err != nil:
		return 0, err
	}
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	return r.printDiagnosis(ctx, d)
}

// examine goes through the steps until one fails.
func (r *run) examine(ctx context.Context, d *diagnosis, s *mcphost.Server, w *wire) {
	c := s.Config()
	remote := c.Transport == mcphost.HTTP
	if remote {
		d.checks[checkCommand].Name, d.checks[checkProcess].Name = "address", "answer"
	}
	if c.Disabled {
		d.fail(checkConfig, mcphost.ErrDisabled, "enable it")
		return
	}
	launch, err := r.engine.Host.Launch(ctx, c)
	var missing *transport.NotFoundError
	switch {
	case errors.As(err, &missing):
		d.ok(checkConfig, "%s", c.Transport)
		d.fail(checkCommand, err, install(missing.Command))
		return
	case err != nil:
		d.fail(checkConfig, err, "correct the configuration of the server")
		return
	}
	d.ok(checkConfig, "%s", c.Transport)
	d.ok(checkCommand, "%s", launch.Command+launch.URL)
	if err := r.connect(ctx, s); err != nil {
		r.blame(d, w, err, remote)
		return
	}
	d.ok(checkConsent, "%s", r.consented(ctx, s.ID(), launch))
	if remote {
		d.ok(checkProcess, "it answers")
	} else {
		d.ok(checkProcess, "it runs")
	}
	snap := s.Snapshot()
	d.ok(checkProtocol, "%s, the server calls itself “%s” %s", snap.Info.Revision, snap.Info.Server.Name, snap.Info.Server.Version)
	d.ok(checkTools, "%d tools, %d of them changed since they were trusted", snap.Tools, snap.Changed)
	if snap.Warning != "" {
		d.checks[checkTools].Detail += "; " + oneLine(snap.Warning)
	}
}

// consented says on whose decision the launch rests.
func (r *run) consented(ctx context.Context, id string, l consent.Launch) string {
	decision, ok, err := r.engine.Host.Approved(ctx, id, l.Digest())
	if err != nil || !ok {
		return "given"
	}
	return "given by " + decision.By + " on " + decision.At.Local().Format(time.DateTime)
}

// blame finds the step that failed in what went over the wire.
func (r *run) blame(d *diagnosis, w *wire, err error, remote bool) {
	var config *mcphost.ConfigError
	var ended *mcphost.ExitError
	sent, heard, next := w.far()
	if _, exit := r.classify(context.Background(), err); exit == exitRefused && !sent {
		d.fail(checkConsent, err, "run this in a terminal and read the question, or let a policy answer (--policy)")
		return
	}
	d.ok(checkConsent, "given")
	switch {
	case errors.As(err, &config): // a reference that could not be filled in
		d.fail(checkConfig, err, "set the variable, or correct the reference")
		return
	case remote && !heard:
		d.fail(checkProcess, err, "check the address, the headers, and that the server runs")
		return
	case !remote && (!sent || errors.As(err, &ended) && !heard):
		d.fail(checkProcess, err, "read what it wrote to stderr; start it by hand with the same arguments")
		r.showEnd(err)
		return
	}
	d.ok(checkProcess, "it answers")
	if !next {
		d.fail(checkProtocol, err, "the server has to speak MCP on its stdout, or at this address, and nothing else")
		return
	}
	d.ok(checkProtocol, "initialized")
	d.fail(checkTools, err, "this is a fault of the server")
}

func (r *run) printDiagnosis(ctx context.Context, d *diagnosis) (exit int, err error) {
	var failure *problem
	if d.err != nil {
		code, e := r.classify(ctx, d.err)
		failure, exit = &problem{code, oneLine(explain(d.err, code))}, e
	}
	if r.flags.json {
		var doc document
		doc.add("server", d.server)
		doc.add("checks", d.checks)
		if failure != nil {
			doc.add("error", failure)
		}
		return exit, r.print(doc.bytes())
	}
	var b bytes.Buffer
	for _, c := range d.checks {
		fmt.Fprintf(&b, "%-10s%-16s%s\n", c.Status, c.Name, c.Detail+c.Cause)
		if c.Fix != "" {
			fmt.Fprintf(&b, "%s%s\n", strings.Repeat(" ", 26), c.Fix)
		}
	}
	return exit, r.print(b.Bytes())
}

// A wire sees how far a connection came. It is safe for concurrent use.
type wire struct {
	mu                sync.Mutex
	sent, heard, next bool // an opening went out; something came back; tools/list went out
}

// see takes what crosses the connection.
func (w *wire) see(e trace.Entry) {
	if e.Kind != trace.Message || e.Method == "" && e.ID.IsZero() {
		return // noise
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case e.Dir == trace.In:
		w.heard = true
	case e.Method == "server/discover":
		w.sent = true
	case e.Method == "initialize":
		w.sent, w.heard = true, false // an answer to the question for its era is not yet one
	case e.Method == "tools/list":
		w.next = true
	}
}

// far tells how far.
func (w *wire) far() (sent, heard, next bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sent, w.heard, w.next
}
