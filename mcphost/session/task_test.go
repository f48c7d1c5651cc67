package session_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

const times = `"createdAt":"2026-01-02T03:04:05Z","lastUpdatedAt":"2026-01-02T03:04:06Z"`

// state is a task "t" in the members of both dialects; more are further members.
func state(status, more string) mcphosttest.Raw {
	return mcphosttest.Raw(fmt.Sprintf(`{"taskId":"t","status":%q,%s%s}`, status, times, more))
}

// A tasked server answers tools/call with a task, and tasks/get with these states, the last one ever after.
func tasked(era string, created mcphosttest.Raw, states ...mcphosttest.Raw) mcphosttest.Scenario {
	if era == mcphosttest.Modern {
		created = `{"resultType":"task",` + created[1:]
	} else {
		created = `{"task":` + created + `}`
	}
	turns := make([][]mcphosttest.Action, len(states))
	for i, s := range states {
		turns[i] = []mcphosttest.Action{mcphosttest.Result(s)}
	}
	return mcphosttest.Scenario{
		Era:          era,
		Capabilities: `{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}},"extensions":{"io.modelcontextprotocol/tasks":{}}}`,
		Tools:        []mcphosttest.Tool{tool("slow", mcphosttest.Result(created))},
		On: map[string][]mcphosttest.Action{
			protocol.MethodTasksGet:    {mcphosttest.Turns(turns...)},
			protocol.MethodTasksResult: {mcphosttest.Result(`{"content":[{"type":"text","text":"done"}],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t"}}}`)},
			protocol.MethodTasksUpdate: {mcphosttest.Result(`{}`)},
		},
	}
}

const (
	forever = `,"ttl":null,"ttlMs":null`
	done    = `,"ttl":null,"ttlMs":null,"result":{"content":[{"type":"text","text":"done"}]}`
	brief   = `,"ttl":60000,"ttlMs":60000`
)

func quickly(ms int) string { return fmt.Sprintf(`,"pollInterval":%d,"pollIntervalMs":%d`, ms, ms) }

// statuses notes the states of a task as they are told.
type statuses struct {
	mu   sync.Mutex
	list []string
}

func (s *statuses) add(t protocol.Task) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, t.Status)
}

func (s *statuses) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.list, " ")
}

func asTask(seen *statuses) session.CallOptions {
	return session.CallOptions{
		ID: "call", Task: &protocol.TaskMetadata{TTL: new(int64(3_600_000))},
		Became: func(t protocol.Task) error { seen.add(t); return nil }, Status: seen.add,
	}
}

var eras = []string{mcphosttest.Legacy, mcphosttest.Modern}

// inBubble runs a test with an open session in both eras, with a clock of its own.
func inBubble(t *testing.T, scenario func(era string) mcphosttest.Scenario, o session.Options, test func(*testing.T, string, *session.Session, *mcphosttest.Stream)) {
	t.Helper()
	for _, era := range eras {
		t.Run("era "+era, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := o
				o.Offer.Tasks = true
				s, stream := open(t, scenario(era), &o)
				test(t, era, s, stream)
			})
		})
	}
}

// A task is polled at the interval that the server names, and its result is the call's.
func TestTaskIsFollowed(t *testing.T) {
	inBubble(t, func(era string) mcphosttest.Scenario {
		return tasked(era, state("working", forever+quickly(2000)), state("working", forever+quickly(100)+`,"statusMessage":"half"`), state("completed", done))
	}, session.Options{}, func(t *testing.T, era string, s *session.Session, stream *mcphosttest.Stream) {
		if s.TaskCalls() != (era == mcphosttest.Legacy) {
			t.Errorf("TaskCalls = %v", s.TaskCalls())
		}
		var seen statuses
		began := time.Now()
		result, err := s.CallTool(t.Context(), "slow", nil, asTask(&seen))
		if err != nil || result.Content[0].Text != "done" || result.Task != nil {
			t.Fatalf("%+v, %v", result, err)
		}
		if took := time.Since(began); took != 2500*time.Millisecond { // 2 s as wished, then the floor
			t.Errorf("it took %v", took)
		}
		if seen.String() != "working working completed" {
			t.Errorf("states %s", &seen)
		}
		call := stream.Of(t, protocol.MethodToolsCall)[0]
		if asked := strings.Contains(call, `"task":{"ttl":3600000}`); !asked {
			t.Errorf("sent %s", call)
		}
		results := stream.Count(t, protocol.MethodTasksResult)
		if want := map[string]int{mcphosttest.Legacy: 1, mcphosttest.Modern: 0}[era]; results != want {
			t.Errorf("%d tasks/result", results)
		}
	})
}

