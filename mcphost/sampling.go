package mcphost

// This file lets the user answer in the place of a model (Client Features / Sampling): the whole request is shown, the
// reply is written at the gate, and nothing else leaves (protocol.md P19–P24).

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

// ManualModel begins the name of the model in a reply that a person wrote.
const ManualModel = "manual/"

// What a server may ask of a model (SEC E4).
const (
	maxSamples     = 10 // in samplingWindow, of one server
	samplingWindow = time.Minute
	maxMessages    = 1000
	maxOffered     = 200 // tools
)

// errSampling is what a server gets to know when it asks too much: one neutral sentence (P22).
var errSampling = &jsonrpc.Error{Code: jsonrpc.CodeInternal, Message: "Sampling is not available now"}

// A pace remembers when servers asked. The zero value is ready.
type pace struct {
	mu   sync.Mutex
	last map[string][]time.Time // by server, oldest first; guarded by mu
}

// take notes a request and reports whether it is not one too many.
func (p *pace) take(serverID string, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	recent := slices.DeleteFunc(p.last[serverID], func(at time.Time) bool { return now.Sub(at) >= samplingWindow })
	if len(recent) >= maxSamples {
		return false
	}
	if p.last == nil {
		p.last = map[string][]time.Time{}
	}
	p.last[serverID] = append(recent, now)
	return true
}

// sample asks the user to answer as a model would.
func (g gate) sample(ctx context.Context, q Question) (*protocol.CreateMessageResult, error) {
	reply, err := readSampling(*q.Sampling, q.Revision)
	if err != nil {
		return nil, invalidParams(err)
	}
	if !g.host.samples.take(q.Server.ID, g.host.opts.Now()) {
		return nil, errSampling
	}
	asked, err := g.ask(ctx, q, consent.Request{Kind: consent.KindSample, Validate: reply.check}, "")
	if err != nil {
		return nil, err
	}
	var result protocol.CreateMessageResult
	return &result, json.Unmarshal(asked.Reply, &result)
}

// A samplingReply knows what may be answered to one request.
type samplingReply struct {
	tools    map[string]*schema // nil = any arguments
	required bool
	several  bool // blocks
}

// readSampling refuses what a model could not be asked.
func readSampling(p protocol.CreateMessageParams, r protocol.Revision) (*samplingReply, error) {
	reply := &samplingReply{tools: map[string]*schema{}, required: p.ToolChoice == "required", several: r.AtLeast(protocol.Revision20251125)}
	switch {
	case len(p.Messages) > maxMessages:
		return nil, fmt.Errorf("there are more than %d messages", maxMessages)
	case len(p.Tools) > maxOffered:
		return nil, fmt.Errorf("there are more than %d tools", maxOffered)
	case !slices.Contains([]string{"auto", "required", "none"}, p.ToolChoice):
		return nil, errors.New("toolChoice is not auto, required or none")
	case reply.required && len(p.Tools) == 0:
		return nil, errors.New("a tool is required, but there is none")
	}
	if err := checkMessages(p.Messages); err != nil {
		return nil, err
	}
	for _, t := range p.Tools {
		if t.Name == "" {
			return nil, errors.New("a tool has no name")
		}
		if _, twice := reply.tools[t.Name]; twice {
			return nil, errors.New("two tools have one name")
		}
		input, err := compileSchema(t.InputSchema)
		if err != nil {
			return nil, errors.New("the schema of a tool cannot be read")
		}
		if p.ToolChoice != "none" {
			reply.tools[t.Name] = input
		}
	}
	return reply, nil
}

