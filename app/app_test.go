package app

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/transport"
)

var update = flag.Bool("update", false, "write the golden files anew")

// SEC H7: the bound surface is what was reviewed. A new method shows up here.
func TestBoundMethods(t *testing.T) {
	var got []string
	for _, s := range (&desk{}).services() {
		v := reflect.TypeOf(s)
		for i := range v.NumMethod() {
			m := v.Method(i)
			signature := strings.Replace(m.Type.String(), "func("+v.String()+", ", "(", 1)
			signature = strings.Replace(signature, "func("+v.String(), "(", 1)
			got = append(got, v.Elem().Name()+"."+m.Name+signature)
		}
	}
	slices.Sort(got)
	text := strings.Join(got, "\n") + "\n"
	const golden = "testdata/bound.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != text {
		t.Errorf("the bound methods changed; review them, then run with -update:\n%s", text)
	}
}

// A panic in any bound method must reach the page as an error (Wails would wait for ever).
func TestPanicsBecomeErrors(t *testing.T) {
	ready := make(chan struct{})
	close(ready)
	broken := &desk{ready: ready, eng: &Engine{}, ctx: t.Context(), events: newEmitter()} // every field of the engine is nil
	for _, s := range broken.services() {
		v := reflect.ValueOf(s)
		for i := range v.NumMethod() {
			name := v.Type().Method(i).Name
			if name == "CopyText" {
				continue // it does nothing of ours but call Wails, which ends the process without a window
			}
			if name == "Chats" {
				continue // it asks nothing of the engine, and there are none
			}
			args := make([]reflect.Value, v.Method(i).Type().NumIn())
			for j := range args {
				args[j] = reflect.Zero(v.Method(i).Type().In(j))
			}
			out := v.Method(i).Call(args)
			if out[len(out)-1].IsNil() {
				t.Errorf("%s returned no error", name)
			}
		}
	}
}

func TestFormatErrorIsAStringForThePage(t *testing.T) {
	d := &desk{codes: []ErrorCode{{Err: os.ErrPermission, Code: "data-read-only"}}}
	tests := []struct {
		err          error
		code, detail string
	}{
		{fmt.Errorf("x: %w", mcphost.ErrUnknownServer), "unknown-server", ""},
		{&mcphost.ConfigError{Field: "command", Err: &transport.NotFoundError{Command: "uvx"}}, "command-not-found", "uvx"},
		{&mcphost.ConfigError{Field: "env.X", Err: errors.New("no")}, "bad-config", "env.X"},
		{consent.ErrNotArmed, "not-armed", ""},
		{os.ErrPermission, "data-read-only", ""},
		{errors.New("\x1b[31mred\u202e"), "internal", ""},
	}
	for _, tt := range tests {
		text, ok := d.formatError(tt.err).(string)
		if !ok {
			t.Fatalf("%v: not a string", tt.err)
		}
		var got struct{ Code, Message, Detail string }
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		if got.Code != tt.code || got.Detail != tt.detail || strings.ContainsAny(got.Message, "\x1b\u202e") {
			t.Errorf("%v: %+v", tt.err, got)
		}
	}
}

func TestHintsAreMergedAndPaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []Event
		var at []time.Duration
		began := time.Now()
		em := newEmitter()
		em.send = func(_ context.Context, e Event) { got, at = append(got, e), append(at, time.Since(began)) }
		em.start(t.Context())
		em.add("servers", "1", "")
		synctest.Wait()
		for range 1000 {
			em.add("log", "1", "")
		}
		em.add("chatDelta", "i", "Hel")
		em.add("log", "2", "")
		em.add("chatDelta", "i", "lo")
		time.Sleep(interval)
		synctest.Wait()
		em.stop()
		want := []Event{{1, "servers", "1", ""}, {2, "log", "1", ""}, {3, "chatDelta", "i", "Hello"}, {4, "log", "2", ""}}
		if !slices.Equal(got, want) {
			t.Errorf("sent %+v, want %+v", got, want)
		}
		if at[0] != 0 || at[1] != interval {
			t.Errorf("sent at %v", at)
		}
	})
}

// SEC H6: header and meta carry the same policy; only the header can say frame-ancestors.
func TestContentPolicy(t *testing.T) {
	w := httptest.NewRecorder()
	protect(http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	if got := w.Header().Get("Content-Security-Policy"); got != csp {
		t.Errorf("header = %s", got)
	}
	page, err := os.ReadFile("../frontend/index.html")
	if err != nil {
		t.Fatal(err)
	}
	meta := strings.Replace(csp, "frame-ancestors 'none'; ", "", 1)
	if !strings.Contains(string(page), meta) {
		t.Errorf("index.html does not carry the policy %s", meta)
	}
	for _, directive := range []string{"default-src 'none'", "frame-src 'none'", "object-src 'none'", "script-src 'self'", "base-uri 'none'"} {
		if !strings.Contains(csp, directive+";") {
			t.Errorf("the policy lacks %s", directive)
		}
	}
	if strings.Contains(csp, "unsafe") || strings.Contains(csp, "http") {
		t.Errorf("the policy is too wide: %s", csp)
	}
}

func TestSystemLanguage(t *testing.T) {
	for _, tt := range []struct{ all, messages, lang, want string }{
		{"", "", "zh_CN.UTF-8", "zh-CN"}, {"", "de_DE@euro", "en_US", "de-DE"}, {"C", "", "", "en"}, {"", "", "", "en"}, {"POSIX", "", "fr_FR.UTF-8", "fr-FR"},
	} {
		env := map[string]string{"LC_ALL": tt.all, "LC_MESSAGES": tt.messages, "LANG": tt.lang}
		if got := systemLanguage(func(n string) string { return env[n] }); got != tt.want {
			t.Errorf("%v: %s, want %s", env, got, tt.want)
		}
	}
}

func TestOnlyShownDraftsRun(t *testing.T) {
	var d drafts
	c := composed{serverID: "s", tool: "t", arguments: json.RawMessage(`{}`), digest: consent.Digest{1}}
	d.put("panel:a", c)
	if _, err := d.take("panel:a", consent.Digest{2}.String()); !errors.Is(err, consent.ErrMismatch) {
		t.Errorf("another digest: %v", err)
	}
	if _, err := d.take("panel:b", c.digest.String()); !errors.Is(err, consent.ErrMismatch) {
		t.Errorf("another panel: %v", err)
	}
	if got, err := d.take("panel:a", c.digest.String()); err != nil || got.tool != "t" {
		t.Errorf("the shown draft: %+v, %v", got, err)
	}
}
