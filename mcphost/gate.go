package mcphost

// This file puts what servers ask to the user, at the gate through which everything goes.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

// A gate is the [Answerer] of a host whose user can be asked.
type gate struct{ host *Host }

// Offer implements [Answerer]: all servers may ask the same. Tasks can be followed whoever answers.
func (g gate) Offer(Config) session.Offer {
	o := g.host.opts.Offer
	o.Tasks = true
	return o
}

// Answer implements [Answerer].
func (g gate) Answer(ctx context.Context, q Question) (session.Answer, error) {
	switch {
	case q.Elicit != nil && q.Elicit.Mode == protocol.ModeForm:
		result, err := g.form(ctx, q)
		return session.Answer{Elicit: result}, err
	case q.Elicit != nil:
		result, err := g.visit(ctx, q)
		return session.Answer{Elicit: result}, err
	case q.Sampling != nil:
		result, err := g.sample(ctx, q)
		return session.Answer{Message: result}, err
	case q.Method == protocol.MethodRootsList:
		result, err := g.listRoots(ctx, q)
		return session.Answer{Roots: result}, err
	case q.Root != nil:
		return session.Answer{}, g.changeRoots(ctx, q)
	}
	return session.Answer{}, fmt.Errorf("%s: there is no dialog for this", q.Method)
}

func (g gate) form(ctx context.Context, q Question) (*protocol.ElicitResult, error) {
	form, err := readForm(q.Elicit.RequestedSchema)
	if err != nil {
		return nil, invalidParams(err)
	}
	asked, err := g.ask(ctx, q, consent.Request{Kind: consent.KindForm, Validate: form.check}, "")
	if err != nil {
		return declined(err)
	}
	return &protocol.ElicitResult{Action: protocol.ElicitAccept, Content: asked.Reply}, nil
}

// visit opens an address once the user agrees. To agree is to accept, unless something is made again after the visit:
// that waits for the user to have finished.
func (g gate) visit(ctx context.Context, q Question) (*protocol.ElicitResult, error) {
	address, err := ReadAddress(q.Elicit.URL)
	if err != nil {
		return nil, invalidParams(err)
	}
	asked, err := g.ask(ctx, q, consent.Request{Kind: consent.KindURL}, address.Registered)
	if err != nil {
		return declined(err)
	}
	v := g.host.visits.begin(Visit{
		ID: NewID(), Server: q.Server, Question: asked, Call: q.Call, URL: q.Elicit.URL, Elicitation: q.Elicit.ElicitationID,
		At: g.host.opts.Now(), Goes: goesOn(q.Origin),
	})
	err = g.host.opts.Opener(ctx, q.Elicit.URL)
	g.host.visits.show(v, err != nil)
	if err != nil {
		return nil, err
	}
	if goesOn(q.Origin) {
		if err := g.host.visits.wait(ctx, v); err != nil {
			return nil, err
		}
	}
	return &protocol.ElicitResult{Action: protocol.ElicitAccept}, nil
}

// ask asks for consent to r, which is about what q asks, and spends it. It returns what was allowed.
func (g gate) ask(ctx context.Context, q Question, r consent.Request, about string) (consent.Question, error) {
	return g.askWith(ctx, q, r, about, nil)
}

// askWith is ask with a reply that is proposed, nil if the user writes it.
func (g gate) askWith(ctx context.Context, q Question, r consent.Request, about string, reply json.RawMessage) (consent.Question, error) {
	asked := consent.Question{Launch: q.Launch, Via: string(q.Origin), Params: q.Params, About: about, Reply: reply}
	if call, ok := g.host.CallView(q.Call); ok {
		asked.Tool = call.Tool
	}
	r.Server, r.Actor, r.Profile = q.Server, consent.Actor{Kind: consent.ActorServer}, g.host.Profile()
	r.Question, r.Call = &asked, q.Call
	approval, err := g.host.broker.Approve(ctx, r)
	g.host.bus.publish(DecisionsChanged{})
	if err != nil {
		return asked, err
	}
	asked.Reply = approval.Arguments()
	return asked, approval.Use(consent.Request{Kind: r.Kind, Question: &asked}.Digest())
}

// declined tells decline and cancel apart. Whatever is not an answer of somebody is an error, of which the server gets to
// know a cancel.
func declined(err error) (*protocol.ElicitResult, error) {
	var refusal *consent.Refusal
	if errors.As(err, &refusal) && refusal.Decision.Declined {
		return &protocol.ElicitResult{Action: protocol.ElicitDecline}, nil
	}
	return nil, err
}

func invalidParams(err error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Invalid params: " + err.Error()}
}
