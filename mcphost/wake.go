package mcphost

// This file finds out, after a sleep of this machine or a change of its network, which remote servers are still there
// (ACC A07).

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/transport"
)

const (
	wakeProbes = 4                // at a time
	wakeJitter = 2 * time.Second  // at most, before a probe
	wakeJump   = 30 * time.Second // of the wall clock beyond the monotonic one means that the machine has slept
	wakeTick   = 5 * time.Second
)

// errAsleep is wrapped by the end of a connection that was found dead after a sleep.
var errAsleep = errors.New("the connection has not outlived the computer's sleep or a change of its network")

// WatchClock calls woke whenever now has gone further ahead than the time that has passed for this program: the machine
// has slept, or somebody has set its clock. It returns when ctx ends.
func WatchClock(ctx context.Context, now func() time.Time, woke func()) {
	tick := time.NewTicker(wakeTick)
	defer tick.Stop()
	wall, ran := now().Round(0), time.Now()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		w, r := now().Round(0), time.Now()
		if w.Sub(wall)-r.Sub(ran) > wakeJump {
			woke()
		}
		wall, ran = w, r
	}
}

// Wake asks every remote server once whether it is still there, a few at a time. Those that answer keep their session,
// the others are connected anew at once; those that wait to be, or have been given up because they could not be reached,
// try now. Whoever calls Wake meanwhile waits for the same round.
func (h *Host) Wake(ctx context.Context) {
	h.mu.Lock()
	round, joined := h.waking, true
	if round == nil {
		round, joined = make(chan struct{}), false
		h.waking = round
	}
	h.mu.Unlock()
	if joined {
		select {
		case <-round:
		case <-ctx.Done():
		}
		return
	}
	defer func() {
		h.mu.Lock()
		h.waking = nil
		h.mu.Unlock()
		close(round)
	}()
	places := make(chan struct{}, wakeProbes)
	var wg sync.WaitGroup
	for _, s := range h.Servers() {
		wg.Go(func() { s.wake(ctx, places) })
	}
	wg.Wait()
}

func (s *Server) wake(ctx context.Context, places chan struct{}) {
	s.mu.Lock()
	conn, idle, failure, remote := s.live, s.life == nil, s.failure, s.config.Transport == HTTP
	s.mu.Unlock()
	switch {
	case conn != nil:
		conn.session.Wake()
		if remote {
			s.probe(ctx, conn, places)
		}
	case !remote:
	case !idle:
		select {
		case s.nudge <- struct{}{}: // out of its back-off
		default:
		}
	case failure != nil && errors.As(failure.Err, new(*transport.ExchangeError)):
		s.tryAgain(ctx)
	}
}

// probe ends a connection over which the server does not answer any more.
func (s *Server) probe(ctx context.Context, conn *live, places chan struct{}) {
	select {
	case <-time.After(rand.N(wakeJitter)):
	case <-ctx.Done():
		return
	}
	select {
	case places <- struct{}{}:
	case <-ctx.Done():
		return
	}
	err := conn.session.Answers(ctx)
	<-places
	if err != nil {
		select {
		case conn.lost <- fmt.Errorf("%w: %w", errAsleep, err):
		default:
		}
	}
}

// tryAgain starts a server whose launch is approved, so that nobody is asked.
func (s *Server) tryAgain(ctx context.Context) {
	l, err := s.host.Launch(ctx, s.Config())
	if err != nil {
		return
	}
	if _, approved, err := s.host.Approved(ctx, s.id, l.Digest()); err == nil && approved {
		_ = s.Start(consent.Actor{Kind: consent.ActorUser}) // it may have been disabled meanwhile
	}
}
