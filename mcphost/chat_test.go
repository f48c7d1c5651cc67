package mcphost_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/chat"
	"gatehouse/mcphost/llm"
	"gatehouse/mcphost/mcphosttest"
)

// answering is a server whose one tool answers so.
func answering(t *testing.T, more string, do ...mcphosttest.Action) *mcphosttest.Process {
	def := mcphosttest.Raw(`{"name":"tell","inputSchema":{"type":"object"}` + more + `}`)
	return mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{{Definition: def, Do: do}}})
}

// What of a result goes to the model, and in which form (P12, P14, P15, P16).
func TestWhatTheModelGets(t *testing.T) {
	const promise = `,"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`
	h := newHouse(t, mcphost.Options{})
	i := 0
	for name, c := range map[string]struct {
		more    string
		do      mcphosttest.Action
		want    []string // the texts, and what the other parts are
		isError bool
	}{
		"for the user only is not sent": {"", mcphosttest.Content(
			`{"type":"text","text":"secret","annotations":{"audience":["user"]}}`, `{"type":"text","text":"for both","annotations":{"audience":["user","assistant"]}}`,
			`{"type":"text","text":"for the model","annotations":{"audience":["assistant"]}}`, `{"type":"text","text":"odd","annotations":{"audience":[7],"priority":"x"}}`,
		), []string{"for both", "for the model", "odd"}, false},
		"nothing else is nothing":   {"", mcphosttest.Content(`{"type":"text","text":"secret","annotations":{"audience":["user"]}}`), []string{"(no content)"}, false},
		"text goes once":            {promise, mcphosttest.Result(`{"content":[{"type":"text","text":"{\"n\":1}"}],"structuredContent":{"n":1}}`), []string{`{"n":1}`}, false},
		"JSON without text":         {promise, mcphosttest.Result(`{"content":[],"structuredContent":{"n":1}}`), []string{`{"n":1}`}, false},
		"structure that is wrong":   {promise, mcphosttest.Result(`{"content":[],"structuredContent":{"n":"x"}}`), []string{`{"n":"x"}`, "Note by the host: "}, false},
		"structure that is missing": {promise, mcphosttest.Text("hello"), []string{"hello", "Note by the host: "}, false},
		"an error of the tool":      {"", mcphosttest.Result(`{"content":[{"type":"text","text":"no"}],"isError":true}`), []string{"no"}, true},
		"an error of the protocol":  {"", mcphosttest.Fail(-32603, "broken "+strings.Repeat("x", 100)), []string{"The server answered with error -32603: broken xxx"}, true},
		"embedded text":             {"", mcphosttest.Content(`{"type":"resource","resource":{"uri":"a:b\"c","text":"inner"}}`), []string{"<resource uri=\"a:b%22c\">\ninner\n</resource>"}, false},
		"blobs": {"", mcphosttest.Content(
			`{"type":"image","mimeType":"image/png","data":"AAE="}`, `{"type":"audio","mimeType":"audio/wav","data":"AAE="}`, `{"type":"image","mimeType":"image/png","data":"!"}`,
			`{"type":"resource","resource":{"uri":"a:b","blob":"AAE="}}`, `{"type":"resource_link","uri":"a:b","name":"n"}`, `{"type":"hologram"}`,
		), []string{"image image/png 2", "audio audio/wav 2", "(a block that could not be read)", "(an embedded resource that is not text)", "(link to resource a:b)", "(content of an unknown type)"}, false},
		"what cannot be seen": {"", mcphosttest.Text("a\u200b\U000E0041b"), []string{"ab"}, false},
	} {
		i++
		s := h.add(fmt.Sprint("srv", i), answering(t, c.more, c.do))
		h.connect(s)
		o := h.ForChat().Run(t.Context(), chat.Use{ID: "u", ServerID: s.ID(), Tool: "tell", Arguments: json.RawMessage(`{}`), Model: "m"})
		var got []string
		for _, p := range o.Parts {
			switch p := p.(type) {
			case llm.Text:
				got = append(got, p.Text)
			case llm.Image:
				got = append(got, fmt.Sprint("image ", p.MimeType, " ", len(p.Data)))
			case llm.Audio:
				got = append(got, fmt.Sprint("audio ", p.MimeType, " ", len(p.Data)))
			}
		}
		if o.IsError != c.isError || !slices.EqualFunc(got, c.want, strings.HasPrefix) {
			t.Errorf("%s: %q, an error: %t; want %q", name, got, o.IsError, c.want)
		}
		if err := s.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// P31: what one server answers, and what is said to it, reaches no other; each gets its own approved bytes and no more.
func TestServersHearNothingOfEachOther(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	all := map[string]*mcphosttest.Process{}
	for _, name := range []string{"alpha", "beta"} {
		p := answering(t, `,"description":"canary-definition-`+name+`"`, mcphosttest.Text("canary-answer-"+name))
		s := h.add(name, p)
		all[name] = p
		h.connect(s)
	}
	for _, s := range h.Servers() {
		name := s.Config().Name
		arguments := json.RawMessage(`{"a":"canary-arguments-` + name + `"}`)
		o := h.ForChat().Run(t.Context(), chat.Use{
			ID: "u", ServerID: s.ID(), Tool: "tell", Arguments: arguments, Model: "canary-model", Chat: "canary-chat", Turn: "t",
		})
		if o.IsError {
			t.Fatalf("%+v", o)
		}
	}
	for name, p := range all {
		var found []string
		for _, f := range p.Frames(t) {
			for word := range strings.SplitSeq(f, `"`) {
				if strings.HasPrefix(word, "canary-") {
					found = append(found, word)
				}
			}
		}
		if want := []string{"canary-arguments-" + name}; !slices.Equal(found, want) {
			t.Errorf("%s heard %q, want %q", name, found, want)
		}
	}
}