// Without an interval polls are five seconds apart; neither silence nor the usual total ends a task that the server
// keeps answering for.
func TestTaskOutlivesTheClocks(t *testing.T) {
	inBubble(t, func(era string) mcphosttest.Scenario {
		return tasked(era, state("working", forever), state("working", forever), state("working", forever), state("working", forever+quickly(120_000)))
	}, session.Options{}, func(t *testing.T, era string, s *session.Session, stream *mcphosttest.Stream) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Hour)
		defer cancel()
		if _, err := s.CallTool(ctx, "slow", nil, asTask(new(statuses))); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		if n := stream.Count(t, protocol.MethodTasksGet); n != 3+59 {
			t.Errorf("%d polls in two hours", n)
		}
		o := asTask(new(statuses))
		o.Total = time.Minute
		if _, err := s.CallTool(t.Context(), "slow", nil, o); !errors.Is(err, session.ErrTotal) {
			t.Errorf("a total of its own: %v", err)
		}
		if n := stream.Count(t, protocol.NotificationCancelled); n != 0 && era == mcphosttest.Legacy { // modern: of subscriptions
			t.Errorf("notifications/cancelled was sent for a task")
		}
	})
}

// A task that is not done when its granted time is over is polled once more and is lost then; one that is done counts.
func TestTaskExpires(t *testing.T) {
	for _, c := range []struct {
		ttl   string
		after time.Duration
	}{
		{`60000`, time.Minute}, {`0`, 500 * time.Millisecond}, {`1`, 500 * time.Millisecond},
	} {
		for last, lost := range map[string]bool{"working": true, "completed": false} {
			inBubble(t, func(era string) mcphosttest.Scenario {
				life := `,"ttl":` + c.ttl + `,"ttlMs":` + c.ttl + quickly(3_600_000)
				return tasked(era, state("working", life), state(last, life+`,"result":{"content":[]}`))
			}, session.Options{Limits: session.Limits{Inactive: 10 * time.Hour}}, func(t *testing.T, _ string, s *session.Session, stream *mcphosttest.Stream) {
				began := time.Now()
				_, err := s.CallTool(t.Context(), "slow", nil, asTask(new(statuses)))
				if errors.Is(err, session.ErrTaskLost) != lost || !lost && err != nil {
					t.Errorf("ttl %s, %s: %v", c.ttl, last, err)
				}
				if took := time.Since(began); took != c.after || stream.Count(t, protocol.MethodTasksGet) != 1 {
					t.Errorf("ttl %s: after %v, %d polls", c.ttl, took, stream.Count(t, protocol.MethodTasksGet))
				}
			})
		}
	}
}

// A time to live that is none, and one beyond all measure, mean that the task does not expire.
func TestTaskOddTimesToLive(t *testing.T) {
	for _, ttl := range []string{`-1`, `"soon"`, `1e300`, `9007199254740993`} {
		inBubble(t, func(era string) mcphosttest.Scenario {
			life := `,"ttl":` + ttl + `,"ttlMs":` + ttl
			return tasked(era, state("working", life), state("working", life), state("completed", done))
		}, session.Options{}, func(t *testing.T, _ string, s *session.Session, _ *mcphosttest.Stream) {
			if _, err := s.CallTool(t.Context(), "slow", nil, asTask(new(statuses))); err != nil {
				t.Errorf("ttl %s: %v", ttl, err)
			}
		})
	}
}

