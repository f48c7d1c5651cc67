package mcphost

// This file is the event bus: numbered hints that something changed. Whoever needs the truth fetches it.

import "sync"

// An Event says what changed. It is one of the …Changed types below, LogAppended or Gap.
type Event interface{ event() }

// ServerChanged: state, tools count or configuration of a server changed, or it was added or removed.
type ServerChanged struct{ ID string }

// ToolsChanged: the tool list of a server changed.
type ToolsChanged struct{ ID string }

// ListChanged: a list of resources, templates or prompts of a server changed; List is the method that lists it.
type ListChanged struct{ ID, List string }

// ResourceUpdated: a resource that is subscribed to changed, or something below it.
type ResourceUpdated struct{ ID, URI string }

// VisitsChanged: an address was opened, or what it led to is done.
type VisitsChanged struct{}

// RootsChanged: a root was added, removed, or is shown to others.
type RootsChanged struct{}

// CallChanged: state or progress of a call changed.
type CallChanged struct{ ID string }

// LogAppended: a server's log grew.
type LogAppended struct{ ID string }

// DecisionsChanged: a decision was recorded.
type DecisionsChanged struct{}

// ProfileChanged: another profile is in use, or its servers are others.
type ProfileChanged struct{}

// Gap: the subscriber was too slow and events were dropped; fetch everything again.
type Gap struct{}

func (ListChanged) event()      {}
func (ResourceUpdated) event()  {}
func (RootsChanged) event()     {}
func (VisitsChanged) event()    {}
func (ServerChanged) event()    {}
func (ToolsChanged) event()     {}
func (CallChanged) event()      {}
func (LogAppended) event()      {}
func (DecisionsChanged) event() {}
func (ProfileChanged) event()   {}
func (Gap) event()              {}

// A Numbered event carries its place in the order of the bus. Numbers start at 1; a subscriber misses none except
// before a Gap, which has the number of the last event it stands for.
type Numbered struct {
	Seq   uint64
	Event Event
}

const busBuffer = 1024 // events a slow subscriber may lag behind before it sees a Gap

// A Bus delivers events to each subscriber in order. It never blocks the publisher.
type Bus struct {
	mu   sync.Mutex
	seq  uint64
	subs map[*subscription]struct{}
}

type subscription struct {
	ch  chan Numbered
	gap bool // guarded by Bus.mu: events are being dropped
}

func newBus() *Bus { return &Bus{subs: map[*subscription]struct{}{}} }

func (b *Bus) publish(e Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seq++
	for s := range b.subs {
		b.send(s, Numbered{Seq: b.seq, Event: e})
	}
}

// send needs b.mu. What a lagging subscriber misses becomes one Gap, once it has caught up.
func (b *Bus) send(s *subscription, n Numbered) {
	if s.gap {
		return
	}
	select {
	case s.ch <- n:
	default:
		s.gap = true
	}
}

// missed returns the Gap that is due to a subscriber that has caught up.
func (b *Bus) missed(s *subscription) (Numbered, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !s.gap || len(s.ch) > 0 {
		return Numbered{}, false
	}
	s.gap = false
	return Numbered{Seq: b.seq, Event: Gap{}}, true
}

// Subscribe calls f for every later event, in order, from one goroutine. The returned function ends it and
// waits until f has returned; it must not be called from f.
func (b *Bus) Subscribe(f func(Numbered)) (unsubscribe func()) {
	s := &subscription{ch: make(chan Numbered, busBuffer)}
	b.mu.Lock()
	b.subs[s] = struct{}{}
	b.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := range s.ch {
			f(n)
			if gap, ok := b.missed(s); ok {
				f(gap)
			}
		}
	}()
	return sync.OnceFunc(func() {
		b.mu.Lock()
		delete(b.subs, s)
		close(s.ch)
		b.mu.Unlock()
		<-done
	})
}
