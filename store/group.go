package store

// This file commits writes together that come at the same time: a transaction costs more than a row.

import (
	"context"
	"database/sql"
	"sync"
)

// A group gathers what comes while a transaction is under way. Whoever comes first writes, for itself and for all that
// have gathered by then, and hands over to the first of those that have come meanwhile. The zero value is ready for use.
type group struct {
	mu      sync.Mutex // guards the fields below
	waiting []*write
	busy    bool // somebody writes
}

// A write is one statement.
type write struct {
	stmt *sql.Stmt
	args []any
	res  sql.Result
	err  error
	turn chan bool // true = write now, for all that wait; false = somebody has
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
		g.lead(ctx, p)
	}
	return w.res, w.err
}

// lead writes what waits; the first of it is the caller's.
func (g *group) lead(ctx context.Context, p *pool) {
	g.mu.Lock()
	batch := g.waiting
	g.waiting = nil
	g.mu.Unlock()
	if len(batch) == 1 || p.together(batch) != nil {
		for _, w := range batch { // each by itself: one that fails spoils no other
			w.res, w.err = w.stmt.ExecContext(ctx, w.args...)
			ctx = context.WithoutCancel(ctx) // the caller's own is the first
		}
	}
	g.mu.Lock()
	if len(g.waiting) > 0 {
		g.waiting[0].turn <- true
	} else {
		g.busy = false
	}
	g.mu.Unlock()
	for _, w := range batch[1:] {
		w.turn <- false
	}
}

// together writes all in one transaction, or none.
func (p *pool) together(batch []*write) error {
	ctx := context.Background() // it serves several callers
	return p.tx(ctx, func(tx *sql.Tx) error {
		for _, w := range batch {
			if w.res, w.err = tx.StmtContext(ctx, w.stmt).ExecContext(ctx, w.args...); w.err != nil {
				return w.err
			}
		}
		return nil
	})
}
