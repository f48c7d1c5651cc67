package consent

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"
)

func TestApproveMintsAfterTheRecord(t *testing.T) {
	journal := &diary{}
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	b := NewBroker(Script(yes), journal, &Options{Now: func() time.Time { return at }})
	r := callRequest(`{"title":"x"}`)
	a, err := b.Approve(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	d := journal.last(t)
	if !d.Allowed || d.By != "test" || d.Digest != r.Digest() || !d.At.Equal(at) || d.Server != testServer || d.Actor != r.Actor {
		t.Errorf("recorded %+v", d)
	}
	if d.ID == "" || d.Request == "" || d.ID == d.Request {
		t.Errorf("ids %q and %q", d.ID, d.Request)
	}
	if string(a.Arguments()) != `{"title":"x"}` || a.Decision().ID != d.ID {
		t.Errorf("approval of %s, decision %s", a.Arguments(), a.Decision().ID)
	}
	if err := a.Use(r.Digest()); err != nil {
		t.Error(err)
	}
}

func TestApprovalIsForOneUseOfOneThing(t *testing.T) {
	a, err := NewBroker(Script(yes), &diary{}, nil).Approve(t.Context(), callRequest(`{"a":1}`))
	if err != nil {
		t.Fatal(err)
	}
	right, other := callRequest(`{"a":1}`).Digest(), callRequest(`{"a":2}`).Digest()
	if err := a.Use(other); !errors.Is(err, ErrMismatch) {
		t.Errorf("other arguments: %v", err)
	}
	if err := a.Use(Digest{}); !errors.Is(err, ErrMismatch) {
		t.Errorf("zero digest: %v", err)
	}
	var wins, losses int
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 16 {
		b := a // copies share the use
		wg.Go(func() {
			err := b.Use(right)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				wins++
			} else if errors.Is(err, ErrMismatch) {
				losses++
			}
		})
	}
	wg.Wait()
	if wins != 1 || losses != 15 {
		t.Errorf("%d uses, %d refused", wins, losses)
	}
	var zero Approval
	if err := zero.Use(right); !errors.Is(err, ErrMismatch) {
		t.Errorf("zero Approval: %v", err)
	}
	if err := zero.Use(Digest{}); !errors.Is(err, ErrMismatch) {
		t.Errorf("zero Approval for the zero digest: %v", err)
	}
	if zero.Arguments() != nil || zero.Decision().ID != "" {
		t.Error("the zero Approval has content")
	}
}

// Whoever holds a piece of the request may change its copy; the approved bytes stay.
func TestApprovedBytesCannotBeChanged(t *testing.T) {
	r := callRequest(`{"a":1}`)
	want := r.Digest()
	asker := Script(func(_ context.Context, shown Request) Answer {
		answer := Answer{Allow: true, Digest: shown.Digest(), By: "test"}
		copy(shown.ToolCall.Arguments, `{"a":9}`)
		copy(r.ToolCall.Arguments, `{"a":8}`)
		shown.ToolCall.Tool = "delete_all"
		return answer
	})
	a, err := NewBroker(asker, &diary{}, nil).Approve(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	copy(a.Arguments(), `{"a":7}`)
	a.Decision().ToolCall.Tool = "delete_all"
	copy(a.Decision().ToolCall.Arguments, `{"a":6}`)
	if string(a.Arguments()) != `{"a":1}` || a.Decision().ToolCall.Tool != "create_issue" {
		t.Errorf("approved %s of %s", a.Arguments(), a.Decision().ToolCall.Tool)
	}
	if err := a.Use(want); err != nil {
		t.Error(err)
	}
}

func TestRefusals(t *testing.T) {
	asksNot := errors.New("no display")
	tests := map[string]struct {
		ask    func(context.Context, Request) (Answer, error)
		reason string
		is     error
	}{
		"nobody":     {func(context.Context, Request) (Answer, error) { return Answer{}, ErrNobody }, ReasonNobody, ErrNobody},
		"an error":   {func(context.Context, Request) (Answer, error) { return Answer{Allow: true, By: "x"}, asksNot }, ReasonFailed, asksNot},
		"withdrawn":  {func(context.Context, Request) (Answer, error) { return Answer{}, ErrWithdrawn }, ReasonWithdrawn, ErrWithdrawn},
		"silence":    {func(context.Context, Request) (Answer, error) { return Answer{}, nil }, ReasonSilent, nil},
		"a panic":    {func(context.Context, Request) (Answer, error) { panic("dialog") }, ReasonFailed, nil},
		"no digest":  {func(context.Context, Request) (Answer, error) { return Answer{Allow: true, By: "x"}, nil }, ReasonMismatch, ErrMismatch},
		"unsigned":   {allowAs(""), ReasonUnsigned, ErrInvalid},
		"as host":    {allowAs(ByHost), ReasonUnsigned, ErrInvalid},
		"as consent": {allowAs(ByStanding), ReasonUnsigned, ErrInvalid},
		"another": {func(context.Context, Request) (Answer, error) {
			return Answer{Allow: true, By: "x", Digest: callRequest(`{"a":2}`).Digest()}, nil
		}, ReasonMismatch, ErrMismatch},
		"edited without digest": {func(_ context.Context, r Request) (Answer, error) {
			return Answer{Allow: true, By: "x", Digest: r.Digest(), Arguments: json.RawMessage(`{"a":2}`)}, nil
		}, ReasonMismatch, ErrMismatch},
		"edited, malformed": {func(_ context.Context, r Request) (Answer, error) {
			return Answer{Allow: true, By: "x", Digest: r.Digest(), Arguments: json.RawMessage(`{"a":`)}, nil
		}, ReasonInvalid, ErrInvalid},
		"edited, not one line": {func(_ context.Context, r Request) (Answer, error) {
			r.ToolCall.Arguments = json.RawMessage(`{"a": 2}`)
			return Answer{Allow: true, By: "x", Digest: r.Digest(), Arguments: r.ToolCall.Arguments}, nil
		}, ReasonInvalid, ErrInvalid},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			journal := &diary{}
			a, err := NewBroker(askerFunc(test.ask), journal, nil).Approve(t.Context(), callRequest(`{"a":1}`))
			refusal := refusalOf(t, err, test.reason)
			if test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("got %v, want one that is %v", err, test.is)
			}
			if d := journal.last(t); d.Allowed || d.ID != refusal.Decision.ID || string(d.ToolCall.Arguments) != `{"a":1}` {
				t.Errorf("recorded %+v", d)
			}
			if a.Use(callRequest(`{"a":1}`).Digest()) == nil {
				t.Error("minted all the same")
			}
		})
	}
}

