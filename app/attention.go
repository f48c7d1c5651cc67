package app

// This file tells the user of requests that wait while the window is out of sight: by their number in its title, and
// by one notification that names server and kind. A notification has no word that a server wrote, and decides nothing.

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"gatehouse/app/desktop"
	"gatehouse/mcphost/consent"
)

const (
	keyNotify = "notify" // "off", or anything else for on

	// Requests that come together are told together.
	gatherTime = 300 * time.Millisecond
	// After one notification comes a pause that doubles until the user has looked: a server that asks without end is
	// heard of less and less (SEC C15).
	firstPause   = 10 * time.Second
	longestPause = 10 * time.Minute

	noticeWait = 5 * time.Second // for a notification service
)

// A notifier shows at most one notification; desktop.Notices is the real one.
type notifier interface {
	Show(ctx context.Context, n desktop.Notice) error
	Withdraw(ctx context.Context) error
}

// attention follows what waits and whether the user sees it.
type attention struct {
	pending func() []consent.Pending
	wanted  func(ctx context.Context) bool // the setting
	title   func(string)
	notify  notifier // nil = there is nowhere to show one
	wake    chan struct{}
	done    chan struct{}
	end     context.CancelFunc

	mu    sync.Mutex
	ready bool // the user has seen the window once: nothing is told at start-up
	away  bool
	words NoticeWords

	// Only run's goroutine uses what follows.
	known  map[string]bool // requests that the user has been told of, or has seen
	shown  bool
	titled string
	pause  time.Duration
	next   time.Time // no notification before
	due    time.Time // when the next one comes; zero = none is to come
}

func newAttention() *attention {
	return &attention{
		wake: make(chan struct{}, 1), done: make(chan struct{}), end: func() {}, known: map[string]bool{}, pause: firstPause,
	}
}

// changed says that something waits or no longer does.
func (a *attention) changed() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// watching says whether the window is visible and has the focus.
func (a *attention) watching(yes bool, words NoticeWords) {
	a.mu.Lock()
	a.ready = a.ready || yes
	a.away, a.words = a.ready && !yes, words
	a.mu.Unlock()
	a.changed()
}

func (a *attention) start(ctx context.Context) {
	ctx, a.end = context.WithCancel(ctx)
	go a.run(ctx)
}

// stop ends the goroutine and takes the notification away.
func (a *attention) stop() {
	a.end()
	<-a.done
}

func (a *attention) run(ctx context.Context) {
	defer close(a.done)
	for {
		var due <-chan time.Time
		if wait := a.look(ctx); wait > 0 {
			due = time.After(wait)
		}
		select {
		case <-due:
			a.tell(ctx)
		case <-a.wake:
		case <-ctx.Done():
			a.withdraw(context.WithoutCancel(ctx))
			return
		}
	}
}

// look brings the title up to date and returns how long to wait before telling, 0 if there is nothing to tell.
func (a *attention) look(ctx context.Context) time.Duration {
	pending := a.pending()
	title := "Gatehouse"
	if len(pending) > 0 {
		title = fmt.Sprintf("(%d) Gatehouse", len(pending))
	}
	if title != a.titled {
		a.titled = title
		a.title(title)
	}
	a.mu.Lock()
	away := a.away
	a.mu.Unlock()
	if !away {
		a.pause, a.next = firstPause, time.Time{}
	}
	if !away || len(pending) == 0 {
		a.know(pending)
		a.withdraw(ctx)
		a.due = time.Time{}
		return 0
	}
	news := slices.ContainsFunc(pending, func(p consent.Pending) bool { return !a.known[p.Request.ID] })
	if !news || a.notify == nil || !a.wanted(ctx) {
		a.due = time.Time{}
		return 0
	}
	if a.due.IsZero() {
		a.due = time.Now().Add(max(gatherTime, time.Until(a.next)))
	}
	return max(time.Until(a.due), 1)
}

func (a *attention) tell(ctx context.Context) {
	a.due = time.Time{}
	pending := a.pending()
	a.mu.Lock()
	away, words := a.away, a.words
	a.mu.Unlock()
	if !away || len(pending) == 0 {
		return
	}
	a.know(pending)
	a.next = time.Now().Add(a.pause)
	a.pause = min(2*a.pause, longestPause)
	ctx, cancel := context.WithTimeout(ctx, noticeWait)
	defer cancel()
	a.shown = a.notify.Show(ctx, notice(pending, words)) == nil // without a service the inbox and the title must do
}

func (a *attention) know(pending []consent.Pending) {
	clear(a.known)
	for _, p := range pending {
		a.known[p.Request.ID] = true
	}
}

func (a *attention) withdraw(ctx context.Context) {
	if !a.shown {
		return
	}
	a.shown = false
	ctx, cancel := context.WithTimeout(ctx, noticeWait)
	defer cancel()
	_ = a.notify.Withdraw(ctx) // it goes away by itself in time
}