// checkMessages checks roles, and that every use of a tool is followed by exactly its results, alone in their message
// (2025-11-25, "Tool Use in Sampling").
func checkMessages(messages []protocol.SamplingMessage) error {
	var open []string // uses of the message before
	for _, m := range messages {
		var uses, results []string
		for _, c := range m.Content {
			switch c.Type {
			case protocol.ContentToolUse:
				uses = append(uses, c.ID)
			case protocol.ContentToolResult:
				results = append(results, c.ToolUseID)
			}
		}
		slices.Sort(results)
		switch {
		case m.Role != "user" && m.Role != "assistant":
			return errors.New("a message is neither the user's nor the assistant's")
		case len(uses) > 0 && m.Role != "assistant", len(results) > 0 && m.Role != "user":
			return errors.New("a tool is used by the user, or answered by the assistant")
		case len(results) > 0 && len(results) != len(m.Content):
			return errors.New("results of tools stand beside other content")
		case !slices.Equal(results, open):
			return errors.New("the results of tools are not those of the uses before them")
		}
		slices.Sort(uses)
		open = uses
	}
	if len(open) > 0 {
		return errors.New("the uses of tools at the end have no results")
	}
	return nil
}

// check returns what is wrong with a reply that the user wrote.
func (s *samplingReply) check(raw json.RawMessage) []consent.Problem {
	fault := func(pointer, format string, args ...any) []consent.Problem {
		return []consent.Problem{{Pointer: pointer, Message: fmt.Sprintf(format, args...)}}
	}
	var reply protocol.CreateMessageResult
	strict := json.NewDecoder(bytes.NewReader(raw))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&reply); err != nil || len(reply.Content) == 0 {
		return fault("", "the reply is not a message")
	}
	switch {
	case reply.Role != "assistant":
		return fault("/role", "a model answers as assistant")
	case !strings.HasPrefix(reply.Model, ManualModel) || reply.Model == ManualModel:
		return fault("/model", "a reply by hand names its model %s…", ManualModel)
	case reply.Meta != nil:
		return fault("/_meta", "there is nothing to add")
	}
	blocks, single := []json.RawMessage{reply.Content}, reply.Content[0] != '['
	if !single && json.Unmarshal(reply.Content, &blocks) != nil || !single && !s.several || len(blocks) == 0 {
		return fault("/content", "this server takes one block")
	}
	uses := map[string]bool{}
	var problems []consent.Problem
	for i, b := range blocks {
		at := "/content"
		if !single {
			at = fmt.Sprintf("/content/%d", i)
		}
		problems = append(problems, s.block(at, b, uses)...)
	}
	switch {
	case len(problems) > 0:
	case s.required && len(uses) == 0:
		return fault("/content", "the server requires a tool to be used")
	case (reply.StopReason == "toolUse") != (len(uses) > 0):
		return fault("/stopReason", "is toolUse exactly when a tool is used")
	case !slices.Contains([]string{"endTurn", "stopSequence", "maxTokens", "toolUse"}, reply.StopReason):
		return fault("/stopReason", "is none that there is")
	}
	return problems
}

// block checks one block of a reply; ids of uses go to uses.
func (s *samplingReply) block(at string, raw json.RawMessage, uses map[string]bool) []consent.Problem {
	var c protocol.Content
	if err := json.Unmarshal(raw, &c); err != nil || c.Err != "" {
		return []consent.Problem{{Pointer: at, Message: "is no block"}}
	}
	switch c.Type {
	case protocol.ContentText:
		if strings.TrimSpace(c.Text) == "" {
			return []consent.Problem{{Pointer: at + "/text", Message: "is empty"}}
		}
		return nil
	case protocol.ContentToolUse:
		input, offered := s.tools[c.Name]
		switch {
		case !offered:
			return []consent.Problem{{Pointer: at + "/name", Message: "is no tool that the server offers here"}}
		case uses[c.ID]:
			return []consent.Problem{{Pointer: at + "/id", Message: "is there twice"}}
		}
		uses[c.ID] = true
		problems := input.check(c.Input)
		for i := range problems {
			problems[i].Pointer = at + "/input" + problems[i].Pointer
		}
		return problems
	}
	return []consent.Problem{{Pointer: at + "/type", Message: "a reply by hand has texts and uses of tools"}}
}
