//go:build unix

package transport

// This file is the guardian: a process of its own that ends the servers when the app dies, however it dies (SEC A12).
//
// It reads lines: "+COOKIE PGID START" makes a tree known (PGID 0: about to be started), "-COOKIE" forgets it. The
// app holds the only writing end of its input. When that closes, whatever is still known is ended.

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"
)

const guardianReady = "gatehouse guardian ready"

// How long the guardian waits after SIGTERM, and how long it keeps on killing. Together less than 5 s.
const (
	guardianTerm = 2 * time.Second
	guardianKill = 2 * time.Second
)

// RunGuardian is the whole of the guardian process: it says on stdout that it is ready, reads what the app's
// [Supervisor] tells it, and when in ends, ends every server that is left, within 5 s. Signals meant for the app
// (Ctrl-C, hang-up) do not move it.
func RunGuardian(in io.Reader) error {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGPIPE)
	if _, err := fmt.Println(guardianReady); err != nil {
		return fmt.Errorf("guardian: %w", err)
	}
	trees := map[string]tree{}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		line := lines.Text()
		if cookie, ok := strings.CutPrefix(line, "-"); ok {
			delete(trees, cookie)
		} else if t, err := parseTree(strings.TrimPrefix(line, "+")); err == nil {
			trees[t.cookie] = t
		}
	}
	var wg sync.WaitGroup
	for _, t := range trees {
		wg.Go(func() { t.end(guardianTerm, guardianKill) })
	}
	wg.Wait()
	return lines.Err()
}

// parseTree reads the form that tree.String writes.
func parseTree(line string) (tree, error) {
	var t tree
	if _, err := fmt.Sscanf(line, "%s %d %s", &t.cookie, &t.pgid, &t.start); err != nil {
		return tree{}, err
	}
	if len(t.cookie) < 16 || t.pgid < 0 || t.pgid == 1 {
		return tree{}, errors.New("no process group of ours")
	}
	return t, nil
}
