package store

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/session"
)

func TestServers(t *testing.T) {
	s := openNew(t)
	ctx := t.Context()
	young := mcphost.Config{
		ID: "b", Name: "Young", Transport: "http", URL: "https://example.com/mcp", CreatedAt: noon.Add(time.Hour),
		Headers: []consent.Var{{Name: "Authorization", Ref: "keyring:b"}},
	}
	old := mcphost.Config{
		ID: "a", Name: "Old", Transport: "stdio", Command: "npx", Args: []string{"-y", "", "a b <c>"}, Dir: "/srv",
		Env: []consent.Var{{Name: "MODE", Value: "test"}, {Name: "KEY", Ref: "env:KEY"}}, Disabled: true, CreatedAt: noon,
		Conversation: mcphost.Conversation{
			Era: session.EraLegacy, Times: mcphost.Times{Inactive: time.Minute}, LogLevel: "warning",
			Tools: map[string]mcphost.Times{"slow": {Total: time.Hour}},
		},
	}
	check(t, s.PutServer(ctx, young))
	check(t, s.PutServer(ctx, old))
	old.Name, old.Disabled = "OLD", false // its own name in another case
	changed := old
	changed.CreatedAt = noon.Add(9 * time.Hour) // does not count
	check(t, s.PutServer(ctx, changed))
	got, err := s.Servers(ctx)
	check(t, err)
	young.Args, young.Env, old.Headers = []string{}, []consent.Var{}, []consent.Var{}
	if want := []mcphost.Config{old, young}; !reflect.DeepEqual(got, want) {
		t.Errorf("servers\n%+v\nwant\n%+v", got, want)
	}
}

func TestServerNamesAreUnique(t *testing.T) {
	s := openNew(t)
	put := func(id, name string) error {
		return s.PutServer(t.Context(), mcphost.Config{ID: id, Name: name, Transport: "stdio", Command: "x"})
	}
	check(t, put("a", "Straße Δ"))
	for _, name := range []string{"Straße Δ", "STRASSE δ", "ｓｔｒａｓｓｅ Δ"} {
		wantErr(t, put("b", name), ErrNameTaken)
	}
	check(t, put("b", "Strasse"))
	wantErr(t, put("a", "strasse"), ErrNameTaken)
}

func TestRemovedServersKeepTheirRow(t *testing.T) {
	s := openNew(t)
	ctx := t.Context()
	c := mcphost.Config{ID: "a", Name: "Files", Transport: "stdio", Command: "x", CreatedAt: noon}
	check(t, s.PutServer(ctx, c))
	removed := c
	removed.Removed = true
	check(t, s.PutServer(ctx, removed))
	other := mcphost.Config{ID: "b", Name: "FILES", Transport: "stdio", Command: "x", CreatedAt: noon}
	check(t, s.PutServer(ctx, other)) // the name is free
	got, err := s.Servers(ctx)
	check(t, err)
	if len(got) != 2 || !got[0].Removed || got[0].Name != "Files" || got[1].Removed {
		t.Errorf("servers %+v", got)
	}
	wantErr(t, s.PutServer(ctx, c), ErrNameTaken)
	check(t, s.RemoveServer(ctx, "b"))
	check(t, s.PutServer(ctx, c))
	got, err = s.Servers(ctx)
	check(t, err)
	if len(got) != 1 || got[0].Removed {
		t.Errorf("servers %+v", got)
	}
}

func TestRemoveServerKeepsHistory(t *testing.T) {
	s := openNew(t)
	ctx := t.Context()
	fixture(t, s)
	check(t, s.RemoveServer(ctx, "files"))
	wantErr(t, s.RemoveServer(ctx, "files"), ErrNotFound)
	pins, err := s.Pins(ctx, "files")
	check(t, err)
	servers, err := s.Servers(ctx)
	check(t, err)
	page, err := s.History(ctx, mcphost.HistoryQuery{ServerID: "files"})
	check(t, err)
	if len(pins) != 0 || len(servers) != 0 || page.Total != 4 {
		t.Errorf("%d pins, %d servers, %d decisions", len(pins), len(servers), page.Total)
	}
}

