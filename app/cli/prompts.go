package cli

// This file is `gatehouse prompts`, `gatehouse prompt` and `gatehouse complete`.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"gatehouse/mcphost"
	"gatehouse/mcphost/protocol"
)

const promptsHelp = `Connects to SERVER and lists its prompts with their arguments; a * marks those that are required. With --json they are
printed as received. Starting the server needs your consent, given on the terminal or by a policy.
`

const promptHelp = `Has SERVER expand the prompt NAME and prints its messages. ARGUMENTS is a JSON object whose values are texts, @FILE to
read one from a file, or - to read one from stdin. Nothing goes to a model. Each use has its row in the history.
Starting the server needs your consent, given on the terminal or by a policy.
`

const completeHelp = `Asks SERVER what it proposes for ARGUMENT of the prompt or URI template NAME when VALUE is typed, and prints a value a
line. SETTLED is a JSON object with the other values. The server sees what you give here, except what looks like a
secret; one whose proposals are switched off is not asked.
`

func (r *run) prompts(ctx context.Context) (int, error) {
	return r.withServer(ctx, nil, func(ctx context.Context, s *mcphost.Server) (int, error) {
		if err := r.connect(ctx, s); err != nil {
			return 0, err
		}
		list, err := s.Prompts(ctx)
		if err != nil {
			return 0, err
		}
		if list.Warning != "" {
			r.note("gatehouse: the list is not complete: %s", list.Warning)
		}
		if r.flags.json {
			d := r.listing(s)
			d.raw("prompts", rawList(list.Items, func(v protocol.Prompt) json.RawMessage { return v.Raw }))
			return 0, r.print(d.bytes())
		}
		return 0, r.print(promptList(list.Items))
	})
}

func promptList(prompts []protocol.Prompt) []byte {
	if len(prompts) == 0 {
		return []byte("The server has no prompts.\n")
	}
	var b bytes.Buffer
	for _, p := range prompts {
		var names []string
		for _, a := range p.Arguments {
			name := a.Name
			if a.Required {
				name += "*"
			}
			names = append(names, name)
		}
		entry(&b, p.Name, strings.Join(names, ", "), p.Err, p.DisplayTitle(), p.Description)
	}
	return b.Bytes()
}

func (r *run) prompt(ctx context.Context) (int, error) {
	arguments, err := unlessInterrupted(ctx, func() (map[string]string, error) { return r.texts(2) })
	if err != nil {
		return 0, err
	}
	return r.withServer(ctx, nil, func(ctx context.Context, s *mcphost.Server) (int, error) {
		if err := r.connect(ctx, s); err != nil {
			return 0, err
		}
		result, err := s.GetPrompt(ctx, r.flags.args[1], arguments)
		if err != nil {
			return 0, err
		}
		if r.flags.json {
			d := r.listing(s)
			d.add("prompt", r.flags.args[1])
			d.raw("result", result.Raw)
			return 0, r.print(d.bytes())
		}
		var b strings.Builder
		for _, m := range result.Messages {
			fmt.Fprintf(&b, "[%s]\n%s\n", oneLine(m.Role), strings.TrimSuffix(visible(block(m.Content)), "\n"))
		}
		return 0, r.print([]byte(b.String()))
	})
}

func (r *run) complete(ctx context.Context) (int, error) {
	settled, err := unlessInterrupted(ctx, func() (map[string]string, error) { return r.texts(4) })
	if err != nil {
		return 0, err
	}
	return r.withServer(ctx, nil, func(ctx context.Context, s *mcphost.Server) (int, error) {
		if err := r.connect(ctx, s); err != nil {
			return 0, err
		}
		name := r.flags.args[1]
		p := protocol.CompleteParams{
			Ref:      protocol.CompletionRef{Type: protocol.RefPrompt, Name: name},
			Argument: protocol.CompletionArgument{Name: r.flags.args[2], Value: append(r.flags.args, "")[3]},
			Context:  &protocol.CompletionContext{Arguments: settled},
		}
		if strings.Contains(name, "{") {
			p.Ref = protocol.CompletionRef{Type: protocol.RefResource, URI: name}
		}
		result, err := s.Complete(ctx, p, true)
		if err != nil {
			return 0, err
		}
		if r.flags.json {
			d := r.listing(s)
			d.raw("result", result.Raw)
			return 0, r.print(d.bytes())
		}
		var b strings.Builder
		for _, v := range result.Values {
			b.WriteString(oneLine(v) + "\n")
		}
		if result.HasMore {
			r.note("gatehouse: the server has more values")
		}
		return 0, r.print([]byte(b.String()))
	})
}

// texts reads the nth argument as a JSON object whose values are texts; without it there are none.
func (r *run) texts(n int) (map[string]string, error) {
	if len(r.flags.args) <= n {
		return nil, nil
	}
	line, err := r.object(r.flags.args[n])
	if err != nil {
		return nil, err
	}
	var texts map[string]string
	if err := json.Unmarshal(line, &texts); err != nil {
		return nil, &mcphost.ArgumentsError{Err: fmt.Errorf("every value must be a text: %w", err)}
	}
	return texts, nil
}
