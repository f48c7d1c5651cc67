package consent

// This file is the gate: the only place that turns an answer into an Approval.

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// recordWait bounds one write to the journal, which outlives the caller's context.
const recordWait = 10 * time.Second

// maxReason is the longest reason that is kept, in characters.
const maxReason = 500

// Options are the settings of a [Broker]. The zero value is ready for use.
type Options struct {
	Now    func() time.Time // nil = time.Now
	NewID  func() string    // nil = 128 random bits in hexadecimal
	Logger *slog.Logger     // nil = none
}

// A Broker asks, records and approves. It is safe for concurrent use.
type Broker struct {
	asker   Asker
	journal Journal
	now     func() time.Time
	newID   func() string
	log     *slog.Logger
	refused refusals
	known   definitions
}

// NewBroker returns a Broker that puts questions to asker and keeps decisions in journal. Neither may be nil.
func NewBroker(asker Asker, journal Journal, o *Options) *Broker {
	if asker == nil || journal == nil {
		panic("consent: a Broker needs an Asker and a Journal")
	}
	b := &Broker{asker: asker, journal: journal, now: time.Now, newID: randomID, log: slog.New(slog.DiscardHandler)}
	if o == nil {
		return b
	}
	if o.Now != nil {
		b.now = o.Now
	}
	if o.NewID != nil {
		b.newID = o.NewID
	}
	if o.Logger != nil {
		b.log = o.Logger
	}
	return b
}

func randomID() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// Approve asks for consent to r and returns the key to its effect. It sets r's ID, At, Risk, Before and RefusedBefore.
//
// A launch that was allowed before in exactly this form is not asked again: its row reads By [ByStanding] and names the
// original. Otherwise the asker is asked; its answer must be for the bytes that were asked or for valid edited ones,
// and it must be recorded before Approve returns nil.
//
// A no, whoever said it, is a [*Refusal] with its recorded decision. If the journal cannot be read or written the error
// matches [ErrUnrecorded]; a malformed request, which is never put to anyone, matches [ErrInvalid]. Approve never panics.
func (b *Broker) Approve(ctx context.Context, r Request) (a Approval, err error) {
	defer func() {
		if p := recover(); p != nil {
			b.log.Error("consent: a panic around the asker", "kind", r.Kind)
			a, err = Approval{}, fmt.Errorf("%w: the gate failed: %v", ErrUnrecorded, p)
		}
	}()
	r = r.clone()
	if err := b.check(r); err != nil {
		return Approval{}, err
	}
	r.ID, r.At = b.newID(), b.now()
	b.judge(&r)
	if r.Kind == KindLaunch {
		original, ok, err := b.lastLaunch(ctx, r)
		if err != nil {
			return Approval{}, err
		}
		if ok && original.Digest == r.Digest() {
			return b.record(ctx, r, verdict{Answer: Answer{Allow: true, By: ByStanding}, answered: r, original: original.ID})
		}
		if ok {
			r.Before = original.Launch.clone()
		}
	}
	return b.record(ctx, r, b.ask(ctx, r))
}

// check refuses requests that could not be shown as what they are.
func (b *Broker) check(r Request) error {
	switch {
	case r.Kind == KindLaunch && r.Launch != nil && r.ToolCall == nil && r.Question == nil:
		return nil
	case r.Kind.asks() && r.Question != nil && r.Launch == nil && r.ToolCall == nil:
		return r.Question.check(r.Kind)
	case r.Kind == KindToolCall && r.ToolCall != nil && r.Launch == nil && r.Question == nil:
		line, err := OneLine(r.ToolCall.Arguments)
		if err != nil {
			return fmt.Errorf("arguments: %w", err)
		}
		if !bytes.Equal(line, r.ToolCall.Arguments) {
			return fmt.Errorf("%w: not on one line", ErrInvalid)
		}
		return b.checkDefinition(*r.ToolCall)
	}
	return fmt.Errorf("%w: a request of kind %q without its content", ErrInvalid, r.Kind)
}

