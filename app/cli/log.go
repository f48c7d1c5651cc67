package cli

// This file tells what servers log, from the level of --log on.

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"gatehouse/mcphost"
	"gatehouse/mcphost/protocol"
)

// tellLog writes to stderr what servers log, until quiet is called; without --log nothing.
func (r *run) tellLog() (quiet func()) {
	if r.flags.log == "" {
		return func() {}
	}
	var mu sync.Mutex // guards told
	told := map[string]int64{}
	tell := func() {
		mu.Lock()
		defer mu.Unlock()
		for _, s := range r.engine.Host.Servers() {
			for _, line := range s.Log(told[s.ID()]) {
				told[s.ID()] = line.Seq
				if line.Stream == "log" && severity(line.Level) >= severity(r.flags.log) {
					fmt.Fprintln(r.Stderr, logText(s.Config().Name, line))
				}
			}
		}
	}
	stop := r.engine.Host.Subscribe(func(n mcphost.Numbered) {
		switch n.Event.(type) {
		case mcphost.LogAppended, mcphost.Gap:
			tell()
		}
	})
	return func() {
		stop()
		tell()
	}
}

// severity ranks a level; one that is none is told in any case.
func severity(level string) int {
	if i := slices.Index(protocol.Levels(), level); i >= 0 {
		return i
	}
	return len(protocol.Levels())
}

// logText is one message on one line: nothing in it can pass for another line, or for a word of ours.
func logText(server string, line mcphost.LogLine) string {
	who := oneLine(server) + " [" + oneLine(line.Level) + "]"
	if line.Logger != "" {
		who += " " + oneLine(line.Logger)
	}
	return who + ": " + oneLine(cmp.Or(line.Text, line.Data))
}
