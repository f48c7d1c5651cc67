package consent

// This file copies requests and decisions, so that bytes that were shown cannot change behind the dialog.

import (
	"bytes"
	"slices"
)

func (l *Launch) clone() *Launch {
	if l == nil {
		return nil
	}
	c := *l
	c.Args, c.Env, c.Headers = slices.Clone(l.Args), slices.Clone(l.Env), slices.Clone(l.Headers)
	return &c
}

func (t *ToolCall) clone() *ToolCall {
	if t == nil {
		return nil
	}
	c := *t
	c.Definition, c.Arguments, c.Previous = bytes.Clone(t.Definition), bytes.Clone(t.Arguments), bytes.Clone(t.Previous)
	return &c
}

func (r Risk) clone() Risk {
	r.Classes, r.Findings = slices.Clone(r.Classes), slices.Clone(r.Findings)
	return r
}

func (r Request) clone() Request {
	r.Launch, r.Before, r.ToolCall = r.Launch.clone(), r.Before.clone(), r.ToolCall.clone()
	r.Question = r.Question.clone()
	r.Risk, r.Problems = r.Risk.clone(), slices.Clone(r.Problems)
	return r
}

func (d Decision) clone() Decision {
	d.Launch, d.ToolCall = d.Launch.clone(), d.ToolCall.clone()
	d.Question = d.Question.clone()
	d.Risk, d.Asked = d.Risk.clone(), bytes.Clone(d.Asked)
	return d
}
