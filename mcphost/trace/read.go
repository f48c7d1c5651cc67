package trace

// This file reads what a Ring keeps.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"time"
)

// A Query chooses records. Its zero value chooses all.
type Query struct {
	Server   string // its id
	Dir      Direction
	Kinds    []Kind // nil = all
	Problems bool   // only what failed or was refused
	Loose    bool   // of HTTP and events only what is no part of a message, or failed
	Text     string // in method, id, what it is about, URL or bytes, without regard to ASCII case
	Call     string // only what a tool call has caused
	After    int64  // only later ones
	Until    int64  // only up to this one, 0 = no end
}

// A Row is a record with what is to be said of it in a line.
type Row struct {
	Record
	Name    string  // what it is about: a tool, a prompt, a URI; of an answer, that of its request
	Asked   string  // of an answer or notification: the method of its request
	Done    float64 // of progress
	Total   float64 // of progress, 0 = not known
	IsError bool    // a tool's result says that it failed
	Open    bool    // a request without an answer whose connection stands
	Silent  bool    // a request that was never answered, and will not be

	Revision string // by Entry alone: what the connection has agreed on, "" = that is not known any more
}

// A Page is some of the chosen records, oldest first, and figures of all of them.
type Page struct {
	Total    int
	Rows     []Row
	Problems int   // among those that are chosen without regard to Problems
	Messages int   // likewise
	Bytes    int64 // of these messages
	Gone     int64 // older records of the server, or of all, that were pushed out
	Last     int64 // number of the newest record
	Median   time.Duration
	Slowest  time.Duration // of requests that we made
	Peer     string        // of one server's connection while it stands: the process, or the address
	Revision string        // likewise
}

// Read returns the chosen records [offset, offset+limit).
func (r *Ring) Read(q Query, offset, limit int) Page {
	found, page := r.choose(q)
	r.mu.Lock()
	defer r.mu.Unlock()
	page.Total, page.Rows = len(found), []Row{}
	for _, rec := range found[min(offset, len(found)):min(offset+limit, len(found))] {
		page.Rows = append(page.Rows, r.lane(rec.Server).row(rec))
	}
	return page
}

// Entry returns a record, what it belongs to or what belongs to it, and the exchange that carries it; ok is false if it is
// gone.
func (r *Ring) Entry(seq int64) (row Row, related []Row, ok bool) {
	r.settle()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range r.lanes {
		rec := l.find(seq)
		if rec == nil {
			continue
		}
		root := cmp.Or(l.find(rec.Request), rec)
		for _, other := range l.kept {
			if other != rec && (other == root || other.Request == root.Seq) {
				related = append(related, l.row(other))
			}
		}
		row = l.row(rec)
		row.Revision = l.revision(rec.Connection)
		return row, related, true
	}
	return Row{}, nil, false
}

// revision needs Ring.mu.
func (l *lane) revision(connection int64) string {
	if connection == l.alive {
		return l.state[1]
	}
	for _, rec := range l.kept {
		if rec.Connection == connection && rec.Kind == Mark && rec.Code == "ready" {
			return rec.Detail
		}
	}
	return ""
}

// Clear throws away what is kept of a server, or of all if it is "".
func (r *Ring) Clear(server string) {
	r.settle()
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, l := range r.lanes {
		if server != "" && id != server {
			continue
		}
		for len(l.kept) > 0 {
			r.drop(l)
		}
		l.gone = 0
	}
}

// Write writes the chosen records as a Writer would.
func (r *Ring) Write(w io.Writer, q Query) error {
	found, _ := r.choose(q)
	r.mu.Lock()
	entries := make([]Entry, len(found))
	for i, rec := range found {
		entries[i] = rec.Entry
	}
	r.mu.Unlock()
	return (&Writer{w: w}).write(entries)
}

// choose returns the chosen records in the order of their time, and the figures of a page.
func (r *Ring) choose(q Query) (found []*Record, page Page) {
	r.settle()
	candidates, page := r.candidates(q)
	var took []time.Duration
	text := bytes.ToLower([]byte(q.Text))
	for _, c := range candidates {
		if len(text) > 0 && !c.holds(text) {
			continue
		}
		if c.Kind == Message {
			page.Messages++
			page.Bytes += c.Size
			if c.Dir == Out && c.Method != "" && c.took > 0 {
				took = append(took, c.took)
			}
		}
		if c.problem {
			page.Problems++
		}
		if c.problem || !q.Problems {
			found = append(found, c.Record)
		}
	}
	if len(took) > 0 {
		slices.Sort(took)
		page.Median, page.Slowest = took[len(took)/2], took[len(took)-1]
	}
	return found, page
}

