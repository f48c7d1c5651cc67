package store

import (
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"gatehouse/mcphost"
)

// Writes that come while one is under way are committed together; one that fails spoils no other.
func TestWritesTogether(t *testing.T) {
	s := openNew(t)
	const calls = 31
	for i := range calls {
		record(t, s, toolCall(fmt.Sprint("d", i), "echo", true))
	}
	start := func(i int) error {
		d := toolCall(fmt.Sprint("d", i%calls), "echo", true)
		return s.StartCall(t.Context(), mcphost.CallStart{ID: fmt.Sprint("c", i), Decision: d.ID, ServerID: d.Server.ID, Tool: "echo"})
	}
	check(t, start(0)) // prepares the statement, which takes the connection
	next := 1
	for _, spoiled := range []int{0, 1, 7} { // calls that take a decision which another one takes
		t.Run(fmt.Sprint(spoiled, " spoiled"), func(t *testing.T) {
			errs := make(chan error)
			begin := func(call int) { go func() { errs <- start(call) }() }
			check(t, s.writer.tx(t.Context(), func(*sql.Tx) error { // nobody else can write meanwhile
				begin(next)
				s.writer.group.await(func(g *group) bool { return g.busy && len(g.waiting) == 0 })
				for i := range 9 {
					begin(next + 1 + i)
				}
				for i := range spoiled {
					begin(next + i + calls)
				}
				s.writer.group.await(func(g *group) bool { return len(g.waiting) == 9+spoiled })
				return nil
			}))
			next += 10
			failed := 0
			for range 10 + spoiled {
				if err := <-errs; errors.Is(err, ErrNoDecision) {
					failed++
				} else if err != nil {
					t.Error(err)
				}
			}
			if failed != spoiled {
				t.Errorf("%d have failed, want %d", failed, spoiled)
			}
		})
	}
}

// await polls the group.
func (g *group) await(holds func(*group) bool) {
	for {
		g.mu.Lock()
		ok := holds(g)
		g.mu.Unlock()
		if ok {
			return
		}
		time.Sleep(time.Millisecond)
	}
}
