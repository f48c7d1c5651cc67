package consent

import (
	"context"
	"errors"
	"testing"
)

func TestStandingLaunch(t *testing.T) {
	journal := &diary{}
	asked := 0
	b := NewBroker(Script(func(ctx context.Context, r Request) Answer { asked++; return yes(ctx, r) }), journal, nil)
	if _, err := b.Approve(t.Context(), launchRequest()); err != nil {
		t.Fatal(err)
	}
	first := journal.last(t)
	for range 2 { // the second must rest on the first decision, not on the standing one
		a, err := b.Approve(t.Context(), launchRequest())
		if err != nil {
			t.Fatal(err)
		}
		d := journal.last(t)
		if asked != 1 || d.By != ByStanding || d.Original != first.ID || !d.Allowed || d.ID == first.ID {
			t.Errorf("asked %d times, recorded %+v", asked, d)
		}
		if err := a.Use(launchRequest().Launch.Digest()); err != nil {
			t.Error(err)
		}
	}
}

func TestChangedLaunchAsksAgainWithTheOldOne(t *testing.T) {
	for name, change := range map[string]func(*Launch){
		"command": func(l *Launch) { l.Command = "/tmp/evil" },
		"args":    func(l *Launch) { l.Args = append(l.Args, "--more") },
		"env":     func(l *Launch) { l.Env[0].Value = "CET" },
		"dir":     func(l *Launch) { l.Dir = "/" },
	} {
		journal := &diary{}
		var shown []Request
		b := NewBroker(Script(func(ctx context.Context, r Request) Answer { shown = append(shown, r); return yes(ctx, r) }), journal, nil)
		_, _ = b.Approve(t.Context(), launchRequest())
		r := launchRequest()
		change(r.Launch)
		_, _ = b.Approve(t.Context(), r)
		if len(shown) != 2 {
			t.Errorf("%s: asked %d times", name, len(shown))
			continue
		}
		if shown[0].Before != nil || shown[1].Before == nil || shown[1].Before.Digest() != launchRequest().Launch.Digest() {
			t.Errorf("%s: before %+v", name, shown[1].Before)
		}
	}
}

func TestStandingLaunchNeedsASoundDecision(t *testing.T) {
	good := Decision{ID: "d", Kind: KindLaunch, Server: testServer, Allowed: true, By: ByUser, Launch: launchRequest().Launch}
	good.Digest = good.Launch.Digest()
	other := launchRequest().Launch
	other.Command = "/tmp/evil"
	for name, spoil := range map[string]func(*Decision){
		"":               func(*Decision) {},
		"refused":        func(d *Decision) { d.Allowed = false },
		"other server":   func(d *Decision) { d.Server.ID = "s2" },
		"standing":       func(d *Decision) { d.By = ByStanding },
		"host":           func(d *Decision) { d.By = ByHost },
		"unsigned":       func(d *Decision) { d.By = "" },
		"other kind":     func(d *Decision) { d.Kind = KindToolCall },
		"no launch":      func(d *Decision) { d.Launch = nil },
		"another launch": func(d *Decision) { d.Launch = other },
	} {
		d := good
		spoil(&d)
		journal := &fixedJournal{d}
		asked := false
		b := NewBroker(Script(func(context.Context, Request) Answer { asked = true; return Answer{} }), journal, nil)
		_, err := b.Approve(t.Context(), launchRequest())
		if asked == (name == "") || (err == nil) != (name == "") {
			t.Errorf("%q: asked %t, error %v", name, asked, err)
		}
	}
}

type fixedJournal struct{ d Decision }

func (*fixedJournal) RecordDecision(context.Context, Decision) error { return nil }

func (j *fixedJournal) LastLaunch(context.Context, string) (Decision, bool, error) {
	return j.d, true, nil
}

func TestUnreadableJournalMeansNo(t *testing.T) {
	journal := &diary{blind: errors.New("locked")}
	asker := Script(func(context.Context, Request) Answer { t.Error("asked"); return Answer{} })
	if _, err := NewBroker(asker, journal, nil).Approve(t.Context(), launchRequest()); !errors.Is(err, ErrUnrecorded) {
		t.Errorf("got %v", err)
	}
}

func TestStandingLaunchMustBeRecorded(t *testing.T) {
	journal := &diary{}
	b := NewBroker(Script(yes), journal, nil)
	_, _ = b.Approve(t.Context(), launchRequest())
	journal.refuse = errors.New("disk full")
	a, err := b.Approve(t.Context(), launchRequest())
	if !errors.Is(err, ErrUnrecorded) || a.Use(launchRequest().Launch.Digest()) == nil {
		t.Errorf("got %v", err)
	}
}
