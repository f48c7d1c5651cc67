package session

// This file defines Limits, the bounds on time and number that one session keeps.

import (
	"cmp"
	"time"

	"gatehouse/mcphost/jsonrpc"
)

// Limits of a session. Zero fields take the defaults of DefaultLimits.
type Limits struct {
	Frames        jsonrpc.Limits
	Open          time.Duration // for finding the era and opening, as a whole
	Probe         time.Duration // before silence about server/discover counts as an answer
	Request       time.Duration // of a request that is neither a list nor a call
	List          time.Duration // for one whole list, all pages
	Page          time.Duration // for one page
	Pages         int           // per list
	Items         int           // per list
	ListBytes     int           // per list
	Inactive      time.Duration // of a call without progress
	Total         time.Duration // of a call, whatever progress comes
	Rounds        int           // of input that one request may ask for
	TaskRounds    int           // of input that one task may ask for
	Questions     int           // of the server, open at once
	Tasks         int           // that the server may have with us: questions, and answers that it has not fetched
	Subscriptions int           // resources
	Ping          time.Duration // between keep-alive pings; negative = none
	PingMisses    int           // in a row, before the server counts as degraded
}

// DefaultLimits returns the limits of ACC A16, SEC C1 and C10, and P8.
func DefaultLimits() Limits {
	return Limits{
		Frames: jsonrpc.DefaultLimits(), Open: 60 * time.Second, Probe: 3 * time.Second, Request: 60 * time.Second,
		List: 60 * time.Second, Page: 30 * time.Second, Pages: 1000, Items: 50_000, ListBytes: 64 << 20,
		Inactive: 5 * time.Minute, Total: time.Hour, Rounds: 5, TaskRounds: 20, Questions: 32, Tasks: 100, Subscriptions: 100,
		Ping: 60 * time.Second, PingMisses: 3,
	}
}

func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	frames := l.Frames
	if frames == (jsonrpc.Limits{}) {
		frames = d.Frames
	}
	return Limits{
		Frames: frames,
		Open:   cmp.Or(l.Open, d.Open), Probe: cmp.Or(l.Probe, d.Probe), Request: cmp.Or(l.Request, d.Request),
		List: cmp.Or(l.List, d.List), Page: cmp.Or(l.Page, d.Page), Pages: cmp.Or(l.Pages, d.Pages),
		Items: cmp.Or(l.Items, d.Items), ListBytes: cmp.Or(l.ListBytes, d.ListBytes),
		Inactive: cmp.Or(l.Inactive, d.Inactive), Total: cmp.Or(l.Total, d.Total),
		Rounds: cmp.Or(l.Rounds, d.Rounds), TaskRounds: cmp.Or(l.TaskRounds, d.TaskRounds), Questions: cmp.Or(l.Questions, d.Questions),
		Tasks:         cmp.Or(l.Tasks, d.Tasks),
		Subscriptions: cmp.Or(l.Subscriptions, d.Subscriptions),
		Ping:          cmp.Or(l.Ping, d.Ping), PingMisses: cmp.Or(l.PingMisses, d.PingMisses),
	}
}
