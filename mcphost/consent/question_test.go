package consent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

const formParams = `{"message":"who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"},"api_token":{"type":"string"},"p":{"type":"string","title":"Your password"}}}}`

func formRequest() Request {
	return Request{
		Kind: KindForm, Server: testServer, Actor: Actor{Kind: ActorServer},
		Question: &Question{Launch: launchRequest().Launch.Digest(), Via: "request", Params: json.RawMessage(formParams)},
		Validate: func(reply json.RawMessage) []Problem {
			if strings.Contains(string(reply), "bad") {
				return []Problem{{"/name", "is bad"}}
			}
			return nil
		},
	}
}

// A form cannot be accepted without an answer, with an invalid one, or with other bytes than were decided.
func TestFormNeedsItsAnswer(t *testing.T) {
	const good = `{"name":"a"}`
	answer := func(reply, digestOf string) Script {
		return func(_ context.Context, r Request) Answer {
			a := Answer{Allow: true, By: ByUser, Digest: r.Digest()}
			if reply != "" {
				a.Arguments = json.RawMessage(reply)
				a.Digest = r.Answered(json.RawMessage(digestOf)).Digest()
			}
			return a
		}
	}
	for _, c := range []struct{ reply, digestOf, reason string }{
		{"", "", ReasonInvalid},
		{`{"name":"bad"}`, `{"name":"bad"}`, ReasonInvalid},
		{`{ "name":"a"}`, `{ "name":"a"}`, ReasonInvalid},
		{`{"name":"a","name":"b"}`, `{"name":"a","name":"b"}`, ReasonInvalid},
		{good, `{"name":"b"}`, ReasonMismatch},
	} {
		_, err := NewBroker(answer(c.reply, c.digestOf), &diary{}, nil).Approve(t.Context(), formRequest())
		refusalOf(t, err, c.reason)
	}
	journal := &diary{}
	a, err := NewBroker(answer(good, good), journal, nil).Approve(t.Context(), formRequest())
	if err != nil || string(a.Arguments()) != good || string(journal.last(t).Question.Reply) != good {
		t.Fatalf("%v, %s", err, a.Arguments())
	}
	if a.Use(formRequest().Digest()) == nil {
		t.Error("good for a form without its answer")
	}
	if err := a.Use(formRequest().Answered(json.RawMessage(good)).Digest()); err != nil {
		t.Error(err)
	}
	r := formRequest()
	r.Question.Reply = json.RawMessage(good)
	if _, err := NewBroker(answer(good, good), &diary{}, nil).Approve(t.Context(), r); !errors.Is(err, ErrInvalid) {
		t.Errorf("a question that brings its reply: %v", err)
	}
}

// What is filled into fields that ask for secrets is sent and not kept (SEC F5).
func TestSecretAnswersAreNotKept(t *testing.T) {
	const reply = `{"name":"a","api_token":"t0psecret","p":"hunter2"}`
	journal := &diary{}
	asker := Script(func(_ context.Context, r Request) Answer {
		if len(r.Risk.Findings) != 2 || r.Risk.Findings[0].Pointer != "/api_token" || r.Risk.Findings[1].Code != CodeAsksSecret {
			t.Errorf("found %+v", r.Risk.Findings)
		}
		return Answer{Allow: true, By: ByUser, Digest: r.Answered(json.RawMessage(reply)).Digest(), Arguments: json.RawMessage(reply)}
	})
	a, err := NewBroker(asker, journal, nil).Approve(t.Context(), formRequest())
	if err != nil || string(a.Arguments()) != reply {
		t.Fatalf("%v, %s", err, a.Arguments())
	}
	if row := string(journal.last(t).Question.Reply); row != `{"api_token":"•••","name":"a","p":"•••"}` {
		t.Errorf("kept %s", row)
	}
}

