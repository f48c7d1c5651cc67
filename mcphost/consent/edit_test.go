package consent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"testing"
)

func TestEditedCall(t *testing.T) {
	journal := &diary{}
	const edit = `{"command":"rm -rf /"}`
	asker := Script(func(_ context.Context, r Request) Answer {
		r.ToolCall.Arguments = json.RawMessage(edit)
		return Answer{Allow: true, By: ByUser, Arguments: json.RawMessage(edit), Digest: r.Digest()}
	})
	r := callRequest(`{"command":"ls"}`)
	a, err := NewBroker(asker, journal, nil).Approve(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	d := journal.last(t)
	if !d.Edited || string(d.Asked) != `{"command":"ls"}` || string(d.ToolCall.Arguments) != edit || string(a.Arguments()) != edit {
		t.Errorf("recorded %+v", d)
	}
	if !d.Risk.has(CodeDeletesFiles) {
		t.Error("the risk is that of the old arguments")
	}
	if a.Use(r.Digest()) == nil {
		t.Error("good for the bytes before the edit")
	}
	if err := a.Use(callRequest(edit).Digest()); err != nil {
		t.Error(err)
	}
}

func TestSameBytesAreNoEdit(t *testing.T) {
	journal := &diary{}
	asker := Script(func(_ context.Context, r Request) Answer {
		return Answer{Allow: true, By: ByUser, Arguments: bytes.Clone(r.ToolCall.Arguments), Digest: r.Digest()}
	})
	if _, err := NewBroker(asker, journal, nil).Approve(t.Context(), callRequest(`{"a":1}`)); err != nil || journal.last(t).Edited {
		t.Errorf("error %v, recorded %+v", err, journal.last(t))
	}
}

func TestLaunchCannotBeEdited(t *testing.T) {
	asker := Script(func(_ context.Context, r Request) Answer {
		return Answer{Allow: true, By: ByUser, Arguments: json.RawMessage(`{}`), Digest: r.Digest()}
	})
	_, err := NewBroker(asker, &diary{}, nil).Approve(t.Context(), launchRequest())
	refusalOf(t, err, ReasonInvalid)
}

func TestProblemsForbidAllowing(t *testing.T) {
	valid := func(arguments json.RawMessage) []Problem {
		if string(arguments) != `{"n":1}` {
			return []Problem{{"/n", "must be 1"}}
		}
		return nil
	}
	edit := func(arguments string) Script {
		return func(_ context.Context, r Request) Answer {
			r.ToolCall.Arguments = json.RawMessage(arguments)
			return Answer{Allow: true, By: ByUser, Arguments: r.ToolCall.Arguments, Digest: r.Digest()}
		}
	}
	given := callRequest(`{"n":2}`)
	given.Problems = []Problem{{"/n", "must be 1"}} // without Validate
	checked := callRequest(`{"n":2}`)
	checked.Validate = valid
	panics := callRequest(`{"n":1}`)
	panics.Validate = func(json.RawMessage) []Problem { panic("schema") }
	for name, test := range map[string]struct {
		asker Asker
		r     Request
		ok    bool
	}{
		"as given":           {Script(yes), given, false},
		"as checked":         {Script(yes), checked, false},
		"edited to invalid":  {edit(`{"n":3}`), checked, false},
		"edited to valid":    {edit(`{"n":1}`), checked, true},
		"validation panics":  {Script(yes), panics, false},
		"edited after panic": {edit(`{"n":1}`), panics, false},
	} {
		_, err := NewBroker(test.asker, &diary{}, nil).Approve(t.Context(), test.r)
		if test.ok {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if refusal := refusalOf(t, err, ReasonInvalid); !errors.Is(refusal, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
