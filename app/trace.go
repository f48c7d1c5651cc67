package app

// This file is the Trace page: what crossed the connections, as far as it is still in memory.

import (
	"errors"
	"os"
	"strings"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/trace"
)

// Trace is bound to the page.
type Trace struct{ *desk }

// A TraceQuery chooses entries. Offset and limit are of those that are chosen, oldest first.
type TraceQuery struct {
	ServerID string `json:"serverId"`
	Show     string `json:"show"` // "", "sent", "received", "problems"
	Kind     string `json:"kind"` // "" = messages and what is no part of one, "all", or an entry's kind
	Text     string `json:"text"`
	Call     string `json:"call"`  // only what this call has caused
	Until    int64  `json:"until"` // only up to this entry, 0 = no end
	Offset   int    `json:"offset"`
	Limit    int    `json:"limit"`
}

// A TracePage is some of the chosen entries, and figures of all of them.
type TracePage struct {
	Total     int        `json:"total"`
	Rows      []TraceRow `json:"rows"`
	Problems  int        `json:"problems"` // whatever is shown
	Messages  int        `json:"messages"`
	Bytes     int64      `json:"bytes"` // of the messages
	Gone      int64      `json:"gone"`  // older ones that are no longer in memory
	Last      int64      `json:"last"`  // number of the newest entry of all
	MedianMs  float64    `json:"medianMs"`
	SlowestMs float64    `json:"slowestMs"`
	Peer      string     `json:"peer"` // of one server while it is connected: its process, or its address
	Revision  string     `json:"revision"`
}

// A TraceRow is one entry. Method, name, id, code and detail may be the server's.
type TraceRow struct {
	Seq        int64   `json:"seq"`
	ServerID   string  `json:"serverId"`
	ServerName string  `json:"serverName"`
	Connection int64   `json:"connection"`
	At         string  `json:"at"`
	Kind       string  `json:"kind"` // "message", "http", "event", "mark"
	Dir        string  `json:"dir"`  // "out", "in", "" of a mark
	Method     string  `json:"method"`
	Asked      string  `json:"asked"` // the method of the request that this belongs to
	Name       string  `json:"name"`  // what it is about
	ID         string  `json:"id"`
	Bytes      int64   `json:"bytes"` // -1 = not known
	TookMs     float64 `json:"tookMs"`
	Done       float64 `json:"done"` // of progress
	Total      float64 `json:"total"`
	State      string  `json:"state"`   // of a request: "answered", "open", "silent"
	Problem    string  `json:"problem"` // "", a kind of noise, "error", "toolError", "http"
	Code       string  `json:"code"`    // of a mark
	Detail     string  `json:"detail"`  // of a mark; of HTTP the method and path, or the status
	Request    int64   `json:"request"` // the entry that this belongs to, 0 = none
	Reply      int64   `json:"reply"`   // the answer, 0 = none
}

// A TraceDetail is one entry whole, and what it belongs to.
type TraceDetail struct {
	TraceRow
	Raw       string          `json:"raw"`
	Cut       int64           `json:"cut"`  // bytes that are not kept
	Call      string          `json:"call"` // the tool call, "" = none
	Related   []TraceRow      `json:"related"`
	Exchanges []TraceExchange `json:"exchanges"`
	Schema    *TraceSchema    `json:"schema"` // of a message, null of anything else
}

// A TraceSchema says whether a message fits the official schema.
type TraceSchema struct {
	Revision   string            `json:"revision"`
	Definition string            `json:"definition"` // "" = none knows it
	Missing    string            `json:"missing"`    // why it was not held against one: "", "cut", "revision", "unknown"
	Problems   []consent.Problem `json:"problems"`   // at most 20
}

// A TraceExchange is an HTTP request, a response or an event.
type TraceExchange struct {
	Seq     int64         `json:"seq"`
	At      string        `json:"at"`
	Dir     string        `json:"dir"`
	Method  string        `json:"method"`
	URL     string        `json:"url"`
	Status  int           `json:"status"` // 0 = none came
	Error   string        `json:"error"`
	Headers []TraceHeader `json:"headers"`
	Event   string        `json:"event"`
	LastID  string        `json:"lastId"`
	RetryMs int64         `json:"retryMs"`
	Data    string        `json:"data"`
}

// A TraceHeader is one header field.
type TraceHeader struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

const maxTraceRows = 500 // of a page

