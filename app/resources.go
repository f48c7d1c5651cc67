package app

// This file is the Resources page: what each server lists, reading, templates and live updates.

import (
	"cmp"
	"context"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/protocol"
)

// Resources is bound to the page.
type Resources struct{ *desk }

// A ResourceList is what one server lists. Every text in it is the server's.
type ResourceList struct {
	Offered   bool               `json:"offered"` // the server has resources
	Resources []ResourceRow      `json:"resources"`
	Templates []ResourceTemplate `json:"templates"`
	Warning   string             `json:"warning"`   // why a list was cut short
	Stale     string             `json:"stale"`     // since when a list cannot be fetched again
	Subscribe bool               `json:"subscribe"` // the server tells of changes
	Metadata  bool               `json:"metadata"`  // the server says that it describes them (2024-11-05)
	Live      []string           `json:"live"`      // URIs subscribed to

	Completion string `json:"completion"` // whether it sees what is typed: "ask", "on", "off"; "" = it proposes nothing
	Search     bool   `json:"search"`     // the server can search its resources itself
}

// FoundResources are what a search has found.
type FoundResources struct {
	Resources []ResourceRow `json:"resources"`
	Warning   string        `json:"warning"` // why the list was cut short
}

// A ResourceRow is one resource as listed.
type ResourceRow struct {
	URI          string   `json:"uri"`
	Name         string   `json:"name"`
	Title        string   `json:"title"` // to show: title, name or URI
	Description  string   `json:"description"`
	MimeType     string   `json:"mimeType"`
	Size         int64    `json:"size"` // as claimed, -1 = not stated
	Audience     []string `json:"audience"`
	Priority     float64  `json:"priority"` // -1 = not stated
	LastModified string   `json:"lastModified"`
	Problem      string   `json:"problem"`  // why it cannot be used
	Type         string   `json:"type"`     // "file", "directory", "database", "api" or "other"
	Metadata     string   `json:"metadata"` // raw JSON, "" = none
}

// A ResourceTemplate describes many resources.
type ResourceTemplate struct {
	URITemplate string             `json:"uriTemplate"`
	Title       string             `json:"title"`
	Description string             `json:"description"`
	MimeType    string             `json:"mimeType"`
	Variables   []TemplateVariable `json:"variables"`
	Problem     string             `json:"problem"`
	Type        string             `json:"type"` // as of a resource
}

// A TemplateVariable is one place to fill in.
type TemplateVariable struct {
	Name     string `json:"name"`
	Optional bool   `json:"optional"`
}

// A ResourceContent is what was read.
type ResourceContent struct {
	At         string  `json:"at"`
	DurationMs int     `json:"durationMs"`
	Bytes      int     `json:"bytes"`
	Blocks     []Block `json:"blocks"`
	Truncated  int     `json:"truncated"` // bytes that are not in this view
}

// server finds a server for a bound method.
func (d *desk) server(id string) (*mcphost.Server, context.Context, error) {
	e, ctx, err := d.engine()
	if err != nil {
		return nil, nil, err
	}
	s, err := e.Host.Server(id)
	return s, ctx, err
}

// ListResources returns what one server lists. With fresh it is asked anew, else what was fetched holds until it changes.
func (v *Resources) ListResources(serverID string, fresh bool) (l ResourceList, err error) {
	defer catch(&err)
	s, ctx, err := v.server(serverID)
	if err != nil {
		return ResourceList{}, err
	}
	if fresh {
		if err := s.Refresh(ctx); err != nil {
			return ResourceList{}, err
		}
	}
	resources, err := s.Resources(ctx)
	if err != nil {
		return ResourceList{}, err
	}
	templates, err := s.ResourceTemplates(ctx)
	if err != nil {
		return ResourceList{}, err
	}
	return resourceList(s, resources, templates), nil
}

// ReadResource reads a resource at this server. A live read follows a change of a subscribed one.
func (v *Resources) ReadResource(serverID, uri string, live bool) (c ResourceContent, err error) {
	defer catch(&err)
	s, ctx, err := v.server(serverID)
	if err != nil {
		return ResourceContent{}, err
	}
	start := time.Now()
	var read *protocol.ReadResourceResult
	if live {
		read, err = s.FollowResource(ctx, uri)
	} else {
		read, err = s.ReadResource(ctx, uri, true)
	}
	if err != nil {
		return ResourceContent{}, err
	}
	return resourceContent(read, start), nil
}

