package mcphost_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
)

// changesRoots is a server whose tool asks for a change of the roots, in the words of a revision.
func changesRoots(t *testing.T, revision protocol.Revision, method, params string) *mcphosttest.Process {
	return mcphosttest.Command(t, mcphosttest.Scenario{
		Revision: string(revision),
		Tools:    []mcphosttest.Tool{tool("ask", mcphosttest.Ask(method, mcphosttest.Raw(params)), mcphosttest.Text("done"))},
	})
}

// lastAnswer is what the server got to know.
func lastAnswer(t *testing.T, p *mcphosttest.Process) string {
	t.Helper()
	answer := ""
	for _, f := range p.Frames(t) {
		if strings.Contains(f, `"result":`) || strings.Contains(f, `"error":`) {
			answer = f
		}
	}
	return answer
}

// A server adds a root, and lets go of it, only by the user's word: what was shown is what is kept, for that server alone,
// which is told of the change; other servers keep what they have (protocol.md §3).
func TestServersChangeRoots(t *testing.T) {
	h := newHouse(t, offersRoots)
	dir := folder(t)
	var shown []consent.Request
	allow := true
	h.answer(func(ctx context.Context, r consent.Request) consent.Answer {
		if r.Kind == consent.KindRootAdd || r.Kind == consent.KindRootRemove {
			if shown = append(shown, r); !allow {
				return consent.Answer{By: consent.ByUser}
			}
		}
		return yes(ctx, r)
	})
	uri := mcphost.RootURI(dir)
	adds := changesRoots(t, protocol.Revision20241105, protocol.MethodRootsAdd,
		fmt.Sprintf(`{"uri":%q,"name":"My documents","metadata":{"readOnly":true,"type":"vault"}}`, uri+"/../"+filepath.Base(dir)))
	removes := changesRoots(t, protocol.Revision20241105, protocol.MethodRootsRemove, fmt.Sprintf(`{"uri":%q}`, uri))
	a, r := h.add("adds", adds), h.add("removes", removes)
	h.connect(a)
	h.connect(r)
	ask := func(s *mcphost.Server, p *mcphosttest.Process, want string) {
		t.Helper()
		if _, err := h.call(s, "ask", `{}`); err != nil {
			t.Fatal(err)
		}
		if got := lastAnswer(t, p); !strings.Contains(got, want) {
			t.Errorf("answered %s, want %s", got, want)
		}
	}
	roots := func() []mcphost.Root {
		t.Helper()
		all, err := h.Roots(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return all
	}

	allow = false
	ask(a, adds, `"code":-32000`)
	if all := roots(); len(all) != 0 {
		t.Fatalf("refused, and kept: %+v", all)
	}
	if row := h.history()[0]; row.Kind != consent.KindRootAdd || row.Allowed || row.What != filepath.Base(dir) {
		t.Errorf("the history: %+v", row)
	}
	allow = true
	ask(a, adds, `"result":{}`)
	want := fmt.Sprintf(`{"uri":%q,"name":%q,"metadata":{"readOnly":true,"type":"directory"}}`, uri, filepath.Base(dir))
	if got := string(shown[len(shown)-1].Question.Reply); got != want {
		t.Errorf("shown %s, want %s", got, want)
	}
	all := roots()
	if len(all) != 1 || all[0].Path != dir || !all[0].ReadOnly || all[0].For(a.ID()) != mcphost.RootVisible || all[0].For(r.ID()) != mcphost.RootHidden {
		t.Fatalf("kept %+v", all)
	}
	if n := adds.Count(t, protocol.NotificationRootsListChanged); n != 1 {
		t.Errorf("told of %d changes", n)
	}

	asked := len(shown)
	ask(r, removes, `"code":-32000`) // it does not know of it
	if len(shown) != asked {
		t.Error("asked about a root that the server does not know of")
	}
	if err := h.ShowRoot(t.Context(), all[0].ID, r.ID(), mcphost.RootVisible); err != nil {
		t.Fatal(err)
	}
	ask(r, removes, `"result":{}`)
	if all = roots(); len(all) != 1 || all[0].For(r.ID()) != mcphost.RootHidden || all[0].For(a.ID()) != mcphost.RootVisible {
		t.Errorf("kept %+v", all)
	}
	if row := h.history()[0]; row.Kind != consent.KindRootRemove || !row.Allowed {
		t.Errorf("the history: %+v", row)
	}
}

// What cannot be a root is refused without a question and in the same words, whatever is there; later revisions do not
// know the method (SEC G2).
func TestServersCannotAdd(t *testing.T) {
	own := folder(t)
	o := offersRoots
	o.DataDir = own
	h := newHouse(t, o)
	h.answer(func(ctx context.Context, r consent.Request) consent.Answer {
		if r.Kind == consent.KindRootAdd {
			t.Errorf("asked for %s", r.Question.Params)
		}
		return yes(ctx, r)
	})
	link := filepath.Join(folder(t), "link")
	if err := os.Symlink("/", link); err != nil {
		t.Fatal(err)
	}
	refused := `"error":{"code":-32000,"message":"This cannot be a root"}`
	for uri, c := range map[string]struct {
		revision protocol.Revision
		want     string
	}{
		"file:///":                    {protocol.Revision20241105, refused},
		"file:///%2e%2e":              {protocol.Revision20241105, refused},
		"file://" + link:              {protocol.Revision20241105, refused},
		"file://" + own:               {protocol.Revision20241105, refused},
		"file://" + own + "/none":     {protocol.Revision20241105, refused},
		"file://host/share":           {protocol.Revision20241105, refused},
		"https://example.com/":        {protocol.Revision20241105, refused},
		"file:relative":               {protocol.Revision20241105, refused},
		"file://" + filepath.Dir(own): {protocol.Revision20250326, `"code":-32601`},
	} {
		p := changesRoots(t, c.revision, protocol.MethodRootsAdd, fmt.Sprintf(`{"uri":%q}`, uri))
		s := h.add(uri, p)
		h.connect(s)
		if _, err := h.call(s, "ask", `{}`); err != nil {
			t.Fatal(err)
		}
		if got := lastAnswer(t, p); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", uri, got)
		}
	}
}

