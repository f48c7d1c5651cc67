package app

// This file stores what the form of a server holds, and its secrets.

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

// saveDraft stores a draft under id, or under a new one if id is "". Values marked secret go to the keyring first;
// if that fails, nothing else changes. The secrets of a new server that is not stored after all are forgotten.
func saveDraft(ctx context.Context, e *Engine, id string, d ServerDraft) (string, error) {
	c := d.config()
	if c.Name == "" || utf8.RuneCountInString(c.Name) > maxName {
		return "", badInput("name", d.Name)
	}
	if c.Transport != mcphost.Stdio && c.Transport != mcphost.HTTP {
		return "", badInput("transport", d.Transport)
	}
	if other, err := e.Host.ServerNamed(c.Name); err == nil && other.ID() != id {
		return "", &failure{"name-taken", c.Name, errors.New("another server has this name")}
	}
	fresh := id == ""
	if fresh {
		id = mcphost.NewID()
	} else if s, err := e.Host.Server(id); err != nil {
		return "", err
	} else {
		c.Disabled, c.Conversation = s.Config().Disabled, s.Config().Conversation
	}
	c.ID = id
	before := c.Conversation
	var err error
	if c.Conversation, err = d.conversation(before); err != nil {
		return "", err
	}
	if c.Transport == mcphost.HTTP {
		c.Headers, err = keep(ctx, e, id, "headers", d.Headers)
	} else {
		c.Env, err = keep(ctx, e, id, "env", d.Env)
	}
	switch {
	case err == nil && fresh:
		err = e.add(ctx, c)
	case err == nil:
		if err = e.Host.Update(ctx, c); err == nil {
			err = converse(ctx, e, id, before, c.Conversation)
		}
	}
	if err != nil && fresh {
		err = errors.Join(err, forget(ctx, e, c))
	}
	return id, err
}

func forget(ctx context.Context, e *Engine, c mcphost.Config) error {
	var errs []error
	for _, v := range slices.Concat(c.Env, c.Headers) {
		if key, ok := strings.CutPrefix(v.Ref, "keyring:"); ok {
			errs = append(errs, e.Secrets.DeleteSecret(ctx, key))
		}
	}
	return errors.Join(errs...)
}

// keep puts the secrets of a draft's variables into the keyring and returns the variables with references to them, on
// error those that were kept so far.
func keep(ctx context.Context, e *Engine, id, field string, vars []Variable) ([]consent.Var, error) {
	var out []consent.Var
	for _, v := range vars {
		cv := consent.Var{Name: v.Name, Value: v.Value, Ref: v.Ref}
		if v.Secret != "" {
			key := mcphost.SecretKey(id, field, v.Name)
			if err := e.Secrets.PutSecret(ctx, key, v.Secret); err != nil {
				return out, &failure{"secret-not-kept", v.Name, err}
			}
			cv.Value, cv.Ref = "", "keyring:"+key
		}
		if cv.Ref != "" && cv.Ref != "keyring:"+mcphost.SecretKey(id, field, v.Name) && !strings.HasPrefix(cv.Ref, "env:") {
			return out, badInput(field+"."+v.Name, cv.Ref)
		}
		out = append(out, cv)
	}
	return out, nil
}
