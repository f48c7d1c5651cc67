package app

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"gatehouse/mcphost"
)

func TestShowComesForwardUntilItCloses(t *testing.T) {
	d := newDesk(Window{Log: slog.New(slog.DiscardHandler), Open: func(context.Context, func()) (*Engine, error) {
		return nil, errors.New("no engine")
	}})
	g := &glass{}
	d.frame = g
	shown := make(chan error)
	go func() { shown <- d.show() }() // it waits for the window
	d.start(t.Context())
	if err := <-shown; err != nil || !g.has("present") {
		t.Errorf("show: %v, did %v", err, g.did)
	}
	d.stop()
	if err := d.show(); !errors.Is(err, mcphost.ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}