// However often a server tells a state, it is taken over twice a second; the news of the end at once.
func TestTaskNotifications(t *testing.T) {
	for _, era := range eras {
		synctest.Test(t, func(t *testing.T) {
			method := map[string]string{mcphosttest.Legacy: protocol.NotificationTaskStatus, mcphosttest.Modern: protocol.NotificationTasks}[era]
			sc := tasked(era, state("working", forever+quickly(600_000)))
			var flood []mcphosttest.Action
			if era == mcphosttest.Modern {
				flood = append(flood, mcphosttest.Await(protocol.MethodSubscriptionsListen), mcphosttest.Await("flood"))
			}
			for i := range 300 {
				flood = append(flood, mcphosttest.Notify(method, state("working", forever+fmt.Sprintf(`,"statusMessage":"%d"`, i))))
			}
			sc.Tools[0].Do = append(sc.Tools[0].Do, flood...)
			sc.Tools = append(sc.Tools, tool("finish", mcphosttest.Notify(method, state("completed", done)), mcphosttest.Text("ok")), tool("flood"))
			s, stream := open(t, sc, &session.Options{Offer: session.Offer{Tasks: true}, Limits: session.Limits{Inactive: 24 * time.Hour}})
			var seen statuses
			ended := make(chan error)
			began := time.Now()
			go func() {
				result, err := s.CallTool(t.Context(), "slow", nil, asTask(&seen))
				if err == nil && result.Content[0].Text != "done" {
					err = errors.New("another result")
				}
				ended <- err
			}()
			time.Sleep(400 * time.Millisecond)
			if era == mcphosttest.Legacy && seen.String() != "working" {
				t.Errorf("taken over at once: %s", &seen)
			}
			time.Sleep(time.Second)
			if _, err := s.CallTool(t.Context(), "finish", nil, session.CallOptions{}); err != nil {
				t.Fatal(err)
			}
			if err := <-ended; err != nil {
				t.Error(err)
			}
			if took := time.Since(began); took != 1400*time.Millisecond || stream.Count(t, protocol.MethodTasksGet) != 0 {
				t.Errorf("%q: after %v with %d polls", era, took, stream.Count(t, protocol.MethodTasksGet))
			}
			if era == mcphosttest.Modern && !strings.Contains(stream.Of(t, protocol.MethodSubscriptionsListen)[0], `"taskIds":["t"]`) {
				t.Errorf("listened to %s", stream.Of(t, protocol.MethodSubscriptionsListen)[0])
			}
			if n := len(strings.Fields(seen.String())); n > 4 {
				t.Errorf("%q: %d states were taken over", era, n)
			}
		})
	}
}

