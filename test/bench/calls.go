package main

// This file compares calls: G1 to G5 and G7.

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A size is a size of reply, how many calls a round makes of it, and what G1 and G2 allow.
type size struct {
	name           string
	bytes, calls   int
	ofSDK, ofFloor float64
}

var sizes = []size{
	{"100 B", 100, 400, 0.8, 6}, {"10 kB", 10_000, 200, 0.4, 12}, {"1 MB", 1_000_000, 20, 0.4, 10},
}

const rounds = 5

// typeScript are the official clients of the first and the second generation (test/servers/client.mjs). No goal speaks of
// them.
var typeScript = []string{"TypeScript v1", "TypeScript v2"}

// A series is what a client took in each round.
type series struct {
	p50, cpu, wall []float64
	all            []time.Duration
}

func (b *bench) calls(context.Context) (err error) {
	crew, err := b.hireAll(1, append([]string{"floor", "host", "ringed", "untraced", "sdk"}, typeScript...)...)
	defer func() { err = errors.Join(err, crew.dismiss()) }()
	if err != nil {
		return err
	}
	for _, s := range sizes {
		took, err := crew.rounds(order{Size: s.bytes, N: s.calls}, rounds)
		if err != nil {
			return err
		}
		host, sdk, floor, untraced := took["host"], took["sdk"], took["floor"], took["untraced"]
		b.table.ratio(goal{"G1", "call, " + s.name + ", p50, of the SDK's", s.ofSDK, false}, host.p50, sdk.p50, duration)
		b.table.ratio(goal{"G1", "call, " + s.name + ", CPU, of the SDK's", s.ofSDK, false}, host.cpu, sdk.cpu, duration)
		for _, name := range typeScript {
			b.table.ratio(goal{id: "G1", what: "call, " + s.name + ", p50, of " + name + "'s"}, host.p50, took[name].p50, duration)
			b.table.ratio(goal{id: "G1", what: "call, " + s.name + ", CPU, of " + name + "'s"}, host.cpu, took[name].cpu, duration)
		}
		b.table.ratio(goal{"G2", "call, " + s.name + ", p50, of the pipe's", s.ofFloor, false}, host.p50, floor.p50, duration)
		b.table.ratio(goal{"G4", "call, " + s.name + ", p99, of the SDK's", 0.6, false}, host.p99(), sdk.p99(), duration)
		b.table.ratio(goal{"G4", "call, " + s.name + ", p50, of that without a trace", 1.05, false}, host.p50, untraced.p50, duration)
		b.table.ratio(goal{"G4", "call, " + s.name + ", p50, with the window's ring", 1.05, false}, took["ringed"].p50, untraced.p50, duration)
	}
	const n = 3000
	took, err := crew.rounds(order{Size: 100, N: n, Width: inFlight}, rounds)
	if err != nil {
		return err
	}
	rate := func(s *series) (perSecond []float64) {
		for _, wall := range s.wall {
			perSecond = append(perSecond, n*1e9/wall)
		}
		return perSecond
	}
	what := fmt.Sprintf("%d in flight, 100 B, of the SDK's", inFlight)
	b.table.ratio(goal{"G3", what, 3, true}, rate(took["host"]), rate(took["sdk"]), perSecond)
	for _, name := range typeScript {
		what := fmt.Sprintf("%d in flight, 100 B, of %s's", inFlight, name)
		b.table.ratio(goal{id: "G3", what: what}, rate(took["host"]), rate(took[name]), perSecond)
	}
	return nil
}

// large is G5. The memory is that of fresh processes: each keeps what it once had.
func (b *bench) large(context.Context) (err error) {
	crew, err := b.hireAll(1, "floor", "host", "sdk")
	defer func() { err = errors.Join(err, crew.dismiss()) }()
	if err != nil {
		return err
	}
	const calls = 3
	took, err := crew.rounds(order{Size: 10_000_000, N: calls}, 3)
	if err != nil {
		return err
	}
	b.table.ratio(goal{"G5", "call, 10 MB, p50, of the SDK's", 0.2, false}, took["host"].p50, took["sdk"].p50, duration)
	peak := map[string][]float64{}
	for _, name := range []string{"floor", "host", "sdk"} {
		fresh, err := b.hireAll(1, name)
		if err == nil {
			var r report
			r, err = fresh[0].do(order{Size: 10_000_000, N: calls})
			peak[name] = []float64{float64(r.Peak)}
		}
		if err = errors.Join(err, fresh.dismiss()); err != nil {
			return err
		}
	}
	b.table.ratio(goal{"G5", "call, 10 MB, peak memory, of the pipe's", 1.6, false}, peak["host"], peak["floor"], megabytes)
	b.table.ratio(goal{"G5", "call, 10 MB, peak memory, of the SDK's", 1, false}, peak["host"], peak["sdk"], megabytes)
	return nil
}

// lists is G7: a first connection to a server with many tools, consent and trusted definitions included.
func (b *bench) lists(context.Context) error {
	const tools = 10_000
	ask := exec.Command(b.echo, strconv.Itoa(tools))
	ask.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n")
	list, err := ask.Output()
	if err != nil {
		return err
	}
	wall, growth := map[string][]float64{}, map[string][]float64{}
	for range 3 {
		for _, name := range []string{"host", "sdk"} {
			few, err := b.hireAll(1, name)
			if err = errors.Join(err, few.dismiss()); err != nil {
				return err
			}
			many, err := b.hireAll(tools, name)
			if err = errors.Join(err, many.dismiss()); err != nil {
				return err
			}
			wall[name] = append(wall[name], float64(many[0].first.Wall))
			growth[name] = append(growth[name], float64(many[0].first.Memory-few[0].first.Memory))
		}
	}
	b.table.ratio(goal{"G7", "10,000 tools, of the SDK's", 0.12, false}, wall["host"], wall["sdk"], duration)
	sent := slices.Repeat([]float64{float64(len(list))}, len(growth["host"]))
	b.table.ratio(goal{"G7", "10,000 tools, memory growth, of the JSON", 2, false}, growth["host"], sent, megabytes)
	return nil
}

// A crew are clients that take turns.
type crew []*worker

func (b *bench) hireAll(tools int, names ...string) (c crew, err error) {
	for _, name := range names {
		w, err := b.hire(name, tools)
		if w != nil && w.cmd.Process != nil {
			c = append(c, w)
		}
		if err != nil {
			return c, err
		}
	}
	return c, nil
}

func (c crew) dismiss() error {
	var errs []error
	for _, w := range c {
		errs = append(errs, w.dismiss())
	}
	return errors.Join(errs...)
}

// rounds gives every client the order in turn, once to warm up and then n times.
func (c crew) rounds(o order, n int) (map[string]*series, error) {
	took := map[string]*series{}
	for _, w := range c {
		took[w.name] = &series{}
		if _, err := w.do(order{Size: o.Size, N: max(1, o.N/10), Width: o.Width}); err != nil {
			return nil, err
		}
	}
	for range n {
		for _, w := range c {
			r, err := w.do(o)
			if err != nil {
				return nil, err
			}
			took[w.name].add(r, o)
		}
	}
	return took, nil
}

func (s *series) add(r report, o order) {
	s.cpu = append(s.cpu, float64(r.CPU)/float64(o.N))
	s.wall = append(s.wall, float64(r.Wall))
	s.all = append(s.all, r.Calls...)
	if r.Calls != nil {
		s.p50 = append(s.p50, float64(quantile(r.Calls, 0.5)))
	}
}

// p99 is over all rounds: one has too few calls.
func (s *series) p99() []float64 { return []float64{float64(quantile(s.all, 0.99))} }
