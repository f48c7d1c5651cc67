package app

// This file notices that the machine has slept, or that its network has come back: the engine then looks after the
// servers that may have been lost (ACC A07).

import (
	"context"
	"time"

	"gatehouse/app/desktop"
	"gatehouse/mcphost"
)

// watchSleep sets asleep.
func (d *desk) watchSleep(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	host, log := d.eng.Host, d.log
	woke := make(chan struct{}, 1)
	wake := func() {
		select {
		case woke <- struct{}{}:
		default: // another round is to come
		}
	}
	d.running.start(func() { mcphost.WatchClock(ctx, time.Now, wake) })
	d.running.start(func() {
		for {
			select {
			case <-woke:
				host.Wake(ctx)
			case <-ctx.Done():
				return
			}
		}
	})
	stop, err := desktop.WatchWakes(wake)
	if err != nil {
		log.DebugContext(ctx, "the clock alone tells of a sleep", "error", err)
	}
	d.asleep = func() {
		if stop != nil {
			stop()
		}
		cancel()
	}
}
