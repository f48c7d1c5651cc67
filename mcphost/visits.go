package mcphost

// This file keeps the addresses that were opened for servers, until the user has finished there: a server is told at
// once that the user agreed, and nothing is made again before the user says so (2025-11-25, "URL Mode Elicitation"; ACC
// A42).

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/session"
)

// maxVisits of one server are kept that nothing waits for; of more the oldest is forgotten.
const maxVisits = 10

// A Visit is an address that was opened. URL and Elicitation are the server's.
type Visit struct {
	ID          string
	Server      consent.Server
	Question    consent.Question // with the params as they came
	Call        string           // "" if that cannot be told
	URL         string
	Elicitation string // id at the server, "" = it cannot say that it is done
	At          time.Time
	Goes        bool // a call goes on when the user has finished; else the server knows already that they agreed
	Completed   bool // the server says that it is done
	Failed      bool // the browser could not be opened, and the server knows: nothing waits
}

// visits are those that the user has not ended.
type visits struct {
	changed func()

	mu   sync.Mutex
	open []*openVisit // guarded by mu; oldest first
}

type openVisit struct {
	Visit
	shown bool
	ended chan bool // capacity 1: whether the user has finished
}

var errNotFinished = errors.New("the user no longer waits")

// begin keeps a visit before its address is opened: its end may come at any moment.
func (vs *visits) begin(v Visit) *openVisit {
	o := &openVisit{Visit: v, ended: make(chan bool, 1)}
	vs.mu.Lock()
	defer vs.mu.Unlock()
	idle := 0
	for _, other := range vs.open {
		if other.Server.ID == v.Server.ID && !other.Goes {
			idle++
		}
	}
	if idle >= maxVisits && !v.Goes {
		i := slices.IndexFunc(vs.open, func(other *openVisit) bool { return other.Server.ID == v.Server.ID && !other.Goes })
		vs.open = slices.Delete(vs.open, i, i+1)
	}
	vs.open = append(vs.open, o)
	return o
}

// show lets the user see a visit, once the browser has been asked.
func (vs *visits) show(o *openVisit, failed bool) {
	vs.mu.Lock()
	o.shown, o.Failed, o.Goes = true, failed, o.Goes && !failed
	vs.mu.Unlock()
	vs.changed()
}

// wait returns when the user has finished, or an error.
func (vs *visits) wait(ctx context.Context, o *openVisit) error {
	select {
	case finished := <-o.ended:
		if !finished {
			return errNotFinished
		}
		return nil
	case <-ctx.Done():
		vs.end(o.ID, false)
		return ctx.Err()
	}
}

// end takes a visit away.
func (vs *visits) end(id string, finished bool) error {
	vs.mu.Lock()
	i := slices.IndexFunc(vs.open, func(o *openVisit) bool { return o.ID == id })
	if i < 0 {
		vs.mu.Unlock()
		return consent.ErrWithdrawn
	}
	vs.open[i].ended <- finished
	vs.open = slices.Delete(vs.open, i, i+1)
	vs.mu.Unlock()
	vs.changed()
	return nil
}

// completed notes what a server says of an elicitation of its own.
func (vs *visits) completed(serverID, elicitation string) {
	vs.mu.Lock()
	for _, o := range vs.open {
		if o.Server.ID == serverID && o.Elicitation == elicitation {
			o.Completed = true
		}
	}
	vs.mu.Unlock()
	vs.changed()
}

// Visits returns the addresses that were opened, or could not be, and not ended, oldest first.
func (h *Host) Visits() []Visit {
	h.visits.mu.Lock()
	defer h.visits.mu.Unlock()
	list := make([]Visit, 0, len(h.visits.open))
	for _, o := range h.visits.open {
		if o.shown {
			list = append(list, o.Visit)
		}
	}
	return list
}

// EndVisit says that the user has finished there, or no longer waits. What goes on by it goes on now. An unknown id is
// [consent.ErrWithdrawn].
func (h *Host) EndVisit(id string, finished bool) error { return h.visits.end(id, finished) }

// OpenAgain opens the address of a visit once more, as the user wishes; the press has its row in the history.
func (h *Host) OpenAgain(ctx context.Context, id string) error {
	for _, v := range h.Visits() {
		if v.ID != id {
			continue
		}
		use := consent.Use{Target: v.Question.About}
		if err := h.broker.Note(ctx, consent.KindVisit, v.Server, h.Profile(), consent.ByComposed, use); err != nil {
			return err
		}
		h.bus.publish(DecisionsChanged{})
		return h.opts.Opener(ctx, v.URL)
	}
	return consent.ErrWithdrawn
}

// goesOn reports whether something is made again after the visit, rather than the server being told at once.
func goesOn(o session.Origin) bool { return o == session.OriginInput || o == session.OriginError }
