package app

import (
	"slices"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
)

// sources are two resources, a template, and contents of every kind.
func sources() mcphosttest.Scenario {
	return mcphosttest.Scenario{
		Capabilities: `{"tools":{},"resources":{"subscribe":true,"listChanged":true,"metadata":true}}`,
		Tools: []mcphosttest.Tool{{
			Definition: `{"name":"touch","inputSchema":{"type":"object"}}`,
			Do:         []mcphosttest.Action{mcphosttest.Notify(protocol.NotificationResourceUpdated, `{"uri":"a:b/part"}`)},
		}},
		On: map[string][]mcphosttest.Action{
			protocol.MethodResourcesList: {mcphosttest.Result(`{"resources":[` +
				`{"uri":"a:b","name":"b.md","title":"B","mimeType":"text/markdown","size":5,"annotations":{"audience":["user"],"priority":0.5},"metadata":{"type":"database","rows":1e3}},` +
				`{"name":"none"}]}`)},
			protocol.MethodResourcesTemplatesList: {mcphosttest.Result(`{"resourceTemplates":[` +
				`{"uriTemplate":"a:{day}/{?page}","name":"day"},{"uriTemplate":"a:{","name":"spoilt"}]}`)},
			protocol.MethodResourcesSubscribe:   {mcphosttest.Result(`{}`)},
			protocol.MethodResourcesUnsubscribe: {mcphosttest.Result(`{}`)},
			protocol.MethodResourcesRead: {mcphosttest.Result(`{"contents":[` +
				`{"uri":"a:b","mimeType":"text/markdown","text":"# One"},{"uri":"a:b/2","mimeType":"image/png","blob":"iVBORw0KGgo="},` +
				`{"uri":"a:b/3","mimeType":"application/pdf","blob":"JVBERg=="},{"uri":"a:b/4","mimeType":"audio/wav","blob":"UklGRg=="}]}`)},
		},
	}
}

// openServer adds a scripted server, starts it and allows the launch.
func (w *window) openServer(s mcphosttest.Scenario) (id string) {
	w.t.Helper()
	return w.openPeer(mcphosttest.Command(w.t, s))
}

func (w *window) openPeer(p *mcphosttest.Process) (id string) {
	w.t.Helper()
	id, err := w.servers.AddServer(ServerDraft{Name: "Scripted", Transport: mcphost.Stdio, Command: p.Path, Args: p.Args})
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.servers.StartServer(id); err != nil {
		w.t.Fatal(err)
	}
	w.answer(w.asked(), AnswerInput{Allow: true})
	w.await(id, "ready")
	return id
}

func TestResources(t *testing.T) {
	w := openWindow(t)
	id := w.openServer(sources())
	l, err := w.sources.ListResources(id, false)
	if err != nil || !l.Offered || !l.Subscribe || len(l.Live) != 0 || len(l.Resources) != 2 || len(l.Templates) != 2 {
		t.Fatalf("%+v, %v", l, err)
	}
	if r := l.Resources[0]; r.Title != "B" || r.Size != 5 || r.Priority != 0.5 || !slices.Equal(r.Audience, []string{"user"}) || r.Problem != "" {
		t.Errorf("%+v", r)
	}
	if r := l.Resources[0]; r.Type != protocol.TypeDatabase || r.Metadata != `{"type":"database","rows":1e3}` {
		t.Errorf("type %q, metadata %q", r.Type, r.Metadata)
	}
	if r := l.Resources[1]; r.Type != protocol.TypeOther || r.Metadata != "" || !l.Metadata || l.Templates[0].Type != protocol.TypeOther {
		t.Errorf("%+v, metadata offered: %v", r, l.Metadata)
	}
	if r := l.Resources[1]; r.Problem == "" || r.Size != -1 || r.Priority != -1 {
		t.Errorf("%+v", r)
	}
	want := []TemplateVariable{{"day", false}, {"page", true}}
	if v := l.Templates[0]; v.Problem != "" || !slices.Equal(v.Variables, want) || l.Templates[1].Problem == "" {
		t.Errorf("%+v", l.Templates)
	}
	if uri, err := w.sources.ExpandTemplate(id, l.Templates[0].URITemplate, map[string]string{"day": "a b"}); uri != "a:a%20b/" || err != nil {
		t.Errorf("%q, %v", uri, err)
	}
	c, err := w.sources.ReadResource(id, "a:b", false)
	if err != nil || len(c.Blocks) != 4 {
		t.Fatalf("%+v, %v", c, err)
	}
	var kinds []string
	for _, b := range c.Blocks {
		kinds = append(kinds, b.Kind)
	}
	if !slices.Equal(kinds, []string{"text", "image", "resource", "audio"}) || c.Blocks[0].Text != "# One" || c.Blocks[1].Data == "" || c.Blocks[2].Data != "" {
		t.Errorf("%+v", c.Blocks)
	}
}

