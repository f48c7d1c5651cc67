package app

// This file is the end of the window: whether it may close at once, the question when something runs, and the plan to
// close when that has ended. A signal, such as the one at the end of the session, is never kept waiting.

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"gatehouse/mcphost"
)

// Work is something that ends with the window.
type Work struct {
	Kind   string `json:"kind"`   // "call", "request" (it waits for a decision), "question" (a server's), "model"
	Server string `json:"server"` // the user's name for it, "" for a model
	Tool   string `json:"tool"`   // "" for a launch; the name of a model
	Since  string `json:"since"`
}

// Leaving is what the page shows of the window's end.
type Leaving struct {
	State string `json:"state"` // "", "asked" (the user has closed the window), "planned" (it closes when Work is empty)
	Work  []Work `json:"work"`
}

const (
	leaveAsked   = "asked"
	leavePlanned = "planned"
)

// unseenWait is how long the page may take to notice the question. After that it is taken for dead, and another press
// on the window's Close closes.
const unseenWait = 3 * time.Second

// stuckWait is how long the window may take to go after a signal. A native dialog keeps it: GTK's loop for that dialog is
// not the one that Wails leaves.
const stuckWait = 3 * time.Second

// A leave is where the window stands on its way out.
type leave struct {
	work    func() []Work
	frame   func() frame
	notify  func() // the page must look
	closing func() // once, before the window goes
	end     func() // stops everything and the program, without the window's help

	mu    sync.Mutex
	state string
	asked time.Time // zero: the page knows
	free  bool      // nothing is asked any more
	gone  bool      // Wails has its answer
}

// beforeClose is Wails' OnBeforeClose: it comes with the window's Close, the desktop's, Ctrl Q, and with SIGTERM.
func (l *leave) beforeClose(context.Context) (prevent bool) {
	if !l.mayClose() {
		return true
	}
	l.closing()
	return false
}

func (l *leave) mayClose() bool {
	work := l.work()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.gone {
		return false // it is closing: GTK's loop is left only once
	}
	dead := !l.asked.IsZero() && time.Since(l.asked) >= unseenWait
	if l.free || len(work) == 0 || dead {
		l.gone = true
		return true
	}
	if l.asked.IsZero() {
		l.asked = time.Now()
	}
	l.state = leaveAsked
	l.notify()
	return false
}

// look is what the page fetches.
func (l *leave) look() Leaving {
	work := l.work()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked = time.Time{}
	return Leaving{State: l.state, Work: list(work)}
}

// now closes, whatever runs.
func (l *leave) now() {
	l.mu.Lock()
	l.free = true
	l.mu.Unlock()
	l.frame().Quit()
}

// later gets the window out of the way and closes it when nothing runs any more.
func (l *leave) later() {
	l.set(leavePlanned)
	l.frame().Minimise()
	l.check()
}

// stay takes question or plan back.
func (l *leave) stay() { l.set("") }

func (l *leave) set(state string) {
	l.mu.Lock()
	changed := l.state != state
	l.state = state
	l.mu.Unlock()
	if changed {
		l.notify()
	}
}

// check carries the plan out once nothing runs. It is called after every change.
func (l *leave) check() {
	l.mu.Lock()
	planned := l.state == leavePlanned && !l.free
	l.mu.Unlock()
	if planned && len(l.work()) == 0 {
		l.now()
	}
}

// onSignals closes at once when the session or the terminal ends; stop ends the watch. Wails acts on the same signals,
// in no certain order: if it has asked first, the question is overruled.
func (l *leave) onSignals() (stop func()) {
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		defer close(done)
		l.obey(signals)
	}()
	return sync.OnceFunc(func() {
		signal.Stop(signals)
		close(signals)
		<-done
	})
}

// obey closes for each signal until there are no more to come, and ends the program if the window does not go.
func (l *leave) obey(signals <-chan os.Signal) {
	var stuck <-chan time.Time
	for {
		select {
		case _, more := <-signals:
			if !more {
				return
			}
			l.now()
			if stuck == nil {
				stuck = time.After(stuckWait)
			}
		case <-stuck:
			go l.end() // which waits until no more signals come
			stuck = nil
		}
	}
}

// work lists what would be stopped, oldest first by kind.
func (d *desk) work() (work []Work) {
	select {
	case <-d.ready:
	default:
		return nil
	}
	eng, _, _ := d.engine()
	if eng == nil {
		return nil
	}
	for _, p := range eng.Queue.Pending() {
		w := Work{Kind: "request", Server: p.Request.Server.Alias, Since: stamp(p.Request.At)}
		if p.Request.Question != nil {
			w.Kind = "question"
		}
		if p.Request.ToolCall != nil {
			w.Tool = p.Request.ToolCall.Tool
		}
		work = append(work, w)
	}
	for _, c := range eng.Host.LiveCalls() {
		if c.State != mcphost.CallAsking { // it is among the requests
			work = append(work, Work{"call", c.Server, c.Tool, stamp(c.At)})
		}
	}
	for _, talk := range d.talks.list() {
		if now := talk.conversation.View(); now.Busy && talk.man == nil {
			work = append(work, Work{"model", "", talk.model, stamp(now.Items[len(now.Items)-1].At)})
		}
	}
	return work
}

// Leaving returns where the window stands on its way out, and what runs.
func (a *App) Leaving() (l Leaving, err error) {
	defer catch(&err)
	if _, _, err := a.engine(); err != nil {
		return Leaving{}, err
	}
	return a.leave.look(), nil
}

// Leave answers the question: "now" stops everything and closes, "later" minimises and closes when nothing runs any
// more, "stay" takes question or plan back.
func (a *App) Leave(how string) (err error) {
	defer catch(&err)
	if _, _, err := a.engine(); err != nil {
		return err
	}
	switch how {
	case "now":
		a.leave.now()
	case "later":
		a.leave.later()
	case "stay":
		a.leave.stay()
	default:
		return badInput("how", how)
	}
	return nil
}