// checkDefinition refuses a call whose dialog would describe another tool than the one it names.
func (b *Broker) checkDefinition(c ToolCall) error {
	for _, raw := range []json.RawMessage{c.Definition, c.Previous} {
		if len(raw) > 0 && !b.known.get(raw).valid {
			return fmt.Errorf("%w: a definition that is no JSON", ErrInvalid)
		}
	}
	if d := b.known.get(c.Definition); d.named && d.name != c.Tool {
		return fmt.Errorf("%w: the definition is not that of %q", ErrInvalid, c.Tool)
	}
	return nil
}

// judge fills in what Gatehouse itself says about r; nothing of it is taken from the caller.
func (b *Broker) judge(r *Request) {
	r.Before, r.RefusedBefore = nil, false
	if r.Kind == KindLaunch {
		r.Risk = LaunchRisk(*r.Launch)
		return
	}
	if r.Question != nil {
		r.Risk = questionRisk(*r)
		if r.Problems = nil; r.Question.Reply != nil {
			r.Problems = r.validate(r.Question.Reply)
		} else if r.Kind.written() {
			r.Problems = []Problem{{Message: errNoReply.Error()}}
		}
		return
	}
	r.Risk = callRisk(b.known.get(r.ToolCall.Definition).report, r.Server, r.ToolCall.Arguments)
	r.Problems = append(r.Problems, r.validate(r.ToolCall.Arguments)...)
	r.RefusedBefore = b.refused.has(r.Turn, r.Digest())
}

// lastLaunch returns the decision that a launch of r's server may rest on or is compared with.
func (b *Broker) lastLaunch(ctx context.Context, r Request) (Decision, bool, error) {
	d, ok, err := b.journal.LastLaunch(ctx, r.Server.ID)
	if err != nil {
		return Decision{}, false, fmt.Errorf("%w: read the last launch: %w", ErrUnrecorded, err)
	}
	sound := ok && d.Allowed && d.Kind == KindLaunch && d.Server.ID == r.Server.ID && person(d.By) &&
		d.Launch != nil && d.Launch.Digest() == d.Digest
	return d, sound, nil
}

// person reports whether by names somebody who may allow.
func person(by string) bool { return by != "" && by != ByHost && by != ByStanding }

// A verdict is an answer after the broker's own checks.
type verdict struct {
	Answer
	answered Request // as it was answered, after edits
	cause    error   // why Gatehouse refused, nil if somebody answered
	original string  // the decision a standing consent rests on
}

func refuse(r Request, reason string, cause error) verdict {
	return verdict{Answer: Answer{By: ByHost, Reason: reason}, answered: r, cause: cause}
}

// ask puts r to the asker and checks what comes back.
func (b *Broker) ask(ctx context.Context, r Request) verdict {
	answer, err := b.askSafely(ctx, r)
	answered, sound := r, true
	if answer.Arguments != nil {
		answered, sound = edited(r, answer.Arguments)
	}
	switch {
	case err == nil && !answer.Allow && answer.By != "":
		return verdict{Answer: answer, answered: answered} // a no is a no, even if the caller has gone meanwhile
	case err != nil || ctx.Err() != nil:
		return refuseFor(ctx, r, err)
	case !answer.Allow:
		return refuse(r, ReasonSilent, nil)
	case !person(answer.By):
		return refuse(r, ReasonUnsigned, ErrInvalid)
	case !sound || len(answered.Problems) > 0:
		return refuse(r, ReasonInvalid, ErrInvalid)
	case answer.Digest != answered.Digest():
		return refuse(r, ReasonMismatch, ErrMismatch)
	}
	return verdict{Answer: answer, answered: answered}
}

