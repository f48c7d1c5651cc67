package app

// This file keeps the user's seal and whether they have been welcomed.

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"

	"gatehouse/mcphost/consent"
)

// Settings of the first start.
const (
	keyPicture  = "seal.picture"
	keyWord     = "seal.word"
	keyWelcomed = "welcomed"
	keyTextSize = "textSize"
)

// maxSealWord is in characters: the gate's band has room for so many.
const maxSealWord = 24

// seals are the pictures, each with the word it has until the user chooses another. The page draws them.
var seals = []Seal{
	{"sailboat", "Sailboat"},
	{"lighthouse", "Lighthouse"},
	{"anchor", "Anchor"},
	{"mountain", "Mountain"},
	{"tree", "Tree"},
	{"key", "Key"},
	{"bell", "Bell"},
	{"leaf", "Leaf"},
	{"moon", "Moon"},
	{"fish", "Fish"},
	{"umbrella", "Umbrella"},
	{"lantern", "Lantern"},
}

func sealOf(picture string) (Seal, bool) {
	i := slices.IndexFunc(seals, func(s Seal) bool { return s.Picture == picture })
	if i < 0 {
		return Seal{}, false
	}
	return seals[i], true
}

// seal returns the user's seal; its picture is drawn at random, once per data directory, until they choose one.
func (e *Engine) seal(ctx context.Context) (Seal, error) {
	picture, err := e.Settings.Setting(ctx, keyPicture)
	if err != nil {
		return Seal{}, err
	}
	s, ok := sealOf(picture)
	if !ok {
		s = seals[rand.IntN(len(seals))]
		return s, e.Settings.SetSetting(ctx, keyPicture, s.Picture)
	}
	word, err := e.Settings.Setting(ctx, keyWord)
	if err != nil {
		return Seal{}, err
	}
	s.Word = cmp.Or(word, s.Word)
	return s, nil
}

// SetSeal keeps the seal: one of the pictures, and a word of 1 to 24 characters, none of them hidden or a look-alike.
func (a *App) SetSeal(picture, word string) (err error) {
	defer catch(&err)
	e, ctx, err := a.engine()
	if err != nil {
		return err
	}
	word = strings.TrimSpace(word)
	if _, ok := sealOf(picture); !ok {
		return badInput(keyPicture, picture)
	}
	if !fitsSeal(word) {
		return badInput(keyWord, word)
	}
	// The word first: a word that stands with the picture before is still the user's own.
	if err := e.Settings.SetSetting(ctx, keyWord, word); err != nil {
		return err
	}
	if err := e.Settings.SetSetting(ctx, keyPicture, picture); err != nil {
		return err
	}
	a.emit("app", "", "")
	return nil
}

func fitsSeal(word string) bool {
	if word == "" || !utf8.ValidString(word) || utf8.RuneCountInString(word) > maxSealWord {
		return false
	}
	return !strings.ContainsFunc(word, func(r rune) bool {
		_, hidden := consent.Hidden(r)
		return hidden || r == '\n' || r == '\t' // the table lets both stand in a text of many lines
	})
}

// FinishWelcome keeps that the user has been welcomed: State.FirstRun is false from now on.
func (a *App) FinishWelcome() (err error) {
	defer catch(&err)
	e, ctx, err := a.engine()
	if err != nil {
		return err
	}
	if err := e.Settings.SetSetting(ctx, keyWelcomed, "yes"); err != nil {
		return err
	}
	a.emit("app", "", "")
	return nil
}
