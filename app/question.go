package app

// This file is what servers ask as the page sees it, and the addresses that were opened for them.

import (
	"context"
	"fmt"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/protocol"
)

// A ShownQuestion is what a server asks of the user. Message, schema and address are the server's words.
type ShownQuestion struct {
	Via     string        `json:"via"`  // "request", "input", "task" or "error"
	Tool    string        `json:"tool"` // whose call it belongs to, "" if that cannot be told
	Message string        `json:"message"`
	Schema  string        `json:"schema"` // of a form
	Params  string        `json:"params"` // as received
	Reply   string        `json:"reply"`  // as it would be sent, "" until it was written
	Address *ShownAddress `json:"address"`
	Sample  *ShownSample  `json:"sample"`
}

// A ShownAddress is a URL that would be opened: Before, Domain and After are the whole of it.
type ShownAddress struct {
	Before     string          `json:"before"`
	Domain     string          `json:"domain"`
	After      string          `json:"after"`
	Registered string          `json:"registered"` // Domain in ASCII
	Unicode    string          `json:"unicode"`    // how the host displays, if that is not what is in ASCII
	Strange    []StrangeLetter `json:"strange"`
	Secure     bool            `json:"secure"`   // https
	Times      int             `json:"times"`    // that the user has opened an address there
	LastTime   string          `json:"lastTime"` // "" = never
}

// A StrangeLetter is a letter of a host that is not a plain Latin one.
type StrangeLetter struct {
	Letter string `json:"letter"`
	Code   string `json:"code"` // "U+0430"
	Script string `json:"script"`
}

// A ShownVisit is where an address that was opened stands.
type ShownVisit struct {
	Goes      bool `json:"goes"`      // what was asked for is made again when the user has finished
	Completed bool `json:"completed"` // the server says that it is done
	Failed    bool `json:"failed"`    // the browser could not be opened
}

// OpenAgain opens an address once more.
func (v *Consent) OpenAgain(id string) (err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return err
	}
	return e.Host.OpenAgain(ctx, id)
}

func shownQuestion(r consent.Request) *ShownQuestion {
	if r.Question == nil {
		return nil
	}
	q := *r.Question
	shown := &ShownQuestion{Via: q.Via, Tool: q.Tool, Params: string(q.Params), Reply: string(q.Reply)}
	switch r.Kind {
	case consent.KindRoots, consent.KindRootAdd, consent.KindRootRemove:
		return shown
	case consent.KindSample:
		shown.Sample = shownSample(q.Params)
		return shown
	}
	var asked protocol.ElicitParams
	_ = protocol.Decode(q.Params, &asked) // it was read before; Params is shown all the same
	shown.Message, shown.Schema = asked.Message, string(asked.RequestedSchema)
	if r.Kind == consent.KindURL {
		shown.Address = shownAddress(asked.URL)
	}
	return shown
}

func shownAddress(url string) *ShownAddress {
	a, err := mcphost.ReadAddress(url)
	if err != nil {
		return nil // it is not asked for
	}
	shown := &ShownAddress{
		Before: a.Before, Domain: a.Domain, After: a.After, Registered: a.Registered, Unicode: a.Unicode, Secure: a.Secure,
		Strange: []StrangeLetter{},
	}
	for _, s := range a.Strange {
		shown.Strange = append(shown.Strange, StrangeLetter{string(s.Letter), fmt.Sprintf("U+%04X", s.Letter), s.Script})
	}
	return shown
}

const mostSeen = 500 // rows of the history that are looked through

// seen fills in how often the user has opened an address of that domain; nil is left alone.
func (e *Engine) seen(ctx context.Context, a *ShownAddress) error {
	if a == nil {
		return nil
	}
	page, err := e.History.History(ctx, mcphost.HistoryQuery{Text: a.Registered, Decision: mcphost.Allowed, Limit: mostSeen})
	for _, row := range page.Rows {
		if row.Kind == consent.KindURL && row.What == a.Registered {
			if a.Times++; a.Times == 1 {
				a.LastTime = stamp(row.At)
			}
		}
	}
	return err
}

// visitItem is an opened address among what waits.
func visitItem(v mcphost.Visit) PendingItem {
	question := v.Question
	item := pendingItem(consent.Pending{Request: consent.Request{
		ID: v.ID, Kind: consent.KindURL, Server: v.Server, Actor: consent.Actor{Kind: consent.ActorServer}, At: v.At, Call: v.Call,
		Question: &question, Risk: consent.Risk{Class: consent.ClassLeave, Classes: []consent.Class{consent.ClassLeave}, Findings: []consent.Finding{}},
	}}, nil)
	item.Visit = &ShownVisit{v.Goes, v.Completed, v.Failed}
	return item
}
