package mcphost_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
)

// ACC A07: after a sleep each of ten remote servers is asked once, whoever asks for it how often meanwhile. Those that
// answer keep their session, in either era; one that has forgotten it, and one that cannot be reached any more, are
// connected anew. A call that a local server works on is left alone.
func TestWake(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	var most, now atomic.Int32
	jittered := make(chan struct{}) // closed when every probe has begun that may begin
	// probing sees the requests after the sleep; the connection of a dead one breaks off.
	probing := func(dead bool) func(http.Handler) http.Handler {
		return func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, err := io.ReadAll(r.Body)
				if err != nil {
					return
				}
				r.Body = io.NopCloser(bytes.NewReader(body))
				if bytes.Contains(body, []byte(`"method":"ping"`)) {
					most.Store(max(most.Load(), now.Add(1)))
					defer now.Add(-1)
					<-jittered
					if dead {
						panic(http.ErrAbortHandler)
					}
				}
				next.ServeHTTP(w, r)
			})
		}
	}
	var servers []*mcphost.Server
	var webs []*mcphosttest.HTTP
	for i := range 10 {
		sc, o := mcphosttest.Scenario{}, &mcphosttest.HTTPOptions{Intercept: probing(i == 9)}
		if i == 1 || i == 2 {
			sc.Era = mcphosttest.Modern
		}
		web := mcphosttest.NewHTTP(t, sc, o)
		s := h.addRemote(fmt.Sprint("remote ", i), web.URL)
		h.connect(s)
		servers, webs = append(servers, s), append(webs, web)
	}
	local := h.add("local", mcphosttest.Command(t, mcphosttest.Scenario{}))
	h.connect(local)
	opened := local.Snapshot().Since
	webs[8].Forget()
	time.AfterFunc(2100*time.Millisecond, func() { close(jittered) }) // too early hides a fault, and makes none
	var rounds sync.WaitGroup
	for range 3 {
		rounds.Go(func() { h.Wake(t.Context()) })
	}
	rounds.Wait()
	waitFor(t, "all are back", func() bool {
		for _, s := range servers {
			if s.Snapshot().Status != mcphost.StatusReady {
				return false
			}
		}
		return webs[9].Count(t, protocol.MethodInitialize) == 2 && webs[8].Count(t, protocol.MethodInitialize) == 2
	})
	for i, web := range webs[:8] {
		pings, discovers, opens := web.Count(t, protocol.MethodPing), web.Count(t, protocol.MethodDiscover), web.Count(t, protocol.MethodInitialize)
		if modern := i == 1 || i == 2; modern && (discovers != 2 || pings != 0) || !modern && (pings != 1 || opens != 1) {
			t.Errorf("server %d: %d pings, %d discoveries, opened %d times", i, pings, discovers, opens)
		}
	}
	if n := most.Load(); n != 4 {
		t.Errorf("%d were asked at a time", n)
	}
	if snap := servers[9].Snapshot(); snap.Crashes != 0 {
		t.Errorf("a sleep counts as a crash: %+v", snap)
	}
	if s := local.Snapshot(); s.Status != mcphost.StatusReady || !s.Since.Equal(opened) {
		t.Errorf("the local server: %s since %v", s.Status, s.Since)
	}
}

// A server that was given up because it could not be reached is tried again when the network is back, and one that nobody
// has approved is not.
func TestWakeTriesAgain(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	var down atomic.Bool
	web := mcphosttest.NewHTTP(t, mcphosttest.Scenario{}, &mcphosttest.HTTPOptions{Intercept: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if down.Load() {
				panic(http.ErrAbortHandler)
			}
			next.ServeHTTP(w, r)
		})
	}})
	s := h.addRemote("s", web.URL)
	down.Store(true)
	if err := s.Connect(t.Context(), you); err == nil {
		t.Fatal("connected")
	}
	asked := len(h.requests())
	down.Store(false)
	h.Wake(t.Context())
	waitFor(t, "it is back", func() bool { return s.Snapshot().Status == mcphost.StatusReady })
	if n := len(h.requests()) - asked; n != 0 {
		t.Errorf("%d questions more", n)
	}
}

// A jump of the wall clock by more than 30 s is a sleep; one by exactly as much, one back, and time that only passes are not.
func TestWatchClock(t *testing.T) {
	for jump, want := range map[time.Duration]int{30 * time.Second: 0, 30*time.Second + 1: 1, -time.Hour: 0, 8 * time.Hour: 1} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			var ahead atomic.Int64
			woke, done := 0, make(chan struct{})
			go func() {
				defer close(done)
				mcphost.WatchClock(ctx, func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }, func() { woke++ })
			}()
			time.Sleep(time.Hour)
			ahead.Store(int64(jump))
			time.Sleep(time.Hour)
			cancel()
			<-done
			if woke != want {
				t.Errorf("a jump of %v: woke %d times", jump, woke)
			}
		})
	}
}
