package consent

// This file holds the askers that need no person.

import "context"

// Refuse is the [Asker] of a program without anybody to ask.
type Refuse struct{}

// Ask returns [ErrNobody].
func (Refuse) Ask(context.Context, Request) (Answer, error) { return Answer{}, ErrNobody }

// A Script is an [Asker] that answers by rule: a policy file, a test. Its answers must say who they stand for (By).
type Script func(ctx context.Context, r Request) Answer

// Ask returns what the script says.
func (s Script) Ask(ctx context.Context, r Request) (Answer, error) { return s(ctx, r), ctx.Err() }