// P29: each read and each subscription has a row in the history, and says by whom.
func TestResourceUsesAreKept(t *testing.T) {
	w := openWindow(t)
	id := w.openServer(sources())
	if _, err := w.sources.ReadResource(id, "a:b", true); err == nil {
		t.Error("a live read of what is not subscribed to")
	}
	if err := w.sources.WatchResource(id, "a:b", true); err != nil {
		t.Fatal(err)
	}
	if err := w.sources.WatchResource(id, "a:b", true); err != nil {
		t.Fatal(err)
	}
	if l, err := w.sources.ListResources(id, false); err != nil || !slices.Equal(l.Live, []string{"a:b"}) {
		t.Errorf("%+v, %v", l.Live, err)
	}
	if _, err := w.sources.ReadResource(id, "a:b", true); err != nil {
		t.Fatal(err)
	}
	if _, err := w.sources.ReadResource(id, "a:b", false); err != nil {
		t.Fatal(err)
	}
	if err := w.sources.WatchResource(id, "a:b", false); err != nil {
		t.Fatal(err)
	}
	page, err := w.history.History(HistoryQuery{ServerID: id})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range page.Rows {
		got = append(got, r.Kind+" "+r.By+" "+string(r.Risk))
	}
	want := []string{"resourceRead composed by you read", "resourceRead live subscription read", "resourceSubscribe composed by you read", "launch user"}
	if len(got) != 4 || !slices.Equal(got[:3], want[:3]) || page.Rows[0].What != "a:b" {
		t.Errorf("%q", got)
	}
	d, err := w.history.HistoryEntry(page.Rows[0].ID)
	if err != nil || d.Shown != `{"target":"a:b"}` || len(d.Digest) != 64 {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestListsAndUpdatesAreHints(t *testing.T) {
	d := &desk{events: newEmitter()}
	d.forward(mcphost.Numbered{Event: mcphost.ListChanged{ID: "srv", List: protocol.MethodResourcesList}})
	d.forward(mcphost.Numbered{Event: mcphost.ListChanged{ID: "srv", List: protocol.MethodPromptsList}})
	d.forward(mcphost.Numbered{Event: mcphost.ResourceUpdated{ID: "srv", URI: "a:b"}})
	want := []Event{{1, "lists", "srv", ""}, {2, "resource", "srv a:b", ""}}
	if got := d.events.take(); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}

// A server of 2024-11-05 that can search is asked by a press, which has its row; others are not.
func TestSearchAtAServer(t *testing.T) {
	w := openWindow(t)
	s := sources()
	s.Revision, s.Capabilities = "2024-11-05", `{"resources":{"search":true}}`
	s.On[protocol.MethodResourcesSearch] = []mcphosttest.Action{mcphosttest.Result(`{"resources":[{"uri":"a:found","name":"found"}]}`)}
	id := w.openServer(s)
	if l, err := w.sources.ListResources(id, false); err != nil || !l.Search || l.Completion != "ask" {
		t.Errorf("%+v, %v", l, err)
	}
	if _, err := w.sources.SearchResources(id, ""); err == nil {
		t.Error("a search for nothing")
	}
	found, err := w.sources.SearchResources(id, "tide")
	if err != nil || len(found.Resources) != 1 || found.Resources[0].URI != "a:found" {
		t.Errorf("%+v, %v", found, err)
	}
	page, err := w.history.History(HistoryQuery{ServerID: id})
	if err != nil || len(page.Rows) != 2 || page.Rows[0].Kind != "resourceSearch" || page.Rows[0].What != "tide" {
		t.Errorf("%+v, %v", page, err)
	}
}
