package session_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

// pages answers prompts/list with these, one after the other; "" never answers.
func pages(results ...string) mcphosttest.Scenario {
	var turns [][]mcphosttest.Action
	for _, r := range results {
		do := []mcphosttest.Action{mcphosttest.Silence()}
		if strings.HasPrefix(r, "-") {
			do = []mcphosttest.Action{mcphosttest.Fail(-32602, "unknown cursor")}
		} else if r != "" {
			do = []mcphosttest.Action{mcphosttest.Result(mcphosttest.Raw(r))}
		}
		turns = append(turns, do)
	}
	return mcphosttest.Scenario{
		Capabilities: `{"prompts":{}}`, On: map[string][]mcphosttest.Action{protocol.MethodPromptsList: {mcphosttest.Turns(turns...)}},
	}
}

func page(name, next string) string {
	return fmt.Sprintf(`{"prompts":[{"name":%q}],"nextCursor":%q}`, name, next)
}

const last = `{"prompts":[{"name":"z"}]}`

// A cursor that the server no longer knows makes the list begin once more (P4), and once only.
func TestListBeginsOnceMore(t *testing.T) {
	for name, c := range map[string]struct {
		results []string
		items   int
		warning string
	}{
		"then it is whole":  {[]string{page("a", "1"), "-", page("a", "2"), last}, 2, ""},
		"then fails again":  {[]string{page("a", "1"), "-", page("a", "2"), "-", last}, 1, "page 2 failed"},
		"on the first page": {[]string{"-", last}, 0, ""},
	} {
		s, stream := open(t, pages(c.results...), nil)
		list, err := s.ListPrompts(t.Context())
		if len(list.Items) != c.items || !strings.Contains(list.Warning, c.warning) || (c.warning == "") != (list.Warning == "") || (c.items == 0) != (err != nil) {
			t.Errorf("%s: %d entries, warning %q, %v", name, len(list.Items), list.Warning, err)
		}
		if n := stream.Count(t, protocol.MethodPromptsList); c.items == 0 && n != 1 {
			t.Errorf("%s: asked %d times", name, n)
		}
	}
}

// The limits of pages and bytes at n and n+1; of time, for a page and for all of them (SEC C1).
func TestListLimits(t *testing.T) {
	two := []string{page("a", "1"), last}
	bytes := len(two[0])
	for name, c := range map[string]struct {
		limits  session.Limits
		warning string
	}{
		"n pages": {session.Limits{Pages: 2}, ""}, "n+1 pages": {session.Limits{Pages: 1}, "more than 1 pages"},
		"n bytes": {session.Limits{ListBytes: bytes + 1}, ""}, "n+1 bytes": {session.Limits{ListBytes: bytes}, "bytes"},
	} {
		s, _ := open(t, pages(two...), &session.Options{Limits: c.limits})
		list, err := s.ListPrompts(t.Context())
		if err != nil || !strings.Contains(list.Warning, c.warning) || (c.warning == "") != (len(list.Items) == 2) {
			t.Errorf("%s: %d entries, warning %q, %v", name, len(list.Items), list.Warning, err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		s, _ := open(t, pages(page("a", "1"), ""), nil)
		list, err := s.ListPrompts(t.Context())
		if d := time.Since(began); err != nil || len(list.Items) != 1 || !strings.Contains(list.Warning, "has not answered within 30s") || d != 30*time.Second {
			t.Errorf("a page that does not come: %d entries, warning %q, %v after %v", len(list.Items), list.Warning, err, d)
		}
		s, _ = open(t, pages(""), nil)
		if _, err := s.ListPrompts(t.Context()); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the first page does not come: %v", err)
		}
	})
}

// An entry that would spoil any message costs only itself: one that is nested too deeply for a frame by one level or by
// a hundred thousand, names a key twice or is no UTF-8. What spoils the message around it spoils the answer (SEC C6).
func TestListSparesTheRest(t *testing.T) {
	limit := jsonrpc.DefaultLimits().Depth - 3 // a message, its result and the list are around an entry
	deep := func(n int) string {
		return `{"name":"deep","x":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}`
	}
	for name, c := range map[string]struct{ entry, around, warning string }{
		"n levels":       {deep(limit), "", ""},
		"n+1 levels":     {deep(limit + 1), "", `the prompt "deep" was left out: nested too deeply`},
		"100,000 levels": {deep(1e5), "", `the prompt "deep" was left out: nested too deeply`},
		"two of them":    {deep(limit+1) + "," + deep(limit+2), "", `the prompt "deep" was left out: nested too deeply; and 1 more`},
		"a key twice":    {`{"name":"twice","a":1,"a":2}`, "", `the prompt "twice" was left out: duplicate key`},
		"no UTF-8":       {"{\"name\":\"odd\",\"title\":\"\xff\"}", "", `the prompt "odd" was left out: invalid UTF-8`},
		"in the result":  {deep(2), `,"a":1,"a":2`, "-"},
		"in both":        {deep(limit + 1), `,"a":1,"a":2`, "-"},
		"the list twice": {deep(limit + 1), `,"prompts":[]`, "-"},
		"no end":         {`{"name":"open","x":[}`, "", "-"},
	} {
		t.Run(name, func(t *testing.T) {
			answer := `{"jsonrpc":"2.0","id":${id},"result":{"prompts":[{"name":"a"},` + c.entry + `,{"name":"z"}]` + c.around + `}}`
			s, _ := open(t, mcphosttest.Scenario{
				Capabilities: `{"prompts":{}}`, On: map[string][]mcphosttest.Action{protocol.MethodPromptsList: {mcphosttest.Write(mcphosttest.Raw(answer + "\n"))}},
			}, nil)
			list, err := s.ListPrompts(t.Context())
			if c.warning == "-" {
				if !session.IsAnswer(err) {
					t.Errorf("%d entries, %v", len(list.Items), err)
				}
				return
			}
			if err != nil || list.Warning != c.warning {
				t.Fatalf("warning %q, %v", list.Warning, err)
			}
			var names []string
			for _, p := range list.Items {
				names = append(names, p.Name)
			}
			if got, whole := strings.Join(names, " "), c.warning == ""; got != "a deep z" && whole || got != "a z" && !whole {
				t.Errorf("listed: %s", got)
			}
		})
	}
}
