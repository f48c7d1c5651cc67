package app

// This file is how one server is spoken to: the part of its form that is no part of its launch.

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/session"
)

// An Authority is one certificate of the files that a draft names. Its name is what the file says.
type Authority struct {
	Subject string `json:"subject"`
	Until   string `json:"until"`
}

func minutes(d time.Duration) int { return int(d / time.Minute) }

// conversation returns what the draft sets; the rest is as before.
func (d ServerDraft) conversation(c mcphost.Conversation) (mcphost.Conversation, error) {
	switch era := session.Era(d.Era); era {
	case session.EraLegacy, session.EraModern:
		c.Era = era
	case session.EraAuto, "":
		c.Era = ""
	default:
		return c, badInput("era", d.Era)
	}
	for name, n := range map[string]struct{ value, least, most int }{
		"inactiveMin": {d.InactiveMin, leastDefaults.InactiveMin, mostDefaults.InactiveMin},
		"totalMin":    {d.TotalMin, leastDefaults.TotalMin, mostDefaults.TotalMin},
	} {
		if n.value != 0 && (n.value < n.least || n.value > n.most) {
			return c, badInput(name, strconv.Itoa(n.value))
		}
	}
	c.Times = mcphost.Times{Inactive: time.Duration(d.InactiveMin) * time.Minute, Total: time.Duration(d.TotalMin) * time.Minute}
	c.Authorities = nil
	if d.Transport == mcphost.HTTP {
		c.Authorities = filled(d.Authorities)
	}
	return c, nil
}

// conversation judges that part of a draft.
func (check *DraftCheck) conversation(d ServerDraft) {
	c, err := d.conversation(mcphost.Conversation{})
	var bad *failure
	if errors.As(err, &bad) {
		check.Problems = append(check.Problems, FieldProblem{bad.detail, "range", ""})
		return
	}
	found, err := authorities(c.Authorities)
	if err != nil {
		check.Problems = append(check.Problems, draftProblem(d.config(), err))
	}
	check.Authorities = found
}

// authorities reads files of certificates.
func authorities(files []string) ([]Authority, error) {
	all, err := mcphost.Authorities(files)
	out := []Authority{}
	for _, c := range all {
		out = append(out, Authority{Subject: c.Subject.String(), Until: stamp(c.NotAfter)})
	}
	return out, err
}

// converse keeps how a server is spoken to, if that is new.
func converse(ctx context.Context, e *Engine, id string, before, after mcphost.Conversation) error {
	if before.Era == after.Era && before.Times == after.Times && slices.Equal(before.Authorities, after.Authorities) {
		return nil
	}
	return e.Host.Converse(ctx, id, after)
}

// filled drops empty lines and the white space around the others.
func filled(lines []string) (out []string) {
	for _, l := range lines {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}

// AskEraAgain forgets which era a server belongs to; its next start asks it.
func (v *Servers) AskEraAgain(id string) (err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return err
	}
	return e.Host.AskEraAgain(ctx, id)
}