// edited returns r with other arguments, or another reply, judged anew; sound is false, and r as it was, if it takes none
// or they are not on one line.
func edited(r Request, arguments []byte) (_ Request, sound bool) {
	line, err := OneLine(arguments)
	if r.ToolCall == nil && r.Question == nil || err != nil || !bytes.Equal(line, arguments) {
		return r, false
	}
	if r.Question != nil && !r.Kind.written() {
		return r, false
	}
	if r.Question != nil {
		r = r.Answered(line)
		r.Problems = r.validate(line)
		return r, true
	}
	r.ToolCall = r.ToolCall.clone()
	r.ToolCall.Arguments = line
	r.Risk = CallRisk(r.Server, r.ToolCall.Definition, line)
	r.Problems = r.validate(line)
	return r, true
}

// validate runs r.Validate on a copy. Arguments that make it panic cannot be allowed.
func (r Request) validate(arguments []byte) (problems []Problem) {
	defer func() {
		if p := recover(); p != nil {
			problems = []Problem{{Message: "cannot be checked against the tool's schema"}}
		}
	}()
	if r.Validate == nil {
		return nil
	}
	return r.Validate(bytes.Clone(arguments))
}

// askSafely turns an asker's panic into an error: a dialog that falls over must refuse, not take the app with it.
func (b *Broker) askSafely(ctx context.Context, r Request) (answer Answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			b.log.Error("consent: the asker panicked", "kind", r.Kind)
			answer, err = Answer{}, fmt.Errorf("the asker panicked: %v", p)
		}
	}()
	return b.asker.Ask(ctx, r.clone())
}

func refuseFor(ctx context.Context, r Request, err error) verdict {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return refuse(r, ReasonExpired, ctx.Err())
	case ctx.Err() != nil:
		return refuse(r, ReasonWithdrawn, ctx.Err())
	case errors.Is(err, ErrNobody):
		return refuse(r, ReasonNobody, err)
	case errors.Is(err, ErrWithdrawn):
		return refuse(r, ReasonWithdrawn, err)
	}
	return refuse(r, ReasonFailed, err)
}

// record makes v durable and only then mints. It outlives ctx: a caller that gives up must not lose the row.
func (b *Broker) record(ctx context.Context, r Request, v verdict) (Approval, error) {
	d := decide(r, v)
	d.ID, d.At = b.newID(), b.now()
	if !d.Allowed && d.By != ByHost {
		b.refused.add(r.Turn, r.Digest())
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordWait)
	defer cancel()
	row := d.clone()
	row.Question = row.Question.kept()
	if err := b.journal.RecordDecision(ctx, row); err != nil {
		b.log.Error("consent: the decision could not be recorded", "decision", d.ID, "allowed", d.Allowed)
		err = fmt.Errorf("%w: %w", ErrUnrecorded, err)
		if d.Allowed {
			return Approval{}, err
		}
		return Approval{}, &Refusal{Decision: d, Stop: v.Stop, Err: errors.Join(v.cause, err)}
	}
	if !d.Allowed {
		return Approval{}, &Refusal{Decision: d, Stop: v.Stop, Err: v.cause}
	}
	return Approval{&grant{decision: d}}, nil
}

// decide writes down v, with the bytes that were answered.
func decide(r Request, v verdict) Decision {
	shown := v.answered
	d := Decision{
		Request: r.ID, Kind: r.Kind, Server: r.Server, Actor: r.Actor, Profile: r.Profile, Digest: shown.Digest(), Risk: shown.Risk,
		Allowed: v.Allow, By: v.By, Reason: firstRunes(v.Reason, maxReason), Original: v.original,
		Declined: v.Decline && !v.Allow && r.Question != nil, Launch: shown.Launch, ToolCall: shown.ToolCall, Question: shown.Question,
	}
	if r.ToolCall != nil && !bytes.Equal(r.ToolCall.Arguments, shown.ToolCall.Arguments) {
		d.Edited, d.Asked = true, r.ToolCall.Arguments
	}
	return d
}

// firstRunes returns the first n characters of s.
func firstRunes(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}