// A change is not made if the server has gone while the user was thinking, or if the path leads elsewhere by then.
func TestChangesOfRootsAreWithdrawn(t *testing.T) {
	h := newHouse(t, offersRoots)
	dir, other := folder(t), folder(t)
	path := filepath.Join(folder(t), "link")
	if err := os.Symlink(dir, path); err != nil {
		t.Fatal(err)
	}
	p := changesRoots(t, protocol.Revision20241105, protocol.MethodRootsAdd, fmt.Sprintf(`{"uri":%q}`, "file://"+path))
	s := h.add("srv", p)
	meanwhile := func() {
		if err := errors.Join(os.Remove(path), os.Symlink(other, path)); err != nil {
			t.Error(err)
		}
	}
	h.answer(func(ctx context.Context, r consent.Request) consent.Answer {
		if r.Kind == consent.KindRootAdd {
			meanwhile()
			return yes(context.WithoutCancel(ctx), r)
		}
		return yes(ctx, r)
	})
	h.connect(s)
	if _, err := h.call(s, "ask", `{}`); err != nil {
		t.Fatal(err)
	}
	if got := lastAnswer(t, p); !strings.Contains(got, `"code":-32000`) {
		t.Errorf("the path leads elsewhere: %s", got)
	}
	ended := make(chan struct{})
	h.answer(func(ctx context.Context, r consent.Request) consent.Answer {
		if r.Kind != consent.KindRootAdd {
			return yes(ctx, r)
		}
		go func() {
			defer close(ended)
			if err := s.Stop(context.WithoutCancel(ctx)); err != nil {
				t.Error(err)
			}
		}()
		<-ctx.Done() // it was withdrawn
		return consent.Answer{Allow: true, By: consent.ByUser, Digest: r.Digest()}
	})
	_, err := h.call(s, "ask", `{}`)
	<-ended
	if all, failed := h.Roots(t.Context()); err == nil || failed != nil || len(all) != 0 {
		t.Errorf("the call: %v; kept %+v, %v", err, all, failed)
	}
	waitFor(t, "the row of what was withdrawn", func() bool {
		row := h.history()[0]
		return row.Kind == consent.KindRootAdd && !row.Allowed && row.By == consent.ByHost
	})
}
