package app

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
)

// newLeave is a window's end over a list that the test keeps.
func newLeave() (*leave, *glass, func(...Work)) {
	var mu sync.Mutex
	var work []Work
	g := &glass{}
	l := &leave{frame: func() frame { return g }, notify: func() { g.note("notify") }, closing: func() { g.note("closing") }}
	l.work = func() []Work {
		mu.Lock()
		defer mu.Unlock()
		return work
	}
	return l, g, func(w ...Work) {
		mu.Lock()
		defer mu.Unlock()
		work = w
	}
}

func TestAnIdleWindowClosesAtOnce(t *testing.T) {
	l, g, _ := newLeave()
	if l.beforeClose(t.Context()) || g.has("notify") {
		t.Errorf("an idle window asks: %v", g.did)
	}
	if !l.beforeClose(t.Context()) {
		t.Error("it is told to close twice")
	}
}

func TestABusyWindowAsks(t *testing.T) {
	busy := Work{"call", "Files", "copy", "now"}
	for how, answer := range map[string]func(*leave){"now": (*leave).now, "stay": (*leave).stay, "later": (*leave).later} {
		t.Run(how, func(t *testing.T) {
			l, g, set := newLeave()
			set(busy)
			if !l.beforeClose(t.Context()) || !g.has("notify") {
				t.Fatal("it closes without a question")
			}
			if got := l.look(); got.State != leaveAsked || !slices.Equal(got.Work, []Work{busy}) {
				t.Errorf("the page sees %+v", got)
			}
			answer(l)
			if g.has("quit") != (how == "now") || g.has("minimise") != (how == "later") {
				t.Errorf("did %v", g.did)
			}
			l.check()
			if how != "now" && g.has("quit") {
				t.Error("it does not wait for the end")
			}
			set()
			l.check()
			if g.has("quit") == (how == "stay") {
				t.Errorf("at the end it did %v", g.did)
			}
			set(busy)
			if l.beforeClose(t.Context()) != (how == "stay") {
				t.Error("what comes after the answer is not as the answer was")
			}
		})
	}
}

func TestComingForwardEndsThePlan(t *testing.T) {
	l, g, set := newLeave()
	set(Work{Kind: "model"})
	l.beforeClose(t.Context())
	l.later()
	l.stay()
	set()
	l.check()
	if got := l.look(); g.has("quit") || got.State != "" {
		t.Errorf("did %v, state %q", g.did, got.State)
	}
}

// A page that does not even fetch the question must not lock the user in; a quick second press is no such case.
func TestADeadPageDoesNotKeepTheWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, _, set := newLeave()
		set(Work{Kind: "call"})
		for _, wait := range []time.Duration{0, unseenWait - 1} {
			time.Sleep(wait)
			if !l.beforeClose(t.Context()) {
				t.Fatalf("it closes %v after the question", wait)
			}
		}
		l.look()
		time.Sleep(unseenWait)
		if !l.beforeClose(t.Context()) {
			t.Fatal("the page has seen the question, but it closes")
		}
		time.Sleep(unseenWait)
		if l.beforeClose(t.Context()) {
			t.Error("a dead page keeps the window")
		}
	})
}

func TestSignalsAreNotKeptWaiting(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(s) { // the tests were started with nohup: Go leaves it so
			continue
		}
		l, g, set := newLeave()
		set(Work{Kind: "request"})
		stop := l.onSignals()
		if !l.beforeClose(t.Context()) { // Wails may ask before us
			t.Fatal("no question")
		}
		if err := syscall.Kill(os.Getpid(), s); err != nil {
			t.Fatal(err)
		}
		until(t, "it closes", func() bool { return g.has("quit") })
		if l.beforeClose(t.Context()) {
			t.Errorf("%v waits for an answer", s)
		}
		stop()
	}
}

// A native dialog may keep the window when the session ends: the servers and the program end all the same, once.
func TestSignalsEndAWindowThatStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, g, _ := newLeave()
		l.end = func() { g.note("end") }
		signals := make(chan os.Signal)
		go l.obey(signals)
		for range 2 {
			signals <- syscall.SIGTERM
		}
		time.Sleep(stuckWait - 1)
		synctest.Wait()
		if g.has("end") {
			t.Fatal("the window is given no time to go")
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if !g.has("end") {
			t.Error("a window that stays keeps the program")
		}
		close(signals)
	})
}

// What the question lists, and that the window's end is a no to everything that waits.
func TestLeavingStopsWhatRuns(t *testing.T) {
	w := openWindow(t)
	if l, err := w.app.Leaving(); err != nil || l.State != "" || len(l.Work) != 0 {
		t.Fatalf("idle: %+v, %v", l, err)
	}
	slow := numbers("slow")
	slow.Do = []mcphosttest.Action{mcphosttest.Silence()}
	id := w.connect(slow, numbers("danger"))
	draft, err := w.tools.DraftCall(panel, id, "slow", `{"n":1}`)
	if err != nil {
		t.Fatal(err)
	}
	w.look(panel)
	call, err := w.tools.RunCall(panel, draft.Digest, false)
	if err != nil {
		t.Fatal(err)
	}
	until(t, "the call runs", func() bool { c, err := w.tools.Call(call); return err == nil && c.State == "running" })
	other := w.add(mcphosttest.Scenario{}, ServerDraft{Name: "Other"})
	if err := w.servers.StartServer(other); err != nil {
		t.Fatal(err)
	}
	asked := w.asked()
	if !w.desk.leave.beforeClose(t.Context()) {
		t.Fatal("it closes")
	}
	l, err := w.app.Leaving()
	if err != nil || l.State != leaveAsked || len(l.Work) != 2 {
		t.Fatalf("leaving = %+v, %v", l, err)
	}
	if r := l.Work[0]; r != (Work{"request", "Other", "", asked.At}) {
		t.Errorf("request = %+v", r)
	}
	if c := l.Work[1]; c.Kind != "call" || c.Server != "Scripted" || c.Tool != "slow" || c.Since == "" {
		t.Errorf("call = %+v", c)
	}
	if err := w.app.Leave("perhaps"); err == nil {
		t.Error("any answer is taken")
	}
	if err := w.app.Leave("later"); err != nil || !w.frame.has("minimise") || w.frame.has("quit") {
		t.Fatalf("later: %v, %v", err, w.frame.did)
	}
	if err := w.tools.StopCall(call); err != nil {
		t.Fatal(err)
	}
	w.ended(call)
	if w.frame.has("quit") {
		t.Error("it closes over a request that waits")
	}
	w.answer(asked, AnswerInput{Reason: "no"})
	until(t, "it closes by itself", func() bool { return w.frame.has("quit") })
}

func TestPendingRequestsAreRefusedAtTheEnd(t *testing.T) {
	w := openWindow(t)
	id := w.add(mcphosttest.Scenario{}, ServerDraft{Name: "Other"})
	if err := w.servers.StartServer(id); err != nil {
		t.Fatal(err)
	}
	w.asked()
	w.atEnd = func() {
		page, err := w.store.History(context.WithoutCancel(t.Context()), mcphost.HistoryQuery{})
		if err != nil || len(page.Rows) != 1 || page.Rows[0].Allowed || page.Rows[0].By != string(consent.ByHost) {
			t.Errorf("history = %+v, %v", page, err)
		}
	}
}
