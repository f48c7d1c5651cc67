package trace

// This file keeps the newest entries of each server in memory.

import (
	"bytes"
	"cmp"
	"slices"
	"sync"
	"time"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

// Limits of a Ring; zero ones are the defaults.
type Limits struct {
	Entries int // of one server, default 5,000
	Bytes   int // of one server, default 16 MB
	Total   int // bytes of all servers, default 64 MB: who has the most gives
	Head    int // bytes that are kept of one message, default 64 kB
}

const (
	settleTime = 50 * time.Millisecond // entries that come within it are masked and kept together
	pinnedMost = 4 << 20               // bytes of messages that do not wait for others, for the sake of their tails
	maskReach  = 8 << 10               // behind a head: a secret may begin in it
)

// A Ring keeps the newest entries of every server, each within its own limits: a server that floods pushes out nothing
// but its own. Adding costs a call next to nothing; masking and all else happens in a goroutine, and Close waits for it.
// It is safe for concurrent use.
type Ring struct {
	limits Limits
	hurry  chan struct{}
	tasks  sync.WaitGroup

	settling sync.Mutex // one at a time takes what is fresh

	mu     sync.Mutex // guards what follows
	lanes  map[string]*lane
	seq    int64
	bytes  int  // of all lanes
	pinned int  // of what is fresh, whole
	busy   bool // a goroutine waits to settle
	told   bool // of changes that nobody has read yet
	watch  func()
	closed bool
}

// A lane is what is kept of one server.
type lane struct {
	fresh []*Record // unmasked, for a moment
	kept  []*Record // older than all of fresh
	bytes int       // of both
	gone  int64     // records that were pushed out
	alive int64     // the connection that stands, 0 = none
	state [2]string // of that: what it speaks to, and in which revision
	open  map[requestKey]*Record
	by    map[int64]*Record // the request of an exchange
}

// A requestKey names a request until it is answered.
type requestKey struct {
	connection int64
	dir        Direction
	id         jsonrpc.ID
}

// A Record is an Entry as it is kept, masked, with what it belongs to.
type Record struct {
	Entry
	Seq     int64
	Request int64         // the message that this answers, tells of or carries, 0 = none
	Reply   int64         // what answers this request, 0 = nothing yet
	Carried int64         // of a message, and of the exchange that carries it: the number of that, 0 = none
	Took    time.Duration // from request to answer, of both

	cost    int
	isError bool   // the result says so; read from the whole message
	token   string // under which a request hears of progress, as JSON; see lane.hears
	summary *summary
}

// NewRing returns an empty Ring.
func NewRing(l Limits) *Ring {
	l.Entries, l.Bytes = cmp.Or(l.Entries, 5000), cmp.Or(l.Bytes, 16<<20)
	l.Total, l.Head = cmp.Or(l.Total, 64<<20), cmp.Or(l.Head, 64<<10)
	return &Ring{limits: l, hurry: make(chan struct{}, 1), lanes: map[string]*lane{}}
}

// Watch has f called after changes, once until somebody has read. It must not block.
func (r *Ring) Watch(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watch = f
}

// Add takes one entry. After Close it does nothing.
func (r *Ring) Add(e Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	l := r.lane(e.Server)
	if e.Kind == Fault {
		l.blame(e)
		return
	}
	e.Cut += int64(max(0, len(e.Raw)-r.limits.Head))
	r.seq++
	rec := &Record{Entry: e, Seq: r.seq, cost: r.cost(e)}
	l.fresh = append(l.fresh, rec)
	r.pinned += len(e.Raw)
	r.grow(l, rec.cost)
	if !r.busy {
		r.busy = true
		r.tasks.Go(r.run)
	}
	if r.pinned >= pinnedMost {
		r.hasten()
	}
}

func (r *Ring) hasten() {
	select {
	case r.hurry <- struct{}{}:
	default: // it does already
	}
}

// Close ends the goroutine and waits for it. What is kept can still be read.
func (r *Ring) Close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.hasten()
	r.tasks.Wait()
}

// lane needs mu.
func (r *Ring) lane(server string) *lane {
	l := r.lanes[server]
	if l == nil {
		l = &lane{open: map[requestKey]*Record{}, by: map[int64]*Record{}}
		r.lanes[server] = l
	}
	return l
}