// Declining, cancelling and silence are different rows, and only the first is declined (ACC A41).
func TestDeclineIsNotCancel(t *testing.T) {
	for _, c := range []struct {
		answer   Answer
		declined bool
	}{{Answer{By: ByUser, Decline: true}, true}, {Answer{By: ByUser}, false}, {Answer{Decline: true}, false}} {
		journal := &diary{}
		_, err := NewBroker(Script(func(context.Context, Request) Answer { return c.answer }), journal, nil).Approve(t.Context(), formRequest())
		var refusal *Refusal
		if !errors.As(err, &refusal) || refusal.Decision.Declined != c.declined || journal.last(t).Declined != c.declined {
			t.Errorf("%+v: %v", c.answer, err)
		}
	}
}

// In the window: the reply is put in place first, typing starts no new delay, and the first answer wins.
func TestFormInTheQueue(t *testing.T) {
	var now time.Time
	var mu sync.Mutex
	changed := make(chan struct{}, 99)
	q := NewQueue(&QueueOptions{
		Now:      func() time.Time { mu.Lock(); defer mu.Unlock(); return now },
		OnChange: func() { changed <- struct{}{} },
	})
	tick := func(d time.Duration) { mu.Lock(); now = now.Add(d); mu.Unlock() }
	tick(time.Hour)
	journal := &diary{}
	type outcome struct {
		a   Approval
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		a, err := NewBroker(q, journal, nil).Approve(t.Context(), formRequest())
		done <- outcome{a, err}
	}()
	<-changed
	p := q.Pending()[0]
	q.Shown(p.Request.ID)
	tick(DefaultArming)
	yes := Answer{Allow: true}
	if err := q.Resolve(p.Request.ID, p.Digest, yes); !errors.Is(err, ErrInvalid) {
		t.Errorf("without an answer: %v", err)
	}
	bad, err := q.Amend(p.Request.ID, []byte(`{"name":"bad"}`))
	if err != nil || len(bad.Request.Problems) != 1 {
		t.Fatalf("%+v, %v", bad, err)
	}
	if err := q.Resolve(p.Request.ID, bad.Digest, yes); !errors.Is(err, ErrInvalid) {
		t.Errorf("an invalid answer: %v", err)
	}
	good, err := q.Amend(p.Request.ID, []byte(`{"name": "a"}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Resolve(p.Request.ID, bad.Digest, yes); !errors.Is(err, ErrMismatch) {
		t.Errorf("what was there before: %v", err)
	}
	q.Hidden(p.Request.ID)
	if err := q.Resolve(p.Request.ID, good.Digest, yes); !errors.Is(err, ErrNotArmed) {
		t.Errorf("out of view: %v", err)
	}
	q.Shown(p.Request.ID)
	tick(DefaultArming)
	errs := make(chan error, 8)
	var racers sync.WaitGroup
	for i := range 8 {
		racers.Go(func() { errs <- q.Resolve(p.Request.ID, good.Digest, Answer{Allow: i%2 == 0, Decline: i%2 == 1}) })
	}
	racers.Wait()
	close(errs)
	won := 0
	for err := range errs {
		if err == nil {
			won++
		} else if !errors.Is(err, ErrWithdrawn) {
			t.Error(err)
		}
	}
	got := <-done
	if won != 1 || len(journal.all()) != 1 || journal.last(t).Allowed != (got.err == nil) {
		t.Errorf("%d answers, %d rows, %v", won, len(journal.all()), got.err)
	}
	if got.err == nil && string(got.a.Arguments()) != `{"name":"a"}` {
		t.Errorf("sent %s", got.a.Arguments())
	}
}

// Of a question's params 256 KiB are kept, of longer ones the length.
func TestParamsKept(t *testing.T) {
	for n, whole := range map[int]bool{maxKept: true, maxKept + 1: false} {
		params := `"` + strings.Repeat("x", n-2) + `"`
		q := (&Question{Params: json.RawMessage(params)}).kept()
		if got := string(q.Params); (got == params) != whole || !whole && got != fmt.Sprintf(`{"bytes":%d,"omitted":true}`, n) {
			t.Errorf("%d bytes: kept %.60s", n, got)
		}
	}
}
