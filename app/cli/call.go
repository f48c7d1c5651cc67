package cli

// This file is `gatehouse call`.

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

const callHelp = `Calls TOOL of SERVER and prints its result. ARGUMENTS is a JSON object, @FILE to read one from a file, or - to
read one from stdin; without it the call has no arguments. Starting the server and calling the tool need your
consent, given on the terminal or by a policy. A call that becomes a task of the server is waited for; an interrupt
asks the server to cancel it.
`

// maxArguments is the largest arguments object that is read, in bytes; it has to fit into one frame.
const maxArguments = 64 << 20

func (r *run) call(ctx context.Context) (int, error) {
	arguments, err := unlessInterrupted(ctx, r.arguments)
	if err != nil {
		return 0, err
	}
	return r.withServer(ctx, nil, func(ctx context.Context, s *mcphost.Server) (int, error) {
		if err := r.connect(ctx, s); err != nil {
			return 0, err
		}
		tool, err := s.Tool(r.flags.args[1])
		if errors.Is(err, mcphost.ErrUnknownTool) {
			return 0, fmt.Errorf("%s: %w; `gatehouse tools` lists what it has", s.Config().Name, err)
		} else if err != nil {
			return 0, err
		}
		if problems := tool.Check(arguments); len(problems) > 0 {
			return 0, &mcphost.ArgumentsError{Err: problemsError(problems)}
		}
		quiet := r.tellTasks()
		view, err := r.engine.Host.Call(ctx, mcphost.CallRequest{
			ServerID: s.ID(), Tool: tool.Name, Arguments: arguments, Actor: actor,
			Inactive: r.flags.timeout, Total: r.flags.timeout, AsTask: r.flags.task,
		})
		quiet()
		if view.Task != nil && !view.Task.CancelAsked.IsZero() {
			r.note("gatehouse: the server was asked to cancel the task; it may finish what it has begun")
		}
		if as[*jsonrpc.ClosedError](err) {
			return 0, r.explainEnd(ctx, s, err)
		}
		if err != nil {
			return 0, err
		}
		return r.printCall(view)
	})
}

// tellTasks says on stderr how a call that has become a task goes on, until quiet is called.
func (r *run) tellTasks() (quiet func()) {
	var last mcphost.TaskEvent
	return r.engine.Host.Subscribe(func(n mcphost.Numbered) {
		changed, ok := n.Event.(mcphost.CallChanged)
		if !ok {
			return
		}
		v, _ := r.engine.Host.CallView(changed.ID)
		if v.Task == nil || len(v.Task.Events) == 0 {
			return
		}
		if now := v.Task.Events[len(v.Task.Events)-1]; now != last {
			last = now
			fmt.Fprintln(r.Stderr, "gatehouse: the call runs as a task: "+strings.TrimSuffix(oneLine(now.Status+", "+now.Message), ", "))
		}
	})
}

// endWait is how long the end of a process may follow the end of its output.
const endWait = 2 * time.Second

// explainEnd adds to a lost connection how the server ended, once that is known.
func (r *run) explainEnd(ctx context.Context, s *mcphost.Server, lost error) error {
	ctx, cancel := context.WithTimeout(ctx, endWait)
	defer cancel()
	changes := make(chan struct{}, 1)
	defer r.engine.Host.Subscribe(func(mcphost.Numbered) {
		select {
		case changes <- struct{}{}:
		default: // one is waiting
		}
	})()
	for s.Snapshot().Failure == nil {
		select {
		case <-changes:
		case <-ctx.Done():
			return lost
		}
	}
	return r.failed(ctx, s, fmt.Errorf("%w: %w", lost, s.Snapshot().Failure.Err))
}

// problemsError says what is wrong with the arguments.
type problemsError []consent.Problem

func (e problemsError) Error() string {
	var parts []string
	for _, p := range e {
		parts = append(parts, strings.TrimPrefix(p.Pointer+": "+p.Message, ": "))
	}
	return strings.Join(parts, "; ")
}

// arguments reads the arguments and puts them on one line, every string and number as it was written.
func (r *run) arguments() (json.RawMessage, error) { return r.object(append(r.flags.args, "")[2]) }

// object reads a JSON object from the command line, a file or stdin.
func (r *run) object(text string) (json.RawMessage, error) {
	var raw []byte
	var err error
	source := "the arguments"
	switch {
	case text == "-":
		source = "stdin"
		raw, err = readAtMost(r.Stdin, maxArguments)
	case strings.HasPrefix(text, "@"):
		source = text[1:]
		raw, err = readFile(source, maxArguments)
	default:
		raw = []byte(text)
	}
	if err != nil {
		return nil, &fileError{"bad-arguments", source, "", err}
	}
	line, err := consent.OneLine(raw)
	if err != nil {
		return nil, &fileError{"bad-arguments", source, "", plainSyntax(err)}
	}
	return line, nil
}

// printCall prints the answer of the tool. What is wrong around it goes to stderr.
func (r *run) printCall(v mcphost.CallView) (exit int, err error) {
	if v.Structured != "" {
		r.note("gatehouse: the structured content is not what the tool promises: %s", v.Structured)
	}
	if v.Unrecorded != nil {
		r.note("gatehouse: the call was made, but its end is not in the history: %v", v.Unrecorded)
	}
	if v.Result.IsError {
		exit = exitAnswered
	}
	if r.flags.json {
		var d document
		d.add("server", v.Server)
		d.add("tool", v.Tool)
		d.add("protocolVersion", v.Revision)
		d.add("isError", v.Result.IsError)
		d.raw("result", v.Result.Raw)
		d.add("decision", v.Decision.By)
		d.add("durationMs", v.Duration().Milliseconds())
		return exit, r.print(d.bytes())
	}
	if v.Result.IsError {
		r.note("gatehouse: the tool answered with an error")
	}
	return exit, r.print([]byte(content(v.Result)))
}

// content is a result as text: a paragraph a block.
func content(result *protocol.CallToolResult) string {
	var b strings.Builder
	said := false
	for _, c := range result.Content {
		said = said || c.Type == protocol.ContentText
		b.WriteString(strings.TrimSuffix(visible(block(c)), "\n") + "\n")
	}
	if !said && len(result.StructuredContent) > 0 {
		b.WriteString(visible(strings.Join(jsonLines(result.StructuredContent), "\n")) + "\n")
	}
	return b.String()
}

// block is one block as text. Pictures and sounds are named, not shown.
func block(c protocol.Content) string {
	switch {
	case c.Err != "":
		return fmt.Sprintf("[%s that cannot be read: %s]", c.Type, c.Err)
	case c.Type == protocol.ContentText:
		return c.Text
	case c.Type == protocol.ContentImage, c.Type == protocol.ContentAudio:
		return fmt.Sprintf("[%s, %s, %d bytes]", c.Type, c.MimeType, decodedLen(c.Data))
	case c.Type == protocol.ContentResourceLink:
		return fmt.Sprintf("[link to %s: %s]", c.Name, c.URI)
	case c.Type == protocol.ContentResource && c.Resource != nil && !c.Resource.IsBlob:
		return fmt.Sprintf("[resource %s]\n%s", c.Resource.URI, c.Resource.Text)
	case c.Type == protocol.ContentResource && c.Resource != nil:
		return fmt.Sprintf("[resource %s, %s, %d bytes]", c.Resource.URI, c.Resource.MimeType, decodedLen(c.Resource.Blob))
	}
	return string(c.Raw)
}

func decodedLen(text string) int {
	return base64.StdEncoding.DecodedLen(len(text)) - strings.Count(text[max(0, len(text)-2):], "=")
}
