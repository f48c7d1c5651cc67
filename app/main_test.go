package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/wailsapp/wails/v2/pkg/options"
	"go.uber.org/goleak"

	"gatehouse/app/demo"
	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/trace"
	"gatehouse/mcphost/transport"
	"gatehouse/store"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "guardian" {
		if err := transport.RunGuardian(os.Stdin); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		mcphosttest.Leave(0)
	}
	if len(os.Args) == 2 && os.Args[1] == DemoCommand {
		if err := demo.Serve(context.Background(), os.Stdin, os.Stdout, nil); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		mcphosttest.Leave(0)
	}
	mcphosttest.Main()
	goleak.VerifyTestMain(m)
}

// A clock that only the test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// A ring is a keyring that tells what it holds.
type ring struct {
	mu   sync.Mutex
	held map[string]string
}

func (r *ring) Secret(_ context.Context, ref string) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.held[ref], nil
}

func (r *ring) PutSecret(_ context.Context, ref, value string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held[ref] = value
	return nil
}

func (r *ring) DeleteSecret(_ context.Context, ref string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.held, ref)
	return nil
}

func (r *ring) values() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Sorted(maps.Values(r.held))
}

// A glass is a native window that tells what was asked of it.
type glass struct {
	mu  sync.Mutex
	did []string

	file string // where the user saves
	root string // the folder that the user chooses
}

func (g *glass) note(what string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.did = append(g.did, what)
}

func (g *glass) has(what string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Contains(g.did, what)
}

func (g *glass) Present()                    { g.note("present") }
func (g *glass) Minimise()                   { g.note("minimise") }
func (g *glass) SetTitle(title string)       { g.note("title " + title) }
func (g *glass) SetBackground(*options.RGBA) { g.note("background") }
func (g *glass) Screens() []screen           { return []screen{{1920, 1080}} }
func (g *glass) Place() place                { return place{Width: 1000, Height: 700, X: 5, Y: 6} }
func (g *glass) Move(x, y int)               { g.note(fmt.Sprint("move ", x, y)) }
func (g *glass) Resize(x, y int)             { g.note(fmt.Sprint("resize ", x, y)) }
func (g *glass) Quit()                       { g.note("quit") }

func (g *glass) AskRoot(bool) (string, error) { return g.root, nil }

func (g *glass) AskFile(name string) (string, error) {
	g.note("file " + name)
	return g.file, nil
}

// A window is the bound services over a real engine and a real store; only the page and Wails are missing.
type window struct {
	t     *testing.T
	clock *clock
	ring  *ring
	frame *glass
	store *store.Store
	desk  *desk
	atEnd func() // when the host has ended, before the store does

	app     *App
	servers *Servers
	tools   *Tools
	gate    *Consent
	chat    *Chat
	history *History
	profile *Profiles
	sources *Resources
	trace   *Trace
	tasks   *Tasks
	prompts *Prompts
	typing  *Completion
	attach  *Attachments
}

func openWindow(t *testing.T) *window {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w := &window{t: t, clock: &clock{now: time.Unix(1_700_000_000, 0)}, ring: &ring{held: map[string]string{}}, frame: &glass{}}
	d := newDesk(Window{Version: "0", Self: self, Open: w.open, Log: slog.New(slog.DiscardHandler), Level: new(slog.LevelVar)})
	d.frame, w.desk = w.frame, d
	d.events.send = func(context.Context, Event) {}
	d.start(t.Context())
	t.Cleanup(d.stop)
	if d.err != nil {
		t.Fatal(d.err)
	}
	w.app, w.servers, w.tools, w.gate, w.chat, w.history = &App{d}, &Servers{d}, &Tools{d}, &Consent{d}, &Chat{d}, &History{d}
	w.profile, w.sources, w.trace = &Profiles{d}, &Resources{d}, &Trace{d}
	w.tasks = &Tasks{d}
	w.prompts, w.typing, w.attach = &Prompts{d}, &Completion{d}, &Attachments{d}
	return w
}

