package cli

// This file turns errors into exit codes, codes for scripts and sentences for people.

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/session"
	"gatehouse/mcphost/transport"
)

// classify returns the code of an error for --json and the exit code.
func (r *run) classify(ctx context.Context, err error) (code string, exit int) {
	var (
		usage   *usageError
		file    *fileError
		opening *openError
		refusal *consent.Refusal
	)
	switch {
	case ctx.Err() != nil:
		return "interrupted", exitInterrupted
	case errors.As(err, &usage):
		return "usage", exitUsage
	case errors.Is(err, mcphost.ErrUnknownServer):
		return "unknown-server", exitUsage
	case errors.As(err, &file):
		return file.code, exitUsage
	case errors.Is(err, errOutput):
		return "output", exitUsage
	}
	if code, ok := r.ErrorCodes(err); ok { // the store's: without it nothing can be recorded
		return code, exitRefused
	}
	switch {
	case errors.As(err, &refusal):
		return classifyRefusal(refusal), exitOf(refusal)
	case errors.As(err, &opening):
		return "not-opened", exitUsage
	}
	for _, known := range knownErrors() {
		if known.is(err) {
			return known.code, known.exit
		}
	}
	return "failed", exitConnection
}

func classifyRefusal(r *consent.Refusal) string {
	switch {
	case errors.Is(r, consent.ErrInvalid):
		return "bad-arguments"
	case errors.Is(r, consent.ErrUnrecorded):
		return "not-recorded"
	case errors.Is(r, consent.ErrNobody):
		return "nobody-to-ask"
	}
	return "refused"
}

func exitOf(r *consent.Refusal) int {
	if errors.Is(r, consent.ErrInvalid) {
		return exitUsage
	}
	return exitRefused
}

// A knownError gives an error of the engine its codes.
type knownError struct {
	is   func(error) bool
	code string
	exit int
}

// as matches errors of a type.
func as[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

// is matches a sentinel.
func is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

// knownErrors are in the order of their weight: the first that matches counts.
func knownErrors() []knownError {
	return []knownError{
		{is(consent.ErrUnrecorded), "not-recorded", exitRefused},
		{is(consent.ErrNobody), "nobody-to-ask", exitRefused},
		{is(consent.ErrMismatch), "consent-mismatch", exitRefused},
		{is(mcphost.ErrChanged), "changed", exitRefused},
		{is(mcphost.ErrUnknownTool), "unknown-tool", exitUsage},
		{is(mcphost.ErrDisabled), "server-disabled", exitUsage},
		{as[*transport.NotFoundError], "command-not-found", exitUsage},
		{as[*mcphost.ConfigError], "bad-config", exitUsage},
		{as[*mcphost.ArgumentsError], "bad-arguments", exitUsage},
		{is(mcphost.ErrNoLeave), "completion-off", exitRefused},
		{is(mcphost.ErrSecret), "secret", exitRefused},
		{is(mcphost.ErrPromptTooLarge), "prompt-too-large", exitAnswered},
		{is(session.ErrNotOffered), "not-offered", exitAnswered},
		{is(session.ErrTaskLost), "task-lost", exitConnection},
		{as[*session.TaskError], "task-ended", exitAnswered},
		{is(session.ErrInactive), "timeout", exitConnection},
		{is(session.ErrTotal), "timeout", exitConnection},
		{is(context.DeadlineExceeded), "timeout", exitConnection},
		{as[*jsonrpc.Error], "server-error", exitAnswered},
		{as[*jsonrpc.InvalidResponseError], "invalid-response", exitAnswered},
		{as[*jsonrpc.FrameTooLargeError], "too-large", exitAnswered},
		{as[*mcphost.ExitError], "server-exited", exitConnection},
		{is(session.ErrRevision), "unknown-revision", exitConnection},
		{as[*transport.ProxyError], "proxy", exitConnection},
		{as[*transport.CertificateError], "certificate", exitConnection},
		{as[*transport.HTTPError], "http-status", exitConnection},
		{as[*jsonrpc.ClosedError], "connection-lost", exitConnection},
		{is(mcphost.ErrNotConnected), "connection-lost", exitConnection},
	}
}

// explain is an error as one sentence for people, with what to do about it if we know.
func explain(err error, code string) string {
	if code == "interrupted" {
		return code
	}
	var missing *transport.NotFoundError
	advice := advices[code]
	if errors.As(err, &missing) {
		advice = install(missing.Command)
	}
	if advice == "" {
		return cause(err)
	}
	return cause(err) + "; " + advice
}

var advices = map[string]string{
	"timeout":        "--timeout allows more time",
	"proxy":          "check HTTPS_PROXY, or add the server to NO_PROXY",
	"certificate":    "check the address and this computer's clock; an authority of your own must be installed in the system",
	"not-opened":     "nothing was started",
	"data-gone":      "without a record nothing is started or called; put it back, or run this again",
	"disk-full":      "without a record nothing is started or called",
	"data-read-only": "without a record nothing is started or called; --data-dir DIR uses another place",
}

// cause is an error as a sentence without advice.
func cause(err error) string {
	var refusal *consent.Refusal
	if errors.As(err, &refusal) {
		return explainRefusal(refusal)
	}
	return err.Error()
}

func explainRefusal(r *consent.Refusal) string {
	d := r.Decision
	what := fmt.Sprintf("starting “%s”", d.Server.Alias)
	if d.ToolCall != nil {
		what = fmt.Sprintf("calling %s of “%s”", d.ToolCall.Tool, d.Server.Alias)
	}
	switch {
	case errors.Is(r, consent.ErrNobody):
		return what + " needs your consent, and there is no terminal to ask on; run this once in a terminal, or let a policy answer (--policy)"
	case r.Err != nil:
		return fmt.Sprintf("%s was refused: %v", what, r.Err)
	case d.By == consent.ByUser:
		return what + " was refused by you"
	case d.Reason != "":
		return fmt.Sprintf("%s was refused by %s: %s", what, d.By, d.Reason)
	}
	return fmt.Sprintf("%s was refused by %s", what, d.By)
}

// install says how to get a program that is not there.
func install(command string) string {
	switch base := command[strings.LastIndexAny(command, `/\`)+1:]; base {
	case "npx", "npm", "node":
		return "install Node.js, or give the command's full path"
	case "uvx", "uv":
		return "install uv, or give the command's full path"
	}
	return "install it, or give the command's full path"
}
