package app

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"gatehouse/mcphost/mcphosttest"
	"gatehouse/store"
)

func (w *window) profiles() ProfileList {
	w.t.Helper()
	l, err := w.profile.ListProfiles()
	if err != nil {
		w.t.Fatal(err)
	}
	return l
}

// save saves a profile that stops no calls.
func (w *window) save(p Profile) (id string) {
	w.t.Helper()
	c, err := w.profile.SaveProfile(p, false)
	if err != nil || c.Running == nil || len(c.Running) > 0 {
		w.t.Fatalf("change = %+v, %v", c, err)
	}
	return c.ID
}

func (w *window) aside(id string) bool {
	w.t.Helper()
	d, err := w.servers.Server(id)
	if err != nil {
		w.t.Fatal(err)
	}
	return d.Aside
}

// ACC A11, and what the page may do with profiles.
func TestProfiles(t *testing.T) {
	w := openWindow(t)
	id := w.connect(numbers("echo"))
	home := Profile{ID: "first", Servers: []string{id}}
	if got, want := w.profiles(), (ProfileList{"first", []Profile{home}}); !reflect.DeepEqual(got, want) {
		t.Fatalf("at first %+v, want %+v", got, want)
	}
	work := Profile{Name: "  Work ", Servers: []string{}}
	work.ID, work.Name = w.save(work), "Work"
	for name, want := range map[string]string{"work": "name-taken", " ": "bad-input", strings.Repeat("语", maxName+1): "bad-input"} {
		_, err := w.profile.SaveProfile(Profile{Name: name}, false)
		if code, _ := classify(err, []ErrorCode{{store.ErrNameTaken, "name-taken"}}); code != want {
			t.Errorf("a profile named %q: %v", name, err)
		}
	}
	w.save(Profile{Name: strings.Repeat("语", maxName)})

	if c, err := w.profile.SwitchProfile(work.ID, false); err != nil || len(c.Running) > 0 {
		t.Fatalf("switch = %+v, %v", c, err)
	}
	w.await(id, "stopped")
	if page, err := w.tools.ListTools(ToolQuery{Limit: 10}); err != nil || page.Total != 0 || !w.aside(id) {
		t.Errorf("tools of another profile: %+v, %v", page, err)
	}
	if code, _ := classify(w.servers.StartServer(id), nil); code != "server-aside" {
		t.Errorf("starting a server of another profile: %q", code)
	}
	if code, _ := classify(w.profile.RemoveProfile(work.ID), nil); code != "profile-in-use" {
		t.Errorf("removing the profile in use: %q", code)
	}
	added := w.add(mcphosttest.Scenario{}, ServerDraft{Name: "Added"})
	work.Servers = []string{added}
	if got := w.profiles(); got.Current != work.ID || !reflect.DeepEqual(got.Profiles[:2], []Profile{home, work}) {
		t.Errorf("a server was added: %+v", got)
	}

	// A server that is put into the profile in use starts; its launch was approved before.
	work.Servers = []string{id, added}
	w.save(work)
	w.await(id, "ready")

	if err := w.profile.RemoveProfile("first"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.profile.SwitchProfile("first", false); err == nil {
		t.Error("a removed profile is in use")
	}
	w.save(home) // undone
	if got := w.profiles().Profiles[0]; !reflect.DeepEqual(got, home) {
		t.Errorf("after the undo %+v", got)
	}
	h, err := w.history.History(HistoryQuery{})
	if err != nil || h.Total != 2 {
		t.Fatalf("history = %+v, %v", h, err)
	}
}

func TestSwitchAsksAboutRunningCalls(t *testing.T) {
	w := openWindow(t)
	waits := numbers("wait")
	waits.Do = []mcphosttest.Action{mcphosttest.Silence()}
	id := w.connect(waits)
	work := w.save(Profile{Name: "Work"})
	d, err := w.tools.DraftCall(panel, id, "wait", `{}`)
	if err != nil {
		t.Fatal(err)
	}
	w.look(panel)
	call, err := w.tools.RunCall(panel, d.Digest, false)
	if err != nil {
		t.Fatal(err)
	}
	until(t, "the call", func() bool {
		c, err := w.tools.Call(call)
		return err == nil && c.State == "running"
	})
	want := []RunningCall{{call, "Scripted", "wait", "running"}}
	c, err := w.profile.SwitchProfile(work, false)
	if err != nil || !reflect.DeepEqual(c.Running, want) || w.profiles().Current != "first" || w.aside(id) {
		t.Fatalf("switch = %+v, %v", c, err)
	}
	empty := Profile{ID: "first"}
	if c, err := w.profile.SaveProfile(empty, false); err != nil || !reflect.DeepEqual(c.Running, want) || len(w.profiles().Profiles[0].Servers) != 1 {
		t.Fatalf("taking the server out = %+v, %v", c, err)
	}
	if c, err := w.profile.SwitchProfile(work, true); err != nil || len(c.Running) > 0 {
		t.Fatalf("switch = %+v, %v", c, err)
	}
	if c := w.ended(call); c.State != "stopped" {
		t.Errorf("the call ended %s", c.State)
	}
}

func TestServerComesBackToItsProfile(t *testing.T) {
	w := openWindow(t)
	id := w.add(mcphosttest.Scenario{}, ServerDraft{Name: "Scripted"})
	work := w.save(Profile{Name: "Work"})
	if err := w.servers.RemoveServer(id); err != nil {
		t.Fatal(err)
	}
	if got := w.profiles().Profiles[0].Servers; len(got) > 0 {
		t.Errorf("a removed server is in %v", got)
	}
	if _, err := w.profile.SwitchProfile(work, false); err != nil {
		t.Fatal(err)
	}
	if _, err := w.servers.RestoreServer(id); err != nil {
		t.Fatal(err)
	}
	if got := w.profiles().Profiles[0].Servers; len(got) != 1 || !w.aside(id) {
		t.Errorf("it came back to %v, aside %t", got, w.aside(id))
	}
}

func TestProfileSurvivesRestart(t *testing.T) {
	w := openWindow(t)
	work := w.save(Profile{Name: "Work"})
	if _, err := w.profile.SwitchProfile(work, false); err != nil {
		t.Fatal(err)
	}
	e, ctx, err := w.app.engine()
	if err != nil {
		t.Fatal(err)
	}
	home, err := e.profile(ctx, "first")
	if err != nil {
		t.Fatal(err)
	}
	e.Host.Use(home) // as a host does not know yet
	if err := e.resumeProfile(ctx); err != nil || e.Host.Profile() != work {
		t.Errorf("profile %q, %v", e.Host.Profile(), err)
	}
	// One that is not there any more makes way for the first.
	if err := errors.Join(e.Settings.SetSetting(ctx, keyProfile, "gone"), e.resumeProfile(ctx)); err != nil || e.Host.Profile() != "first" {
		t.Errorf("profile %q, %v", e.Host.Profile(), err)
	}
}
