package main

// This file is many servers at once: G8.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"gatehouse/mcphost"
)

const (
	crowdSize = 100
	fewSize   = 10 // stubborn servers
)

// A crowdFloor starts many servers and asks each once.
type crowdFloor struct{ all []client }

func newCrowdFloor(ctx context.Context, s setup) (client, error) {
	c := &crowdFloor{all: make([]client, crowdSize)}
	return c, together(crowdSize, func(i int) (err error) {
		c.all[i], err = newFloor(ctx, s)
		return err
	})
}

func (c *crowdFloor) call(context.Context, int) error { return nil }

func (c *crowdFloor) close() error {
	return together(len(c.all), func(i int) error { return c.all[i].close() })
}

// A crowdHost has many servers in one host, each with its consent, its listed tools and its history.
type crowdHost struct{ *engine }

func newCrowdHost(ctx context.Context, s setup, n int) (client, error) {
	e, err := openEngine(ctx, filepath.Join(s.dir, "data"), mcphost.Options{})
	if err != nil {
		return nil, err
	}
	return crowdHost{e}, together(n, func(i int) error {
		_, err := e.start(ctx, fmt.Sprint("echo ", i), s.server)
		return err
	})
}

func (crowdHost) call(context.Context, int) error { return nil }

func (c crowdHost) close() error { return c.engine.close(context.Background()) }

func together(n int, do func(i int) error) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = do(i) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// crowd is G8: how long many servers take until all are ready, what each costs in the host, and how long after the order
// to quit the last of them is gone.
func (b *bench) crowd(context.Context) error {
	wall, memory := map[string][]float64{}, map[string][]float64{}
	var quit []float64
	for range 3 {
		for _, name := range []string{"crowd floor", "crowd host", "lone host"} {
			took, r, err := b.visit(name, "1")
			if err != nil {
				return err
			}
			wall[name], memory[name] = append(wall[name], float64(r.Wall)), append(memory[name], float64(r.Memory))
			if name == "crowd host" {
				quit = append(quit, float64(took))
			}
		}
	}
	took, _, err := b.visit("few hosts", "stubborn")
	if err != nil {
		return err
	}
	each := (median(memory["crowd host"]) - median(memory["lone host"])) / (crowdSize - 1)
	what := fmt.Sprint(crowdSize, " servers")
	b.table.ratio(goal{"G8", what + " ready, of starting them", 1.25, false}, wall["crowd host"], wall["crowd floor"], duration)
	b.table.figure(goal{"G8", what + ", memory in the host, each", 0.1e6, false}, each, megabytes)
	b.table.figure(goal{"G8", what + ", until none is left after quitting", 1e9, false}, median(quit), duration)
	b.table.figure(goal{"G8", fmt.Sprint(fewSize, " that end for SIGKILL only, until none is left"), 6e9, false}, float64(took), duration)
	return nil
}

// visit hires a client, lets it go at once, and returns how long it takes from then until no server of it is left.
func (b *bench) visit(name, how string) (time.Duration, report, error) {
	w, err := b.hireOn(name, b.echo, how)
	if err != nil {
		return 0, report{}, err
	}
	began := time.Now()
	err = w.dismiss()
	for deadline := began.Add(time.Minute); err == nil && b.isRunning(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			err = errors.New("a server is left")
		}
	}
	return time.Since(began), w.first, err
}

// isRunning reports whether any process is the server.
func (b *bench) isRunning() bool {
	all, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, exe := range all {
		if path, _ := os.Readlink(exe); path == b.echo {
			return true
		}
	}
	return false
}
