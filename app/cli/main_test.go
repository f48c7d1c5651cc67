package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/session"
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
	mcphosttest.Main()
	goleak.VerifyTestMain(m)
}

// A place is a folder with the files of a user: configuration, policy and data.
type place struct {
	t     *testing.T
	dir   string
	stdin io.Reader
	typed []string // what the person types, an answer a question; nil = there is no terminal
	shown bytes.Buffer
	hears func(text string) // hears what goes to stderr; nil = nobody
}

func newPlace(t *testing.T) *place { return &place{t: t, dir: t.TempDir()} }

// Write implements [io.Writer] for hears.
func (p *place) Write(b []byte) (int, error) {
	if p.hears != nil {
		p.hears(string(b))
	}
	return len(b), nil
}

func (p *place) file(name string) string { return filepath.Join(p.dir, name) }

func (p *place) write(name, content string) string {
	p.t.Helper()
	if err := os.WriteFile(p.file(name), []byte(content), 0o600); err != nil {
		p.t.Fatal(err)
	}
	return p.file(name)
}

// configure writes config.json with these servers.
func (p *place) configure(servers map[string]any) {
	p.t.Helper()
	text, err := json.Marshal(map[string]any{"mcpServers": servers})
	if err != nil {
		p.t.Fatal(err)
	}
	p.write("config.json", string(text))
}

// serve writes config.json with one server, "srv", that runs as a process.
func (p *place) serve(s mcphosttest.Scenario) *mcphosttest.Process {
	p.t.Helper()
	process := mcphosttest.Command(p.t, s)
	p.configure(map[string]any{"srv": map[string]any{"command": process.Path, "args": process.Args}})
	return process
}

// rescript changes what a server does without changing how it is started.
func (p *place) rescript(process *mcphosttest.Process, s mcphosttest.Scenario) {
	p.t.Helper()
	s.Record = string(process.Record)
	text, err := json.Marshal(s)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(process.Args[1], text, 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// A result is what one run leaves.
type result struct {
	exit           int
	stdout, stderr string
}

// code is the error code of a --json document, "" if there is none.
func (r result) code() string {
	var d struct{ Error problem }
	_ = json.Unmarshal([]byte(r.stdout), &d) // run has checked it
	return d.Error.Code
}

func (p *place) run(args ...string) result { return p.runWith(p.t.Context(), args...) }

// runWith runs a command line on the data of this place. What --json prints is checked to be one document.
func (p *place) runWith(ctx context.Context, args ...string) result {
	p.t.Helper()
	var stdout, stderr bytes.Buffer
	program := &Program{
		Version: "0", Open: openReal, Stdin: p.stdin, Stdout: &stdout, Stderr: io.MultiWriter(&stderr, p),
		Environ: environ(p.dir), Terminal: p.terminal,
		ErrorCodes: func(err error) (string, bool) { return "data-read-only", errors.Is(err, store.ErrReadOnly) },
	}
	if !slices.Contains(args, "--data-dir") {
		args = append(slices.Clone(args), "--data-dir", p.file("data"))
	}
	r := result{exit: program.Run(ctx, args), stdout: stdout.String(), stderr: stderr.String()}
	if slices.Contains(args, "--json") && !strings.Contains(strings.Join(args, " "), "help") {
		d := json.NewDecoder(&stdout)
		var document map[string]json.RawMessage
		if err := d.Decode(&document); err != nil {
			p.t.Fatalf("%q: no JSON document on stdout: %v\n%s", args, err, r.stderr)
		}
		if _, err := d.Token(); err != io.EOF {
			p.t.Fatalf("%q: more than one document on stdout", args)
		}
	}
	return r
}

func environ(home string) []string {
	return []string{"PATH=/usr/bin:/bin", "HOME=" + home, "SHELL=/bin/sh", "CANARY=canary"}
}

// openReal wires the engine as main does, on a real store.
func openReal(ctx context.Context, s Setup) (*Engine, error) {
	db, err := store.Open(ctx, s.DataDir, nil)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	guard := transport.NewSupervisor(filepath.Join(s.DataDir, "run"), []string{self, "guardian"}, nil)
	if err := guard.Start(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	env := environ(s.DataDir)
	o := mcphost.Options{Environ: env, Resolver: transport.NewResolver(&transport.ResolverOptions{Environ: env}), Supervisor: guard, Trace: s.Trace, Offer: s.Offer, LogLevel: s.LogLevel}
	o.Opener = func(_ context.Context, url string) error { // a browser that keeps a list
		f, err := os.OpenFile(filepath.Join(s.DataDir, "opened"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(f, url)
		return errors.Join(err, f.Close())
	}
	if s.Timeout > 0 {
		o.Limits = session.Limits{Open: s.Timeout, List: s.Timeout}
	}
	var servers mcphost.Servers = db
	if s.Servers != nil {
		servers = s.Servers
	}
	var roots mcphost.Roots = db
	if s.Roots != nil {
		roots = s.Roots
	}
	host := mcphost.New(consent.NewBroker(s.Asker, db, nil), mcphost.Ports{Servers: servers, Pins: db, Calls: db, Secrets: new(store.Memory), Roots: roots}, &o)
	closing := func(ctx context.Context) error { return errors.Join(host.Close(ctx), guard.Close(), db.Close()) }
	if err := host.Open(ctx); err != nil {
		return nil, errors.Join(err, closing(ctx))
	}
	return &Engine{Host: host, Close: closing}, nil
}

// terminal returns a terminal for the next question.
func (p *place) terminal() (Terminal, error) {
	if p.typed == nil {
		return nil, errors.New("no terminal")
	}
	return &paper{place: p}, nil
}

// paper is a terminal that was typed on before: Discard keeps what is there. The first Write is a question.
type paper struct {
	place *place
	mu    sync.Mutex // guards in and place
	in    *bufio.Reader
}

// Read hands over a line, as terminals do.
func (p *paper) Read(b []byte) (int, error) {
	line, err := p.in.ReadSlice('\n')
	if len(line) > 0 {
		err = nil
	}
	return copy(b, line), err
}

func (p *paper) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.in == nil {
		if len(p.place.typed) == 0 {
			p.place.t.Error("asked more often than expected")
			return 0, errors.New("no more answers")
		}
		p.in = bufio.NewReader(strings.NewReader(p.place.typed[0]))
		p.place.typed = p.place.typed[1:]
	}
	return p.place.shown.Write(b)
}
func (p *paper) Close() error   { return nil }
func (p *paper) Discard() error { return nil }
func (p *paper) Width() int     { return 0 }

// eventually waits until something is true.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never happened: %s", what)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
