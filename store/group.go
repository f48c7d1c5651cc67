package store

// This file commits writes together that come at the same time: a transaction costs more than a row.

import (
	"context"
	"database/sql"
	"slices"
	"sync"
	"time"
)

// lateBy is how long a write waits for another one to go with, if nobody waits for it.
const lateBy = 20 * time.Millisecond

// A group gathers what comes while a transaction is under way. Whoever comes first writes, for itself and for all that
// have gathered by then, and hands over to the first of those that have come meanwhile. What nobody waits for goes with
// the next write, or by itself after lateBy. The zero value is ready for use.
type group struct {
	mu      sync.Mutex // guards the fields below
	waiting []*write   // in the order in which they are to be made
	busy    bool       // somebody writes
	late    int        // of those that nobody waits for: not made yet
	timer   *time.Timer
}

// A write is one statement, or none: then it waits for those before it.
type write struct {
	stmt *sql.Stmt
	args []any
	res  sql.Result
	err  error
	turn chan bool               // true = write now, for all that wait; false = somebody has; nil = nobody waits for it
	told func(sql.Result, error) // instead of a turn
}

// write returns when w is committed or has failed. What has gathered is written even if ctx ends: it does not wait
// long, as SQLite's busy timeout bounds each turn.
func (g *group) write(ctx context.Context, p *pool, w *write) (sql.Result, error) {
	w.turn = make(chan bool, 1)
	g.mu.Lock()
	g.waiting = append(g.waiting, w)
	first := !g.busy
	g.busy = true
	g.mu.Unlock()
	if first || <-w.turn {
		g.lead(ctx, p, w)
	}
	return w.res, w.err
}

// later returns at once; told gets what became of w, from another goroutine.
func (g *group) later(p *pool, w *write, told func(sql.Result, error)) {
	w.told = told
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = append(g.waiting, w)
	g.late++
	g.soon(p)
}

// soon needs mu.
func (g *group) soon(p *pool) {
	if g.timer == nil && !g.busy {
		g.timer = time.AfterFunc(lateBy, func() {
			g.mu.Lock()
			g.timer = nil
			g.mu.Unlock()
			g.flush(p)
		})
	}
}

// flush returns when everything has been written that nobody waits for.
func (g *group) flush(p *pool) {
	g.mu.Lock()
	late := g.late
	g.mu.Unlock()
	if late > 0 {
		_, _ = g.write(context.Background(), p, &write{})
	}
}

// end is the last flush.
func (g *group) end(p *pool) {
	g.flush(p)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.timer != nil {
		g.timer.Stop()
	}
}

// lead writes what waits; own is the caller's.
func (g *group) lead(ctx context.Context, p *pool, own *write) {
	g.mu.Lock()
	batch := g.waiting
	g.waiting = nil
	g.mu.Unlock()
	if len(batch) == 1 || p.together(batch) != nil {
		for _, w := range batch { // each by itself: one that fails spoils no other
			by := context.Background()
			if w == own {
				by = ctx
			}
			w.make(by, w.stmt)
		}
	}
	told := 0
	for _, w := range batch {
		if w.told != nil {
			w.told(w.res, w.err)
			told++
		}
	}
	g.mu.Lock()
	g.late -= told
	if next := slices.IndexFunc(g.waiting, func(w *write) bool { return w.turn != nil }); next >= 0 {
		g.waiting[next].turn <- true
	} else if g.busy = false; g.late > 0 {
		g.soon(p)
	}
	g.mu.Unlock()
	for _, w := range batch {
		if w != own && w.turn != nil {
			w.turn <- false
		}
	}
}

func (w *write) make(ctx context.Context, stmt *sql.Stmt) {
	if stmt != nil {
		w.res, w.err = stmt.ExecContext(ctx, w.args...)
	}
}

// together writes all in one transaction, or none.
func (p *pool) together(batch []*write) error {
	ctx := context.Background() // it serves several callers
	return p.begin(ctx, func(tx *sql.Tx) error {
		for _, w := range batch {
			if w.stmt == nil {
				continue
			}
			if w.make(ctx, tx.StmtContext(ctx, w.stmt)); w.err != nil {
				return w.err
			}
		}
		return nil
	})
}
