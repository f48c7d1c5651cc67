package app

import (
	"errors"
	"strings"
	"testing"
)

func TestSealIsTheUsersChoice(t *testing.T) {
	w := openWindow(t)
	drawn, err := w.app.State()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := w.app.State(); err != nil || again.Seal != drawn.Seal || drawn.Seal.Word == "" {
		t.Errorf("drawn %+v, then %+v, %v", drawn.Seal, again.Seal, err)
	}
	for _, s := range []Seal{{"anchor", "Anchor"}, {"bell", "a"}, {"tree", "船锚 und Tür"}, {"key", strings.Repeat("ü", maxSealWord)}} {
		if err := w.app.SetSeal(s.Picture, " "+s.Word+" "); err != nil {
			t.Errorf("%+v: %v", s, err)
		}
		if got, err := w.app.State(); err != nil || got.Seal != s {
			t.Errorf("state has %+v, want %+v, %v", got.Seal, s, err)
		}
	}
}

func TestSealRefusesWhatTheGateCannotShow(t *testing.T) {
	w := openWindow(t)
	if err := w.app.SetSeal("key", "Harbour"); err != nil {
		t.Fatal(err)
	}
	for _, s := range []Seal{
		{"", "Harbour"},
		{"sail boat", "Harbour"},
		{"Key", "Harbour"},
		{"key", ""},
		{"key", " \t"},
		{"key", "\xff"},
		{"key", strings.Repeat("a", maxSealWord+1)},
		{"key", "Har\u200bbour"},
		{"key", "\u202eruobraH"},
		{"key", "two\nlines"},
	} {
		var f *failure
		if err := w.app.SetSeal(s.Picture, s.Word); !errors.As(err, &f) || f.code != "bad-input" {
			t.Errorf("%+q: %v", s, err)
		}
	}
	if got, err := w.app.State(); err != nil || got.Seal != (Seal{"key", "Harbour"}) {
		t.Errorf("the seal is now %+v, %v", got.Seal, err)
	}
}

func TestWelcomeComesOnce(t *testing.T) {
	w := openWindow(t)
	if s, err := w.app.State(); err != nil || !s.FirstRun {
		t.Errorf("before: %+v, %v", s, err)
	}
	if err := w.app.FinishWelcome(); err != nil {
		t.Fatal(err)
	}
	if s, err := w.app.State(); err != nil || s.FirstRun {
		t.Errorf("after: %+v, %v", s, err)
	}
}
