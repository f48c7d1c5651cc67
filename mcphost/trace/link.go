package trace

// This file finds out what belongs together: answers, progress and cancellations to their requests, and HTTP to what it
// carries.

import (
	"bytes"
	"encoding/json"
	"slices"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

const linked = 200 // records back that an exchange's message, or a request that hears of progress, is looked for

// key names a request; other records have none that is ever open.
func (rec *Record) key() requestKey { return requestKey{rec.Connection, rec.Dir, rec.ID} }

// link finds what a new record belongs to. It needs Ring.mu.
func (l *lane) link(rec *Record) {
	switch rec.Kind {
	case Mark:
		switch rec.Code {
		case "open":
			l.alive, l.state = rec.Connection, [2]string{rec.Detail}
		case "ready":
			l.state[1] = rec.Detail
		case "end":
			l.alive = 0
		}
	case HTTP, Event:
		l.linkHTTP(rec)
	case Message:
		l.linkMessage(rec)
	}
}

func (l *lane) linkMessage(rec *Record) {
	switch {
	case rec.Method == "" && !rec.ID.IsZero():
		key := requestKey{rec.Connection, rec.Dir.other(), rec.ID}
		if request := l.open[key]; request != nil {
			delete(l.open, key)
			request.Reply, rec.Request = rec.Seq, request.Seq
			rec.Took = rec.At.Sub(request.At)
			request.Took, rec.Call = rec.Took, request.Call
		}
	case !rec.ID.IsZero():
		l.open[rec.key()] = rec
	case rec.Method == protocol.NotificationProgress:
		l.tellsOf(rec, l.hears(rec))
	case rec.Method == protocol.NotificationCancelled:
		l.tellsOf(rec, l.named(rec.Connection, rec.Dir, metaOf(rec).Params.RequestID))
	case bytes.Contains(rec.Raw, []byte(protocol.MetaSubscription)):
		l.tellsOf(rec, l.named(rec.Connection, rec.Dir.other(), metaOf(rec).Params.Meta.Subscription))
	}
}

// tellsOf links a notification to the request that it is about, if that is known.
func (l *lane) tellsOf(rec, request *Record) {
	if request != nil {
		rec.Request, rec.Call = request.Seq, request.Call
	}
}

// meta is what requests and notifications carry beside their parameters.
type meta struct {
	Params struct {
		ProgressToken json.RawMessage `json:"progressToken"`
		RequestID     json.RawMessage `json:"requestId"`
		Meta          struct {
			ProgressToken json.RawMessage `json:"progressToken"`
			Subscription  json.RawMessage `json:"io.modelcontextprotocol/subscriptionId"`
		} `json:"_meta"`
	} `json:"params"`
}

func metaOf(rec *Record) (m meta) {
	_ = json.Unmarshal(rec.Raw, &m) // what cannot be read has none
	return m
}

// hears finds the open request that progress is told of.
func (l *lane) hears(rec *Record) *Record {
	token := string(metaOf(rec).Params.ProgressToken)
	if token == "" {
		return nil
	}
	for _, request := range slices.Backward(l.kept[max(0, len(l.kept)-linked):]) {
		if request.Dir == rec.Dir || request.Connection != rec.Connection || request.Method == "" || request.ID.IsZero() {
			continue
		}
		if request.token == "" {
			request.token = string(metaOf(request).Params.Meta.ProgressToken) + " " // looked for
		}
		if request.token == token+" " {
			return request
		}
	}
	return nil
}

// named returns the open request with this id.
func (l *lane) named(connection int64, dir Direction, raw json.RawMessage) *Record {
	id, err := jsonrpc.ParseID(raw)
	if err != nil {
		return nil
	}
	return l.open[requestKey{connection, dir, id}]
}

// linkHTTP links a request to the message that it carries, and what comes back to the request.
func (l *lane) linkHTTP(rec *Record) {
	if rec.Kind == HTTP && rec.Dir == Out {
		l.by[rec.HTTP.Number] = rec
		if m := l.carried(rec); m != nil {
			m.Carried, rec.Carried, rec.Request, rec.Call = rec.HTTP.Number, rec.HTTP.Number, m.Seq, m.Call
		}
		return
	}
	if out := l.by[rec.HTTP.Number]; out != nil {
		rec.Request, rec.Carried, rec.Call = out.Seq, out.Carried, out.Call
		if m := l.find(out.Request); m != nil {
			rec.Request = m.Seq
		}
		if rec.Kind == HTTP {
			out.Reply, rec.Took = rec.Seq, rec.At.Sub(out.At)
			out.Took = rec.Took
		}
	}
}

// carried finds the message of an HTTP request: it went by just before.
func (l *lane) carried(rec *Record) *Record {
	if rec.Method == "" && rec.ID.IsZero() {
		return nil
	}
	for _, m := range slices.Backward(l.kept[max(0, len(l.kept)-linked):]) {
		if m.Kind == Message && m.Dir == Out && m.Connection == rec.Connection && m.Method == rec.Method && m.ID == rec.ID {
			return m
		}
	}
	return nil
}

// find returns a record of the lane by its number, nil if it is gone.
func (l *lane) find(seq int64) *Record {
	i, ok := slices.BinarySearchFunc(l.kept, seq, func(rec *Record, seq int64) int { return int(rec.Seq - seq) })
	if !ok {
		return nil
	}
	return l.kept[i]
}

func (d Direction) other() Direction {
	if d == Out {
		return In
	}
	return Out
}
