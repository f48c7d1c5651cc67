package cli

// This file is the policy: rules in a file that answer in place of a person. It is read and checked as a whole before
// anything happens, and its decisions name the file and its digest.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"gatehouse/mcphost/consent"
)

// The effects of rules on launches and tools.
const (
	allow = "allow"
	deny  = "deny"

	accept  = "accept" // a form, with the answers that the policy names
	decline = "decline"
	cancel  = "cancel"
	visit   = "open" // an address
)

const launchDenies = `"launch" is "deny"`

// A policy holds the rules that act in this version.
type policy struct {
	by     string            // how decisions name it: "policy FILE, DIGEST"
	launch string            // allow, deny, "" = ask
	tools  map[string]string // by name; "*" is every other
	form   string            // accept, decline, cancel, "" = ask
	reply  json.RawMessage   // with accept: what goes back, one line
	url    string            // open, decline, cancel, "" = ask
	sample string            // accept, deny, "" = ask
	roots  []string          // absolute paths that servers are told; nil = ask
	add    string            // a root that a server asks for: allow, deny, "" = ask
	word   string            // with accept: what a model is said to have answered
}

// readPolicy reads the file of --policy; "" is no policy.
func readPolicy(path string) (*policy, error) {
	if path == "" {
		return nil, nil
	}
	top, raw, err := readObject("bad-policy", path)
	if err != nil {
		return nil, err
	}
	p, err := parsePolicy(top)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(raw)
	p.by = "policy " + path + ", " + hex.EncodeToString(sum[:])
	return p, nil
}

// parsePolicy checks every member, also those that no request of this version asks for: a policy that is wrong
// somewhere is not what its author meant.
func parsePolicy(top object) (*policy, error) {
	if extra := top.unknown("launch", "tools", "sampling", "elicitation", "url", "roots", "rootAdd", "signIn"); len(extra) > 0 {
		return nil, top.fault(extra[0], errors.New("is not a rule"))
	}
	for _, name := range top.names() {
		if !top.has(name) {
			return nil, top.fault(name, errors.New("must not be null"))
		}
	}
	p := &policy{tools: map[string]string{}}
	var err error
	if p.launch, err = top.oneOf("launch", allow, deny); err != nil {
		return nil, err
	}
	if p.url, err = top.oneOf("url", visit, decline, cancel); err != nil {
		return nil, err
	}
	if p.add, err = top.oneOf("rootAdd", allow, deny); err != nil {
		return nil, err
	}
	tools, err := top.object("tools")
	if err != nil {
		return nil, err
	}
	for _, name := range tools.names() {
		if p.tools[name], err = tools.oneOf(name, allow, deny); err != nil {
			return nil, err
		}
	}
	for _, rule := range []error{
		oneOfErr(top.oneOf("signIn", allow, deny)),
		top.wordOrObject("sampling", "reply", "a string", deny),
		p.readSampling(top),
		top.wordOrObject("elicitation", accept, "an object", decline, cancel),
		top.absolutePaths("roots"),
		p.readRoots(top),
	} {
		if rule != nil {
			return nil, rule
		}
	}
	return p, p.readForm(top)
}

// readRoots takes in what servers are told.
func (p *policy) readRoots(top object) error {
	if _, given := top.members["roots"]; given {
		paths, err := top.texts("roots")
		p.roots = append([]string{}, paths...) // none is not nil
		return err
	}
	return nil
}

// readSampling takes in what is answered in the place of a model.
func (p *policy) readSampling(top object) error {
	switch raw, given := top.members["sampling"]; {
	case given && kind(raw) == "a string":
		p.sample = deny
	case given && kind(raw) == "an object":
		rule, err := top.object("sampling")
		if err != nil {
			return err
		}
		p.sample = accept
		_ = json.Unmarshal(rule.members["reply"], &p.word) // its kind is checked with the others
	}
	return nil
}

// readForm takes in what a form is answered with; the rule has been checked.
func (p *policy) readForm(top object) error {
	raw, given := top.members["elicitation"]
	if !given {
		return nil
	}
	if kind(raw) == "a string" {
		var err error
		p.form, err = top.oneOf("elicitation", decline, cancel)
		return err
	}
	rule, err := top.object("elicitation")
	if err != nil {
		return err
	}
	p.form = accept
	if p.reply, err = consent.OneLine(rule.members[accept]); err != nil {
		return rule.fault(accept, err)
	}
	return nil
}

