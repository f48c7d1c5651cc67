package mcphost

// This file puts what servers ask to the user, at the gate through which everything goes.

import (
	"context"
	"errors"
	"fmt"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

// A gate is the [Answerer] of a host whose user can be asked.
type gate struct{ host *Host }

// Offer implements [Answerer]: all servers may ask the same.
func (g gate) Offer(Config) session.Offer { return g.host.opts.Offer }

// Answer implements [Answerer].
func (g gate) Answer(ctx context.Context, q Question) (session.Answer, error) {
	if q.Elicit == nil || q.Elicit.Mode != protocol.ModeForm {
		return session.Answer{}, fmt.Errorf("%s: there is no dialog for this", q.Method)
	}
	form, err := readForm(q.Elicit.RequestedSchema)
	if err != nil {
		return session.Answer{}, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Invalid params: " + err.Error()}
	}
	result, err := g.elicit(ctx, q, consent.Request{Kind: consent.KindForm, Validate: form.check})
	return session.Answer{Elicit: result}, err
}

// elicit asks for consent to r and tells accept, decline and cancel apart. Whatever is not an answer of somebody is an
// error, of which the server gets to know a cancel.
func (g gate) elicit(ctx context.Context, q Question, r consent.Request) (*protocol.ElicitResult, error) {
	asked := consent.Question{Launch: q.Launch, Via: string(q.Origin), Params: q.Params}
	if call, ok := g.host.CallView(q.Call); ok {
		asked.Tool = call.Tool
	}
	r.Server, r.Actor, r.Profile = q.Server, consent.Actor{Kind: consent.ActorServer}, g.host.Profile()
	r.Question, r.Call = &asked, q.Call
	approval, err := g.host.broker.Approve(ctx, r)
	g.host.bus.publish(DecisionsChanged{})
	var refusal *consent.Refusal
	switch {
	case errors.As(err, &refusal) && refusal.Decision.Declined:
		return &protocol.ElicitResult{Action: protocol.ElicitDecline}, nil
	case err != nil:
		return nil, err
	}
	asked.Reply = approval.Arguments()
	if err := approval.Use(consent.Request{Kind: r.Kind, Question: &asked}.Digest()); err != nil {
		return nil, err
	}
	return &protocol.ElicitResult{Action: protocol.ElicitAccept, Content: asked.Reply}, nil
}
