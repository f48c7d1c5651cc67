package consent

// This file is the window's asker: requests wait here until the page resolves them. The page is not trusted with the
// clock: what was in view, and for how long, is kept here.

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"time"
)

// Defaults of [QueueOptions].
const (
	DefaultArming    = 700 * time.Millisecond
	DefaultPerServer = 20
)

// QueueOptions are the settings of a [Queue]. The zero value is ready for use.
type QueueOptions struct {
	Arming    time.Duration    // how long a dialog must be in view before it can allow; 0 = DefaultArming
	PerServer int              // how many requests of one server may wait; 0 = DefaultPerServer
	Now       func() time.Time // nil = time.Now
	OnChange  func()           // the set of pending requests, or one of them, changed; called without locks, from any goroutine
}

// A Pending is one waiting request, as it stands after edits.
type Pending struct {
	Request     Request // with the current arguments, risk and problems
	Digest      Digest  // of exactly this; what [Queue.Resolve] must name
	Edited      bool    // the user changed the arguments
	Shown       bool    // in view now
	HiddenChars int     // hidden characters in everything the dialog displays
}

// A Queue is an [Asker] whose answers come from a window. It is safe for concurrent use.
type Queue struct {
	arming    time.Duration
	perServer int
	now       func() time.Time
	onChange  func()

	mu      sync.Mutex
	waiting []*waiting // guarded by mu; in order of arrival
	panels  panels     // guarded by mu
	closed  bool       // guarded by mu
}

// A waiting is one Ask in flight; its fields are guarded by Queue.mu.
type waiting struct {
	asked   Request     // as the Broker asked
	request Request     // as it stands
	digest  Digest      // of request
	edition int         // counts amendments
	shown   time.Time   // since when in view, zero = not in view
	hidden  int         // hidden characters on display
	answer  chan Answer // capacity 1; one send, when the entry leaves the queue
}

// NewQueue returns an empty Queue.
func NewQueue(o *QueueOptions) *Queue {
	q := &Queue{arming: DefaultArming, perServer: DefaultPerServer, now: time.Now, onChange: func() {}}
	if o == nil {
		return q
	}
	if o.Arming > 0 {
		q.arming = o.Arming
	}
	if o.PerServer > 0 {
		q.perServer = o.PerServer
	}
	if o.Now != nil {
		q.now = o.Now
	}
	if o.OnChange != nil {
		q.onChange = o.OnChange
	}
	return q
}

// Ask waits until the window resolves r, ctx ends or the queue is closed. A call composed in a Run panel whose Run was
// confirmed (see [Queue.Confirm]) is allowed at once, if [ComposedGate] has no objection.
func (q *Queue) Ask(ctx context.Context, r Request) (Answer, error) {
	w, answer, ok := q.enter(r)
	if !ok {
		return answer, nil
	}
	q.onChange()
	select {
	case answer := <-w.answer:
		return answer, nil
	case <-ctx.Done():
	}
	if !q.leave(w) {
		return <-w.answer, nil // resolved at the same moment
	}
	q.onChange()
	return Answer{}, ctx.Err()
}

// enter puts r into the queue, or answers it at once.
func (q *Queue) enter(r Request) (*waiting, Answer, bool) {
	hidden := hiddenOnDisplay(r)
	digest := r.Digest()
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return nil, Answer{By: ByHost, Reason: ReasonClosed}, false
	}
	if q.panels.spend(r.UseID, digest, q.now()) && ComposedGate(r) == "" {
		return nil, Answer{Allow: true, By: ByComposed, Digest: digest}, false
	}
	same := 0
	for _, w := range q.waiting {
		if w.asked.Server.ID == r.Server.ID {
			same++
		}
	}
	if same >= q.perServer {
		return nil, Answer{By: ByHost, Reason: ReasonTooMany}, false
	}
	w := &waiting{asked: r, request: r.clone(), digest: digest, hidden: hidden, answer: make(chan Answer, 1)}
	q.waiting = append(q.waiting, w)
	return w, Answer{}, true
}

// leave takes w out of the queue and reports whether it was still there.
func (q *Queue) leave(w *waiting) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := len(q.waiting)
	q.waiting = slices.DeleteFunc(q.waiting, func(x *waiting) bool { return x == w })
	return len(q.waiting) < n
}

// find returns the waiting request with this id, or nil. The caller holds q.mu.
func (q *Queue) find(id string) *waiting {
	for _, w := range q.waiting {
		if w.request.ID == id {
			return w
		}
	}
	return nil
}

// Pending returns the waiting requests, oldest first. The caller owns the copies.
func (q *Queue) Pending() []Pending {
	q.mu.Lock()
	defer q.mu.Unlock()
	list := make([]Pending, 0, len(q.waiting))
	for _, w := range q.waiting {
		list = append(list, w.pending())
	}
	return list
}

// Get returns one waiting request; ok is false if it was answered, withdrawn or never there.
func (q *Queue) Get(id string) (p Pending, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	w := q.find(id)
	if w == nil {
		return Pending{}, false
	}
	return w.pending(), true
}

func (w *waiting) pending() Pending {
	return Pending{
		Request: w.request.clone(), Digest: w.digest, Edited: w.isEdited(),
		Shown: !w.shown.IsZero(), HiddenChars: w.hidden,
	}
}

func (w *waiting) isEdited() bool {
	return !bytes.Equal(w.asked.content(), w.request.content())
}

// Shown says that the dialog, or the Run panel, with this id is in view and has the focus; its arming delay starts now.
// Saying so again starts it again.
func (q *Queue) Shown(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if isPanel(id) {
		q.panels.show(id, q.now())
	} else if w := q.find(id); w != nil {
		w.shown = q.now()
	}
}

