// Package cli is the headless twin of the window: the same host, the same gate and the same history, driven from a
// terminal or a script.
//
//	gatehouse tools SERVER · gatehouse call SERVER TOOL [ARGUMENTS] · gatehouse tasks SERVER · gatehouse doctor SERVER
//	gatehouse resources SERVER · gatehouse read SERVER URI · gatehouse prompts SERVER · gatehouse prompt SERVER NAME
//	gatehouse complete SERVER NAME ARGUMENT
//
// stdout carries the result, one JSON document with --json; everything else goes to stderr. Questions go to the
// controlling terminal, or to a policy file; without either they are refused.
package cli

import (
	"context"
	"errors"
	"io"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/session"
	"gatehouse/mcphost/trace"
)

// Exit codes.
const (
	exitOK          = 0
	exitAnswered    = 1   // the tool or the server answered with an error
	exitUsage       = 2   // usage, configuration, unknown server or tool, invalid arguments
	exitRefused     = 3   // consent refused, not obtainable or not recordable
	exitConnection  = 4   // could not connect, connection lost, timed out
	exitInterrupted = 130 // by the user
)

// Setup is what one run wants from main.
type Setup struct {
	DataDir  string          // "" = the default one
	Servers  mcphost.Servers // the servers of --config; nil = the stored ones
	Roots    mcphost.Roots   // those of the policy; nil = the stored ones
	Asker    consent.Asker
	Offer    session.Offer     // what servers may ask of whoever answers
	Trace    func(trace.Entry) // what crosses every connection; nil if nobody looks
	LogLevel string            // what servers are asked to log, in the place of what their settings say; "" = that
	Timeout  time.Duration     // for connecting and for calls; 0 = the defaults
}

// An Engine is an opened host.
type Engine struct {
	Host    *mcphost.Host
	Close   func(context.Context) error // ends the host, then the store
	Notices []string                    // what is wrong with the keyring; told if the server needs it
}

// A Program is the terminal's side of Gatehouse. All fields are required.
type Program struct {
	Version        string
	Open           func(ctx context.Context, s Setup) (*Engine, error)
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Environ        []string                           // of this process
	Terminal       func() (Terminal, error)           // opens the terminal that questions go to; an error means that there is none
	ErrorCodes     func(error) (code string, ok bool) // names the store's errors
}

// Run executes one command line, without the program's name, and returns the exit code. When ctx ends the call is
// cancelled on the wire, the server is ended, and the code is 130.
func (p *Program) Run(ctx context.Context, args []string) (exit int) {
	f, err := parseFlags(args)
	r := &run{Program: p, flags: f}
	switch {
	case err != nil:
	case f.help:
		err = r.print([]byte(usage(p.Version, f.command)))
	default:
		exit, err = commands()[f.command].do(r, ctx)
	}
	if err != nil {
		exit = r.fail(ctx, err)
	}
	return exit
}

// A command is one verb of the command line.
type command struct {
	synopsis string // what follows the verb
	about    string
	detail   string
	least    int // arguments
	most     int
	do       func(*run, context.Context) (exit int, err error)
}

// commands returns the verbs.
func commands() map[string]command {
	return map[string]command{
		"tools":     {"SERVER", "list the tools of a server", toolsHelp, 1, 1, (*run).tools},
		"call":      {"SERVER TOOL [ARGUMENTS]", "call a tool", callHelp, 2, 3, (*run).call},
		"resources": {"SERVER [QUERY]", "list the resources of a server", resourcesHelp, 1, 2, (*run).resources},
		"read":      {"SERVER URI", "read a resource", readHelp, 2, 2, (*run).read},
		"prompts":   {"SERVER", "list the prompts of a server", promptsHelp, 1, 1, (*run).prompts},
		"prompt":    {"SERVER NAME [ARGUMENTS]", "have a prompt expanded", promptHelp, 2, 3, (*run).prompt},
		"complete":  {"SERVER NAME ARGUMENT [VALUE [SETTLED]]", "ask what a server proposes", completeHelp, 3, 5, (*run).complete},
		"tasks":     {"SERVER", "wait for the tasks that earlier runs have left", tasksHelp, 1, 1, (*run).tasks},
		"doctor":    {"SERVER", "check a connection step by step", doctorHelp, 1, 1, (*run).doctor},
	}
}

// An openError is a failure before any server was touched.
type openError struct{ err error }

func (e *openError) Error() string { return e.err.Error() }

func (e *openError) Unwrap() error { return e.err }

// errOutput is wrapped when stdout does not take the result.
var errOutput = errors.New("the result could not be written")