// A candidate is a record with what was true of it when the mutex was held.
type candidate struct {
	*Record
	problem bool
	took    time.Duration
}

// candidates chooses by everything but the text.
func (r *Ring) candidates(q Query) (out []candidate, page Page) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.told = false
	page.Last = r.seq
	for id, l := range r.lanes {
		if q.Server != "" && id != q.Server {
			continue
		}
		page.Gone += l.gone
		if q.Server != "" && l.alive != 0 {
			page.Peer, page.Revision = l.state[0], l.state[1]
		}
		for _, rec := range l.kept {
			if q.chooses(rec) && (!q.Loose || rec.loose()) {
				out = append(out, candidate{Record: rec, problem: rec.problem(), took: rec.Took})
			}
		}
	}
	slices.SortFunc(out, func(a, b candidate) int { return int(a.Seq - b.Seq) })
	return out, page
}

func (q Query) chooses(rec *Record) bool {
	return (q.Dir == "" || rec.Dir == q.Dir) && (q.Kinds == nil || slices.Contains(q.Kinds, rec.Kind)) && (q.Call == "" || rec.Call == q.Call) &&
		rec.Seq > q.After && (q.Until == 0 || rec.Seq <= q.Until)
}

// problem reports whether something failed or was refused. It needs Ring.mu.
func (rec *Record) problem() bool {
	if rec.Fault != "" || rec.Failed || rec.isError {
		return true
	}
	return rec.HTTP != nil && (rec.HTTP.Status >= 400 || rec.HTTP.Error != "")
}

// loose reports whether a record tells more than the message that it is a part of. It needs Ring.mu.
func (rec *Record) loose() bool {
	return rec.Kind == Message || rec.Kind == Mark || rec.Kind == HTTP && rec.Carried == 0 || rec.problem()
}

// holds looks for a text in lower case. It reads only what no longer changes.
func (c candidate) holds(text []byte) bool {
	if holdsFold([]byte(c.Method), text) || holdsFold([]byte(c.ID.String()), text) || holdsFold([]byte(c.Code+" "+c.Detail), text) {
		return true
	}
	if c.HTTP != nil && holdsFold([]byte(c.HTTP.Method+" "+c.HTTP.URL+" "+c.HTTP.Event+" "+c.HTTP.Error), text) {
		return true
	}
	return holdsFold(c.Raw, text)
}

// holdsFold reports whether b holds a text that is in lower case, whatever the case of ASCII letters in b.
func holdsFold(b, text []byte) bool {
	if text[0] >= 0x80 {
		return bytes.Contains(b, text)
	}
	both := string(text[:1]) + strings.ToUpper(string(text[:1]))
	for {
		i := bytes.IndexAny(b, both)
		if i < 0 || len(b)-i < len(text) {
			return false
		}
		if bytes.EqualFold(b[i:i+len(text)], text) {
			return true
		}
		b = b[i+1:]
	}
}

// row needs Ring.mu.
func (l *lane) row(rec *Record) Row {
	row := Row{Record: *rec}
	if rec.Kind == Message {
		sum := rec.sum()
		row.Name, row.Done, row.Total, row.IsError = sum.name, sum.done, sum.total, rec.isError
	}
	if request := l.find(rec.Request); request != nil {
		row.Asked = request.Method
		row.Name = cmp.Or(row.Name, request.sum().name)
	}
	if rec.Kind == Message && rec.Method != "" && !rec.ID.IsZero() && rec.Reply == 0 && rec.Fault == "" {
		row.Open = rec.Connection == l.alive
		row.Silent = !row.Open
	}
	return row
}

// A summary is what a message is about.
type summary struct {
	name        string
	done, total float64
}

// sum reads a message once, when somebody looks. It needs Ring.mu.
func (rec *Record) sum() *summary {
	if rec.summary != nil {
		return rec.summary
	}
	rec.summary = &summary{}
	if rec.Kind != Message || rec.Method == "" {
		return rec.summary
	}
	var m struct {
		Params struct {
			Name, URI       string
			Progress, Total float64
		}
	}
	_ = json.Unmarshal(rec.Raw, &m) // what cannot be read says nothing
	*rec.summary = summary{cmp.Or(m.Params.Name, m.Params.URI), m.Params.Progress, m.Params.Total}
	return rec.summary
}
