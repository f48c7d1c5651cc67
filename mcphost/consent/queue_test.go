package consent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// An asking is one Queue.Ask in flight.
type asking struct {
	cancel context.CancelFunc
	answer Answer
	err    error
	done   atomic.Bool
}

// ask puts r into the queue and waits until it is there, or answered.
func ask(t *testing.T, q *Queue, r Request) *asking {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	a := &asking{cancel: cancel}
	go func() {
		a.answer, a.err = q.Ask(ctx, r)
		a.done.Store(true)
	}()
	synctest.Wait()
	return a
}

func waitingCall(id, arguments string) Request {
	r := callRequest(arguments)
	r.ID = id
	return r
}

func allow() Answer { return Answer{Allow: true} }

func TestAllowNeedsTheArmingDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(nil)
		a := ask(t, q, waitingCall("r", `{}`))
		d := q.Pending()[0].Digest
		try := func(want error, when string) {
			t.Helper()
			if err := q.Resolve("r", d, allow()); !errors.Is(err, want) {
				t.Fatalf("%s: got %v, want %v", when, err, want)
			}
		}
		time.Sleep(time.Hour)
		try(ErrNotArmed, "never shown")
		q.Shown("r")
		try(ErrNotArmed, "at once")
		time.Sleep(DefaultArming - time.Nanosecond)
		try(ErrNotArmed, "a nanosecond early")
		q.Shown("r")
		time.Sleep(DefaultArming - time.Nanosecond)
		try(ErrNotArmed, "shown again")
		q.Hidden("r")
		time.Sleep(time.Hour)
		try(ErrNotArmed, "hidden since")
		q.Shown("r")
		time.Sleep(DefaultArming)
		try(nil, "armed")
		synctest.Wait()
		if !a.done.Load() || a.err != nil || !a.answer.Allow || a.answer.Digest != d || a.answer.By != ByUser || a.answer.Arguments != nil {
			t.Errorf("answer %+v, %v", a.answer, a.err)
		}
		try(ErrWithdrawn, "a second time")
		if len(q.Pending()) != 0 {
			t.Error("still waiting")
		}
	})
}

func TestShowingAnotherDoesNotArm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(nil)
		a, b := ask(t, q, waitingCall("a", `{}`)), ask(t, q, waitingCall("b", `{}`))
		q.Shown("a")
		time.Sleep(time.Second)
		if err := q.Resolve("b", q.Pending()[1].Digest, allow()); !errors.Is(err, ErrNotArmed) {
			t.Errorf("got %v", err)
		}
		a.cancel()
		b.cancel()
	})
}

func TestDenyIsAlwaysAccepted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(nil)
		r := waitingCall("r", `{}`)
		r.Problems = []Problem{{"", "missing"}}
		a := ask(t, q, r)
		if err := q.Resolve("r", Digest{}, Answer{Reason: "no", Stop: true, By: "someone"}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if a.answer.Allow || a.answer.Reason != "no" || !a.answer.Stop || a.answer.By != ByUser || a.err != nil {
			t.Errorf("answer %+v, %v", a.answer, a.err)
		}
	})
}

func TestResolveChecks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(nil)
		a := ask(t, q, waitingCall("r", `{"a":1}`))
		bad := waitingCall("bad", `{"a":1}`)
		bad.Problems = []Problem{{"/a", "must be a string"}}
		b := ask(t, q, bad)
		q.Shown("r")
		q.Shown("bad")
		time.Sleep(time.Second)
		d := callRequest(`{"a":1}`).Digest()
		for name, test := range map[string]struct {
			id     string
			digest Digest
			answer Answer
			want   error
		}{
			"unknown id":        {"x", d, allow(), ErrWithdrawn},
			"deny, unknown id":  {"x", d, Answer{}, ErrWithdrawn},
			"zero digest":       {"r", Digest{}, allow(), ErrMismatch},
			"other digest":      {"r", callRequest(`{"a":2}`).Digest(), allow(), ErrMismatch},
			"changed arguments": {"r", d, Answer{Allow: true, Arguments: json.RawMessage(`{"a":2}`)}, ErrMismatch},
			"problems":          {"bad", d, allow(), ErrInvalid},
		} {
			if err := q.Resolve(test.id, test.digest, test.answer); !errors.Is(err, test.want) {
				t.Errorf("%s: got %v, want %v", name, err, test.want)
			}
		}
		if a.done.Load() || b.done.Load() {
			t.Error("answered")
		}
		a.cancel()
		b.cancel()
	})
}

func TestFirstAnswerWins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(nil)
		a := ask(t, q, waitingCall("r", `{}`))
		q.Shown("r")
		time.Sleep(DefaultArming)
		d := callRequest(`{}`).Digest()
		var wins atomic.Int32
		var won atomic.Value
		var wg sync.WaitGroup
		for i := range 64 {
			wg.Go(func() {
				reason := fmt.Sprint(i)
				err := q.Resolve("r", d, Answer{Allow: i%2 == 0, Reason: reason})
				if err == nil {
					wins.Add(1)
					won.Store(reason)
				} else if !errors.Is(err, ErrWithdrawn) {
					t.Errorf("got %v", err)
				}
			})
		}
		wg.Wait()
		synctest.Wait()
		if wins.Load() != 1 || a.answer.Reason != won.Load() {
			t.Errorf("%d answers were taken, the last %v, Ask returned %q", wins.Load(), won.Load(), a.answer.Reason)
		}
	})
}

func TestCancelledAskIsWithdrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		changes := 0
		q := NewQueue(&QueueOptions{OnChange: func() { changes++ }})
		a := ask(t, q, waitingCall("r", `{}`))
		q.Shown("r")
		time.Sleep(time.Second)
		a.cancel()
		synctest.Wait()
		if !errors.Is(a.err, context.Canceled) || a.answer.Allow || len(q.Pending()) != 0 || changes != 2 {
			t.Errorf("answer %+v, %v; %d waiting, %d changes", a.answer, a.err, len(q.Pending()), changes)
		}
		if err := q.Resolve("r", callRequest(`{}`).Digest(), allow()); !errors.Is(err, ErrWithdrawn) {
			t.Errorf("got %v", err)
		}
		if _, err := q.Amend("r", []byte(`{}`)); !errors.Is(err, ErrWithdrawn) {
			t.Errorf("amend: got %v", err)
		}
	})
}

// Whoever was told that the answer was taken sees it taken, also if the caller goes away at that moment.
func TestTakenAnswerArrives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(nil)
		for range 200 {
			a := ask(t, q, waitingCall("r", `{}`))
			a.cancel()
			err := q.Resolve("r", Digest{}, Answer{Reason: "mine"})
			synctest.Wait()
			if taken := err == nil; taken != (a.err == nil) || taken != (a.answer.Reason == "mine") {
				t.Fatalf("Resolve says %v, Ask %+v, %v", err, a.answer, a.err)
			}
		}
	})
}

func TestPerServerCap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(&QueueOptions{PerServer: 3})
		var all []*asking
		for i := range 3 {
			all = append(all, ask(t, q, waitingCall(fmt.Sprint(i), `{}`)))
		}
		if len(q.Pending()) != 3 {
			t.Fatalf("%d of 3 are let in", len(q.Pending()))
		}
		over := ask(t, q, waitingCall("over", `{}`))
		if !over.done.Load() || over.answer.Allow || over.answer.By != ByHost || over.answer.Reason != ReasonTooMany {
			t.Errorf("over the cap: %+v", over.answer)
		}
		other := waitingCall("other", `{}`)
		other.Server.ID = "s2"
		all = append(all, ask(t, q, other))
		if len(q.Pending()) != 4 {
			t.Error("one server's cap is another's")
		}
		all[0].cancel()
		synctest.Wait()
		all = append(all, ask(t, q, waitingCall("again", `{}`)))
		ids := []string{}
		for _, p := range q.Pending() {
			ids = append(ids, p.Request.ID)
		}
		if fmt.Sprint(ids) != "[1 2 other again]" {
			t.Errorf("waiting in the order %v", ids)
		}
		for _, a := range all {
			a.cancel()
		}
	})
}

func TestCloseRefusesAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(nil)
		a, b := ask(t, q, waitingCall("a", `{}`)), ask(t, q, waitingCall("b", `{}`))
		q.Shown("panel:1")
		time.Sleep(time.Second)
		q.Close()
		q.Close()
		synctest.Wait()
		late := ask(t, q, waitingCall("c", `{}`))
		for _, x := range []*asking{a, b, late} {
			if !x.done.Load() || x.answer.Allow || x.answer.By != ByHost || x.answer.Reason != ReasonClosed || x.err != nil {
				t.Errorf("answer %+v, %v", x.answer, x.err)
			}
		}
		if _, err := q.Confirm("panel:1", callRequest(`{}`).Digest()); !errors.Is(err, ErrWithdrawn) {
			t.Errorf("confirm: %v", err)
		}
	})
}

func TestPendingIsACopy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(nil)
		r := waitingCall("r", `{"a":1}`)
		r.Risk = CallRisk(r.Server, r.ToolCall.Definition, r.ToolCall.Arguments)
		a := ask(t, q, r)
		p := q.Pending()[0]
		copy(p.Request.ToolCall.Arguments, `{"a":9}`)
		p.Request.Risk.Findings[0].Code = "x"
		p, ok := q.Get("r")
		if !ok || string(p.Request.ToolCall.Arguments) != `{"a":1}` || p.Request.Risk.Findings[0].Code == "x" {
			t.Errorf("changed through a copy: %+v", p)
		}
		if _, ok := q.Get("x"); ok {
			t.Error("found what is not there")
		}
		a.cancel()
	})
}

// OnChange may call back into the queue.
func TestOnChangeIsCalledWithoutLocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q *Queue
		seen := []int{}
		q = NewQueue(&QueueOptions{OnChange: func() { seen = append(seen, len(q.Pending())) }})
		a := ask(t, q, waitingCall("a", `{}`))
		b := ask(t, q, waitingCall("b", `{}`))
		_, _ = q.Amend("a", []byte(`{"x":1}`))
		_ = q.Resolve("a", Digest{}, Answer{})
		b.cancel()
		synctest.Wait()
		q.Close()
		if fmt.Sprint(seen) != "[1 2 2 1 0 0]" {
			t.Errorf("seen %v", seen)
		}
		_ = a
	})
}

func TestHiddenOnDisplay(t *testing.T) {
	call := callRequest(`{"a\u200b":"b\u202e"}`)
	call.ToolCall.Definition = json.RawMessage(`{"name":"create_issue","description":"x\u00ad` + "\U000E0041" + `"}`)
	if n := hiddenOnDisplay(call); n != 4 {
		t.Errorf("%d hidden characters in a call, want 4", n)
	}
	launch := launchRequest()
	launch.Server.Claimed = "a\u200b"
	launch.Launch.Args = []string{"--x\u200b", "y\x1b"}
	launch.Launch.Env[0].Value = "\u00a0"
	launch.Launch.URL = "http://\u2066"
	if n := hiddenOnDisplay(launch); n != 5 {
		t.Errorf("%d hidden characters in a launch, want 5", n)
	}
	if n := hiddenInJSON([]byte("{\"a\":\"\\ud800\",\"b\":\"\u200b\"}")); n != 1 {
		t.Errorf("%d hidden characters behind a fault, want 1", n)
	}
}