// How tasks end other than well.
func TestTaskEnds(t *testing.T) {
	var (
		lost      = func(err error) bool { return errors.Is(err, session.ErrTaskLost) }
		cancelled = func(err error) bool {
			var e *session.TaskError
			return errors.As(err, &e) && strings.Contains(err.Error(), "no time")
		}
		answered = func(err error) bool {
			var e *jsonrpc.Error
			return errors.As(err, &e) && e.Code == -32050
		}
		invalid = func(err error) bool {
			var e *jsonrpc.InvalidResponseError
			return errors.As(err, &e)
		}
	)
	working := state("working", forever)
	fail := func(code int) []mcphosttest.Action { return []mcphosttest.Action{mcphosttest.Fail(code, "oh")} }
	for name, c := range map[string]struct {
		states []mcphosttest.Raw
		on     map[string][]mcphosttest.Action
		is     func(error) bool
	}{
		"unknown":                  {nil, map[string][]mcphosttest.Action{"tasks/get": fail(-32602)}, lost},
		"no tasks any more":        {nil, map[string][]mcphosttest.Action{"tasks/get": fail(-32601)}, lost},
		"errors for ever":          {nil, map[string][]mcphosttest.Action{"tasks/get": fail(-32050)}, answered},
		"the state of another":     {[]mcphosttest.Raw{`{"taskId":"other","status":"completed",` + times + done + `}`}, nil, invalid},
		"no state":                 {[]mcphosttest.Raw{`{}`}, nil, invalid},
		"cancelled":                {[]mcphosttest.Raw{state("cancelled", forever+`,"statusMessage":"no time"`)}, nil, cancelled},
		"failed":                   {[]mcphosttest.Raw{state("failed", forever+`,"error":{"code":-32050,"message":"oh"}`)}, map[string][]mcphosttest.Action{"tasks/result": fail(-32050)}, answered},
		"completed with nothing":   {[]mcphosttest.Raw{state("completed", forever)}, map[string][]mcphosttest.Action{"tasks/result": {mcphosttest.Result(`[]`)}}, invalid},
		"the result of another":    {[]mcphosttest.Raw{state("completed", forever)}, map[string][]mcphosttest.Action{"tasks/result": {mcphosttest.Result(`{"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"other"}}}`)}}, invalid},
		"a state that there isn't": {[]mcphosttest.Raw{state("confused", forever), state("cancelled", forever+`,"statusMessage":"no time"`)}, nil, cancelled},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(era string) mcphosttest.Scenario {
				sc := tasked(era, working, append(c.states, state("completed", done))[:max(len(c.states), 1)]...)
				for method, actions := range c.on {
					sc.On[method] = actions
				}
				return sc
			}, session.Options{}, func(t *testing.T, era string, s *session.Session, _ *mcphosttest.Stream) {
				if result, err := s.CallTool(t.Context(), "slow", nil, asTask(new(statuses))); !c.is(err) {
					t.Errorf("%+v, %v", result, err)
				}
			})
		})
	}
}

// Two failures in a row pass; the third does not.
func TestTaskPollsMayFail(t *testing.T) {
	for failures, ok := range map[int]bool{2: true, 3: false} {
		synctest.Test(t, func(t *testing.T) {
			sc := tasked(mcphosttest.Legacy, state("working", forever))
			fail := []mcphosttest.Action{mcphosttest.Fail(-32050, "busy")}
			turns := [][]mcphosttest.Action{fail, fail, fail}[:failures]
			sc.On[protocol.MethodTasksGet] = []mcphosttest.Action{mcphosttest.Turns(append(turns, []mcphosttest.Action{mcphosttest.Result(state("completed", done))})...)}
			s, _ := open(t, sc, nil)
			if _, err := s.CallTool(t.Context(), "slow", nil, asTask(new(statuses))); (err == nil) != ok {
				t.Errorf("%d failures: %v", failures, err)
			}
		})
	}
}

// Progress of a call that has become a task still comes under its token.
func TestTaskProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// The first poll lets it come; by the second, a bubble's second later, it has come.
		sc := tasked(mcphosttest.Legacy, state("working", forever), state("working", forever), state("completed", done))
		sc.Tools[0].Do = append(sc.Tools[0].Do, mcphosttest.Await(protocol.MethodTasksGet), mcphosttest.Progress(1, "half"))
		sc.On[protocol.MethodTasksResult] = append([]mcphosttest.Action{mcphosttest.Notify("notifications/message", `{"level":"info","data":1}`)}, sc.On[protocol.MethodTasksResult]...)
		s, _ := open(t, sc, nil)
		var progress []string
		o := asTask(new(statuses))
		o.Progress = func(p protocol.ProgressParams) { progress = append(progress, p.Message) }
		if _, err := s.CallTool(t.Context(), "slow", nil, o); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if strings.Join(progress, " ") != "half" {
			t.Errorf("progress %q", progress)
		}
	})
}
