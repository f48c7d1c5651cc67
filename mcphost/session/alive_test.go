package session_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

// Pings that stay unanswered mean that the server is not well (N misses), until it answers again.
func TestKeepAlive(t *testing.T) {
	keep := func(t *testing.T, misses int, ping mcphosttest.Action) (*mcphosttest.Stream, chan bool) {
		states := make(chan bool, 99)
		_, stream := open(t, mcphosttest.Scenario{On: on(protocol.MethodPing, ping)}, &session.Options{
			Limits: session.Limits{Ping: time.Minute, PingMisses: misses}, Alive: func(alive bool) { states <- alive },
		})
		return stream, states
	}
	synctest.Test(t, func(t *testing.T) {
		_, states := keep(t, 2, mcphosttest.Silence())
		time.Sleep(149 * time.Second) // asked after 60 s and 120 s, given up 30 s later each
		synctest.Wait()
		if len(states) != 0 {
			t.Error("one miss counts already")
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if len(states) != 1 || <-states {
			t.Error("two misses do not count")
		}
	})
	synctest.Test(t, func(t *testing.T) {
		stream, states := keep(t, 1, mcphosttest.Fail(-32601, "no"))
		time.Sleep(time.Hour)
		if len(states) != 0 || stream.Count(t, protocol.MethodPing) < 59 {
			t.Error("an error is an answer")
		}
	})
}

// A silent call asks whether to wait on (ACC A16): yes goes on for as long again, progress withdraws the question, the
// total bound ends it whatever is said.
func TestOverdue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := open(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("silent", mcphosttest.Silence())}}, nil)
		asked := 0
		began := time.Now()
		_, err := s.CallTool(t.Context(), "silent", json.RawMessage(`{}`), session.CallOptions{Overdue: func(ctx context.Context) bool {
			asked++
			time.Sleep(time.Minute)
			return asked < 3
		}})
		if d := time.Since(began); !errors.Is(err, session.ErrInactive) || asked != 3 || d != 18*time.Minute {
			t.Errorf("%v after %v, asked %d times", err, d, asked)
		}
		began = time.Now()
		_, err = s.CallTool(t.Context(), "silent", json.RawMessage(`{}`), session.CallOptions{Overdue: func(ctx context.Context) bool {
			<-ctx.Done()
			return true
		}})
		if d := time.Since(began); !errors.Is(err, session.ErrTotal) || d != time.Hour {
			t.Errorf("%v after %v", err, d)
		}
	})
}

// A sleep of the machine is no silence of a call: its clock begins anew (ACC A07).
func TestWakeKeepsCallsAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := open(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("silent", mcphosttest.Silence())}}, nil)
		time.AfterFunc(4*time.Minute, s.Wake)
		began := time.Now()
		_, err := s.CallTool(t.Context(), "silent", json.RawMessage(`{}`), session.CallOptions{})
		if d := time.Since(began); !errors.Is(err, session.ErrInactive) || d != 9*time.Minute {
			t.Errorf("%v after %v", err, d)
		}
	})
}

// Progress every four minutes keeps a call alive past its limit; that of another call does not.
func TestProgressKeepsAlive(t *testing.T) {
	for token, want := range map[int]time.Duration{1: 25 * time.Minute, 99: 5 * time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			stream := &pulse{Stream: mcphosttest.NewStream(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("long", mcphosttest.Silence())}}), frames: make(chan []byte)}
			s, err := session.Open(t.Context(), stream, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			done := make(chan struct{})
			go func() {
				defer close(done)
				for i := range 5 {
					time.Sleep(4 * time.Minute)
					stream.frames <- fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%d,"progress":%d}}`, token, i)
				}
			}()
			began := time.Now()
			_, err = s.CallTool(t.Context(), "long", json.RawMessage(`{}`), session.CallOptions{})
			if d := time.Since(began); !errors.Is(err, session.ErrInactive) || d != want {
				t.Errorf("token %d: %v after %v, want %v", token, err, d, want)
			}
			<-done
		})
	}
}

// A pulse is a stream into which a test puts frames of its own.
type pulse struct {
	*mcphosttest.Stream
	frames chan []byte
}

func (p *pulse) Read(ctx context.Context) ([]byte, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type read struct {
		frame []byte
		err   error
	}
	got := make(chan read, 1)
	go func() {
		frame, err := p.Stream.Read(ctx)
		got <- read{frame, err}
	}()
	select {
	case f := <-p.frames:
		cancel()
		<-got
		return f, nil
	case r := <-got:
		return r.frame, r.err
	}
}
