package session_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

// Stopping a task is asked for, and is no notifications/cancelled; the server may have finished all the same.
func TestCancelTask(t *testing.T) {
	for end, ok := range map[string]bool{"cancelled": false, "completed": true} {
		inBubble(t, func(era string) mcphosttest.Scenario {
			sc := tasked(era, state("working", forever+quickly(600_000)), state(end, done))
			sc.On[protocol.MethodTasksCancel] = []mcphosttest.Action{mcphosttest.Result(state(end, done))}
			return sc
		}, session.Options{Limits: session.Limits{Inactive: 24 * time.Hour}}, func(t *testing.T, _ string, s *session.Session, stream *mcphosttest.Stream) {
			became, ended := make(chan struct{}), make(chan error)
			o := asTask(new(statuses))
			o.Became = func(protocol.Task) error { close(became); return nil }
			go func() {
				_, err := s.CallTool(t.Context(), "slow", nil, o)
				ended <- err
			}()
			<-became
			synctest.Wait()
			if err := s.CancelTask(t.Context(), "t"); err != nil {
				t.Fatal(err)
			}
			if err := <-ended; (err == nil) != ok {
				t.Errorf("%s: %v", end, err)
			}
			listens := stream.Count(t, protocol.MethodSubscriptionsListen) // one more task, one fewer: each is cancelled
			if stream.Count(t, protocol.MethodTasksCancel) != 1 || stream.Count(t, protocol.NotificationCancelled) > listens {
				t.Errorf("sent %s", methods(t, stream.Record))
			}
		})
	}
}

// A result that looks like a task without having been asked for is an ordinary one (2025-11-25), and two calls cannot
// become the same task.
func TestTaskThatIsNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sc := tasked(mcphosttest.Legacy, state("working", forever), state("working", forever))
		s, stream := open(t, sc, nil)
		result, err := s.CallTool(t.Context(), "slow", nil, session.CallOptions{})
		if err != nil || result.Task != nil || stream.Count(t, protocol.MethodTasksGet) != 0 {
			t.Errorf("%+v, %v", result, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = s.CallTool(ctx, "slow", nil, asTask(new(statuses))) })
		synctest.Wait()
		var invalid *jsonrpc.InvalidResponseError
		if _, err := s.CallTool(t.Context(), "slow", nil, asTask(new(statuses))); !errors.As(err, &invalid) {
			t.Errorf("error %v", err)
		}
		cancel()
		wg.Wait()
	})
	s, _ := open(t, tasked(mcphosttest.Modern, state("working", forever)), nil) // not offered
	var invalid *jsonrpc.InvalidResponseError
	if _, err := s.CallTool(t.Context(), "slow", nil, session.CallOptions{}); !errors.As(err, &invalid) {
		t.Errorf("error %v", err)
	}
}

// A task can be followed in another session, unless its time is over or the server has no tasks any more.
func TestResumeTask(t *testing.T) {
	inBubble(t, func(era string) mcphosttest.Scenario {
		return tasked(era, state("working", brief), state("working", brief), state("completed", done))
	}, session.Options{}, func(t *testing.T, _ string, s *session.Session, stream *mcphosttest.Stream) {
		var old protocol.Task
		if err := protocol.Decode(json.RawMessage(state("working", brief)), &old); err != nil {
			t.Fatal(err)
		}
		result, err := s.ResumeTask(t.Context(), old, time.Now(), session.CallOptions{ID: "call"})
		if err != nil || result.Content[0].Text != "done" || stream.Count(t, protocol.MethodToolsCall) != 0 {
			t.Errorf("%+v, %v", result, err)
		}
	})
	s, stream := open(t, mcphosttest.Scenario{}, nil)
	if _, err := s.ResumeTask(t.Context(), protocol.Task{ID: "t", Status: "working"}, time.Now(), session.CallOptions{}); !errors.Is(err, session.ErrTaskLost) || stream.Count(t, protocol.MethodTasksGet) != 0 {
		t.Errorf("error %v", err)
	}
	if err := s.CancelTask(t.Context(), "t"); !errors.Is(err, session.ErrNotOffered) {
		t.Errorf("error %v", err)
	}
}

func TestListTasks(t *testing.T) {
	sc := tasked(mcphosttest.Legacy, "{}")
	sc.On[protocol.MethodTasksList] = []mcphosttest.Action{mcphosttest.Turns(
		[]mcphosttest.Action{mcphosttest.Result(`{"tasks":[` + state("working", forever) + `],"nextCursor":"x"}`)},
		[]mcphosttest.Action{mcphosttest.Result(`{"tasks":[` + state("completed", forever) + `,{}]}`)})}
	s, _ := open(t, sc, nil)
	list, err := s.ListTasks(t.Context())
	if err != nil || len(list.Items) != 2 || list.Items[1].Status != "completed" {
		t.Errorf("%+v, %v", list, err)
	}
}
