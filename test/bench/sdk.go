package main

// This file is the official SDK's client, bare: no consent, no history, no trace.

import (
	"context"
	"errors"
	"os/exec"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type sdk struct{ session *mcp.ClientSession }

func newSDK(ctx context.Context, s setup) (client, error) {
	c := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	session, err := c.Connect(ctx, &mcp.CommandTransport{Command: exec.Command(s.server[0], s.server[1:]...)}, nil)
	if err != nil {
		return nil, err
	}
	_, err = session.ListTools(ctx, nil)
	return &sdk{session}, err
}

func (s *sdk) call(ctx context.Context, size int) error {
	r, err := s.session.CallTool(ctx, &mcp.CallToolParams{Name: "reply", Arguments: map[string]any{"size": size}})
	if err == nil && (r.IsError || len(r.Content) == 0) {
		err = errors.New("no reply")
	}
	return err
}

func (s *sdk) close() error { return s.session.Close() }
