package app

// This file sends hints to the page, merged and at most one burst per interval: a server that floods its log
// must not flood the bridge.

import (
	"context"
	"sync"
	"time"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"gatehouse/mcphost"
)

const (
	eventName = "gatehouse"
	interval  = 30 * time.Millisecond
)

// An Event is one hint; see GatehouseEvent in backend.ts.
type Event struct {
	Seq  uint64 `json:"seq"`
	Kind string `json:"kind"`
	ID   string `json:"id"`
	Data string `json:"data"`
}

// An emitter merges equal hints and the text of deltas of one item, keeps the order of first appearance and
// sends what has gathered once per interval.
type emitter struct {
	send func(ctx context.Context, e Event)
	sent func() // after each burst
	wake chan struct{}
	done chan struct{}
	end  context.CancelFunc

	mu      sync.Mutex
	seq     uint64
	waiting []Event
}

func newEmitter() *emitter {
	return &emitter{
		send: func(ctx context.Context, e Event) { runtime.EventsEmit(ctx, eventName, e) }, sent: func() {},
		wake: make(chan struct{}, 1), done: make(chan struct{}), end: func() {},
	}
}

func (d *desk) emit(kind, id, data string) { d.events.add(kind, id, data) }

func (em *emitter) add(kind, id, data string) {
	em.mu.Lock()
	defer em.mu.Unlock()
	for i := range em.waiting {
		if w := &em.waiting[i]; w.Kind == kind && w.ID == id {
			w.Data += data
			return
		}
	}
	em.waiting = append(em.waiting, Event{Kind: kind, ID: id, Data: data})
	select {
	case em.wake <- struct{}{}:
	default:
	}
}

func (em *emitter) start(ctx context.Context) {
	ctx, em.end = context.WithCancel(ctx)
	go func() {
		defer close(em.done)
		for {
			select {
			case <-em.wake:
			case <-ctx.Done():
				return
			}
			for _, e := range em.take() {
				em.send(ctx, e)
			}
			em.sent()
			select {
			case <-time.After(interval):
			case <-ctx.Done():
				return
			}
		}
	}()
}

func (em *emitter) take() []Event {
	em.mu.Lock()
	defer em.mu.Unlock()
	out := em.waiting
	em.waiting = nil
	for i := range out {
		em.seq++
		out[i].Seq = em.seq
	}
	return out
}

func (em *emitter) stop() {
	em.end()
	<-em.done
}

// forward turns the engine's events into hints for the page.
func (d *desk) forward(n mcphost.Numbered) {
	switch e := n.Event.(type) {
	case mcphost.ServerChanged:
		d.emit("servers", e.ID, "")
	case mcphost.ToolsChanged:
		d.emit("tools", e.ID, "")
	case mcphost.ListChanged:
		d.emit("lists", e.ID, "")
	case mcphost.ResourceUpdated:
		d.emit("resource", e.ID+" "+e.URI, "")
	case mcphost.CallChanged:
		d.emit("call", e.ID, "")
	case mcphost.LogAppended:
		d.emit("log", e.ID, "")
	case mcphost.RootsChanged:
		d.emit("roots", "", "")
	case mcphost.VisitsChanged:
		d.emit("pending", "", "")
	case mcphost.DecisionsChanged:
		d.emit("history", "", "")
	case mcphost.ProfileChanged:
		d.emit("profiles", "", "")
	case mcphost.Gap:
		for _, kind := range []string{"profiles", "servers", "tools", "lists", "resource", "call", "log", "history", "pending", "roots"} {
			d.emit(kind, "", "")
		}
	}
}
