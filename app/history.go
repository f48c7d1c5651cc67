package app

// This file is the History page.

import (
	"strconv"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

// History is bound to the page.
type History struct{ *desk }

// A HistoryQuery asks for one page; Before is the Next of the page before.
type HistoryQuery struct {
	Before   string `json:"before"`
	Limit    int    `json:"limit"`
	ServerID string `json:"serverId"`
	Text     string `json:"text"`
	Decision string `json:"decision"`
}

// A HistoryPage is one page, newest first; Next "" = the last.
type HistoryPage struct {
	Total int          `json:"total"`
	Rows  []HistoryRow `json:"rows"`
	Next  string       `json:"next"`
}

// A HistoryRow is one decision and what became of it.
type HistoryRow struct {
	ID         string        `json:"id"`
	At         string        `json:"at"`
	ServerID   string        `json:"serverId"`
	ServerName string        `json:"serverName"`
	Kind       string        `json:"kind"`
	What       string        `json:"what"`
	Risk       consent.Class `json:"risk"`
	Decision   string        `json:"decision"`
	Edited     bool          `json:"edited"`
	By         string        `json:"by"`
	Outcome    string        `json:"outcome"`
	DurationMs int           `json:"durationMs"`
}

// A HistoryEvent is one step of an entry. The page has a sentence for each code.
type HistoryEvent struct {
	At     string `json:"at"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// A HistoryDetail is everything that is kept of one decision.
type HistoryDetail struct {
	HistoryRow
	Call     string         `json:"call"` // that was made, "" = none
	Digest   string         `json:"digest"`
	Actor    string         `json:"actor"`
	Reason   string         `json:"reason"`
	Original string         `json:"original"`
	Shown    string         `json:"shown"` // raw JSON of what was shown
	Asked    string         `json:"asked"` // the arguments before the user's edit
	Result   string         `json:"result"`
	Error    string         `json:"error"`
	Events   []HistoryEvent `json:"events"`
}

// History returns one page of decisions.
func (v *History) History(q HistoryQuery) (page HistoryPage, err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return HistoryPage{}, err
	}
	var before int64
	if q.Before != "" {
		if before, err = strconv.ParseInt(q.Before, 10, 64); err != nil {
			return HistoryPage{}, badInput("before", q.Before)
		}
	}
	found, err := e.History.History(ctx, mcphost.HistoryQuery{
		Before: before, Limit: q.Limit, ServerID: q.ServerID, Text: q.Text, Decision: mcphost.Verdict(q.Decision),
	})
	if err != nil {
		return HistoryPage{}, err
	}
	page = HistoryPage{Total: found.Total, Rows: []HistoryRow{}}
	if found.Next > 0 {
		page.Next = strconv.FormatInt(found.Next, 10)
	}
	for _, r := range found.Rows {
		page.Rows = append(page.Rows, historyRow(r))
	}
	return page, nil
}

// HistoryNumbers say how the decisions of some days came about.
type HistoryNumbers struct {
	Asked    int `json:"asked"`
	Composed int `json:"composed"`
	ByRule   int `json:"byRule"`
	Denied   int `json:"denied"`
	Edited   int `json:"edited"`
}

const maxDays = 366 // of HistoryNumbers

// HistoryNumbers counts the decisions of the last days.
func (v *History) HistoryNumbers(days int) (n HistoryNumbers, err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return HistoryNumbers{}, err
	}
	if days < 1 || days > maxDays {
		return HistoryNumbers{}, badInput("days", strconv.Itoa(days))
	}
	found, err := e.History.HistoryNumbers(ctx, time.Now().AddDate(0, 0, -days))
	return HistoryNumbers{found.Asked, found.Composed, found.ByRule, found.Denied, found.Edited}, err
}

// HistoryEntry returns everything that is kept of one decision.
func (v *History) HistoryEntry(id string) (d HistoryDetail, err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return HistoryDetail{}, err
	}
	found, err := e.History.HistoryEntry(ctx, id)
	if err != nil {
		return HistoryDetail{}, err
	}
	return historyDetail(found), nil
}

// outcomeOf is the state of a row's call: its outcome, "running", "denied", or "" for an allowed launch.
func outcomeOf(r mcphost.HistoryRow) string {
	switch {
	case !r.Allowed:
		return string(mcphost.CallDenied)
	case r.CallID == "":
		return ""
	case r.EndedAt.IsZero() && r.Task != "":
		return string(mcphost.CallTask)
	case r.EndedAt.IsZero():
		return string(mcphost.CallRunning)
	}
	return string(r.Outcome)
}

func historyRow(r mcphost.HistoryRow) HistoryRow {
	row := HistoryRow{
		ID: r.ID, At: stamp(r.At), ServerID: r.ServerID, ServerName: r.ServerName, Kind: string(r.Kind), What: r.What,
		Risk: r.Risk, Decision: "denied", Edited: r.Edited, By: r.By, Outcome: outcomeOf(r),
	}
	if r.Allowed {
		row.Decision = "allowed"
	}
	if !r.EndedAt.IsZero() && !r.StartedAt.IsZero() {
		row.DurationMs = int(r.EndedAt.Sub(r.StartedAt).Milliseconds())
	}
	return row
}

func historyDetail(h mcphost.HistoryDetail) HistoryDetail {
	d := HistoryDetail{
		HistoryRow: historyRow(h.HistoryRow), Call: h.CallID, Digest: h.Decision.Digest.String(), Actor: string(h.Decision.Actor.Kind),
		Reason: h.Decision.Reason, Original: h.Decision.Original, Asked: string(h.Decision.Asked), Result: h.Result,
		Error: h.Error, Shown: shown(h.Decision), Events: []HistoryEvent{},
	}
	if name := h.Decision.Actor.Name; name != "" {
		d.Actor += " " + name
	}
	for _, e := range h.Events {
		detail := string(e.Outcome)
		if e.Type == "decision" {
			detail = d.Decision
		}
		d.Events = append(d.Events, HistoryEvent{At: stamp(e.At), Code: e.Type, Detail: detail})
	}
	return d
}