type askerFunc func(context.Context, Request) (Answer, error)

func (f askerFunc) Ask(ctx context.Context, r Request) (Answer, error) { return f(ctx, r) }

func allowAs(by string) func(context.Context, Request) (Answer, error) {
	return func(_ context.Context, r Request) (Answer, error) {
		return Answer{Allow: true, Digest: r.Digest(), By: by}, nil
	}
}

func TestRefuseHasNobody(t *testing.T) {
	journal := &diary{}
	_, err := NewBroker(Refuse{}, journal, nil).Approve(t.Context(), launchRequest())
	refusalOf(t, err, ReasonNobody)
	if journal.last(t).Launch.Command != "/usr/bin/github-mcp" {
		t.Error("the record does not say what was refused")
	}
}

func TestUsersRefusal(t *testing.T) {
	journal := &diary{}
	long := strings.Repeat("é", 501)
	ask := Script(func(context.Context, Request) Answer { return Answer{Reason: long, Stop: true, By: ByUser} })
	_, err := NewBroker(ask, journal, nil).Approve(t.Context(), callRequest(`{}`))
	var refusal *Refusal
	if !errors.As(err, &refusal) || !refusal.Stop || refusal.Err != nil || refusal.Decision.By != ByUser {
		t.Fatalf("got %v", err)
	}
	if n := utf8.RuneCountInString(journal.last(t).Reason); n != 500 {
		t.Errorf("a reason of %d characters is kept", n)
	}
}

func TestUnrecordedIsRefused(t *testing.T) {
	full := errors.New("disk full")
	r := callRequest(`{}`)
	a, err := NewBroker(Script(yes), &diary{refuse: full}, nil).Approve(t.Context(), r)
	if !errors.Is(err, ErrUnrecorded) || !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
	if a.Use(r.Digest()) == nil {
		t.Error("minted without a record")
	}
	no := Script(func(context.Context, Request) Answer { return Answer{By: ByUser, Reason: "no"} })
	_, err = NewBroker(no, &diary{refuse: full}, nil).Approve(t.Context(), r)
	var refusal *Refusal
	if !errors.Is(err, ErrUnrecorded) || !errors.As(err, &refusal) || refusal.Decision.Reason != "no" {
		t.Errorf("a refusal that is not recorded: %v", err)
	}
	panicking := &diary{on: func(context.Context) { panic("journal") }}
	if _, err = NewBroker(Script(yes), panicking, nil).Approve(t.Context(), r); !errors.Is(err, ErrUnrecorded) {
		t.Errorf("a journal that panics: %v", err)
	}
}

func TestCancelledCallerIsRefusedAndRecorded(t *testing.T) {
	for reason, end := range map[string]func(context.Context) (context.Context, context.CancelFunc){
		ReasonWithdrawn: context.WithCancel,
		ReasonExpired: func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithDeadline(ctx, time.Unix(0, 0))
		},
	} {
		ctx, cancel := end(t.Context())
		journal := &diary{on: func(ctx context.Context) {
			if ctx.Err() != nil {
				t.Error("the record dies with the caller")
			}
			if _, ok := ctx.Deadline(); !ok {
				t.Error("a record may take for ever")
			}
		}}
		late := askerFunc(func(ctx context.Context, r Request) (Answer, error) { cancel(); return yes(ctx, r), nil })
		_, err := NewBroker(late, journal, nil).Approve(ctx, callRequest(`{}`))
		refusalOf(t, err, reason)
		journal.last(t)
		cancel()
	}
}

