package consent

// This file is what servers ask of the user: a form to fill in, an address to open, an answer in the place of a model. A
// reply is written at the gate; its bytes are part of what is decided, so that exactly what was shown leaves.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// A Question is what a server asks, with exactly the bytes that came, and what would go back.
type Question struct {
	Launch Digest          `json:"launch"`          // the server definition
	Via    string          `json:"via"`             // how it came: "request", "input", "task" or "error"
	Tool   string          `json:"tool,omitempty"`  // the tool whose call it belongs to, "" if that cannot be told
	About  string          `json:"about,omitempty"` // for lists, where the tool says too little: the domain of an address
	Params json.RawMessage `json:"params"`          // as received: untrusted
	Reply  json.RawMessage `json:"reply,omitempty"` // one line, "" until it was written
}

// asks reports whether requests of this kind are questions.
func (k Kind) asks() bool { return k.written() || k.proposed() || k == KindURL }

// written reports whether the user writes the reply, or changes the one that is proposed.
func (k Kind) written() bool { return k == KindForm || k == KindSample || k == KindRoots }

// proposed reports whether a question comes with what would be told or done.
func (k Kind) proposed() bool { return k == KindRoots || k == KindRootAdd || k == KindRootRemove }

// Answered returns the question r with this reply, which is on one line; its digest is the one to allow.
func (r Request) Answered(reply json.RawMessage) Request {
	r.Question = r.Question.clone()
	r.Question.Reply = bytes.Clone(reply)
	return r
}

func (q *Question) clone() *Question {
	if q == nil {
		return nil
	}
	c := *q
	c.Params, c.Reply = bytes.Clone(q.Params), bytes.Clone(q.Reply)
	return &c
}

// digest binds a consent to kind, server definition, question and reply.
func (q Question) digest(kind Kind) Digest {
	h := newHasher("gatehouse.question.v1")
	h.text(string(kind), string(q.Launch[:]), string(q.Params), string(q.Reply))
	return h.sum()
}

// check refuses a question that could not be shown as what it is.
func (q Question) check(k Kind) error {
	if !json.Valid(q.Params) {
		return fmt.Errorf("%w: a question that is no JSON", ErrInvalid)
	}
	if (q.Reply != nil) != k.proposed() {
		return fmt.Errorf("%w: a question that brings its reply, or lacks the one that it proposes", ErrInvalid)
	}
	return nil
}

// errNoReply is the problem of a question that nobody has answered yet.
var errNoReply = errors.New("there is no answer yet")

// questionRisk names the fields of a form that ask for secrets (SEC F5), which must not be asked for by form, and says
// where an address leads (SEC F3).
func questionRisk(r Request) Risk {
	report := newReport()
	switch r.Kind {
	case KindForm:
		for _, name := range r.Question.secretFields() {
			report.add(CodeAsksSecret, "/"+pointerEscaper.Replace(name), name)
		}
	case KindURL:
		var asked struct{ URL string }
		_ = json.Unmarshal(r.Question.Params, &asked) // what cannot be read leads nowhere
		var found []span
		eachAddress(asked.URL, func(a address) {
			if len(found) == 0 { // what stands in the query is not where it leads
				found = addressSpans(a, "", false)
			}
		})
		report.spans(func() string { return "/url" }, asked.URL, found)
	}
	return report.risk()
}

// secretFields returns the names of the fields that look as if they asked for a secret, sorted.
func (q Question) secretFields() (names []string) {
	var form struct {
		RequestedSchema struct {
			Properties map[string]struct {
				Title  any `json:"title"`
				Format any `json:"format"`
			} `json:"properties"`
		} `json:"requestedSchema"`
	}
	_ = json.Unmarshal(q.Params, &form) // what cannot be read names nothing
	for name, field := range form.RequestedSchema.Properties {
		title, _ := field.Title.(string)
		if secretName(name) || secretName(title) || field.Format == "password" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Secrets returns what the fields that ask for secrets are filled with, by their names.
func (q Question) Secrets() map[string]json.RawMessage {
	var reply map[string]json.RawMessage
	if json.Unmarshal(q.Reply, &reply) != nil {
		return nil
	}
	secrets := map[string]json.RawMessage{}
	for _, name := range q.secretFields() {
		if value, ok := reply[name]; ok {
			secrets[name] = value
		}
	}
	return secrets
}

// masked stands in the journal for what a form's secret field was filled with.
var masked = json.RawMessage(`"•••"`)

// maxKept is what of a question's params is stored: pictures and sounds in messages may be large.
const maxKept = 256 << 10

// kept returns q as it may be stored: without the answers to fields that ask for secrets, and of long params only their
// length. The digest is of all of it.
func (q *Question) kept() *Question {
	if q == nil {
		return nil
	}
	secrets := q.secretFields()
	if len(q.Params) > maxKept {
		c := *q
		c.Params = fmt.Appendf(nil, `{"bytes":%d,"omitted":true}`, len(q.Params))
		q = &c
	}
	var reply map[string]json.RawMessage
	if json.Unmarshal(q.Reply, &reply) != nil {
		return q
	}
	found := false
	for _, name := range secrets {
		if _, ok := reply[name]; ok {
			reply[name], found = masked, true
		}
	}
	if !found {
		return q
	}
	c := *q
	c.Reply, _ = json.Marshal(reply) // values that were read
	return &c
}
