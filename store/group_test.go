package store

import (
	"database/sql"
	"errors"
	"fmt"
	"sync"
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

// What nobody waits for is there for whoever reads, goes with the next write in its order, and by itself soon after; one
// that fails says so and spoils no other.
func TestWritesLater(t *testing.T) {
	s := openNew(t)
	for i := range 4 {
		record(t, s, toolCall(fmt.Sprint("d", i), "echo", true))
		check(t, s.StartCall(t.Context(), startOf(toolCall(fmt.Sprint("d", i), "echo", true))))
	}
	late := func() int {
		s.writer.group.mu.Lock()
		defer s.writer.group.mu.Unlock()
		return s.writer.group.late
	}
	failures := make(chan error, 9)
	end := func(id string) {
		s.EndCall(mcphost.CallEnd{ID: id, Outcome: mcphost.CallSucceeded}, func(err error) { failures <- err })
	}
	outcome := func(i int) mcphost.CallOutcome {
		e, err := s.HistoryEntry(t.Context(), fmt.Sprint("d", i))
		check(t, err)
		return e.Outcome
	}
	end("call-none") // prepares the statement, which takes the connection
	s.writer.settle()
	<-failures
	check(t, s.writer.tx(t.Context(), func(*sql.Tx) error { // nothing can be written meanwhile
		end("call-d0")
		end("call-none")
		end("call-d1")
		if n := late(); n != 3 {
			t.Errorf("%d are late", n)
		}
		return nil
	}))
	record(t, s, toolCall("next", "echo", true)) // it takes them along
	if n := late(); n != 0 {
		t.Errorf("%d are left", n)
	}
	if err := <-failures; !errors.Is(err, ErrCallState) || len(failures) != 0 {
		t.Errorf("%v, and %d more", err, len(failures))
	}
	end("call-d2")
	if o := outcome(2); o != mcphost.CallSucceeded { // whoever reads sees it
		t.Errorf("outcome %q", o)
	}
	end("call-d3")
	s.writer.group.await(func(g *group) bool { return g.late == 0 }) // nobody else comes
	for i := range 4 {
		if o := outcome(i); o != mcphost.CallSucceeded {
			t.Errorf("call %d: outcome %q", i, o)
		}
	}
}

// Many callers at once, some of whom wait: all of it is written, in the order of each.
func TestWritesLaterAtOnce(t *testing.T) {
	s := openNew(t)
	const callers, calls = 8, 20
	var wg sync.WaitGroup
	for c := range callers {
		wg.Go(func() {
			for i := range calls {
				d := toolCall(fmt.Sprint("d", c, "-", i), "echo", true)
				if err := errors.Join(s.RecordDecision(t.Context(), d), s.StartCall(t.Context(), startOf(d))); err != nil {
					t.Error(err)
					return
				}
				s.EndCall(mcphost.CallEnd{ID: startOf(d).ID, Outcome: mcphost.CallSucceeded}, func(err error) { t.Error(err) })
			}
		})
	}
	wg.Wait()
	page, err := s.History(t.Context(), mcphost.HistoryQuery{Limit: callers * calls})
	check(t, err)
	for _, row := range page.Rows {
		if row.Outcome != mcphost.CallSucceeded {
			t.Errorf("%+v", row)
		}
	}
	if len(page.Rows) == 0 {
		t.Error("no rows")
	}
}
