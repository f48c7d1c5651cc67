package consent

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// confirm shows a panel for the arming delay and presses Run.
func confirm(t *testing.T, q *Queue, d Digest) string {
	t.Helper()
	q.Shown("panel:1")
	time.Sleep(DefaultArming)
	id, err := q.Confirm("panel:1", d)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func composed(arguments, useID string) Request {
	r := waitingCall("r", arguments)
	r.UseID = useID
	r.Risk = CallRisk(r.Server, r.ToolCall.Definition, r.ToolCall.Arguments)
	return r
}

func TestRunIsTheDecision(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(nil)
		d := callRequest(`{"a":1}`).Digest()
		id := confirm(t, q, d)
		a := ask(t, q, composed(`{"a":1}`, id))
		if !a.done.Load() || !a.answer.Allow || a.answer.By != ByComposed || a.answer.Digest != d {
			t.Errorf("answer %+v", a.answer)
		}
		again := ask(t, q, composed(`{"a":1}`, id))
		if again.done.Load() {
			t.Errorf("one press is good for two calls: %+v", again.answer)
		}
		again.cancel()
	})
}

func TestConfirmNeedsTheArmingDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(nil)
		d := callRequest(`{}`).Digest()
		try := func(panel string, d Digest, want error, when string) {
			t.Helper()
			if _, err := q.Confirm(panel, d); !errors.Is(err, want) {
				t.Errorf("%s: got %v, want %v", when, err, want)
			}
		}
		try("panel:1", d, ErrNotArmed, "never shown")
		q.Shown("panel:1")
		time.Sleep(DefaultArming - time.Nanosecond)
		try("panel:1", d, ErrNotArmed, "a nanosecond early")
		q.Hidden("panel:1")
		time.Sleep(time.Hour)
		try("panel:1", d, ErrNotArmed, "hidden")
		q.Shown("panel:1")
		time.Sleep(DefaultArming)
		try("panel:2", d, ErrNotArmed, "another panel")
		try("1", d, ErrWithdrawn, "no panel")
		try("panel:1", Digest{}, ErrMismatch, "no digest")
		try("panel:1", d, nil, "armed")
		try("panel:1", d, ErrNotArmed, "a double press")
	})
}

// Everything but the very call that was confirmed comes to the full gate.
func TestFullGateInsteadOfThePanel(t *testing.T) {
	deletes := func(r *Request) {
		r.ToolCall.Definition = json.RawMessage(`{"name":"create_issue","annotations":{"destructiveHint":true}}`)
	}
	for name, test := range map[string]struct {
		arguments string
		change    func(*Request)
		wait      time.Duration
		gate      string
	}{
		"plain":          {`{}`, func(*Request) {}, 0, ""},
		"high risk":      {`{}`, deletes, 0, GateHighRisk},
		"hidden":         {"{\"a\":\"\u200b\"}", func(*Request) {}, 0, GateHidden},
		"hidden, by key": {"{\"a\u200b\":1}", func(*Request) {}, 0, GateHidden},
		"changed":        {`{}`, func(r *Request) { r.ToolCall.Previous = json.RawMessage(`{}`) }, 0, GateChanged},
		"invalid":        {`{}`, func(r *Request) { r.Problems = []Problem{{}} }, 0, GateInvalid},
		"too late":       {`{}`, func(*Request) {}, confirmation, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			q := NewQueue(nil)
			r := callRequest(test.arguments)
			r.ID = "r"
			test.change(&r)
			r.Risk = CallRisk(r.Server, r.ToolCall.Definition, r.ToolCall.Arguments)
			r.UseID = confirm(t, q, r.Digest())
			time.Sleep(test.wait)
			a := ask(t, q, r)
			atOnce := name == "plain"
			if a.done.Load() != atOnce || ComposedGate(r) != test.gate {
				t.Errorf("%s: answered %t, gate %q", name, a.done.Load(), ComposedGate(r))
			}
			a.cancel()
			synctest.Wait()
			// The confirmation is spent, whatever came of it.
			r.Risk, r.Problems, r.ToolCall.Previous = Risk{}, nil, nil
			b := ask(t, q, r)
			if b.done.Load() {
				t.Errorf("%s: the confirmation is still good", name)
			}
			b.cancel()
		})
	}
}

func TestConfirmationIsForOneDigest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(nil)
		id := confirm(t, q, callRequest(`{"a":1}`).Digest())
		for _, r := range []Request{composed(`{"a":2}`, id), composed(`{"a":1}`, id), composed(`{"a":1}`, "guess"), composed(`{"a":1}`, "")} {
			a := ask(t, q, r)
			if a.done.Load() {
				t.Errorf("allowed %s with %q", r.ToolCall.Arguments, r.UseID)
			}
			a.cancel()
			synctest.Wait()
		}
	})
}

func TestLaunchIsNeverComposed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(nil)
		r := launchRequest()
		r.UseID = confirm(t, q, r.Digest())
		a := ask(t, q, r)
		if a.done.Load() {
			t.Errorf("answer %+v", a.answer)
		}
		a.cancel()
	})
}

// With the broker in front, the risk that decides is the broker's.
func TestComposedThroughTheBroker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(nil)
		journal := &diary{}
		b := NewBroker(q, journal, nil)
		r := callRequest(`{"a":1}`)
		r.UseID = confirm(t, q, r.Digest())
		a, err := b.Approve(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Use(r.Digest()); err != nil || journal.last(t).By != ByComposed {
			t.Errorf("use: %v, by %q", err, journal.last(t).By)
		}
	})
}

func TestPanelsAreBounded(t *testing.T) {
	q := NewQueue(nil)
	for i := range maxPanels + 1 {
		q.Shown(fmt.Sprint("panel:", i))
		q.panels.confirm(Digest{1}, time.Now())
	}
	if len(q.panels.shown) != maxPanels || len(q.panels.confirmed) != maxPanels || !q.panels.since("panel:0").IsZero() {
		t.Errorf("%d panels, %d confirmations", len(q.panels.shown), len(q.panels.confirmed))
	}
}
