package app

// This file is the gate as the page sees it: what waits, and the user's answers. The page passes an id, a digest
// and yes or no; bytes and clock stay in Go (consent.Queue).

import (
	"encoding/json"
	"errors"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/protocol"
)

// Consent is bound to the page.
type Consent struct{ *desk }

// A ShownVariable is a variable of a launch. Values of references are never here.
type ShownVariable struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Ref    string `json:"ref"`
	Danger bool   `json:"danger"` // changes how programs load
}

// A ShownServer names whose request it is.
type ShownServer struct {
	ID      string `json:"id"`
	Alias   string `json:"alias"`
	Claimed string `json:"claimed"`
	Origin  string `json:"origin"`
}

// A ShownActor names who asked.
type ShownActor struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	Chat string `json:"chat"`
}

// A ShownLaunch is everything a launch would run or contact.
type ShownLaunch struct {
	Transport string          `json:"transport"`
	Command   string          `json:"command"`
	Args      []string        `json:"args"`
	Dir       string          `json:"dir"`
	Env       []ShownVariable `json:"env"`
	URL       string          `json:"url"`
	Headers   []ShownVariable `json:"headers"`
	Inherited []string        `json:"inherited"` // names of the base environment
}

// A ShownCall is one tool call, with exactly the bytes that would go out.
type ShownCall struct {
	Tool          string `json:"tool"`
	Title         string `json:"title"`
	Description   string `json:"description"`
	Arguments     string `json:"arguments"`
	InputSchema   string `json:"inputSchema"`
	Definition    string `json:"definition"`
	Previous      string `json:"previous"`
	Edited        bool   `json:"edited"`
	RefusedBefore bool   `json:"refusedBefore"`
}

// A PendingItem is one waiting request.
type PendingItem struct {
	ID       string            `json:"id"`
	Kind     string            `json:"kind"`
	Digest   string            `json:"digest"`
	Call     string            `json:"call"` // the call that waits for it, "" for a launch
	At       string            `json:"at"`
	Server   ShownServer       `json:"server"`
	Actor    ShownActor        `json:"actor"`
	Risk     consent.Risk      `json:"risk"`
	Problems []consent.Problem `json:"problems"`
	Hidden   int               `json:"hidden"`
	Launch   *ShownLaunch      `json:"launch"`
	Before   *ShownLaunch      `json:"before"`
	ToolCall *ShownCall        `json:"toolCall"`
	Question *ShownQuestion    `json:"question"`
	Visit    *ShownVisit       `json:"visit"` // an address that was opened: there is nothing left to allow
}

// An AnswerInput is the user's answer.
type AnswerInput struct {
	Allow   bool   `json:"allow"`
	Decline bool   `json:"decline"` // of a question: no, rather than not decided
	Reason  string `json:"reason"`
	Stop    bool   `json:"stop"`
}

// Pending returns every waiting request, oldest first, then the addresses that were opened.
func (v *Consent) Pending() (items []PendingItem, err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return nil, err
	}
	for _, p := range e.Queue.Pending() {
		item := pendingItem(p, e.Host.Inherited())
		if item.Question != nil {
			if err := e.seen(ctx, item.Question.Address); err != nil {
				return nil, err
			}
		}
		items = append(items, item)
	}
	for _, visit := range e.Host.Visits() {
		items = append(items, visitItem(visit))
	}
	return list(items), nil
}

// Shown says that a request or a Run panel is visible and focused; its clock starts.
func (v *Consent) Shown(id string) (err error) {
	defer catch(&err)
	e, _, err := v.engine()
	if err != nil {
		return err
	}
	e.Queue.Shown(id)
	return nil
}

// Hidden says that it no longer is, or that it moved; its clock stops.
func (v *Consent) Hidden(id string) (err error) {
	defer catch(&err)
	e, _, err := v.engine()
	if err != nil {
		return err
	}
	e.Queue.Hidden(id)
	return nil
}

// Amend replaces a call's arguments: new bytes, a new digest, the clock starts again. Or it writes the reply to a question.
func (v *Consent) Amend(id, args string) (item PendingItem, err error) {
	defer catch(&err)
	e, _, err := v.engine()
	if err != nil {
		return PendingItem{}, err
	}
	p, err := e.Queue.Amend(id, []byte(args))
	if err != nil {
		return PendingItem{}, err
	}
	return pendingItem(p, e.Host.Inherited()), nil
}

// Resolve answers a request, once, for exactly what digest names. It says of an opened address whether the user has
// finished there.
func (v *Consent) Resolve(id, digest string, a AnswerInput) (err error) {
	defer catch(&err)
	e, _, err := v.engine()
	if err != nil {
		return err
	}
	d, err := consent.ParseDigest(digest)
	if err != nil {
		return badInput("digest", digest)
	}
	if err := e.Host.EndVisit(id, a.Allow); !errors.Is(err, consent.ErrWithdrawn) {
		return err
	}
	return e.Queue.Resolve(id, d, consent.Answer{Allow: a.Allow, Decline: a.Decline, Reason: a.Reason, Stop: a.Stop, By: consent.ByUser})
}

func pendingItem(p consent.Pending, inherited []string) PendingItem {
	r := p.Request
	item := PendingItem{
		ID: r.ID, Call: r.Call, Kind: string(r.Kind), Digest: p.Digest.String(), At: stamp(r.At),
		Server: ShownServer{r.Server.ID, r.Server.Alias, r.Server.Claimed, r.Server.Origin},
		Actor:  ShownActor{string(r.Actor.Kind), r.Actor.Name, r.Actor.Chat},
		Risk:   r.Risk, Problems: list(r.Problems), Hidden: p.HiddenChars,
		Launch: shownLaunch(r.Launch, inherited), Before: shownLaunch(r.Before, inherited), Question: shownQuestion(r),
	}
	if c := r.ToolCall; c != nil {
		var t protocol.Tool
		if err := protocol.Decode(c.Definition, &t); err != nil {
			t = protocol.Tool{Entry: protocol.Entry{Name: c.Tool}} // the raw definition is shown all the same
		}
		item.ToolCall = &ShownCall{
			Tool: c.Tool, Title: t.DisplayTitle(), Description: t.Description, Arguments: string(c.Arguments),
			InputSchema: string(t.InputSchema), Definition: string(c.Definition), Previous: string(c.Previous),
			Edited: p.Edited, RefusedBefore: r.RefusedBefore,
		}
	}
	return item
}

func shownLaunch(l *consent.Launch, inherited []string) *ShownLaunch {
	if l == nil {
		return nil
	}
	return &ShownLaunch{
		Transport: l.Transport, Command: l.Command, Args: list(l.Args), Dir: l.Dir, Env: shownVars(l.Env), URL: l.URL,
		Headers: shownVars(l.Headers), Inherited: list(inherited),
	}
}

func shownVars(vs []consent.Var) []ShownVariable {
	out := []ShownVariable{}
	for _, v := range vs {
		out = append(out, ShownVariable{v.Name, v.Value, v.Ref, consent.DangerVariable(v.Name)})
	}
	return out
}

// shown is the JSON of what a decision showed.
func shown(d consent.Decision) string {
	var what any = d.Launch
	switch {
	case d.ToolCall != nil:
		return string(d.ToolCall.Arguments)
	case d.Use != nil:
		what = d.Use
	case d.Question != nil && d.Allowed:
		return string(d.Question.Reply)
	case d.Question != nil:
		return string(d.Question.Params)
	}
	text, err := json.Marshal(what)
	if err != nil {
		return ""
	}
	return string(text)
}