func (q TraceQuery) query() (trace.Query, error) {
	out := trace.Query{Server: q.ServerID, Text: q.Text, Call: q.Call, Until: q.Until}
	switch q.Show {
	case "":
	case "sent":
		out.Dir = trace.Out
	case "received":
		out.Dir = trace.In
	case "problems":
		out.Problems = true
	default:
		return out, badInput("show", q.Show)
	}
	switch q.Kind {
	case "":
		out.Loose = true
	case "all":
	case "message", "http", "event", "mark":
		out.Kinds = []trace.Kind{trace.Kind(q.Kind)}
	default:
		return out, badInput("kind", q.Kind)
	}
	if q.Offset < 0 || q.Limit < 0 || q.Limit > maxTraceRows {
		return out, badInput("limit", "")
	}
	return out, nil
}

// ReadTrace returns a page of the trace.
func (v *Trace) ReadTrace(q TraceQuery) (page TracePage, err error) {
	defer catch(&err)
	e, _, err := v.engine()
	if err != nil {
		return TracePage{}, err
	}
	query, err := q.query()
	if err != nil {
		return TracePage{}, err
	}
	found := e.Trace.Read(query, q.Offset, q.Limit)
	return TracePage{
		Total: found.Total, Rows: traceRows(found.Rows), Problems: found.Problems, Messages: found.Messages, Bytes: found.Bytes, Gone: found.Gone,
		Last: found.Last, MedianMs: ms(found.Median), SlowestMs: ms(found.Slowest), Peer: found.Peer, Revision: found.Revision,
	}, nil
}

// TraceEntry returns one entry; the error says if it is no longer in memory.
func (v *Trace) TraceEntry(seq int64) (d TraceDetail, err error) {
	defer catch(&err)
	e, _, err := v.engine()
	if err != nil {
		return TraceDetail{}, err
	}
	row, related, ok := e.Trace.Entry(seq)
	if !ok {
		return TraceDetail{}, &failure{"trace-gone", "", errTraceGone}
	}
	d = traceDetail(row, related)
	d.Schema, err = v.schemaOf(row)
	return d, err
}

const maxTraceProblems = 20 // that are shown of one message

// schemaOf holds a message against the official schema of what was agreed on. What opens a conversation is of the newest
// revision of its era.
func (v *Trace) schemaOf(row trace.Row) (*TraceSchema, error) {
	if row.Kind != trace.Message || row.Fault != "" {
		return nil, nil
	}
	r := protocol.Revision(row.Revision)
	switch {
	case row.Method == protocol.MethodInitialize:
		r = protocol.Latest
	case row.Method == protocol.MethodDiscover:
		r = protocol.LatestModern
	}
	s := &TraceSchema{Revision: string(r), Problems: []consent.Problem{}}
	switch {
	case row.Cut > 0:
		s.Missing = "cut"
		return s, nil
	case r == "":
		s.Missing = "revision"
		return s, nil
	}
	definition, problems, err := v.official.Check(r, row.Asked, row.Raw)
	if errors.Is(err, mcphost.ErrNoSchema) {
		s.Missing = "unknown"
		return s, nil
	}
	s.Definition = definition
	s.Problems = append(s.Problems, problems[:min(len(problems), maxTraceProblems)]...)
	return s, err
}

// ClearTrace throws away what is in memory of a server, or of all if the id is "".
func (v *Trace) ClearTrace(serverID string) (err error) {
	defer catch(&err)
	e, _, err := v.engine()
	if err != nil {
		return err
	}
	e.Trace.Clear(serverID)
	v.emit("trace", "", "")
	return nil
}

// ExportTrace asks the user for a file and writes the chosen entries to it, as they are in memory: without the secrets
// that are known. It reports whether they named one.
func (v *Trace) ExportTrace(q TraceQuery) (saved bool, err error) {
	defer catch(&err)
	e, _, err := v.engine()
	if err != nil {
		return false, err
	}
	query, err := q.query()
	if err != nil {
		return false, err
	}
	path, err := v.frame.AskFile("trace.jsonl")
	if err != nil || path == "" {
		return false, err
	}
	var text strings.Builder
	if err = e.Trace.Write(&text, query); err == nil {
		err = os.WriteFile(path, []byte(text.String()), 0o600)
	}
	if err != nil {
		return false, &failure{"not-saved", path, err}
	}
	return true, nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func traceRows(rows []trace.Row) []TraceRow {
	out := make([]TraceRow, len(rows))
	for i, r := range rows {
		out[i] = traceRow(r)
	}
	return out
}
