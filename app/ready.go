package app

// This file opens and closes the engine around the window's life. Bound calls may come before it is open: they
// wait at one latch.

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gatehouse/app/desktop"
	"gatehouse/mcphost"
)

// closeWait bounds the end of all servers when the window closes; the guardian ends what is left.
const closeWait = 10 * time.Second

// A desk is what the services share.
type desk struct {
	version string
	self    string // absolute path of this program
	flags   []string
	open    func(context.Context, func()) (*Engine, error)
	codes   []ErrorCode
	log     *slog.Logger
	level   *slog.LevelVar // of log
	events  *emitter
	running running // what was started from the page and runs on

	opened chan struct{} // closed when frame is set
	frame  frame
	leave  leave
	placed placed
	quiet  func() // ends the watch for signals; nil without one

	bus       *desktop.Bus // nil = none
	attention *attention
	deaf      func()      // ends the listening to notifications; nil without
	asleep    func()      // ends the watch for the machine's sleep; nil without
	closing   atomic.Bool // the window is about to go, or has gone
	stopped   sync.Once

	ready    chan struct{} // closed after the first try to open the engine
	mu       sync.Mutex    // guards what follows until the engine is open; then it stays as it is
	ctx      context.Context
	eng      *Engine
	err      error
	talks    talks
	unsub    func()
	draft    drafts
	icons    icons
	official mcphost.Official // the specification's schemas, for the trace
	tray     *tray
	typing   typing
	demo     sync.Mutex // one AddDemo at a time
}

func newDesk(w Window) *desk {
	d := &desk{
		version: w.Version, self: w.Self, flags: w.Flags, open: w.Open, log: w.Log, level: w.Level, codes: w.Codes, events: newEmitter(),
		bus: w.Bus, opened: make(chan struct{}), ready: make(chan struct{}),
	}
	d.attention = newAttention()
	d.leave.work, d.leave.frame, d.leave.notify = d.work, func() frame { return d.frame }, func() { d.emit("leaving", "", "") }
	d.leave.closing = d.remember
	d.leave.end = func() { d.stop(); os.Exit(0) }
	d.events.sent = d.leave.check
	return d
}

// startup is Wails' OnStartup, in a goroutine of its own.
func (d *desk) startup(ctx context.Context) {
	d.frame = wailsFrame{ctx}
	go d.restore() // it waits for GTK's loop, which may end without having run: nobody can wait for it
	d.quiet = d.leave.onSignals()
	d.start(ctx)
}

// show brings the window forward, which ends the plan to close it, or fails because it is closing.
func (d *desk) show() error {
	<-d.opened
	if d.closing.Load() {
		return mcphost.ErrClosed
	}
	d.leave.stay()
	d.frame.Present()
	return nil
}

// engine waits for the latch.
func (d *desk) engine() (*Engine, context.Context, error) {
	<-d.ready
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.eng, d.ctx, d.err
}

// start opens the engine for the first time.
func (d *desk) start(ctx context.Context) {
	defer close(d.ready)
	close(d.opened)
	d.events.start(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ctx = ctx
	d.begin(ctx)
}

// again is engine, but tries once more to open what could not be opened: what was in the way may have gone.
func (d *desk) again() (*Engine, context.Context, error) {
	<-d.ready
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil && !d.closing.Load() {
		d.begin(d.ctx)
	}
	return d.eng, d.ctx, d.err
}

// begin opens the engine and sets what depends on it, or err. The caller holds mu.
func (d *desk) begin(ctx context.Context) {
	pending := func() {
		d.emit("pending", "", "")
		d.attention.changed()
	}
	if d.eng, d.err = d.open(ctx, pending); d.err == nil {
		if d.err = d.eng.resumeProfile(ctx); d.err != nil {
			d.err = errors.Join(d.err, d.eng.Close(ctx))
			d.eng = nil
		}
	}
	if d.err != nil {
		d.log.ErrorContext(ctx, "open", "error", d.err)
		return
	}
	d.unsub = d.eng.Host.Subscribe(d.forward)
	d.talks.begin(d.eng, d.emit)
	d.eng.Trace.Watch(func() { d.emit("trace", "", "") })
	d.tray = &tray{}
	resume := d.useSettings(ctx)
	d.watch(ctx)
	d.watchSleep(ctx)
	d.running.start(func() {
		if err := d.eng.Host.Sweep(ctx); err != nil {
			d.log.ErrorContext(ctx, "forget removed servers", "error", err)
		}
		if resume {
			d.eng.Host.Resume(ctx)
		}
	})
}

// useSettings applies what the user has set before anything runs, and reports whether servers start with the app.
// Settings that cannot be read are as on a new system.
func (d *desk) useSettings(ctx context.Context) (resume bool) {
	level, err := d.eng.Settings.Setting(ctx, keyLogLevel)
	if l, ok := logLevels[level]; ok {
		d.level.Set(l)
	}
	dismissed, err3 := d.eng.Settings.Setting(ctx, keyDismissed)
	if dismissed != "" {
		err3 = d.eng.keepDismissed(ctx, strings.Fields(dismissed))
	}
	defaults, err2 := savedDefaults(ctx, d.eng.Settings)
	if err := errors.Join(err, err2, err3); err != nil {
		d.log.ErrorContext(ctx, "read the settings", "error", err)
	}
	d.eng.Host.Tune(defaults.tuning())
	network, err := SavedNetwork(ctx, d.eng.Settings)
	if err != nil {
		d.log.ErrorContext(ctx, "read the settings of the network", "error", err)
	} else {
		d.eng.Host.Reach(network)
	}
	return defaults.Resume
}

// stop ends everything once: pending requests are refused, calls and servers stopped, the store closed.
func (d *desk) stop() { d.stopped.Do(d.stopAll) }

func (d *desk) stopAll() {
	d.closing.Store(true)
	<-d.ready
	if d.quiet != nil {
		defer d.quiet() // last: a second signal must not end us before the servers
	}
	eng, _, _ := d.engine()
	if eng == nil {
		d.events.stop()
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(d.ctx), closeWait)
	defer cancel()
	d.attention.stop()
	if d.deaf != nil {
		d.deaf()
	}
	if d.asleep != nil {
		d.asleep()
	}
	d.eng.Queue.Close()
	d.talks.close()
	if err := d.eng.Close(ctx); err != nil {
		d.log.ErrorContext(ctx, "close", "error", err)
	}
	d.running.end()
	d.unsub()
	d.events.stop()
}
