package consent

import (
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestAmend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		changes := 0
		q := NewQueue(&QueueOptions{OnChange: func() { changes++ }})
		r := waitingCall("r", `{"command":"ls"}`)
		r.Validate = func(arguments json.RawMessage) []Problem {
			if string(arguments) == `{"command":""}` {
				return []Problem{{"/command", "too short"}}
			}
			return nil
		}
		a := ask(t, q, r)
		old := q.Pending()[0].Digest
		q.Shown("r")
		time.Sleep(time.Second)

		p, err := q.Amend("r", []byte("{ \"command\":\n\"rm -rf /\u200b\" }"))
		if err != nil {
			t.Fatal(err)
		}
		if string(p.Request.ToolCall.Arguments) != "{\"command\":\"rm -rf /\u200b\"}" || p.Digest == old || p.Digest != p.Request.Digest() || !p.Edited || !p.Shown {
			t.Errorf("pending %+v", p)
		}
		if !p.Request.Risk.has(CodeDeletesFiles) || p.HiddenChars != 1 {
			t.Errorf("risk %+v, %d hidden", p.Request.Risk, p.HiddenChars)
		}
		if changes != 2 {
			t.Errorf("%d changes", changes)
		}
		if err := q.Resolve("r", p.Digest, allow()); !errors.Is(err, ErrNotArmed) {
			t.Errorf("the delay does not start again: %v", err)
		}
		time.Sleep(DefaultArming)
		if err := q.Resolve("r", old, allow()); !errors.Is(err, ErrMismatch) {
			t.Errorf("the old digest: %v", err)
		}
		if p, err = q.Amend("r", []byte(`{"command":""}`)); err != nil || len(p.Request.Problems) != 1 {
			t.Errorf("problems %v, %v", p.Request.Problems, err)
		}
		time.Sleep(DefaultArming)
		if err := q.Resolve("r", p.Digest, allow()); !errors.Is(err, ErrInvalid) {
			t.Errorf("with a problem: %v", err)
		}
		p, _ = q.Amend("r", []byte(`{"command":"pwd"}`))
		time.Sleep(DefaultArming)
		if err := q.Resolve("r", p.Digest, allow()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if string(a.answer.Arguments) != `{"command":"pwd"}` || a.answer.Digest != p.Digest {
			t.Errorf("answer %+v", a.answer)
		}
	})
}

func TestAmendBackIsNoEdit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(nil)
		a := ask(t, q, waitingCall("r", `{"a":1}`))
		_, _ = q.Amend("r", []byte(`{"a":2}`))
		p, err := q.Amend("r", []byte(`{"a": 1}`))
		if err != nil || p.Edited || p.Digest != callRequest(`{"a":1}`).Digest() {
			t.Errorf("pending %+v, %v", p, err)
		}
		_ = q.Resolve("r", p.Digest, Answer{})
		synctest.Wait()
		if a.answer.Arguments != nil {
			t.Errorf("answer %+v", a.answer)
		}
	})
}

func TestAmendRefusesWhatIsNoObject(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(nil)
		a := ask(t, q, waitingCall("r", `{"a":1}`))
		var syntax *SyntaxError
		if _, err := q.Amend("r", []byte("{\"a\":1,\n\"a\":2}")); !errors.As(err, &syntax) || syntax.Line != 2 {
			t.Errorf("got %v", err)
		}
		if p, _ := q.Get("r"); string(p.Request.ToolCall.Arguments) != `{"a":1}` {
			t.Error("the request is spoilt")
		}
		l := launchRequest()
		l.ID = "l"
		b := ask(t, q, l)
		if _, err := q.Amend("l", []byte(`{}`)); !errors.Is(err, ErrInvalid) {
			t.Errorf("a launch: %v", err)
		}
		a.cancel()
		b.cancel()
	})
}

// A slow check of an early edit must not undo a later one.
func TestLaterAmendWins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(nil)
		r := waitingCall("r", `{"a":0}`)
		slow := make(chan struct{})
		r.Validate = func(arguments json.RawMessage) []Problem {
			if string(arguments) == `{"a":1}` {
				<-slow
			}
			return nil
		}
		a := ask(t, q, r)
		first := make(chan Pending)
		go func() {
			p, _ := q.Amend("r", []byte(`{"a":1}`))
			first <- p
		}()
		synctest.Wait()
		if _, err := q.Amend("r", []byte(`{"a":2}`)); err != nil {
			t.Fatal(err)
		}
		close(slow)
		if p := <-first; string(p.Request.ToolCall.Arguments) != `{"a":2}` {
			t.Errorf("the early edit returns %s", p.Request.ToolCall.Arguments)
		}
		if p, _ := q.Get("r"); string(p.Request.ToolCall.Arguments) != `{"a":2}` {
			t.Errorf("waiting is %s", p.Request.ToolCall.Arguments)
		}
		a.cancel()
	})
}

func TestAmendOfAnAnsweredRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(nil)
		r := waitingCall("r", `{"a":0}`)
		slow := make(chan struct{})
		r.Validate = func(json.RawMessage) []Problem { <-slow; return nil }
		ask(t, q, r)
		failed := make(chan error)
		go func() {
			_, err := q.Amend("r", []byte(`{"a":1}`))
			failed <- err
		}()
		synctest.Wait()
		if err := q.Resolve("r", Digest{}, Answer{}); err != nil {
			t.Fatal(err)
		}
		close(slow)
		if err := <-failed; !errors.Is(err, ErrWithdrawn) {
			t.Errorf("got %v", err)
		}
	})
}
