package mcphost_test

import (
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
)

// Whoever starts a server while the host closes or the server is removed gets an error or a server that is ended.
func TestNothingStartsAfterTheEnd(t *testing.T) {
	for name, end := range map[string]func(*house, *mcphost.Server) error{
		"close":  func(h *house, _ *mcphost.Server) error { return h.Close(h.t.Context()) },
		"remove": func(h *house, s *mcphost.Server) error { return h.Remove(h.t.Context(), s.ID()) },
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, mcphost.Options{})
			s := h.add("Scripted", mcphosttest.Command(t, mcphosttest.Scenario{}))
			h.connect(s)
			var starters sync.WaitGroup
			for range 4 {
				starters.Go(func() {
					for s.Start(consent.Actor{Kind: consent.ActorUser}) == nil {
					}
				})
			}
			if err := end(h, s); err != nil {
				t.Fatal(err)
			}
			starters.Wait()
			if status := s.Snapshot().Status; status != mcphost.StatusStopped {
				t.Errorf("status = %s", status)
			}
			want := map[string]error{"close": mcphost.ErrClosed, "remove": mcphost.ErrUnknownServer}[name]
			if err := s.Start(consent.Actor{}); !errors.Is(err, want) {
				t.Errorf("error = %v, want %v", err, want)
			}
		})
	}
}

// A launch that cannot be recorded does not happen, and the page says why.
func TestUnrecordableLaunchShowsWhy(t *testing.T) {
	h := newHouse(t, mcphost.Options{Restart: true})
	p := mcphosttest.Command(t, mcphosttest.Scenario{})
	s := h.add("Scripted", p)
	if err := h.store.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Connect(t.Context(), consent.Actor{}); !errors.Is(err, consent.ErrUnrecorded) {
		t.Errorf("error = %v, want ErrUnrecorded", err)
	}
	snap := s.Snapshot()
	if snap.Status != mcphost.StatusCrashed || snap.Failure == nil || snap.Failure.Code != "not-recorded" || snap.Restarting {
		t.Errorf("status %s, failure %+v", snap.Status, snap.Failure)
	}
	if len(p.Frames(t)) != 0 {
		t.Error("the server was started")
	}
}

// The card of a failure shows what this start wrote, not what an earlier one did.
func TestFailureShowsOnlyItsOwnStart(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	s := h.add("Scripted", mcphosttest.Command(t, mcphosttest.Scenario{Start: []mcphosttest.Action{mcphosttest.Stderr(1, "all is well")}}))
	h.connect(s)
	waitFor(t, "its log", func() bool { return len(s.Log(0)) == 1 })
	if err := s.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := s.Config()
	c.Dir = filepath.Join(t.TempDir(), "gone")
	if err := h.Update(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if err := s.Connect(t.Context(), consent.Actor{}); err == nil {
		t.Fatal("connected")
	}
	if f := s.Snapshot().Failure; f == nil || f.Code != "config" || len(f.Stderr.Last) != 0 {
		t.Errorf("failure = %+v", f)
	}
}

// A server may repeat the token that it refuses, and log a key line by line.
func TestFailureMasksWhatTheServerRepeats(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	p := mcphosttest.Command(t, mcphosttest.Scenario{
		Start: []mcphosttest.Action{mcphosttest.Stderr(1, "loaded canary-line-2")},
		On:    map[string][]mcphosttest.Action{"initialize": {mcphosttest.Fail(-32000, "bad token canary-line-1")}},
	})
	s := h.add("Scripted", p, consent.Var{Name: "API_KEY", Value: "canary-line-1\ncanary-line-2"})
	err := s.Connect(t.Context(), consent.Actor{})
	if err == nil {
		t.Fatal("connected")
	}
	f := s.Snapshot().Failure
	text := err.Error() + f.Err.Error() + strings.Join(f.Stderr.Last, "")
	if f.Code != "answered-error" || strings.Contains(text, "canary") || !strings.Contains(text, "bad token ") {
		t.Errorf("failure %s: %s", f.Code, text)
	}
}

func TestUpdateForgetsUnusedSecrets(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	p := mcphosttest.Command(t, mcphosttest.Scenario{})
	s := h.add("Scripted", p)
	c := s.Config()
	for _, name := range []string{"ONE", "TWO", "THREE"} {
		key := mcphost.SecretKey(s.ID(), "env", name)
		if err := h.secrets.PutSecret(t.Context(), key, "secret of "+name); err != nil {
			t.Fatal(err)
		}
		c.Env = append(c.Env, consent.Var{Name: name, Ref: "keyring:" + key})
	}
	if err := h.Update(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	c.Env = []consent.Var{c.Env[1], {Name: "THREE", Value: "Bearer ${" + c.Env[2].Ref + "}"}}
	if err := h.Update(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	for name, kept := range map[string]bool{"ONE": false, "TWO": true, "THREE": true} {
		_, err := h.secrets.Secret(t.Context(), mcphost.SecretKey(s.ID(), "env", name))
		if (err == nil) != kept {
			t.Errorf("%s: %v, want kept = %v", name, err, kept)
		}
	}
}

func TestLaunchRefusesWhatCannotBeContacted(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	for _, url := range []string{"", "ftp://example.com", "http://example.com/mcp", "https://user:password@example.com/mcp"} {
		_, err := h.Launch(t.Context(), mcphost.Config{Transport: mcphost.HTTP, URL: url})
		var config *mcphost.ConfigError
		if !errors.As(err, &config) || config.Field != "url" || strings.Contains(err.Error(), "password@") {
			t.Errorf("%q: error = %v", url, err)
		}
	}
}

func TestLaunchRefusesWhatCannotBeStarted(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	stdio := func(args []string, dir string) mcphost.Config {
		return mcphost.Config{Transport: mcphost.Stdio, Command: "/bin/sh", Args: args, Dir: dir}
	}
	t.Setenv("HOME", "relative/home")
	for field, c := range map[string]mcphost.Config{
		"args[1]": stdio([]string{"a", "b\x00c"}, "/"),
		"cwd":     stdio(nil, ""),
	} {
		_, err := h.Launch(t.Context(), c)
		var config *mcphost.ConfigError
		if !errors.As(err, &config) || config.Field != field {
			t.Errorf("%s: error = %v", field, err)
		}
	}
}

func TestOriginMasksSecrets(t *testing.T) {
	const key = "sk-0123456789abcdef"
	tests := []struct {
		launch consent.Launch
		want   string
	}{
		{consent.Launch{Command: "/bin/x", Args: []string{"-y", "pkg", "--api-key", key}}, "/bin/x -y pkg --api-key ••••••"},
		{consent.Launch{Command: "/bin/x", Args: []string{"--token=" + key, "--port=1"}}, "/bin/x --token=•••••• --port=1"},
		{consent.Launch{Command: "/bin/x", Args: []string{key}}, "/bin/x ••••••"},
		{consent.Launch{Transport: mcphost.HTTP, URL: "https://h.example/mcp?v=1&api_key=" + key}, "https://h.example/mcp?v=1&api_key=••••••"},
		{consent.Launch{Transport: mcphost.HTTP, URL: "https://me:pw@h.example:8443/a@b"}, "https://me:••••••@h.example:8443/a@b"},
		{consent.Launch{Transport: mcphost.HTTP, URL: "${BASE}/mcp"}, "${BASE}/mcp"},
		{consent.Launch{Transport: mcphost.HTTP, URL: "https://h.example/mcp"}, "https://h.example/mcp"},
	}
	for _, tt := range tests {
		if got := mcphost.Origin(tt.launch); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.launch, got, tt.want)
		}
	}
}