// WatchResource begins or ends live updates of a resource.
func (v *Resources) WatchResource(serverID, uri string, on bool) (err error) {
	defer catch(&err)
	s, ctx, err := v.server(serverID)
	if err != nil {
		return err
	}
	if on {
		err = s.Subscribe(ctx, uri)
	} else {
		err = s.Unsubscribe(ctx, uri)
	}
	v.emit("lists", serverID, "")
	return err
}

// SearchResources has a server search: what is searched for goes there.
func (v *Resources) SearchResources(serverID, query string) (f FoundResources, err error) {
	defer catch(&err)
	s, ctx, err := v.server(serverID)
	if err != nil {
		return FoundResources{}, err
	}
	if query == "" {
		return FoundResources{}, badInput("query", query)
	}
	found, err := s.SearchResources(ctx, query)
	if err != nil {
		return FoundResources{}, err
	}
	f = FoundResources{Resources: []ResourceRow{}, Warning: found.Warning}
	for _, r := range found.Items {
		f.Resources = append(f.Resources, resourceRow(r))
	}
	return f, nil
}

// ExpandTemplate returns the address that a server's template has with these values. Nothing is sent.
func (v *Resources) ExpandTemplate(serverID, template string, values map[string]string) (uri string, err error) {
	defer catch(&err)
	if _, _, err := v.server(serverID); err != nil {
		return "", err
	}
	return protocol.ExpandTemplate(template, values)
}

func resourceList(s *mcphost.Server, resources mcphost.List[protocol.Resource], templates mcphost.List[protocol.ResourceTemplate]) ResourceList {
	l := ResourceList{
		Resources: []ResourceRow{}, Templates: []ResourceTemplate{}, Warning: cmp.Or(resources.Warning, templates.Warning),
		Stale: cmp.Or(stamp(resources.Stale), stamp(templates.Stale)), Live: list(s.Subscriptions()),
		Completion: leaveOf(s), Search: s.CanSearch(),
	}
	if c := s.Snapshot().Info.Capabilities.Resources; c != nil {
		l.Offered, l.Subscribe, l.Metadata = true, c.Subscribe, c.Metadata
	}
	for _, r := range resources.Items {
		l.Resources = append(l.Resources, resourceRow(r))
	}
	for _, t := range templates.Items {
		l.Templates = append(l.Templates, resourceTemplate(t))
	}
	return l
}

func resourceRow(r protocol.Resource) ResourceRow {
	row := ResourceRow{
		URI: r.URI, Name: r.Name, Title: r.DisplayTitle(), Description: r.Description, MimeType: r.MimeType, Size: -1, Audience: []string{},
		Priority: -1, Problem: r.Err, Type: r.Type(), Metadata: string(r.Metadata),
	}
	if r.Size != nil {
		row.Size = *r.Size
	}
	if a := r.Annotations; a != nil {
		row.Audience, row.LastModified = list(a.Audience), a.LastModified
		if a.Priority != nil {
			row.Priority = *a.Priority
		}
	}
	return row
}

func resourceTemplate(t protocol.ResourceTemplate) ResourceTemplate {
	out := ResourceTemplate{
		URITemplate: t.URITemplate, Title: t.DisplayTitle(), Description: t.Description, MimeType: t.MimeType,
		Variables: []TemplateVariable{}, Problem: t.Err, Type: protocol.Resource{URI: t.URITemplate, MimeType: t.MimeType}.Type(),
	}
	variables, err := protocol.TemplateVariables(t.URITemplate)
	if err != nil && out.Problem == "" {
		out.Problem = err.Error()
	}
	for _, each := range variables {
		out.Variables = append(out.Variables, TemplateVariable(each))
	}
	return out
}

func resourceContent(r *protocol.ReadResourceResult, start time.Time) ResourceContent {
	c := ResourceContent{At: stamp(start), DurationMs: int(time.Since(start).Milliseconds()), Blocks: []Block{}}
	var cut cutter
	for i := range r.Contents {
		one := &r.Contents[i]
		b := cut.block(protocol.Content{Type: protocol.ContentResource, Resource: one, Annotations: one.Annotations, Err: one.Err})
		b.Kind = one.Kind()
		if b.Kind == protocol.ContentResource {
			b.Data = "" // it is not shown
		}
		c.Bytes += b.Bytes
		c.Blocks = append(c.Blocks, b)
	}
	c.Truncated = cut.left
	return c
}