// A no that arrives together with the caller's end is still the user's.
func TestLateNoIsTheUsers(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	journal := &diary{}
	no := askerFunc(func(context.Context, Request) (Answer, error) {
		cancel()
		return Answer{By: ByUser, Reason: "mine"}, nil
	})
	_, _ = NewBroker(no, journal, nil).Approve(ctx, callRequest(`{}`))
	if d := journal.last(t); d.By != ByUser || d.Reason != "mine" {
		t.Errorf("recorded %q by %q", d.Reason, d.By)
	}
}

func TestMalformedRequestsAreNotAsked(t *testing.T) {
	call := func(change func(*ToolCall)) Request {
		r := callRequest(`{}`)
		change(r.ToolCall)
		return r
	}
	both := callRequest(`{}`)
	both.Launch = launchRequest().Launch
	for name, r := range map[string]Request{
		"no content":             {Kind: KindLaunch},
		"wrong content":          {Kind: KindLaunch, ToolCall: callRequest(`{}`).ToolCall},
		"both":                   both,
		"unknown kind":           {Kind: "x", Launch: &Launch{}},
		"arguments, no JSON":     callRequest(`{"a":`),
		"arguments, no object":   callRequest(`[1]`),
		"arguments, two lines":   callRequest("{\"a\":\n1}"),
		"arguments, twice a key": callRequest(`{"a":1,"a":2}`),
		"definition, no JSON":    call(func(c *ToolCall) { c.Definition = json.RawMessage(`{`) }),
		"previous, no JSON":      call(func(c *ToolCall) { c.Previous = json.RawMessage(`{`) }),
		"another tool":           call(func(c *ToolCall) { c.Tool = "delete_issue" }),
		"another tool, by type":  call(func(c *ToolCall) { c.Definition = json.RawMessage(`{"name":1}`) }),
	} {
		asker := Script(func(context.Context, Request) Answer { t.Errorf("%s: asked", name); return Answer{} })
		if _, err := NewBroker(asker, &diary{}, nil).Approve(t.Context(), r); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// The broker decides what the dialog says about risk and history, not the caller.
func TestBrokerJudges(t *testing.T) {
	r := callRequest(`{"path":"/etc/passwd"}`)
	r.ToolCall.Tool, r.ToolCall.Definition = "delete_file", json.RawMessage(`{"name":"delete_file"}`)
	r.ID, r.At, r.RefusedBefore, r.Before = "mine", time.Unix(1, 0), true, &Launch{}
	r.Risk = Risk{Class: ClassRead, Classes: []Class{ClassRead}}
	ids := []string{"request", "decision"}
	var shown Request
	ask := Script(func(_ context.Context, r Request) Answer { shown = r; return Answer{} })
	b := NewBroker(ask, &diary{}, &Options{NewID: func() string { id := ids[0]; ids = ids[1:]; return id }})
	_, _ = b.Approve(t.Context(), r)
	if shown.ID != "request" || !shown.At.After(time.Unix(1, 0)) || shown.RefusedBefore || shown.Before != nil {
		t.Errorf("the caller's word was taken: %+v", shown)
	}
	if shown.Risk.Class != ClassDestroy || !shown.Risk.High {
		t.Errorf("risk %+v", shown.Risk)
	}
}

func TestRandomIDs(t *testing.T) {
	a, b := randomID(), randomID()
	if len(a) != 32 || a == b {
		t.Errorf("ids %s and %s", a, b)
	}
}

func TestRefusedBefore(t *testing.T) {
	answer := Answer{By: ByUser}
	var shown Request
	b := NewBroker(Script(func(_ context.Context, r Request) Answer { shown = r; return answer }), &diary{}, nil)
	ask := func(turn, arguments string) bool {
		r := callRequest(arguments)
		r.Turn = turn
		_, _ = b.Approve(t.Context(), r)
		return shown.RefusedBefore
	}
	if ask("t1", `{"a":1}`) {
		t.Error("the first time")
	}
	if !ask("t1", `{"a":1}`) {
		t.Error("the second time is not noticed")
	}
	if ask("t1", `{"a":2}`) || ask("t2", `{"a":1}`) {
		t.Error("another call, or another turn, is taken for it")
	}
	ask("", `{"a":3}`)
	if ask("", `{"a":3}`) {
		t.Error("calls outside a turn are compared")
	}
	answer = Answer{By: ByHost, Reason: ReasonTooMany}
	ask("t3", `{"a":1}`)
	if ask("t3", `{"a":1}`) {
		t.Error("a refusal by Gatehouse counts as the user's")
	}
}

func TestRefusalsAreBounded(t *testing.T) {
	var r refusals
	for i := range maxRefusals + 1 {
		r.add("t", Digest{byte(i), byte(i >> 8), 1})
	}
	if len(r.last) != maxRefusals || r.has("t", Digest{0, 0, 1}) || !r.has("t", Digest{1, 0, 1}) {
		t.Errorf("%d refusals are kept", len(r.last))
	}
}

func TestNewBrokerNeedsBothPorts(t *testing.T) {
	for _, f := range []func(){func() { NewBroker(nil, &diary{}, nil) }, func() { NewBroker(Refuse{}, nil, nil) }} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		}()
	}
}
