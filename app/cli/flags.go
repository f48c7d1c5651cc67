package cli

// This file reads the command line and explains it.

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"gatehouse/mcphost/protocol"
)

// flags is a parsed command line.
type flags struct {
	command string
	args    []string // what follows the command
	help    bool
	json    bool
	task    bool

	config, dataDir, policy, trace, log string
	timeout                             time.Duration
}

// twoDashes rewrites what package flag says, to name flags as the help does.
var twoDashes = strings.NewReplacer(
	"flag provided but not defined: -", "unknown flag --", "flag needs an argument: -", "there is no value for --", "for flag -", "for --", "for -", "for --",
)

// A usageError is a command line that cannot be understood.
type usageError struct {
	command string // "" if not even that is known
	problem string
}

func (e *usageError) Error() string {
	return fmt.Sprintf("%s (see `%s`)", e.problem, strings.TrimSpace("gatehouse help "+e.command))
}

func (f *flags) set() *flag.FlagSet {
	set := flag.NewFlagSet("gatehouse", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.config, "config", "", "read the server from `FILE`, a JSON file with \"mcpServers\", and not from the stored ones")
	set.StringVar(&f.dataDir, "data-dir", "", "keep consents and history in `DIR`")
	set.BoolVar(&f.json, "json", f.json, "print one JSON document on stdout; everything else goes to stderr")
	set.BoolVar(&f.task, "task", false, "call: run it as a task of the server, if the tool lets the caller choose")
	set.StringVar(&f.policy, "policy", "", "let the rules in `FILE` answer; what they do not name is asked")
	set.DurationVar(&f.timeout, "timeout", 0, "give up connecting, or calling, after `D`: 500ms, 30s, 5m")
	set.StringVar(&f.trace, "trace", "", "write every frame to `FILE`, one JSON object a line")
	set.StringVar(&f.log, "log", "", "write what the server logs to stderr, from `LEVEL` on: debug, info, notice, warning, error …")
	return set
}

// parseFlags reads a command line. Flags may stand before, between and after the arguments; "--" ends them.
func parseFlags(args []string) (f flags, err error) {
	f.json = slices.Contains(args, "--json") || slices.Contains(args, "-json") // also if the rest makes no sense
	var words []string
	set := f.set()
	for rest := args; len(rest) > 0; {
		if err := set.Parse(rest); errors.Is(err, flag.ErrHelp) {
			f.help = true
			break
		} else if err != nil {
			return f, &usageError{f.command, twoDashes.Replace(err.Error())}
		}
		read := rest[:len(rest)-set.NArg()]
		if rest = set.Args(); len(read) > 0 && read[len(read)-1] == "--" {
			words = append(words, rest...)
			break
		}
		if len(rest) > 0 {
			words, rest = append(words, rest[0]), rest[1:]
		}
	}
	return f, f.assign(set, words)
}

// assign takes the words apart and checks that there are neither too few nor too many.
func (f *flags) assign(set *flag.FlagSet, words []string) error {
	if len(words) > 0 && words[0] == "help" {
		f.help, words = true, words[1:]
	}
	if len(words) > 0 {
		f.command, f.args = words[0], words[1:]
	}
	c, known := commands()[f.command]
	switch {
	case f.command == "" && f.help:
		return nil
	case f.command == "":
		return &usageError{"", "a command is missing"}
	case !known:
		unknown := f.command
		f.command = ""
		return &usageError{"", fmt.Sprintf("there is no command %q", unknown)}
	case f.help:
		return nil
	case len(f.args) < c.least:
		return &usageError{f.command, "too few arguments: gatehouse " + f.command + " " + c.synopsis}
	case len(f.args) > c.most:
		return &usageError{f.command, fmt.Sprintf("too many arguments, from %q on: gatehouse %s %s", f.args[c.most], f.command, c.synopsis)}
	}
	return f.checkValues(set)
}

func (f *flags) checkValues(set *flag.FlagSet) (err error) {
	set.Visit(func(given *flag.Flag) {
		switch {
		case given.Value.String() == "":
			err = &usageError{f.command, "--" + given.Name + " needs a value"}
		case given.Name == "timeout" && f.timeout <= 0:
			err = &usageError{f.command, "--timeout must be longer than nothing"}
		case given.Name == "log" && !slices.Contains(protocol.Levels(), f.log):
			err = &usageError{f.command, "--log must be one of " + strings.Join(protocol.Levels(), ", ")}
		}
	})
	return err
}

// usage is the help text, of one command or of all.
func usage(version, verb string) string {
	var b strings.Builder
	all := commands()
	if c, ok := all[verb]; ok {
		fmt.Fprintf(&b, "Usage: gatehouse %s %s [flags]\n\n%s", verb, c.synopsis, c.detail)
	} else {
		fmt.Fprintf(&b, "Gatehouse %s: a host for MCP servers. Nothing starts or runs without your consent.\n\nUsage:\n", version)
		fmt.Fprintf(&b, "  %-60s%s\n", "gatehouse", "open the window")
		for _, name := range slices.Sorted(maps.Keys(all)) {
			fmt.Fprintf(&b, "  %-60s%s\n", "gatehouse "+name+" "+all[name].synopsis, all[name].about)
		}
		fmt.Fprintf(&b, "  %-60s%s\n", "gatehouse help COMMAND", "say more about a command")
	}
	b.WriteString("\nFlags, before or after the arguments:\n")
	new(flags).set().VisitAll(func(f *flag.Flag) {
		value, text := flag.UnquoteUsage(f)
		fmt.Fprintf(&b, "  --%-16s%s\n", strings.TrimSpace(f.Name+" "+value), text)
	})
	b.WriteString(`
Exit codes:
  0    it worked
  1    the tool or the server answered with an error
  2    the command line, the configuration or the arguments are wrong, or there is no such server or tool
  3    consent was refused, could not be asked for or could not be recorded
  4    no connection, or it was lost, or it took too long
  130  interrupted
`)
	return b.String()
}
