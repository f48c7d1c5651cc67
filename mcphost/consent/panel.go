package consent

// This file is the Run panel's half of the queue: a call that the user composed is decided by pressing Run.

import (
	"slices"
	"strings"
	"time"
)

const (
	panelPrefix  = "panel:"    // the ids of Run panels, as the page makes them
	maxPanels    = 64          // panels and confirmations that are remembered; the oldest go first
	confirmation = time.Minute // how long a confirmed call has to arrive
)

func isPanel(id string) bool { return strings.HasPrefix(id, panelPrefix) }

// panels is guarded by Queue.mu. The zero value is ready for use.
type panels struct {
	shown     []shownPanel
	confirmed []confirmedUse
}

type shownPanel struct {
	id    string
	since time.Time
}

type confirmedUse struct {
	useID  string
	digest Digest
	until  time.Time
}

func (p *panels) show(id string, now time.Time) {
	p.hide(id)
	p.shown = append(p.shown, shownPanel{id, now})
	p.shown = p.shown[max(0, len(p.shown)-maxPanels):]
}

func (p *panels) hide(id string) {
	p.shown = slices.DeleteFunc(p.shown, func(s shownPanel) bool { return s.id == id })
}

// since returns when the panel came into view, zero if it is not.
func (p *panels) since(id string) time.Time {
	for _, s := range p.shown {
		if s.id == id {
			return s.since
		}
	}
	return time.Time{}
}

func (p *panels) confirm(d Digest, now time.Time) string {
	use := confirmedUse{randomID(), d, now.Add(confirmation)}
	p.confirmed = append(p.confirmed, use)
	p.confirmed = p.confirmed[max(0, len(p.confirmed)-maxPanels):]
	return use.useID
}

// spend takes a confirmation, whatever comes of it, and reports whether it is for d and still good.
func (p *panels) spend(useID string, d Digest, now time.Time) bool {
	for i, use := range p.confirmed {
		if use.useID == useID {
			p.confirmed = slices.Delete(p.confirmed, i, i+1)
			return use.digest == d && now.Before(use.until)
		}
	}
	return false
}

// Confirm takes a press of Run in the panel as the decision on the composed call with digest d. The panel must have been
// Shown for the arming delay ([ErrNotArmed]), which then starts again, so that a double press is one call. The result is
// good for one call within a minute: put it into [Request.UseID].
func (q *Queue) Confirm(panel string, d Digest) (useID string, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case d.IsZero():
		return "", ErrMismatch
	case q.closed || !isPanel(panel):
		return "", ErrWithdrawn
	case !q.armed(q.panels.since(panel)):
		return "", ErrNotArmed
	}
	now := q.now()
	q.panels.show(panel, now)
	return q.panels.confirm(d, now), nil
}

// Why a composed call needs the full gate although Run was pressed (see [ComposedGate]).
const (
	GateHighRisk = "high-risk"
	GateHidden   = "hidden"
	GateChanged  = "changed"
	GateInvalid  = "invalid"
)

// ComposedGate says why pressing Run in the panel is not enough for r, "" if it is. It reads r.Risk.
func ComposedGate(r Request) string {
	switch {
	case r.Kind != KindToolCall || r.ToolCall == nil || len(r.Problems) > 0:
		return GateInvalid
	case len(r.ToolCall.Previous) > 0:
		return GateChanged
	case r.Risk.High:
		return GateHighRisk
	case r.Risk.has(CodeHiddenCharacter):
		return GateHidden
	}
	return ""
}
