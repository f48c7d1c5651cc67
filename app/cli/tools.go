package cli

// This file is `gatehouse tools`.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"gatehouse/mcphost"
)

const toolsHelp = `Connects to SERVER and lists its tools with what Gatehouse thinks of them. With --json the definitions are printed as
received. Starting the server needs your consent, given on the terminal or by a policy.
`

func (r *run) tools(ctx context.Context) (int, error) {
	return r.withServer(ctx, nil, func(ctx context.Context, s *mcphost.Server) (int, error) {
		if err := r.connect(ctx, s); err != nil {
			return 0, err
		}
		revision, tools := s.Snapshot().Info.Revision, s.Tools()
		if !r.flags.json {
			return 0, r.print(toolList(tools))
		}
		definitions := make([][]byte, len(tools))
		for i, t := range tools {
			definitions[i] = t.Raw
		}
		var d document
		d.add("server", s.Config().Name)
		d.add("protocolVersion", string(revision))
		d.raw("tools", json.RawMessage("["+string(bytes.Join(definitions, []byte(",")))+"]"))
		return 0, r.print(d.bytes())
	})
}

// toolList is a paragraph a tool: its name and our judgement, then the server's own words.
func toolList(tools []mcphost.Tool) []byte {
	if len(tools) == 0 {
		return []byte("The server has no tools.\n")
	}
	var b bytes.Buffer
	for _, t := range tools {
		change := ""
		if t.Previous != nil {
			change = ", CHANGED since it was trusted"
		}
		fmt.Fprintf(&b, "%s  (%s%s)\n", oneLine(t.Name), classWords[t.Risk().Class], change)
		for line := range strings.Lines(strings.TrimSpace(t.Description)) {
			fmt.Fprintf(&b, "    %s\n", visible(strings.TrimRight(line, "\n")))
		}
	}
	return b.Bytes()
}
