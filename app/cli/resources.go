package cli

// This file is `gatehouse resources` and `gatehouse read`.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"gatehouse/mcphost"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

const resourcesHelp = `Connects to SERVER and lists its resources and templates. With QUERY the server searches, if it can (2024-11-05); else
its list is narrowed here. With --json they are printed as received. Starting the server needs your consent, given on
the terminal or by a policy.
`

const readHelp = `Reads the resource URI at SERVER, and nowhere else whatever the URI looks like, and prints its contents. Each read has
its row in the history. Starting the server needs your consent, given on the terminal or by a policy.
`

func (r *run) resources(ctx context.Context) (int, error) {
	return r.withServer(ctx, nil, func(ctx context.Context, s *mcphost.Server) (int, error) {
		if err := r.connect(ctx, s); err != nil {
			return 0, err
		}
		query := append(r.flags.args, "")[1]
		found, err := searched(ctx, s, query)
		if err != nil {
			return 0, err
		}
		templates, err := s.ResourceTemplates(ctx)
		if err != nil {
			return 0, err
		}
		for _, w := range []string{found.Warning, templates.Warning} {
			if w != "" {
				r.note("gatehouse: the list is not complete: %s", w)
			}
		}
		if r.flags.json {
			d := r.listing(s)
			d.raw("resources", rawList(found.Items, func(v protocol.Resource) json.RawMessage { return v.Raw }))
			d.raw("resourceTemplates", rawList(templates.Items, func(v protocol.ResourceTemplate) json.RawMessage { return v.Raw }))
			return 0, r.print(d.bytes())
		}
		return 0, r.print(resourceList(found.Items, templates.Items))
	})
}

// searched returns all resources, or those that a query finds: the server's search if it has one, else its list narrowed.
func searched(ctx context.Context, s *mcphost.Server, query string) (session.List[protocol.Resource], error) {
	if query != "" {
		found, err := s.SearchResources(ctx, query)
		if !errors.Is(err, session.ErrNotOffered) {
			return found, err
		}
	}
	all, err := s.Resources(ctx)
	if err != nil || query == "" {
		return all.List, err
	}
	narrowed := session.List[protocol.Resource]{Warning: all.Warning}
	for _, each := range all.Items {
		if strings.Contains(strings.ToLower(each.DisplayTitle()+"\n"+each.Name+"\n"+each.URI), strings.ToLower(query)) {
			narrowed.Items = append(narrowed.Items, each)
		}
	}
	return narrowed, nil
}

func resourceList(resources []protocol.Resource, templates []protocol.ResourceTemplate) []byte {
	if len(resources)+len(templates) == 0 {
		return []byte("There are no resources.\n")
	}
	var b bytes.Buffer
	for _, v := range resources {
		facts := v.MimeType
		if v.Size != nil {
			facts = strings.TrimPrefix(fmt.Sprintf("%s, %d bytes", facts, *v.Size), ", ")
		}
		entry(&b, v.URI, facts, v.Err, v.DisplayTitle(), v.Description)
	}
	for _, v := range templates {
		entry(&b, v.URITemplate, "template", v.Err, v.DisplayTitle(), v.Description)
	}
	return b.Bytes()
}

// entry is a paragraph of a list: its name and what is known of it, then the server's own words.
func entry(b *bytes.Buffer, name, facts, problem string, texts ...string) {
	if problem != "" {
		facts = "cannot be used: " + problem
	}
	if facts != "" {
		facts = "  (" + oneLine(facts) + ")"
	}
	fmt.Fprintf(b, "%s%s\n", oneLine(name), facts)
	for _, text := range texts {
		if text == "" || text == name {
			continue
		}
		for line := range strings.Lines(strings.TrimSpace(text)) {
			fmt.Fprintf(b, "    %s\n", visible(strings.TrimRight(line, "\n")))
		}
	}
}

// listing begins a document about what a server has.
func (r *run) listing(s *mcphost.Server) *document {
	var d document
	d.add("server", s.Config().Name)
	d.add("protocolVersion", string(s.Snapshot().Info.Revision))
	return &d
}

func rawList[T any](items []T, raw func(T) json.RawMessage) json.RawMessage {
	all := make([][]byte, len(items))
	for i, each := range items {
		all[i] = raw(each)
	}
	return json.RawMessage("[" + string(bytes.Join(all, []byte(","))) + "]")
}

func (r *run) read(ctx context.Context) (int, error) {
	return r.withServer(ctx, nil, func(ctx context.Context, s *mcphost.Server) (int, error) {
		if err := r.connect(ctx, s); err != nil {
			return 0, err
		}
		read, err := s.ReadResource(ctx, r.flags.args[1], true)
		if err != nil {
			return 0, err
		}
		if r.flags.json {
			d := r.listing(s)
			d.add("uri", r.flags.args[1])
			d.raw("result", read.Raw)
			return 0, r.print(d.bytes())
		}
		var b strings.Builder
		for i := range read.Contents {
			c := &read.Contents[i]
			text := block(protocol.Content{Type: protocol.ContentResource, Resource: c, Err: c.Err})
			if !c.IsBlob && c.Err == "" && len(read.Contents) == 1 {
				text = c.Text
			}
			b.WriteString(strings.TrimSuffix(visible(text), "\n") + "\n")
		}
		return 0, r.print([]byte(b.String()))
	})
}
