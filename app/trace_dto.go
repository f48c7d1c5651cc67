package app

// This file maps the trace for the page.

import (
	"cmp"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"gatehouse/mcphost/trace"
)

var errTraceGone = errors.New("the entry is no longer in memory")

func traceRow(r trace.Row) TraceRow {
	row := TraceRow{
		Seq: r.Seq, ServerID: r.Server, ServerName: r.Entry.Name, Connection: r.Connection, At: stamp(r.At), Kind: string(r.Kind), Dir: string(r.Dir),
		Method: r.Method, Asked: r.Asked, Name: r.Name, ID: r.ID.String(), Bytes: r.Size, TookMs: ms(r.Took), Done: r.Done, Total: r.Total,
		Problem: problemOf(r), Code: r.Code, Detail: r.Detail, Request: r.Request, Reply: r.Reply,
	}
	switch {
	case r.Open:
		row.State = "open"
	case r.Silent:
		row.State = "silent"
	case r.Kind == trace.Message && r.Method != "" && r.Reply > 0:
		row.State = "answered"
	}
	if r.HTTP != nil {
		row.Detail = httpLine(r)
	}
	return row
}

// problemOf names what is wrong with an entry, "" if nothing is.
func problemOf(r trace.Row) string {
	switch {
	case r.Fault != "":
		return r.Fault
	case r.Failed:
		return "error"
	case r.IsError:
		return "toolError"
	case r.HTTP != nil && (r.HTTP.Status >= 400 || r.HTTP.Error != ""):
		return "http"
	}
	return ""
}

// httpLine is a request, a response or an event in a few words, all of them HTTP's or the server's.
func httpLine(r trace.Row) string {
	x := r.HTTP
	switch {
	case r.Kind == trace.Event:
		return strings.TrimSpace(x.Event + " " + x.Data)
	case r.Dir == trace.Out:
		path := x.URL
		if u, err := url.Parse(x.URL); err == nil {
			path = u.EscapedPath()
		}
		return x.Method + " " + path
	case x.Error != "":
		return x.Error
	}
	return strings.TrimSpace(strconv.Itoa(x.Status) + " " + strings.Join(x.Header["Content-Type"], ", "))
}

// traceDetail brings an entry with its relatives in the order of time.
func traceDetail(row trace.Row, related []trace.Row) TraceDetail {
	d := TraceDetail{
		TraceRow: traceRow(row), Raw: strings.ToValidUTF8(string(row.Raw), "\uFFFD"), Cut: row.Cut, Call: row.Call, Related: traceRows(related),
		Exchanges: []TraceExchange{},
	}
	all := append(slices.Clone(related), row)
	slices.SortFunc(all, func(a, b trace.Row) int { return cmp.Compare(a.Seq, b.Seq) })
	for _, r := range all {
		if r.HTTP != nil {
			d.Exchanges = append(d.Exchanges, traceExchange(r))
		}
	}
	return d
}

func traceExchange(r trace.Row) TraceExchange {
	x := r.HTTP
	out := TraceExchange{
		Seq: r.Seq, At: stamp(r.At), Dir: string(r.Dir), Method: x.Method, URL: x.URL, Status: x.Status, Error: x.Error, Headers: []TraceHeader{},
		Event: x.Event, LastID: x.LastID, RetryMs: x.Retry.Milliseconds(), Data: x.Data,
	}
	for _, name := range slices.Sorted(maps.Keys(x.Header)) {
		for _, value := range x.Header[name] {
			out.Headers = append(out.Headers, TraceHeader{name, value})
		}
	}
	return out
}
