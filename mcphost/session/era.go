package session

// This file finds out which era a server belongs to (2026-07-28, "Versioning and Compatibility").

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/transport"
)

// An Era is a way of opening the conversation.
type Era string

// The eras, and the choice between them.
const (
	EraAuto   Era = "auto"
	EraLegacy Era = "legacy" // initialize: until 2025-11-25
	EraModern Era = "modern" // every request stands alone: since 2026-07-28
)

// Era tells how the conversation was opened.
func (i Info) Era() Era {
	if i.Revision.Modern() {
		return EraModern
	}
	return EraLegacy
}

// negotiate opens the conversation in the era that is pinned, known or found out.
func (s *Session) negotiate(ctx context.Context) error {
	switch {
	case s.opts.Era == EraLegacy:
		return s.initialize(ctx)
	case s.opts.Era == EraModern:
		p := s.probe(ctx)
		defer p.end()
		<-p.done
		return s.modern(ctx, p)
	case s.opts.Known == EraLegacy:
		err := s.initialize(ctx)
		if err == nil || !maybeOther(err) {
			return err
		}
		if fresh := s.restart(ctx, err); fresh != nil {
			return errors.Join(err, fresh)
		}
	}
	return s.find(ctx)
}

// find asks for the era first. An answer that only a modern server can give settles it, and there is no way back;
// anything else, or silence, means legacy.
func (s *Session) find(ctx context.Context) error {
	p := s.probe(ctx)
	defer p.end()
	silent := time.NewTimer(s.opts.Limits.Probe)
	defer silent.Stop()
	var cause error
	select {
	case <-p.done:
		if p.isModern() || final(p.err) {
			return s.modern(ctx, p)
		}
		cause = p.err
	case <-silent.C:
		return s.guess(ctx, p)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := s.restart(ctx, cause); err != nil {
		return errors.Join(cause, err)
	}
	return s.initialize(ctx)
}

// guess tries initialize while the probe is unanswered. A server that was only slow to start has both before it, and
// answers what came first first: a modern answer before that to initialize, or close behind it, means modern.
func (s *Session) guess(ctx context.Context, p *probe) error {
	try, stop := context.WithCancel(ctx)
	defer stop()
	s.wg.Go(func() {
		select {
		case <-p.done:
			if p.isModern() {
				stop()
			}
		case <-try.Done():
		}
	})
	err := s.offer(try)
	var closed *jsonrpc.ClosedError
	if errors.As(err, &closed) && s.restart(ctx, err) == nil { // it exited because of the first question
		return s.initialize(ctx)
	}
	wait := closeBehind
	if err != nil && maybeOther(err) {
		wait = s.opts.Limits.Probe
	}
	select {
	case <-p.done:
	case <-time.After(wait):
	case <-ctx.Done():
	}
	switch {
	case p.isModern():
		return s.modern(ctx, p)
	case err != nil:
		return err
	}
	s.mu.Lock()
	s.info.Guessed = true
	s.mu.Unlock()
	return s.ready(ctx)
}

// closeBehind is how much later than that to initialize the answer to the first question may come: some servers answer
// what they have read at the same time in any order.
const closeBehind = 250 * time.Millisecond

// A probe is one server/discover under way. What it brings is read after done.
type probe struct {
	done   chan struct{}
	cancel context.CancelFunc
	again  bool // after the revision was refused
	result protocol.DiscoverResult
	err    error
}

// probe sends server/discover. It is never cancelled on the wire: a legacy server must hear nothing before initialize.
func (s *Session) probe(ctx context.Context) *probe {
	s.speak(protocol.LatestModern)
	ctx, cancel := context.WithCancel(ctx)
	p := &probe{done: make(chan struct{}), cancel: cancel}
	peer := s.peer
	go func() {
		defer close(p.done)
		m, err := peer.Call(ctx, protocol.MethodDiscover, s.params(0), s.unstop)
		if p.err = err; err != nil {
			return
		}
		if err := protocol.Decode(m.Result, &p.result); err != nil {
			p.err = fmt.Errorf("%w: %w", errNotModern, err)
		}
	}()
	return p
}

// speak makes every later request one of the modern era.
func (s *Session) speak(r protocol.Revision) {
	if web, ok := s.stream.(remote); ok {
		web.SetRevision(string(r))
	}
	s.setMeta(r)
}

// end gives the probe up and waits for it.
func (p *probe) end() {
	p.cancel()
	<-p.done
}

// isModern reports whether only a modern server can have answered so.
func (p *probe) isModern() bool {
	select {
	case <-p.done:
		return p.err == nil || isModern(p.err)
	default:
		return false
	}
}

func isModern(err error) bool {
	var answer *jsonrpc.Error
	return errors.As(err, &answer) && protocol.ModernCode(answer.Code)
}

// modern goes on with what a modern server has answered: in a revision that both speak, or not at all.
func (s *Session) modern(ctx context.Context, p *probe) error {
	if p.err == nil {
		return s.discovered(ctx, &p.result, p.result.SupportedVersions)
	}
	var answer *jsonrpc.Error
	var data protocol.UnsupportedVersionData
	if errors.As(p.err, &answer) && answer.Code == protocol.CodeUnsupportedRevision && protocol.Decode(answer.Data, &data) == nil {
		if slices.ContainsFunc(data.Supported, protocol.Revision.Modern) && !p.again { // it was refused, and is offered: once more
			again := s.probe(ctx)
			defer again.end()
			again.again = true
			<-again.done
			return s.modern(ctx, again)
		}
		return s.discovered(ctx, nil, data.Supported)
	}
	return fmt.Errorf("%s: %w", protocol.MethodDiscover, p.err)
}

// discovered picks from what the server supports. Result is nil if the server has refused the revision that we asked in.
func (s *Session) discovered(ctx context.Context, result *protocol.DiscoverResult, supported []protocol.Revision) error {
	var legacy, refused bool
	var names []string
	for _, r := range supported {
		if r.Modern() && result != nil {
			s.mu.Lock()
			s.info = Info{
				Revision: r, Server: result.ServerInfo, Capabilities: result.Capabilities,
				Instructions: result.Instructions, Raw: result.Raw,
			}
			s.mu.Unlock()
			s.speak(r) // initialize may have been tried meanwhile
			return nil
		}
		legacy, refused = legacy || r.Legacy(), refused || r.Modern()
		names = append(names, clip(string(r)))
	}
	if legacy && !refused && s.opts.Era != EraModern { // the server's own offer, not a guess
		return s.initialize(ctx)
	}
	return fmt.Errorf("%s: %w: the server supports %q", protocol.MethodDiscover, ErrRevision, strings.Join(names[:min(len(names), 10)], ", "))
}

// restart starts a server again that has exited because of what it was asked: cause. A connection that stands is left
// alone.
func (s *Session) restart(ctx context.Context, cause error) error {
	var closed *jsonrpc.ClosedError
	if !errors.As(cause, &closed) {
		return nil
	}
	<-s.peer.Done() // it is about to be
	redial := s.opts.Redial
	if redial == nil {
		return s.peer.Err()
	}
	s.opts.Redial = nil // one approval, one restart
	if err := s.peer.Close(); err != nil {
		return err
	}
	stream, err := redial(ctx)
	if err != nil {
		return err
	}
	s.attach(stream)
	return nil
}

// maybeOther reports whether a failure of initialize can mean that the server belongs to the other era.
func maybeOther(err error) bool {
	var (
		answer *jsonrpc.Error
		closed *jsonrpc.ClosedError
		status *transport.HTTPError
	)
	if errors.As(err, &status) {
		return !final(err)
	}
	return errors.As(err, &answer) || errors.As(err, &closed)
}

// errNotModern is wrapped when server/discover was answered, but not as a modern server would.
var errNotModern = errors.New("not the answer of a modern server")

// final reports whether a failure has nothing to do with the era: the server cannot be reached, or not like this
// (2026-07-28, "Streamable HTTP", Backward Compatibility; ACC A13).
func final(err error) bool {
	var (
		answer *jsonrpc.Error
		closed *jsonrpc.ClosedError
		status *transport.HTTPError
	)
	if errors.As(err, &status) {
		switch code := status.Status; code {
		case 401, 403, 407, 429: // who we are, and how often
			return true
		default:
			return code < 400 || code >= 500
		}
	}
	return err != nil && !errors.As(err, &answer) && !errors.As(err, &closed) && !IsAnswer(err) && !errors.Is(err, errNotModern)
}

// IsAnswer reports whether err is about an answer that cannot be read.
func IsAnswer(err error) bool {
	var invalid *jsonrpc.InvalidResponseError
	var big *jsonrpc.FrameTooLargeError
	return errors.As(err, &invalid) || errors.As(err, &big)
}
