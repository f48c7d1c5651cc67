package app

import (
	"errors"
	"slices"
	"testing"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/session"
)

// What the form says of how a server is spoken to is kept beside what it does not show, and asks for no launch again.
func TestConversationOfAServer(t *testing.T) {
	w := openWindow(t)
	id := w.connect(numbers("count"))
	detail, err := w.servers.Server(id)
	if err != nil || detail.Draft.Era != "auto" || detail.ApprovedAt == "" {
		t.Fatalf("at first %+v, %v", detail.Draft, err)
	}
	if err := w.desk.eng.Host.Converse(t.Context(), id, mcphost.Conversation{LogLevel: "warning", Tools: map[string]mcphost.Times{"count": {Total: time.Hour}}}); err != nil {
		t.Fatal(err)
	}
	set := detail.Draft
	set.Era, set.InactiveMin, set.TotalMin, set.Authorities = "legacy", 1, 1440, []string{"/of/another/kind.pem"}
	if err := w.servers.UpdateServer(id, set); err != nil {
		t.Fatal(err)
	}
	s, err := w.desk.eng.Host.Server(id)
	if err != nil {
		t.Fatal(err)
	}
	got := s.Config().Conversation
	if got.Era != session.EraLegacy || got.Times != (mcphost.Times{Inactive: time.Minute, Total: 24 * time.Hour}) ||
		got.LogLevel != "warning" || got.Tools["count"].Total != time.Hour || got.Authorities != nil {
		t.Errorf("kept %+v", got)
	}
	again, err := w.servers.Server(id)
	if err != nil || again.ApprovedAt != detail.ApprovedAt || again.Draft.InactiveMin != 1 || again.Draft.TotalMin != 1440 {
		t.Errorf("shown %+v, approved %q, %v", again.Draft, again.ApprovedAt, err)
	}
	set.Era, set.InactiveMin, set.TotalMin = "auto", 0, 0
	if err := w.servers.UpdateServer(id, set); err != nil {
		t.Fatal(err)
	}
	if got := s.Config().Conversation; got.Era != "" || got.Times != (mcphost.Times{}) {
		t.Errorf("set back %+v", got)
	}
}

// Each range at its ends and beyond, in the check of the form and when it is saved.
func TestConversationThatCannotBe(t *testing.T) {
	w := openWindow(t)
	id := w.add(mcphosttest.Scenario{}, ServerDraft{Name: "s"})
	detail, err := w.servers.Server(id)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		change func(*ServerDraft)
		field  string // "" = it can be
	}{
		"least": {func(d *ServerDraft) { d.InactiveMin, d.TotalMin = 1, 1 }, ""}, "most": {func(d *ServerDraft) { d.InactiveMin, d.TotalMin = 120, 1440 }, ""},
		"below": {func(d *ServerDraft) { d.InactiveMin = -1 }, "inactiveMin"}, "above": {func(d *ServerDraft) { d.InactiveMin = 121 }, "inactiveMin"},
		"below in all": {func(d *ServerDraft) { d.TotalMin = -1 }, "totalMin"}, "above in all": {func(d *ServerDraft) { d.TotalMin = 1441 }, "totalMin"},
		"no era": {func(d *ServerDraft) { d.Era = "stone" }, "era"},
	} {
		draft := detail.Draft
		test.change(&draft)
		check, err := w.servers.CheckServer(draft)
		found := slices.ContainsFunc(check.Problems, func(p FieldProblem) bool { return p.Field == test.field && p.Code == "range" })
		if err != nil || found != (test.field != "") {
			t.Errorf("%s: %+v, %v", name, check.Problems, err)
		}
		var bad *failure
		if err := w.servers.UpdateServer(id, draft); (err == nil) != (test.field == "") || err != nil && (!errors.As(err, &bad) || bad.detail != test.field) {
			t.Errorf("%s: saved: %v", name, err)
		}
	}
	draft := ServerDraft{Name: "r", Transport: mcphost.HTTP, URL: "https://h.test/", Authorities: []string{" ", "/no/such.pem"}}
	if check, err := w.servers.CheckServer(draft); err != nil || len(check.Problems) != 1 || check.Problems[0].Field != "authorities" {
		t.Errorf("%+v, %v", check.Problems, err)
	}
}

func TestNetworkSettings(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "")
	t.Setenv("HTTP_PROXY", "http://proxy.test:1")
	w := openWindow(t)
	view, err := w.servers.Network()
	if err != nil || view.Proxy != "system" || !view.Environment || len(view.Authorities) != 0 {
		t.Fatalf("at first %+v, %v", view, err)
	}
	own := NetworkSettings{Proxy: "own", Address: "proxy.test:3128", Except: "a.test", Authorities: []string{}}
	if err := w.servers.SetNetwork(own); err != nil {
		t.Fatal(err)
	}
	for code, bad := range map[string]NetworkSettings{
		"bad-proxy": {Proxy: "own", Address: "me:secret@proxy.test:3128"}, "bad-input": {Proxy: "some"},
		"bad-authorities": {Proxy: "none", Authorities: []string{"/no/such.pem"}},
	} {
		var f *failure
		if err := w.servers.SetNetwork(bad); !errors.As(err, &f) || f.code != code {
			t.Errorf("%s: %v", code, err)
		}
	}
	view, err = w.servers.Network()
	if err != nil || view.Proxy != own.Proxy || view.Address != own.Address || view.Except != own.Except {
		t.Errorf("kept %+v, %v", view, err)
	}
	if n, err := SavedNetwork(t.Context(), w.store); err != nil || n.Proxy == nil {
		t.Errorf("the terminal gets %+v, %v", n, err)
	}
}
