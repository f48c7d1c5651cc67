package mcphost

// This file is what servers ask of the user, with the server it came from.

import (
	"context"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/session"
)

// A Question is something that a server wants from the user: a message of a model, a form, a visit to a URL, the shared
// roots or a change of them. Everything in it but Launch, Server.ID, Server.Alias and Server.Origin is the server's: untrusted.
type Question struct {
	session.Question
	Server consent.Server
	Launch consent.Digest // the server definition
}

// An Answerer answers what servers ask.
type Answerer interface {
	// Offer says what a server may ask. Exactly this is declared to it; anything else is refused without a question.
	Offer(c Config) session.Offer

	// Answer blocks for as long as the user thinks. ctx ends when the server withdraws the question, when the call that
	// it belongs to ends, or with the connection. An error means no; see [session.Refusal] for what the server gets to
	// know.
	Answer(ctx context.Context, q Question) (session.Answer, error)
}

// asker puts the questions of one connection to the Answerer.
type asker struct {
	server  *Server
	launch  consent.Launch
	secrets *masker
}

// Ask implements [session.Asker].
func (a asker) Ask(ctx context.Context, q session.Question) (session.Answer, error) {
	answer, err := a.server.host.opts.Answerer.Answer(ctx, Question{q, identity(a.server.Config(), a.launch, q.Claimed), a.launch.Digest()})
	if answer.Elicit != nil {
		a.secrets.hide(consent.Question{Params: q.Params, Reply: answer.Elicit.Content}.Secrets())
	}
	return answer, err
}