func TestPins(t *testing.T) {
	s := openNew(t)
	ctx := t.Context()
	pin := func(tool, definition string) mcphost.Pin {
		raw := []byte(definition)
		return mcphost.Pin{Tool: tool, Digest: consent.DefinitionDigest(raw), Definition: raw, At: noon}
	}
	check(t, s.PutPins(ctx, "a", []mcphost.Pin{pin("x", `{"v": 1}`), pin("y", `{}`)}))
	check(t, s.PutPins(ctx, "a", []mcphost.Pin{pin("x", `{"v":  2}`)}))
	check(t, s.PutPins(ctx, "b", nil))
	got, err := s.Pins(ctx, "a")
	check(t, err)
	if want := map[string]mcphost.Pin{"x": pin("x", `{"v":  2}`), "y": pin("y", `{}`)}; !reflect.DeepEqual(got, want) {
		t.Errorf("pins %+v", got)
	}
}

func TestInstructions(t *testing.T) {
	s := openNew(t)
	ctx := t.Context()
	if _, ok, err := s.Instructions(ctx, "files"); ok || err != nil {
		t.Errorf("never reviewed: %t, %v", ok, err)
	}
	reviewed := func(text string) mcphost.Reviewed {
		return mcphost.Reviewed{Digest: consent.Use{Target: text}.Digest(consent.KindInstructions, "files"), Text: text, At: noon}
	}
	check(t, s.PutServer(ctx, mcphost.Config{ID: "files", Name: "Files", Transport: "stdio", CreatedAt: noon}))
	for _, text := range []string{"be kind", "be\x00 \u202e\r\nquick"} {
		check(t, s.PutInstructions(ctx, "files", reviewed(text)))
		got, ok, err := s.Instructions(ctx, "files")
		check(t, err)
		if !ok || !reflect.DeepEqual(got, reviewed(text)) {
			t.Errorf("%+v, %t", got, ok)
		}
	}
	check(t, s.RemoveServer(ctx, "files"))
	if _, ok, err := s.Instructions(ctx, "files"); ok || err != nil {
		t.Errorf("of a server that is gone: %t, %v", ok, err)
	}
}

func TestSettings(t *testing.T) {
	s := openNew(t)
	for _, want := range []string{"", "dark", "light"} {
		if want != "" {
			check(t, s.SetSetting(t.Context(), "theme", want))
		}
		got, err := s.Setting(t.Context(), "theme")
		check(t, err)
		if got != want {
			t.Errorf("setting %q, want %q", got, want)
		}
	}
}

// TestNoSecretOnDisk searches every file for a secret that went through every method that might keep one.
func TestNoSecretOnDisk(t *testing.T) {
	const canary = "gatehouse-canary-7f3a"
	s := openNew(t)
	ctx := t.Context()
	secrets := new(Memory)
	check(t, secrets.PutSecret(ctx, "files", canary))
	config := mcphost.Config{ID: "files", Name: "Files", Transport: "stdio", Env: []consent.Var{{Name: "TOKEN", Ref: "keyring:files"}}}
	check(t, s.PutServer(ctx, config))
	config.Env[0].Value = canary
	resolved := launch("resolved")
	resolved.Launch.Env[0].Value = canary
	for _, err := range []error{s.PutServer(ctx, config), s.RecordDecision(ctx, resolved)} {
		if err == nil || bytes.Contains([]byte(err.Error()), []byte(canary)) {
			t.Errorf("error %v", err)
		}
	}
	record(t, s, launch("d"))
	check(t, s.backup(ctx, 1))
	found := 0
	search := func() {
		check(t, filepath.WalkDir(s.Dir(), func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			if bytes.Contains(data, []byte("keyring:files")) {
				found++ // the search does see what is stored
			}
			if bytes.Contains(data, []byte(canary)) {
				t.Errorf("%s holds the secret", path)
			}
			return err
		}))
	}
	search()
	check(t, s.Close())
	search()
	if found < 3 { // log, backup, and the file after Close
		t.Errorf("the reference was found %d times", found)
	}
}
