package cli

// This file is one run of a command: what its files hold, the host opened and closed around it.

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/trace"
)

// closeWait bounds the end of a run: stopping a stubborn server takes five seconds.
const closeWait = 15 * time.Second

// A run is one execution of a command.
type run struct {
	*Program
	flags  flags
	policy *policy // nil without --policy
	engine *Engine // while withServer runs
	sits   *terminalAsker
}

// note writes a line for people to stderr. The text may hold what a server wrote.
func (r *run) note(format string, args ...any) {
	fmt.Fprintln(r.Stderr, visible(fmt.Sprintf(format, args...)))
}

// withServer opens the engine, hands the server over and closes everything again. Nothing is started yet when do is
// called. What crosses the connection goes to watch, which may be nil, and to the file of --trace.
func (r *run) withServer(ctx context.Context, watch func(trace.Entry), do func(context.Context, *mcphost.Server) (int, error)) (exit int, err error) {
	in, err := unlessInterrupted(ctx, r.readInputs)
	if err != nil {
		return 0, err
	}
	file := in.trace
	defer func() {
		if err := file.close(); err != nil {
			r.note("gatehouse: the trace %s is not complete: %v", r.flags.trace, err)
		}
	}()
	r.policy = in.policy
	s := Setup{
		DataDir: r.flags.dataDir, Timeout: r.flags.timeout, Servers: in.servers, Roots: r.givenRoots(), Asker: r.asker(), Offer: r.offer(), Trace: file.beside(watch), LogLevel: r.flags.log,
	}
	if r.engine, err = r.Open(ctx, s); err != nil {
		return 0, &openError{err}
	}
	defer r.closeEngine(ctx)
	defer r.attend(ctx)()
	defer r.tellLog()()
	server, err := find(r.engine.Host, r.flags.args[0])
	if err != nil {
		return 0, err
	}
	if usesKeyring(server.Config()) {
		for _, n := range r.engine.Notices {
			r.note("gatehouse: %s", n)
		}
	}
	return do(ctx, server)
}

// inputs is what the files of the command line hold.
type inputs struct {
	servers mcphost.Servers // nil without --config
	policy  *policy         // nil without --policy
	trace   *traceFile
}

func (r *run) readInputs() (in inputs, err error) {
	if r.flags.config != "" {
		if in.servers, err = r.adHoc(r.flags.args[0]); err != nil {
			return in, err
		}
	}
	if in.policy, err = readPolicy(r.flags.policy); err != nil {
		return in, err
	}
	in.trace, err = openTrace(r.flags.trace)
	return in, err
}

func usesKeyring(c mcphost.Config) bool {
	return slices.ContainsFunc(slices.Concat(c.Env, c.Headers), func(v consent.Var) bool {
		return strings.Contains(v.Ref+v.Value, "keyring:")
	})
}

func (r *run) closeEngine(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWait)
	defer cancel()
	if err := r.engine.Close(ctx); err != nil {
		r.note("gatehouse: closing: %v", err)
	}
}