// open wires an engine as main does.
func (w *window) open(ctx context.Context, changed func()) (*Engine, error) {
	dir := w.t.TempDir()
	var err error
	if w.store, err = store.Open(ctx, dir, nil); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	guard := transport.NewSupervisor(filepath.Join(dir, "run"), []string{self, "guardian"}, nil)
	if err := guard.Start(ctx); err != nil {
		return nil, err
	}
	environ := []string{"PATH=/usr/bin:/bin", "HOME=" + dir, "SHELL=/bin/sh"}
	traced := trace.NewRing(trace.Limits{})
	queue := consent.NewQueue(&consent.QueueOptions{OnChange: changed, Now: w.clock.Now})
	host := mcphost.New(consent.NewBroker(queue, w.store, nil),
		mcphost.Ports{Servers: w.store, Pins: w.store, Calls: w.store, Tasks: w.store, Secrets: w.ring, Roots: w.store},
		&mcphost.Options{Trace: traced.Add, Environ: environ, Supervisor: guard, Resolver: transport.NewResolver(&transport.ResolverOptions{Environ: environ})})
	closing := func(ctx context.Context) error {
		err := host.Close(ctx)
		traced.Close()
		if w.atEnd != nil {
			w.atEnd()
		}
		err = errors.Join(err, guard.Close(), w.store.Close())
		if err != nil {
			w.t.Error(err)
		}
		return err
	}
	return &Engine{Host: host, Queue: queue, History: w.store, Profiles: w.store, Settings: w.store, Secrets: w.ring, Trace: traced, DataDir: dir, Close: closing}, host.Open(ctx)
}

// until polls what other goroutines or processes bring about, for at most 20 seconds.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("waited 20 s for: " + what)
		}
	}
}

// asked waits for the one request that is at the gate.
func (w *window) asked() PendingItem {
	w.t.Helper()
	var items []PendingItem
	until(w.t, "a request", func() bool {
		var err error
		items, err = w.gate.Pending()
		return err == nil && len(items) == 1
	})
	return items[0]
}

// look has something in view until it is armed.
func (w *window) look(id string) {
	w.t.Helper()
	if err := w.gate.Shown(id); err != nil {
		w.t.Fatal(err)
	}
	w.clock.advance(consent.DefaultArming)
}

// answer looks at a request and answers it.
func (w *window) answer(p PendingItem, a AnswerInput) {
	w.t.Helper()
	w.look(p.ID)
	if err := w.gate.Resolve(p.ID, p.Digest, a); err != nil {
		w.t.Fatal(err)
	}
}

func (w *window) await(id, status string) {
	w.t.Helper()
	until(w.t, "status "+status, func() bool {
		d, err := w.servers.Server(id)
		return err == nil && d.Status == status
	})
}

// connect adds a scripted server, starts it and allows the launch.
func (w *window) connect(tools ...mcphosttest.Tool) (id string) {
	w.t.Helper()
	id = w.add(mcphosttest.Scenario{Tools: tools}, ServerDraft{Name: "Scripted"})
	if err := w.servers.StartServer(id); err != nil {
		w.t.Fatal(err)
	}
	w.answer(w.asked(), AnswerInput{Allow: true})
	w.await(id, "ready")
	return id
}

func (w *window) add(s mcphosttest.Scenario, d ServerDraft) (id string) {
	w.t.Helper()
	p := mcphosttest.Command(w.t, s)
	d.Transport, d.Command, d.Args = mcphost.Stdio, p.Path, append(p.Args, d.Args...)
	id, err := w.servers.AddServer(d)
	if err != nil {
		w.t.Fatal(err)
	}
	return id
}

// ended waits for the end of a call.
func (w *window) ended(id string) (c CallView) {
	w.t.Helper()
	until(w.t, "the end of the call", func() bool {
		var err error
		if c, err = w.tools.Call(id); err != nil {
			w.t.Fatal(err)
		}
		return c.State != "asking" && c.State != "queued" && c.State != "running"
	})
	return c
}
