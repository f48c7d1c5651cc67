// Bench compares Gatehouse with what it is measured by, side by side in one run on one server, and prints one table:
// how long and how much, the ratio, the goal, and whether it is met. The goals are targets; nothing fails here but what
// does not work. "make bench" builds what it needs and runs it.
//
//	bench -bin DIR -desktop SCRIPT -inspector DIR -servers DIR [GOAL...]
//
// This is a module of its own: the SDK that is measured beside Gatehouse is no dependency of the app.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"gatehouse/mcphost/transport"
)

func main() {
	log.SetFlags(0)
	if err := run(context.Background(), os.Args[1:]); err != nil {
		log.Fatal("bench: ", err)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) > 0 {
		switch args[0] { // this program is its own child
		case guardian:
			return transport.RunGuardian(os.Stdin)
		case "client":
			stop, err := profile(args[1])
			if err != nil {
				return err
			}
			defer stop()
			return work(ctx, args[1], setup{dir: args[2], server: args[3:]}, os.Stdin, os.Stdout)
		case "windows":
			return watchWindows(args[1], args[2], args[3], args[4])
		}
	}
	return compare(ctx, args)
}

// profile writes where a client spends its time to a file in $BENCH_PROFILES, if that is set.
func profile(client string) (stop func(), err error) {
	dir := os.Getenv("BENCH_PROFILES")
	if dir == "" {
		return func() {}, nil
	}
	f, err := os.CreateTemp(dir, client+"-*.pprof")
	if err != nil {
		return nil, err
	}
	return pprof.StopCPUProfile, pprof.StartCPUProfile(f)
}

// A bench is one run of the comparison.
type bench struct {
	dir       string // temporary
	self      string // this program
	echo      string // the server
	empty     string // the empty Wails app
	gatehouse string // the window that ships
	terminal  string // the headless twin
	desktop   string // the script test/desktop
	inspector string // where the Inspector is installed
	servers   string // where the official TypeScript clients are
	address   string // of the server over HTTP, while it runs
	table     table
}

func compare(ctx context.Context, args []string) (err error) {
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	bin := flags.String("bin", "../../build/bin", "where the programs are")
	desktop := flags.String("desktop", "../desktop", "the script that runs a command on a desktop of its own")
	inspector := flags.String("inspector", "inspector", "where the Inspector is installed")
	servers := flags.String("servers", "../servers", "where the official TypeScript clients are installed")
	if err := flags.Parse(args); err != nil {
		return err
	}
	b := &bench{}
	if b.self, err = os.Executable(); err != nil {
		return err
	}
	for path, from := range map[*string]string{
		&b.echo: *bin + "/bench-echo", &b.empty: *bin + "/bench-empty", &b.gatehouse: *bin + "/gatehouse",
		&b.terminal: *bin + "/gatehouse-cli", &b.desktop: *desktop, &b.inspector: *inspector, &b.servers: *servers,
	} {
		if *path, err = filepath.Abs(from); err != nil {
			return err
		}
	}
	if b.dir, err = os.MkdirTemp("", "gatehouse-bench"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	before, began := load(), time.Now()
	for _, part := range []struct {
		goals string
		run   func(context.Context) error
	}{
		{"G1 G2 G3 G4", b.calls}, {"G5", b.large}, {"G6", b.web}, {"G7", b.lists}, {"G8", b.crowd}, {"G11", b.terminals}, {"G12", b.windows},
	} {
		if wanted(part.goals, flags.Args()) {
			log.Printf("… %s", part.goals)
			if err := part.run(ctx); err != nil {
				return fmt.Errorf("%s: %w", part.goals, err)
			}
		}
	}
	b.table.print(os.Stdout)
	fmt.Printf("\n%d cores, load %s before and %s after, %.0f s. Ratios count: the machine is not quiet.\n",
		runtime.NumCPU(), before, load(), time.Since(began).Seconds())
	return nil
}

// wanted reports whether one of the goals was asked for; all are if none is named.
func wanted(goals string, named []string) bool {
	return len(named) == 0 || slices.ContainsFunc(strings.Fields(goals), func(g string) bool { return slices.Contains(named, g) })
}

// load is the machine's load average over one minute.
func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	one, _, _ := strings.Cut(string(text), " ")
	return one
}
