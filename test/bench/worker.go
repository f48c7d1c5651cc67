package main

// This file is one client in a process of its own, so that its CPU time and memory are its own: it does what its
// standard input says, one order a line, and writes one report a line.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// inFlight is how many calls are under way at once where several are.
const inFlight = 64

// An order is N calls of replies of Size bytes, one after the other or Width at once.
type order struct{ Size, N, Width int }

// A report is what an order took. The first one, before any order, is about connecting and listing.
type report struct {
	Calls  []time.Duration // of each call; nil if they were made at once
	Wall   time.Duration
	CPU    time.Duration // user and system time of the client's process
	Memory int64         // its resident memory, bytes
	Peak   int64         // the most it has had
	Err    string
}

// work is the process of a client.
func work(ctx context.Context, name string, s setup, in io.Reader, out io.Writer) error {
	reports := json.NewEncoder(out)
	var c client
	first := measure(func() (err error) {
		c, err = clients[name](ctx, s)
		return err
	})
	if err := reports.Encode(first); err != nil || first.Err != "" {
		return errors.Join(err, errors.New(first.Err))
	}
	orders := json.NewDecoder(in)
	for {
		var o order
		if err := orders.Decode(&o); err == io.EOF {
			return c.close()
		} else if err != nil {
			return err
		}
		if err := reports.Encode(o.carryOut(ctx, c)); err != nil {
			return err
		}
	}
}

func (o order) carryOut(ctx context.Context, c client) report {
	if o.Width > 1 {
		return measure(func() error { return o.atOnce(ctx, c) })
	}
	calls := make([]time.Duration, o.N)
	r := measure(func() error {
		for i := range calls {
			began := time.Now()
			if err := c.call(ctx, o.Size); err != nil {
				return err
			}
			calls[i] = time.Since(began)
		}
		return nil
	})
	r.Calls = calls
	return r
}

func (o order) atOnce(ctx context.Context, c client) error {
	if f, ok := c.(*floor); ok {
		return f.pipeline(o.Size, o.N, o.Width)
	}
	var begun atomic.Int64
	errs := make([]error, o.Width)
	var wg sync.WaitGroup
	for i := range o.Width {
		wg.Go(func() {
			for errs[i] == nil && begun.Add(1) <= int64(o.N) {
				errs[i] = c.call(ctx, o.Size)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

func measure(do func() error) (r report) {
	cpu, began := cpuTime(), time.Now()
	if err := do(); err != nil {
		r.Err = err.Error()
	}
	r.Wall, r.CPU = time.Since(began), cpuTime()-cpu
	r.Memory, r.Peak = memory("self", "VmRSS"), memory("self", "VmHWM")
	return r
}

// cpuTime is what this process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // it has no other reason than wrong arguments
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// memory reads a value of /proc/PID/status, in bytes; 0 if the process is gone.
func memory(pid, key string) int64 {
	text, _ := os.ReadFile("/proc/" + pid + "/status")
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, key+":"); ok {
			kilobytes, _ := strconv.ParseInt(strings.Fields(value)[0], 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}

// A worker is the process of a client, seen from the one that compares them.
type worker struct {
	name   string
	cmd    *exec.Cmd
	orders io.WriteCloser
	out    *bufio.Reader
	first  report
}

// hire starts a client on a server with so many tools and waits until it has listed them.
func (b *bench) hire(name string, tools int) (*worker, error) {
	if strings.HasPrefix(name, "web ") {
		return b.hireOn(name, b.address)
	}
	return b.hireOn(name, b.echo, strconv.Itoa(tools))
}

// hireOn starts a client on a server: a command line, or an address.
func (b *bench) hireOn(name string, server ...string) (*worker, error) {
	dir, err := os.MkdirTemp(b.dir, name)
	if err != nil {
		return nil, err
	}
	argv := append([]string{b.self, "client", name, dir}, server...)
	if version, ok := strings.CutPrefix(strings.TrimPrefix(name, "web "), "TypeScript "); ok {
		argv = append([]string{"node", "--no-warnings", filepath.Join(b.servers, "client.mjs"), version}, server...)
	}
	w := &worker{name: name, cmd: exec.Command(argv[0], argv[1:]...)}
	w.cmd.Stderr = os.Stderr
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if w.orders, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := w.cmd.Start(); err != nil {
		return nil, err
	}
	w.out = bufio.NewReader(out)
	w.first, err = w.report()
	return w, err
}

func (w *worker) do(o order) (report, error) {
	if err := json.NewEncoder(w.orders).Encode(o); err != nil {
		return report{}, err
	}
	return w.report()
}

func (w *worker) report() (r report, err error) {
	line, err := w.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &r)
	}
	if err == nil && r.Err != "" {
		err = errors.New(r.Err)
	}
	if err != nil {
		err = fmt.Errorf("client %s: %w", w.name, err)
	}
	return r, err
}

func (w *worker) dismiss() error {
	err := errors.Join(w.orders.Close(), w.cmd.Wait())
	if err != nil {
		err = fmt.Errorf("client %s: %w", w.name, err)
	}
	return err
}
