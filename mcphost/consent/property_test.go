package consent

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

var propertySeed = flag.Uint64("consent.seed", 0, "seed of the property test, 0 = by the clock")

// However the window is used, an Approval exists only if a decision about the same bytes was recorded before, and only
// if what allowed it was in view, unchanged, for the arming delay.
func TestNoApprovalWithoutDecisionAndArming(t *testing.T) {
	seed := *propertySeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("repeat with -consent.seed=%d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	sequences := 3000
	if testing.Short() {
		sequences = 300
	}
	total := modelCounts{}
	for range sequences {
		synctest.Test(t, func(t *testing.T) {
			m := newModel(t, rng)
			for range 40 {
				m.step()
			}
			m.finish()
			total.add(m.counts)
		})
		if t.Failed() {
			return
		}
	}
	t.Logf("%+v", total)
	if total.byUser == 0 || total.composed == 0 || total.standing == 0 || total.refused == 0 || total.tooSoon == 0 || total.edited == 0 {
		t.Errorf("the sequences do not reach every end: %+v", total)
	}
}

type modelCounts struct{ byUser, composed, standing, refused, tooSoon, edited int }

func (c *modelCounts) add(o modelCounts) {
	c.byUser += o.byUser
	c.composed += o.composed
	c.standing += o.standing
	c.refused += o.refused
	c.tooSoon += o.tooSoon
	c.edited += o.edited
}

// A model drives a broker and a queue and keeps its own, simpler books.
type model struct {
	t       *testing.T
	rng     *rand.Rand
	queue   *Queue
	broker  *Broker
	journal *diary
	counts  modelCounts

	inView  map[string]time.Time // request or panel → since when, unchanged
	allowed map[Digest]int       // allows that the rules permitted, not yet seen as approvals
	uses    []confirmedUse
	spent   map[string]bool // uses that were presented
	running []context.CancelFunc
	ended   chan approved
	open    int
}

type approved struct {
	approval Approval
	err      error
}

func newModel(t *testing.T, rng *rand.Rand) *model {
	m := &model{
		t: t, rng: rng, journal: &diary{}, ended: make(chan approved, 1000),
		inView: map[string]time.Time{}, allowed: map[Digest]int{}, spent: map[string]bool{},
	}
	m.queue = NewQueue(&QueueOptions{PerServer: 5})
	m.broker = NewBroker(m.queue, m.journal, nil)
	return m
}

var modelArguments = []string{`{}`, `{"a":1}`, `{"a":2}`, `{"command":"rm -rf /"}`, "{\"a\":\"\u200b\"}"}

func (m *model) step() {
	switch m.rng.IntN(12) {
	case 0, 1:
		m.ask()
	case 2, 3, 4:
		id := m.surface()
		m.queue.Shown(id)
		m.inView[id] = time.Now()
	case 5:
		id := m.surface()
		m.queue.Hidden(id)
		delete(m.inView, id)
	case 6, 7:
		time.Sleep(time.Duration(m.rng.Int64N(int64(DefaultArming) * 3 / 2)))
	case 8:
		m.amend()
	case 9, 10:
		m.resolve()
	case 11:
		switch m.rng.IntN(4) {
		case 0:
			if len(m.running) > 0 {
				m.running[m.rng.IntN(len(m.running))]()
			}
		case 1:
			m.journal.mu.Lock()
			m.journal.refuse = []error{nil, errors.New("disk full")}[m.rng.IntN(2)]
			m.journal.mu.Unlock()
		default:
			m.confirm()
		}
	}
	synctest.Wait()
	m.collect()
}

// surface returns the id of something that can be in view.
func (m *model) surface() string {
	if pending := m.queue.Pending(); len(pending) > 0 && m.rng.IntN(3) > 0 {
		return pending[m.rng.IntN(len(pending))].Request.ID
	}
	return fmt.Sprint("panel:", m.rng.IntN(2))
}

func (m *model) ask() {
	r := callRequest(modelArguments[m.rng.IntN(len(modelArguments))])
	if m.rng.IntN(4) == 0 {
		r = launchRequest()
		r.Launch.Dir = []string{"", "/tmp"}[m.rng.IntN(2)]
	} else if len(m.uses) > 0 && m.rng.IntN(2) == 0 {
		use := m.uses[m.rng.IntN(len(m.uses))]
		r.UseID = use.useID
		if use.digest == r.Digest() && !m.spent[use.useID] {
			m.allowed[use.digest]++
		}
		m.spent[use.useID] = true
	}
	ctx, cancel := context.WithCancel(m.t.Context())
	m.running = append(m.running, cancel)
	m.open++
	go func() {
		a, err := m.broker.Approve(ctx, r)
		m.ended <- approved{a, err}
	}()
}

func (m *model) amend() {
	if pending := m.queue.Pending(); len(pending) > 0 {
		id := pending[m.rng.IntN(len(pending))].Request.ID
		_, err := m.queue.Amend(id, []byte(modelArguments[m.rng.IntN(len(modelArguments))]))
		if _, ok := m.inView[id]; ok && err == nil {
			m.inView[id] = time.Now()
		}
	}
}

func (m *model) resolve() {
	pending := m.queue.Pending()
	if len(pending) == 0 {
		return
	}
	p := pending[m.rng.IntN(len(pending))]
	d := p.Digest
	if m.rng.IntN(4) == 0 {
		d = pending[m.rng.IntN(len(pending))].Digest
	}
	a := Answer{Allow: m.rng.IntN(4) > 0, Reason: "r"}
	since, ok := m.inView[p.Request.ID]
	armed := ok && time.Since(since) >= DefaultArming
	err := m.queue.Resolve(p.Request.ID, d, a)
	if want := !a.Allow || armed && d == p.Digest; want != (err == nil) {
		m.t.Errorf("resolve allow %t, armed %t, same digest %t: %v", a.Allow, armed, d == p.Digest, err)
	}
	if errors.Is(err, ErrNotArmed) {
		m.counts.tooSoon++
	}
	if err == nil && a.Allow {
		m.allowed[d]++
	}
}

func (m *model) confirm() {
	panel := fmt.Sprint("panel:", m.rng.IntN(2))
	d := callRequest(modelArguments[m.rng.IntN(len(modelArguments))]).Digest()
	since, ok := m.inView[panel]
	id, err := m.queue.Confirm(panel, d)
	if armed := ok && time.Since(since) >= DefaultArming; armed != (err == nil) {
		m.t.Errorf("confirm, armed %t: %v", armed, err)
	}
	if err == nil {
		m.inView[panel] = time.Now()
		m.uses = append(m.uses, confirmedUse{useID: id, digest: d})
	}
}

// collect checks everything that Approve returned since.
func (m *model) collect() {
	for len(m.ended) > 0 {
		m.open--
		m.check(<-m.ended)
	}
}

func (m *model) check(a approved) {
	if a.err != nil {
		m.counts.refused++
		if a.approval.grant != nil {
			m.t.Errorf("an Approval beside the error %v", a.err)
		}
		return
	}
	d := a.approval.Decision()
	recorded := slices.ContainsFunc(m.journal.all(), func(r Decision) bool { return r.ID == d.ID && r.Allowed && r.Digest == d.Digest })
	if !recorded {
		m.t.Errorf("an Approval without a record: %+v", d)
	}
	switch d.By {
	case ByUser:
		m.counts.byUser++
	case ByComposed:
		m.counts.composed++
		if d.Risk.High || d.Risk.has(CodeHiddenCharacter) {
			m.t.Errorf("composed, but %+v", d.Risk)
		}
	case ByStanding:
		m.counts.standing++
	default:
		m.t.Errorf("allowed by %q", d.By)
	}
	if d.Edited {
		m.counts.edited++
	}
	if d.By != ByStanding {
		if m.allowed[d.Digest]--; m.allowed[d.Digest] < 0 {
			m.t.Errorf("nothing in view allowed this: %+v", d)
		}
	}
	subject := Request{Kind: d.Kind, Launch: d.Launch, ToolCall: d.ToolCall}
	if subject.Digest() != d.Digest || a.approval.Use(d.Digest) != nil || a.approval.Use(d.Digest) == nil {
		m.t.Error("the Approval is not for one use of what was recorded")
	}
}

// finish closes the window: everything ends, and nothing of it is allowed.
func (m *model) finish() {
	m.queue.Close()
	synctest.Wait()
	m.collect()
	if m.open != 0 {
		m.t.Errorf("%d requests have no answer", m.open)
	}
	for _, cancel := range m.running {
		cancel()
	}
}