// Hidden says that it lost the focus, moved, changed its size or went away: nothing can be allowed until it is Shown again.
func (q *Queue) Hidden(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if isPanel(id) {
		q.panels.hide(id)
	} else if w := q.find(id); w != nil {
		w.shown = time.Time{}
	}
}

// armed reports whether something in view since shown may allow. The caller holds q.mu.
func (q *Queue) armed(shown time.Time) bool { return !shown.IsZero() && q.now().Sub(shown) >= q.arming }

// Amend replaces the arguments of a waiting tool call: new bytes, a new digest, risk and problems, and the arming delay
// starts again. It puts a reply to a question in place, too; what the user writes there starts no delay. The result has what is to be shown now. A [*SyntaxError] leaves the request as it was.
func (q *Queue) Amend(id string, arguments []byte) (Pending, error) {
	line, err := OneLine(arguments)
	if err != nil {
		return Pending{}, err
	}
	q.mu.Lock()
	w := q.find(id)
	if w == nil {
		q.mu.Unlock()
		return Pending{}, ErrWithdrawn
	}
	w.edition++
	edition, r := w.edition, w.asked
	q.mu.Unlock()

	next, sound := edited(r, line) // calls Validate, so without the lock
	if !sound {
		return Pending{}, ErrInvalid
	}
	hidden := hiddenOnDisplay(next)
	p, err := q.amend(w, edition, next, hidden)
	if err == nil {
		q.onChange()
	}
	return p, err
}

// amend puts the edited request in place, unless w was answered or, by a later edit, amended meanwhile.
func (q *Queue) amend(w *waiting, edition int, next Request, hidden int) (Pending, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !slices.Contains(q.waiting, w) {
		return Pending{}, ErrWithdrawn
	}
	if w.edition != edition {
		return w.pending(), nil
	}
	w.request, w.digest, w.hidden = next, next.Digest(), hidden
	if !w.shown.IsZero() && next.Question == nil {
		w.shown = q.now()
	}
	return w.pending(), nil
}

// Resolve answers a waiting request; the first answer wins. Only Allow, Decline, Reason and Stop are taken from a: who decided is
// the user, and the bytes are those of the queue. A refusal is always accepted. An allow must name the digest of what is
// shown now ([ErrMismatch]), come no earlier than the arming delay after the last Shown ([ErrNotArmed]) and find no
// problems ([ErrInvalid]). An unknown or already answered id is [ErrWithdrawn].
func (q *Queue) Resolve(id string, d Digest, a Answer) error {
	if err := q.resolve(id, d, a); err != nil {
		return err
	}
	q.onChange()
	return nil
}

func (q *Queue) resolve(id string, d Digest, a Answer) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	w := q.find(id)
	switch {
	case w == nil:
		return ErrWithdrawn
	case !a.Allow:
		// Nothing can go wrong by a no.
	case d != w.digest || a.Arguments != nil && !w.has(a.Arguments):
		return ErrMismatch
	case !q.armed(w.shown):
		return ErrNotArmed
	case len(w.request.Problems) > 0:
		return ErrInvalid
	}
	answer := Answer{Allow: a.Allow, Decline: a.Decline, Digest: w.digest, Reason: a.Reason, Stop: a.Stop, By: ByUser}
	if w.isEdited() {
		answer.Arguments = bytes.Clone(w.request.content())
	}
	q.waiting = slices.DeleteFunc(q.waiting, func(x *waiting) bool { return x == w })
	w.answer <- answer
	return nil
}

func (w *waiting) has(arguments []byte) bool {
	return w.request.Launch == nil && bytes.Equal(w.request.content(), arguments)
}

// Close refuses everything that waits and everything that will be asked.
func (q *Queue) Close() {
	q.mu.Lock()
	q.closed = true
	for _, w := range q.waiting {
		w.answer <- Answer{By: ByHost, Reason: ReasonClosed}
	}
	q.waiting, q.panels = nil, panels{}
	q.mu.Unlock()
	q.onChange()
}

// hiddenOnDisplay counts the hidden characters of everything the dialog shows of r.
func hiddenOnDisplay(r Request) int {
	n := countHidden(r.Server.Alias) + countHidden(r.Server.Claimed) + countHidden(r.Server.Origin) +
		countHidden(r.Actor.Name) + countHidden(r.Actor.Chat)
	if l := r.Launch; l != nil {
		n += countHidden(l.Command) + countHidden(l.Dir) + countHidden(l.URL)
		for _, arg := range l.Args {
			n += countHidden(arg)
		}
		for _, v := range slices.Concat(l.Env, l.Headers) {
			n += countHidden(v.Name) + countHidden(v.Value)
		}
	}
	if q := r.Question; q != nil {
		n += countHidden(q.Tool) + hiddenInJSON(q.Params)
		if r.Kind.proposed() {
			n += hiddenInJSON(q.Reply)
		}
	}
	if c := r.ToolCall; c != nil {
		n += countHidden(c.Tool) + hiddenInJSON(c.Definition) + hiddenInJSON(c.Arguments)
	}
	return n
}

// hiddenInJSON counts them in the names and strings of raw, escaped or not; behind a fault, as they stand.
func hiddenInJSON(raw []byte) int {
	n := 0
	s := scanner{src: raw, visit: func(_ []step, text string, _ bool) { n += countHidden(text) }}
	if s.scan() != nil {
		n += countHidden(string(raw[s.pos:]))
	}
	return n
}
