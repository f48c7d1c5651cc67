package app

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/store"
)

func TestServerDefaults(t *testing.T) {
	w := openWindow(t)
	view, err := w.servers.ServerDefaults()
	if err != nil || view.Now != view.Usual {
		t.Fatalf("at first %+v, %v", view, err)
	}
	set := ServerDefaults{InactiveMin: 1, TotalMin: 1440, InFlight: 64, OpenSec: 5}
	if err := w.servers.SetServerDefaults(set); err != nil {
		t.Fatal(err)
	}
	if view, err = w.servers.ServerDefaults(); err != nil || view.Now != set {
		t.Errorf("now %+v, %v", view.Now, err)
	}
	for name, change := range map[string]func(*ServerDefaults){
		"no minutes": func(d *ServerDefaults) { d.InactiveMin = 0 }, "too many minutes": func(d *ServerDefaults) { d.InactiveMin = 121 },
		"too long": func(d *ServerDefaults) { d.TotalMin = 1441 }, "no calls": func(d *ServerDefaults) { d.InFlight = 0 },
		"too many calls": func(d *ServerDefaults) { d.InFlight = 65 }, "too little time": func(d *ServerDefaults) { d.OpenSec = 4 },
		"too much time": func(d *ServerDefaults) { d.OpenSec = 601 },
	} {
		bad := set
		change(&bad)
		if code, _ := classify(w.servers.SetServerDefaults(bad), nil); code != "bad-input" {
			t.Errorf("%s: %q", name, code)
		}
	}
	for _, text := range []string{"no JSON", `{"inFlight":0}`, `{"inFlight":"8"}`} {
		if err := w.store.SetSetting(t.Context(), keyDefaults, text); err != nil {
			t.Fatal(err)
		}
		if d, err := savedDefaults(t.Context(), w.store); err != nil || d != usualDefaults {
			t.Errorf("%s: %+v, %v", text, d, err)
		}
	}
}

// The engine uses what is set, at once and after the next opening.
func TestServerDefaultsAct(t *testing.T) {
	w := openWindow(t)
	id := w.connect(mcphosttest.Tool{Definition: `{"name":"exit","inputSchema":{"type":"object"}}`, Do: []mcphosttest.Action{mcphosttest.Exit(1)}})
	off := usualDefaults
	off.Restart, off.Resume = false, false
	if err := w.servers.SetServerDefaults(off); err != nil {
		t.Fatal(err)
	}
	if w.servers.useSettings(t.Context()) {
		t.Error("servers would start with the app")
	}
	draft, err := w.tools.DraftCall("panel:t", id, "exit", `{}`)
	if err != nil {
		t.Fatal(err)
	}
	w.look("panel:t")
	if _, err := w.tools.RunCall("panel:t", draft.Digest, false); err != nil {
		t.Fatal(err)
	}
	w.await(id, "crashed")
	s, err := w.servers.eng.Host.Server(id)
	if err != nil || s.Snapshot().Restarting {
		t.Errorf("it is started again: %v", err)
	}
}

func TestLogLevel(t *testing.T) {
	w := openWindow(t)
	if err := w.app.SetLogLevel("warn"); err != nil {
		t.Fatal(err)
	}
	if s, err := w.app.State(); err != nil || s.LogLevel != "warn" || w.app.level.Level() != slog.LevelWarn {
		t.Errorf("level %q, %s, %v", s.LogLevel, w.app.level, err)
	}
	if err := w.app.SetLogLevel("loud"); err == nil {
		t.Error("an unknown level was kept")
	}
	w.app.level.Set(slog.LevelError)
	w.app.useSettings(t.Context())
	if w.app.level.Level() != slog.LevelWarn {
		t.Error("the next opening does not know it")
	}
}

func TestDataAndReport(t *testing.T) {
	w := openWindow(t)
	w.connect(numbers("echo"))
	_, err := w.servers.AddServer(ServerDraft{
		Name: "Far", Transport: mcphost.HTTP, URL: "https://user:canary@far.example:8443/canary?canary#canary",
		Headers: []Variable{{Name: "Authorization", Secret: "canary"}, {Name: "X", Value: "canary"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	d, err := w.app.Data()
	if err != nil || d.Servers != 2 || d.Decisions != 1 || d.Calls != 0 || d.Definitions != 1 || d.Secrets != 1 || d.DatabaseBytes == 0 {
		t.Errorf("%+v, %v", d, err)
	}
	if len(d.Remote) != 1 || d.Remote[0].Name != "Far" || d.Remote[0].Host != "far.example:8443" {
		t.Errorf("remote %+v", d.Remote)
	}
	report, err := w.app.Report()
	if err != nil || !strings.Contains(report, "Servers: 2, remote: 1\nDecisions: 1,") {
		t.Errorf("report %s, %v", report, err)
	}
	for _, secret := range []string{"canary", "far.example", "Far", "Scripted"} {
		if strings.Contains(report, secret) {
			t.Errorf("the report names %q:\n%s", secret, report)
		}
	}
}

func TestSaveText(t *testing.T) {
	w := openWindow(t)
	path := filepath.Join(t.TempDir(), "sbom.json")
	if saved, err := w.app.SaveText("sbom.json", "{}"); saved || err != nil {
		t.Errorf("saved without a file: %v, %v", saved, err)
	}
	w.frame.file = path
	if saved, err := w.app.SaveText("sbom.json", "{}"); !saved || err != nil || !w.frame.has("file sbom.json") {
		t.Errorf("%v, %v", saved, err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "{}" {
		t.Errorf("%q, %v", text, err)
	}
	var f *failure
	w.frame.file = filepath.Join(path, "below a file")
	if _, err := w.app.SaveText("x", "{}"); !errors.As(err, &f) || f.code != "not-saved" {
		t.Errorf("below a file: %v", err)
	}
	if _, err := w.app.SaveText("x", strings.Repeat("x", maxSaved+1)); err == nil {
		t.Error("too much was saved")
	}
}

// What was in the way of the data may have gone: the page's next try opens it.
func TestOpenAgain(t *testing.T) {
	t.TempDir() // the first one is removed last: after the window has closed
	w := &window{t: t, clock: &clock{now: time.Unix(1_700_000_000, 0)}, ring: &ring{held: map[string]string{}}, frame: &glass{}}
	busy := true
	d := newDesk(Window{Version: "0", Self: "/x", Log: slog.New(slog.DiscardHandler), Level: new(slog.LevelVar), Open: func(ctx context.Context, changed func()) (*Engine, error) {
		if busy {
			return nil, store.ErrWindowOpen
		}
		return w.open(ctx, changed)
	}})
	d.frame = w.frame
	d.events.send = func(context.Context, Event) {}
	d.start(t.Context())
	t.Cleanup(d.stop)
	a := &App{d}
	if _, err := a.State(); !errors.Is(err, store.ErrWindowOpen) {
		t.Fatalf("%v, want that another window uses the data", err)
	}
	busy = false
	if _, err := a.State(); err != nil {
		t.Fatalf("the data is free, but: %v", err)
	}
	if _, err := (&Servers{d}).ListServers(); err != nil {
		t.Errorf("the engine is not the one that was opened: %v", err)
	}
}