func oneOfErr(_ string, err error) error { return err }

// wordOrObject checks a member that is one of a few words or an object with one member of a certain kind.
func (o object) wordOrObject(name, inner, innerKind string, words ...string) error {
	raw, given := o.members[name]
	if !given || kind(raw) == "a string" {
		return oneOfErr(o.oneOf(name, words...))
	}
	if kind(raw) != "an object" {
		return o.wrong(name, fmt.Sprintf(`%s or {"%s": …}`, strings.Join(words, " or "), inner))
	}
	rule, err := o.object(name)
	if err != nil {
		return err
	}
	if extra := rule.unknown(inner); len(extra) > 0 {
		return rule.fault(extra[0], errors.New("is not a rule"))
	}
	if value, ok := rule.members[inner]; !ok {
		return rule.fault("", fmt.Errorf("%q is missing", inner))
	} else if kind(value) != innerKind {
		return rule.wrong(inner, innerKind)
	}
	return nil
}

func (o object) absolutePaths(name string) error {
	paths, err := o.texts(name)
	if err != nil {
		return err
	}
	for i, path := range paths {
		if !filepath.IsAbs(path) {
			return o.fault(fmt.Sprintf("%s[%d]", name, i), fmt.Errorf("%q is not an absolute path", path))
		}
	}
	return nil
}

// rule returns what the policy says to a request and which rule says so; "" is nothing.
func (p *policy) rule(r consent.Request) (effect, rule string) {
	switch r.Kind {
	case consent.KindLaunch:
		effect, rule = p.launch, `"launch"`
	case consent.KindForm:
		effect, rule = p.form, `"elicitation"`
	case consent.KindURL:
		effect, rule = p.url, `"url"`
	case consent.KindRoots:
		if rule = `"roots"`; p.roots != nil {
			effect = allow
		}
	case consent.KindRootAdd:
		effect, rule = p.add, `"rootAdd"`
	case consent.KindSample:
		effect, rule = p.sample, `"sampling"`
	case consent.KindToolCall:
		for _, name := range []string{r.ToolCall.Tool, "*"} {
			if effect = p.tools[name]; effect != "" {
				return effect, "tools." + strconv.Quote(name)
			}
		}
	}
	return effect, rule
}

// changed reports whether the request is about something that is not what was trusted before.
func changed(r consent.Request) bool {
	return r.Before != nil || r.ToolCall != nil && len(r.ToolCall.Previous) > 0
}

// A policyAsker answers by a policy and passes on what it does not name. What has changed since it was trusted is
// never let through: it goes to a person, or is refused.
type policyAsker struct {
	policy *policy
	next   consent.Asker
}

// Ask implements [consent.Asker].
func (a policyAsker) Ask(ctx context.Context, r consent.Request) (consent.Answer, error) {
	effect, rule := a.policy.rule(r)
	switch {
	case effect == deny:
		return consent.Answer{By: a.policy.by, Reason: rule + ` is "deny"`}, nil
	case effect == allow && !changed(r), effect == visit:
		return consent.Answer{Allow: true, By: a.policy.by, Digest: r.Digest()}, nil
	case effect == decline, effect == cancel:
		return consent.Answer{By: a.policy.by, Decline: effect == decline, Reason: rule + " is " + strconv.Quote(effect)}, nil
	case effect == accept && r.Kind == consent.KindSample:
		return replying(r, byModel(a.policy.word), a.policy.by), nil
	case effect == accept:
		return replying(r, a.policy.reply, a.policy.by), nil
	}
	answer, err := a.next.Ask(ctx, r)
	if effect == allow && errors.Is(err, consent.ErrNobody) {
		return consent.Answer{By: a.policy.by, Reason: reasonChanged(r)}, nil
	}
	return answer, err
}

// replying allows r with a reply.
func replying(r consent.Request, reply json.RawMessage, by string) consent.Answer {
	return consent.Answer{Allow: true, By: by, Digest: r.Answered(reply).Digest(), Arguments: reply}
}

func reasonChanged(r consent.Request) string {
	if r.Kind == consent.KindLaunch {
		return "its launch is not the one that was allowed before; a policy never lets a change through"
	}
	return "its definition is not the one that was trusted before; a policy never lets a change through"
}
