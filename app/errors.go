package app

// This file turns errors into what the page can show: a catalogue key, one sentence and the raw cause.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"gatehouse/mcphost"
	"gatehouse/mcphost/chat"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/llm/manual"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
	"gatehouse/mcphost/transport"
)

// A failure is an error with its catalogue key (errors.* in the page's catalogue).
type failure struct {
	code   string
	detail string // data for the sentence: a field, a name, a path
	err    error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

func badInput(field, value string) error {
	return &failure{"bad-input", field, fmt.Errorf("%s: %q is not a value it can have", field, value)}
}

// catch turns a panic in a bound method into an error: Wails would leave the page waiting for ever.
func catch(err *error) {
	if p := recover(); p != nil {
		*err = &failure{"internal", "", fmt.Errorf("panic: %v", p)}
	}
}

// An ErrorCode gives an error of another package its catalogue key.
type ErrorCode struct {
	Err  error
	Code string
}

// formatError is the ErrorFormatter of the window. It must return a string: an object would arrive as
// "[object Object]".
func (d *desk) formatError(err error) any {
	code, detail := classify(err, d.codes)
	text, marshal := json.Marshal(struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		Detail  string `json:"detail"`
	}{code, consent.Untrusted(err.Error()).Display(), consent.Untrusted(detail).Display()})
	if marshal != nil {
		return `{"code":"internal","message":"","detail":""}`
	}
	return string(text)
}

func classify(err error, more []ErrorCode) (code, detail string) {
	var (
		f       *failure
		missing *transport.NotFoundError
		config  *mcphost.ConfigError
		args    *mcphost.ArgumentsError
		answer  *jsonrpc.Error
	)
	switch {
	case errors.As(err, &f):
		return f.code, f.detail
	case errors.As(err, &missing):
		return "command-not-found", missing.Command
	case errors.As(err, &config):
		return "bad-config", config.Field
	case errors.As(err, &args):
		return "bad-arguments", args.Err.Error()
	case errors.As(err, &answer):
		return "server-error", answer.Message
	}
	for _, known := range slices.Concat(more, []ErrorCode{
		{mcphost.ErrUnknownServer, "unknown-server"},
		{mcphost.ErrUnknownTool, "unknown-tool"},
		{mcphost.ErrInstructions, "instructions-changed"},
		{mcphost.ErrNotConnected, "not-connected"},
		{mcphost.ErrDisabled, "server-disabled"},
		{mcphost.ErrAside, "server-aside"},
		{mcphost.ErrClosed, "closing"},
		{mcphost.ErrPromptTooLarge, "prompt-too-large"},
		{ErrTooMuch, "too-much-attached"},
		{session.ErrNotOffered, "not-offered"},
		{session.ErrSubscriptions, "too-many-subscriptions"},
		{protocol.ErrTemplate, "bad-template"},
		{consent.ErrUnrecorded, "not-recorded"},
		{consent.ErrMismatch, "consent-mismatch"},
		{consent.ErrWithdrawn, "withdrawn"},
		{consent.ErrNotArmed, "not-armed"},
		{consent.ErrInvalid, "bad-arguments"},
		{chat.ErrBusy, "chat-busy"},
		{chat.ErrClosed, "closing"},
		{manual.ErrNotWaiting, "not-waiting"},
		{context.DeadlineExceeded, "timeout"},
		{context.Canceled, "cancelled"},
	}) {
		if errors.Is(err, known.Err) {
			return known.Code, ""
		}
	}
	return "internal", ""
}
