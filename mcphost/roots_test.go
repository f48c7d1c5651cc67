package mcphost_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

var offersRoots = mcphost.Options{Offer: session.Offer{Roots: true}}

// folders answers what is revealed so, and allows everything else.
func folders(answer func(r consent.Request) consent.Answer) consent.Script {
	return func(ctx context.Context, r consent.Request) consent.Answer {
		if r.Kind != consent.KindRoots {
			return yes(ctx, r)
		}
		return answer(r)
	}
}

func folder(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// listings are the answers to roots/list.
func listings(t *testing.T, p *mcphosttest.Process) (lists []string) {
	for _, f := range p.Frames(t) {
		if i := strings.Index(f, `{"roots":[`); i >= 0 {
			lists = append(lists, strings.TrimSuffix(f[i:], "}"))
		}
	}
	return lists
}

func askRoots(t *testing.T, sc mcphosttest.Scenario) *mcphosttest.Process {
	sc.Tools = []mcphosttest.Tool{tool("ask", mcphosttest.Ask(protocol.MethodRootsList, ""), mcphosttest.Text("done"))}
	return mcphosttest.Command(t, sc)
}

// Nothing is told without a grant, and nobody is asked then; the first telling is asked for, exactly as it leaves; what is
// set to ask is asked each time; a change goes to exactly the server concerned (SEC G1, ACC A44).
func TestRootsOfOneServer(t *testing.T) {
	h := newHouse(t, offersRoots)
	asked := 0
	h.answer(folders(func(r consent.Request) consent.Answer {
		asked++
		return yes(t.Context(), r)
	}))
	p, other := askRoots(t, mcphosttest.Scenario{}), askRoots(t, mcphosttest.Scenario{})
	s, o := h.add("srv", p), h.add("other", other)
	h.connect(s)
	h.connect(o)
	list := func(want string, questions int) {
		t.Helper()
		if _, err := h.call(s, "ask", `{}`); err != nil {
			t.Fatal(err)
		}
		if got := listings(t, p); got[len(got)-1] != want || asked != questions {
			t.Errorf("told %s after %d questions, want %s after %d", got[len(got)-1], asked, want, questions)
		}
	}
	list(`{"roots":[]}`, 0)
	a, err := h.AddRoot(t.Context(), folder(t))
	if err != nil {
		t.Fatal(err)
	}
	list(`{"roots":[]}`, 0)
	show := func(r mcphost.Root, v mcphost.RootVisibility) {
		t.Helper()
		if err := h.ShowRoot(t.Context(), r.ID, s.ID(), v); err != nil {
			t.Fatal(err)
		}
	}
	show(a, mcphost.RootVisible)
	wire := func(r mcphost.Root) string {
		return `{"uri":"` + mcphost.RootURI(r.Path) + `","name":"` + r.Name + `"}`
	}
	list(`{"roots":[`+wire(a)+`]}`, 1)
	if row := h.history()[0]; row.Kind != consent.KindRoots || !row.Allowed || row.What != a.Name {
		t.Errorf("kept %+v", row)
	}
	list(`{"roots":[`+wire(a)+`]}`, 1)
	if row := h.history()[0]; row.Kind != consent.KindRootsTold || row.By != consent.ByShared {
		t.Errorf("kept %+v", row)
	}
	b, err := h.AddRoot(t.Context(), folder(t))
	if err != nil {
		t.Fatal(err)
	}
	show(b, mcphost.RootAsk)
	list(`{"roots":[`+wire(a)+`,`+wire(b)+`]}`, 2)
	list(`{"roots":[`+wire(a)+`,`+wire(b)+`]}`, 3)
	if err := os.Remove(b.Path); err != nil { // it is gone
		t.Fatal(err)
	}
	list(`{"roots":[`+wire(a)+`]}`, 3)
	if err := os.Symlink(a.Path, b.Path); err != nil { // or leads elsewhere
		t.Fatal(err)
	}
	list(`{"roots":[`+wire(a)+`]}`, 3)
	if err := h.RemoveRoot(t.Context(), a.ID); err != nil {
		t.Fatal(err)
	}
	list(`{"roots":[]}`, 3)
	waitFor(t, "the changes to be told", func() bool { return p.Count(t, protocol.NotificationRootsListChanged) == 3 })
	if n := other.Count(t, protocol.NotificationRootsListChanged); n != 0 {
		t.Errorf("another server heard of %d changes", n)
	}
}

// The user may tell some, or none; nothing but what was proposed leaves. A no tells none.
func TestRevealSomeRoots(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(r consent.Request, all protocol.ListRootsResult) consent.Answer
		want   int // roots, -1 = an error
	}{
		"some": {func(r consent.Request, all protocol.ListRootsResult) consent.Answer {
			one, _ := json.Marshal(protocol.ListRootsResult{Roots: all.Roots[1:]})
			return accept(string(one))(t.Context(), r)
		}, 1},
		"another": {func(r consent.Request, _ protocol.ListRootsResult) consent.Answer {
			return accept(`{"roots":[{"uri":"file:///etc","name":"etc"}]}`)(t.Context(), r)
		}, -1},
		"none": {func(r consent.Request, _ protocol.ListRootsResult) consent.Answer {
			return accept(`{"roots":[]}`)(t.Context(), r)
		}, -1},
		"a no": {func(consent.Request, protocol.ListRootsResult) consent.Answer {
			return consent.Answer{By: consent.ByUser}
		}, 0},
		"nobody": {func(consent.Request, protocol.ListRootsResult) consent.Answer { return consent.Answer{} }, -1},
	} {
		h := newHouse(t, offersRoots)
		h.answer(folders(func(r consent.Request) consent.Answer {
			var all protocol.ListRootsResult
			if err := json.Unmarshal(r.Question.Reply, &all); err != nil || len(all.Roots) != 2 {
				t.Errorf("%s: asked %s", name, r.Question.Reply)
			}
			return c.answer(r, all)
		}))
		p := askRoots(t, mcphosttest.Scenario{})
		s := h.add("srv", p)
		h.connect(s)
		for range 2 {
			r, err := h.AddRoot(t.Context(), folder(t))
			if err != nil {
				t.Fatal(err)
			}
			if err := h.ShowRoot(t.Context(), r.ID, s.ID(), mcphost.RootVisible); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := h.call(s, "ask", `{}`); err != nil {
			t.Fatal(err)
		}
		got := listings(t, p)
		if c.want < 0 && len(got) != 0 || c.want >= 0 && (len(got) != 1 || strings.Count(got[0], `"uri"`) != c.want) {
			t.Errorf("%s: told %v", name, got)
		}
	}
}

// Paths are kept with symbolic links resolved; the whole file system, our own folder and what is not there are refused
// (SEC G2, A20).
func TestPathsOfRoots(t *testing.T) {
	own, dir := folder(t), folder(t)
	o := offersRoots
	o.DataDir = own
	h := newHouse(t, o)
	link := filepath.Join(folder(t), "link")
	for old, path := range map[string]string{dir: link, "/": link + "-root", own: link + "-own"} {
		if err := os.Symlink(old, path); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(own, "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{
		"/": mcphost.ErrRootWhole, "/..": mcphost.ErrRootWhole, link + "-root": mcphost.ErrRootWhole, own: mcphost.ErrRootOwn,
		filepath.Join(own, "run"): mcphost.ErrRootOwn, link + "-own": mcphost.ErrRootOwn, dir + "/none": mcphost.ErrRootMissing,
		"relative": mcphost.ErrRootMissing, "": mcphost.ErrRootMissing, "/dev/null": mcphost.ErrRootMissing, "//host/share": mcphost.ErrRootMissing,
		dir + "/../" + filepath.Base(dir): nil, link: mcphost.ErrRootTwice,
	} {
		if want == mcphost.ErrRootTwice {
			continue // below, once the folder is there
		}
		r, err := h.AddRoot(t.Context(), path)
		if !errors.Is(err, want) || err == nil && r.Path != dir {
			t.Errorf("%q: %+v, %v", path, r, err)
		}
	}
	if _, err := h.AddRoot(t.Context(), link); !errors.Is(err, mcphost.ErrRootTwice) {
		t.Errorf("a link to what is there: %v", err)
	}
}
