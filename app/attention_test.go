package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/app/desktop"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
)

var noticeWords = NoticeWords{
	Call: "{server}: a tool call waits", Launch: "{server}: a start waits", Form: "{server}: a form waits", Many: "{n} requests wait", Body: "Open Gatehouse.", Open: "Open",
}

// A board is a desktop that keeps what it shows, over requests that the test keeps.
type board struct {
	*attention
	mu     sync.Mutex
	items  []consent.Pending
	on     bool
	shown  []desktop.Notice
	at     []time.Duration // since it began
	gone   int
	titles []string
	began  time.Time
}

func newBoard(t *testing.T) *board {
	b := &board{attention: newAttention(), on: true, began: time.Now()}
	b.attention.pending = func() []consent.Pending {
		b.mu.Lock()
		defer b.mu.Unlock()
		return slices.Clone(b.items)
	}
	b.attention.wanted = func(context.Context) bool { return b.on }
	b.attention.title = func(s string) { b.titles = append(b.titles, s) }
	b.attention.notify = b
	b.start(t.Context())
	return b
}

func (b *board) Show(_ context.Context, n desktop.Notice) error {
	b.shown, b.at = append(b.shown, n), append(b.at, time.Since(b.began))
	return nil
}

func (b *board) Withdraw(context.Context) error { b.gone++; return nil }

func (b *board) put(items ...consent.Pending) {
	b.mu.Lock()
	b.items = items
	b.mu.Unlock()
	b.changed()
	synctest.Wait()
}

func (b *board) watch(yes bool) {
	b.watching(yes, noticeWords)
	synctest.Wait()
}

func asks(id, alias string, kind consent.Kind) consent.Pending {
	p := consent.Pending{Request: consent.Request{ID: id, Kind: kind, Server: consent.Server{ID: alias, Alias: alias, Claimed: "server text"}}}
	if kind == consent.KindToolCall {
		p.Request.ToolCall = &consent.ToolCall{Tool: "secret_tool", Arguments: []byte(`{"a":"secret"}`)}
	}
	return p
}

func TestNotifiesOnlyOutOfSight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBoard(t)
		defer b.stop()
		one := asks("1", "Files", consent.KindToolCall)
		b.watch(false)
		b.put(one) // before the user has seen the window at all
		time.Sleep(time.Hour)
		b.watch(true)
		b.put(one, asks("2", "Files", consent.KindLaunch)) // in sight
		time.Sleep(time.Hour)
		b.watch(false)
		time.Sleep(time.Hour)
		if len(b.shown) != 0 {
			t.Fatalf("told of what the user has seen: %+v", b.shown)
		}
		b.put()
		b.put(one)
		time.Sleep(gatherTime)
		synctest.Wait()
		if want := []desktop.Notice{{Summary: "Files: a tool call waits", Body: "Open Gatehouse.", Open: "Open"}}; !slices.Equal(b.shown, want) {
			t.Fatalf("shown %+v, want %+v", b.shown, want)
		}
		b.watch(true)
		if b.gone != 1 {
			t.Errorf("withdrawn %d times when the user came, want 1", b.gone)
		}
		b.watch(false)
		b.on = false
		b.put(one, asks("3", "Files", consent.KindLaunch))
		time.Sleep(time.Hour)
		if len(b.shown) != 1 {
			t.Error("told although it is switched off")
		}
		if want := []string{"Gatehouse", "(1) Gatehouse", "(2) Gatehouse", "Gatehouse", "(1) Gatehouse", "(2) Gatehouse"}; !slices.Equal(b.titles, want) {
			t.Errorf("titles %q, want %q", b.titles, want)
		}
	})
}

// SEC C15: 36,000 requests in an hour are a handful of notifications, the first of them at once.
func TestAFloodIsNoFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBoard(t)
		defer b.stop()
		b.watch(true)
		b.watch(false)
		var items []consent.Pending
		for i := range 36_000 {
			items = append(items, asks(fmt.Sprint(i), "Files", consent.KindToolCall))
			b.put(items[max(0, i-20):]...)
			time.Sleep(100 * time.Millisecond)
		}
		if n := len(b.shown); n < 5 || n > 12 {
			t.Errorf("%d notifications: %v", n, b.at)
		}
		if b.at[0] != gatherTime {
			t.Errorf("the first came after %v", b.at[0])
		}
		for i := 1; i < len(b.at); i++ {
			if b.at[i]-b.at[i-1] < firstPause {
				t.Errorf("two within %v", b.at[i]-b.at[i-1])
			}
		}
		b.watch(true) // the user has looked: the next one is told at once again
		b.watch(false)
		before := time.Since(b.began)
		b.put(asks("new", "Files", consent.KindLaunch))
		time.Sleep(gatherTime)
		synctest.Wait()
		if last := b.at[len(b.at)-1]; last-before != gatherTime {
			t.Errorf("after a look the next came %v later", last-before)
		}
	})
}

func TestANoticeSaysNothingOfServers(t *testing.T) {
	items := []consent.Pending{
		asks("1", "Files\n\u202e "+strings.Repeat("x", 90), consent.KindToolCall), asks("2", "B", consent.KindLaunch), asks("3", "B", consent.KindLaunch),
		asks("4", "C", consent.KindLaunch), asks("5", "D", consent.KindLaunch),
	}
	many, one := notice(items, noticeWords), notice(items[:1], noticeWords)
	for _, n := range []desktop.Notice{many, one} {
		if text := n.Summary + n.Body; strings.Contains(text, "secret") || strings.Contains(text, "server text") || strings.ContainsRune(text, '\u202e') {
			t.Errorf("said %+v", n)
		}
	}
	if many.Summary != "5 requests wait" || strings.Count(many.Body, "B") != 1 || !strings.HasSuffix(many.Body, " · C · …\nOpen Gatehouse.") {
		t.Errorf("many: %+v", many)
	}
	if strings.Contains(one.Summary, "\n") || len([]rune(one.Summary)) > 60+len(noticeWords.Call) {
		t.Errorf("one: %+v", one)
	}
}

func TestTheTitleCountsWhatWaits(t *testing.T) {
	w := openWindow(t)
	formless := noticeWords
	formless.Form = ""
	if w.app.Watching(true, NoticeWords{}) == nil || w.app.Watching(true, formless) == nil {
		t.Error("empty words are taken")
	}
	if err := w.app.Watching(true, noticeWords); err != nil {
		t.Fatal(err)
	}
	if s, err := w.app.State(); err != nil || s.Notify != "" {
		t.Errorf("without a bus the setting is %q, %v", s.Notify, err)
	}
	id := w.add(mcphosttest.Scenario{}, ServerDraft{Name: "Other"})
	if err := w.servers.StartServer(id); err != nil {
		t.Fatal(err)
	}
	p := w.asked()
	until(t, "the title counts it", func() bool { return w.frame.has("title (1) Gatehouse") })
	w.answer(p, AnswerInput{})
}
