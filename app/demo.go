package app

// This file offers the built-in demo server, an ordinary server that happens to be this program.

import (
	"context"
	"errors"
	"slices"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

// DemoCommand is the command of this program that runs the demo server.
const DemoCommand = consent.DemoCommand

// AddDemo adds the demo server and returns its id, or the id of the one that is there. Nothing starts.
func (v *Servers) AddDemo() (id string, err error) {
	defer catch(&err)
	e, ctx, err := v.engine()
	if err != nil {
		return "", err
	}
	if v.self == "" {
		return "", errors.New("the path of this program is not known")
	}
	v.demo.Lock()
	defer v.demo.Unlock()
	return e.addDemo(ctx, v.self)
}

func (e *Engine) addDemo(ctx context.Context, self string) (string, error) {
	for _, s := range e.Host.Servers() {
		c := s.Config()
		if c.Transport == mcphost.Stdio && c.Command == self && slices.Equal(c.Args, []string{DemoCommand}) {
			return c.ID, nil
		}
	}
	c := mcphost.Config{ID: mcphost.NewID(), Name: e.Host.FreeName("Demo"), Transport: mcphost.Stdio, Command: self, Args: []string{DemoCommand}}
	return c.ID, e.add(ctx, c)
}
