package session

// This file keeps the time of a call: how long it may be silent, how long it may take, and when neither counts.

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"
)

// Errors of a call that took too long.
var (
	ErrInactive = errors.New("the server gave no sign of life")
	ErrTotal    = errors.New("the call took too long")
)

// A clock ends a call by its cancel. It stands still while it is held (ACC A16, A17).
type clock struct {
	cancel  context.CancelCauseFunc
	overdue func(ctx context.Context) (wait bool) // nil = silence ends the call

	inactive, total countdown

	mu     sync.Mutex // guards what follows, and the countdowns
	holds  int
	ended  bool
	quiet  context.CancelFunc // ends the question whether to wait on, nil if there is none
	asking sync.WaitGroup
	limit  time.Duration // of silence
}

// A countdown is a timer that can stand still.
type countdown struct {
	timer *time.Timer
	left  time.Duration // when it was last set going
	since time.Time
}

func (d *countdown) start(left time.Duration, f func()) {
	d.left, d.since = left, time.Now()
	d.timer = time.AfterFunc(left, f)
}

func (d *countdown) hold() {
	d.timer.Stop()
	d.left = max(0, d.left-time.Since(d.since))
}

func (d *countdown) goOn(left time.Duration) {
	d.left, d.since = left, time.Now()
	d.timer.Reset(left)
}

func newClock(o CallOptions, cancel context.CancelCauseFunc) *clock {
	c := &clock{cancel: cancel, overdue: o.Overdue, limit: o.Inactive}
	c.mu.Lock() // the timers may run before they are noted
	defer c.mu.Unlock()
	c.total.start(o.Total, func() { cancel(ErrTotal) })
	c.inactive.start(o.Inactive, c.silent)
	return c
}

// silent runs when the call has been silent for too long.
func (c *clock) silent() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended || c.holds > 0 || c.quiet != nil {
		return
	}
	if c.overdue == nil {
		c.cancel(ErrInactive)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	c.quiet = cancel
	c.asking.Go(func() {
		wait := c.overdue(ctx)
		c.mu.Lock()
		defer c.mu.Unlock()
		withdrawn := ctx.Err() != nil
		cancel()
		switch {
		case withdrawn || c.ended:
			return
		case !wait:
			c.cancel(ErrInactive)
		}
		c.quiet = nil
		c.restart()
	})
}

// alive is a sign of life.
func (c *clock) alive() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.quiet != nil {
		c.quiet()
		c.quiet = nil
	}
	c.restart()
}

// restart needs mu.
func (c *clock) restart() {
	if c.holds > 0 {
		c.inactive.left = c.limit
	} else if !c.ended {
		c.inactive.goOn(c.limit)
	}
}

// unlimited lets the call take as long as it may.
func (c *clock) unlimited() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.total.left = math.MaxInt64; c.holds == 0 && !c.ended {
		c.total.goOn(c.total.left)
	}
}

// hold lets the clock stand still until release is called.
func (c *clock) hold() (release func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.holds++; c.holds == 1 && !c.ended {
		c.inactive.hold()
		c.total.hold()
	}
	return sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.holds--; c.holds == 0 && !c.ended {
			c.inactive.goOn(c.inactive.left)
			c.total.goOn(c.total.left)
		}
	})
}

// end stops the clock and waits for what it has asked.
func (c *clock) end() {
	c.mu.Lock()
	c.ended = true
	c.inactive.timer.Stop()
	c.total.timer.Stop()
	if c.quiet != nil {
		c.quiet()
	}
	c.mu.Unlock()
	c.asking.Wait()
}