// cost is what an entry takes of the limits.
func (r *Ring) cost(e Entry) int {
	n := entryCost + min(len(e.Raw), r.limits.Head)
	if e.HTTP != nil {
		n += entryCost + len(e.HTTP.Data)
		for name, values := range e.HTTP.Header {
			for _, v := range values {
				n += len(name) + len(v)
			}
		}
	}
	return n
}

// grow makes room for so many bytes more. It needs mu.
func (r *Ring) grow(l *lane, n int) {
	l.bytes += n
	r.bytes += n
	for l.bytes > r.limits.Bytes || len(l.kept)+len(l.fresh) > r.limits.Entries {
		r.drop(l)
	}
	for r.bytes > r.limits.Total {
		most := l
		for _, other := range r.lanes {
			if other.bytes > most.bytes {
				most = other
			}
		}
		r.drop(most)
	}
}

// drop forgets the oldest record of a lane, which has one. It needs mu.
func (r *Ring) drop(l *lane) {
	from := &l.kept
	if len(l.kept) == 0 {
		from = &l.fresh
	}
	rec := (*from)[0]
	(*from)[0] = nil
	*from = (*from)[1:]
	if key := rec.key(); l.open[key] == rec {
		delete(l.open, key)
	}
	if rec.HTTP != nil && l.by[rec.HTTP.Number] == rec {
		delete(l.by, rec.HTTP.Number)
	}
	l.bytes -= rec.cost
	r.bytes -= rec.cost
	l.gone++
}

// run settles until nothing has come for a while.
func (r *Ring) run() {
	pause := time.NewTimer(settleTime)
	defer pause.Stop()
	for {
		select {
		case <-pause.C:
		case <-r.hurry:
		}
		r.settle()
		r.mu.Lock()
		tell := r.watch
		if r.told {
			tell = nil
		}
		r.told = true
		r.busy = r.pending() && !r.closed
		busy := r.busy
		r.mu.Unlock()
		if tell != nil {
			tell()
		}
		if !busy {
			return
		}
		pause.Reset(settleTime)
	}
}

// pending reports whether something is fresh. It needs mu.
func (r *Ring) pending() bool {
	for _, l := range r.lanes {
		if len(l.fresh) > 0 {
			return true
		}
	}
	return false
}

// settle masks what is fresh and keeps it.
func (r *Ring) settle() {
	r.settling.Lock()
	defer r.settling.Unlock()
	r.mu.Lock()
	taken := map[*lane][]*Record{}
	for _, l := range r.lanes {
		taken[l] = slices.Clone(l.fresh)
	}
	r.pinned = 0
	r.mu.Unlock()
	for l, records := range taken {
		raws := make([][]byte, len(records))
		for i, rec := range records {
			rec.isError = rec.Kind == Message && rec.Method == "" && protocol.SaysError(rec.Raw)
			raws[i] = r.head(rec.Raw, rec.Mask) // neither changes while it is fresh
		}
		r.keep(l, records, raws)
	}
}

// head returns what is kept of a message: masked, and of a large one a copy of its head alone.
func (r *Ring) head(raw []byte, mask func([]byte) []byte) []byte {
	if mask == nil {
		mask = func(b []byte) []byte { return b }
	}
	if len(raw) <= r.limits.Head {
		return mask(raw)
	}
	head := mask(raw[:min(len(raw), r.limits.Head+maskReach)])
	return bytes.Clone(head[:min(len(head), r.limits.Head)])
}

// keep keeps the records, masked, that have not been pushed out meanwhile.
func (r *Ring) keep(l *lane, records []*Record, raws [][]byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, rec := range records {
		if len(l.fresh) == 0 || l.fresh[0] != rec {
			continue
		}
		l.fresh[0] = nil
		l.fresh = l.fresh[1:]
		rec.Raw, rec.Mask = raws[i], nil
		l.kept = append(l.kept, rec)
		l.link(rec)
	}
}

const blamed = 64 // records back that a Fault is looked for

// blame marks the message that a Fault is about: the same bytes, a moment ago.
func (l *lane) blame(fault Entry) {
	for _, records := range [][]*Record{l.fresh, l.kept} {
		for _, rec := range slices.Backward(records[max(0, len(records)-blamed):]) {
			if len(rec.Raw) > 0 && len(fault.Raw) > 0 && &rec.Raw[0] == &fault.Raw[0] {
				rec.Fault = cmp.Or(rec.Fault, fault.Fault)
				return
			}
		}
	}
}
