package mcphost_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

func taskState(status string) mcphosttest.Raw {
	return mcphosttest.Raw(`{"taskId":"t","status":"` + status + `","statusMessage":"step","createdAt":"2026-01-02T03:04:05Z","lastUpdatedAt":"x",` +
		`"ttl":3600000,"ttlMs":3600000,"pollInterval":1,"pollIntervalMs":1,"result":{"content":[{"type":"text","text":"done"}]}}`)
}

// tasking is a server whose tool slow becomes a task that has these states.
func tasking(era, support string, states ...string) mcphosttest.Scenario {
	created := `{"task":` + taskState("working") + `}`
	if era == mcphosttest.Modern {
		created = `{"resultType":"task",` + taskState("working")[1:]
	}
	var turns [][]mcphosttest.Action
	for _, s := range states {
		turns = append(turns, []mcphosttest.Action{mcphosttest.Result(taskState(s))})
	}
	def := mcphosttest.Raw(`{"name":"slow","inputSchema":{"type":"object"},"execution":{"taskSupport":"` + support + `"}}`)
	return mcphosttest.Scenario{
		Era: era, Capabilities: `{"tools":{},"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}}`,
		Tools: []mcphosttest.Tool{{Definition: def, Do: []mcphosttest.Action{mcphosttest.Result(created)}}},
		On: map[string][]mcphosttest.Action{
			protocol.MethodTasksGet:    {mcphosttest.Turns(turns...)},
			protocol.MethodTasksResult: {mcphosttest.Result(`{"content":[{"type":"text","text":"done"}]}`)},
			protocol.MethodTasksCancel: {mcphosttest.Result(taskState("cancelled"))},
		},
	}
}

// start makes a call in the background and returns its id, and its end.
func (h *house) start(s *mcphost.Server, r mcphost.CallRequest) (id string, ended <-chan error) {
	h.t.Helper()
	ids, end := make(chan string, 1), make(chan error, 1)
	r.ServerID, r.Tool, r.Arguments, r.Actor = s.ID(), "slow", json.RawMessage(`{}`), consent.Actor{Kind: consent.ActorUser}
	r.Started = func(id string) { ids <- id }
	go func() {
		_, err := h.Call(context.Background(), r)
		end <- err
	}()
	return <-ids, end
}

func (h *house) isTask(id string) func() bool {
	return func() bool {
		v, _ := h.CallView(id)
		return v.State == mcphost.CallTask && v.Task != nil && v.Task.Connected
	}
}

// A call that becomes a task, over stdio and HTTP and in both dialects: its states can be seen, its result is the call's
// and stands in the history.
func TestCallAsTask(t *testing.T) {
	for _, era := range []string{mcphosttest.Legacy, mcphosttest.Modern} {
		for _, wire := range []string{mcphost.Stdio, mcphost.HTTP} {
			h := newHouse(t, mcphost.Options{})
			sc := tasking(era, "required", "working", "completed")
			var s *mcphost.Server
			if wire == mcphost.Stdio {
				s = h.add("srv", mcphosttest.Command(t, sc))
			} else {
				web := mcphosttest.NewHTTP(t, sc, nil)
				c := mcphost.Config{ID: mcphost.NewID(), Name: "srv", Transport: wire, URL: web.URL}
				if err := h.Add(t.Context(), c); err != nil {
					t.Fatal(err)
				}
				s, _ = h.Server(c.ID)
			}
			h.connect(s)
			view, err := h.call(s, "slow", `{}`)
			if err != nil || view.Result.Content[0].Text != "done" || view.State != mcphost.CallState(mcphost.CallSucceeded) {
				t.Fatalf("%s %s: %+v, %v", era, wire, view, err)
			}
			task := view.Task
			if task == nil || task.ID != "t" || task.Status != "completed" || task.Message != "step" || !task.Kept || task.Connected ||
				task.CreatedAt != "2026-01-02T03:04:05Z" || task.Expires.Sub(task.Since) != time.Hour || len(task.Events) != 2 {
				t.Errorf("%s %s: %+v", era, wire, task)
			}
			row := h.history()[0]
			if row.Task != "t" || row.Outcome != mcphost.CallSucceeded {
				t.Errorf("%+v", row)
			}
			if tasks := h.Tasks(); len(tasks) != 1 || tasks[0].ID != view.ID {
				t.Errorf("%d tasks", len(tasks))
			}
			h.leave()
		}
	}
}

// Whether a call is to be a task is the tool's word, then the user's, then the history's.
func TestWhichCallsAreTasks(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	for _, c := range []struct {
		support      string
		wish, wanted bool
	}{
		{"required", false, true}, {"optional", true, true}, {"optional", false, false}, {"forbidden", true, false}, {"", true, false},
	} {
		sc := tasking(mcphosttest.Legacy, c.support, "completed")
		p := mcphosttest.Command(t, sc)
		s := h.add(mcphost.NewID(), p)
		h.connect(s)
		_, ended := h.start(s, mcphost.CallRequest{AsTask: c.wish})
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		if asked := strings.Contains(p.Of(t, protocol.MethodToolsCall)[0], `"task":{"ttl":86400000}`); asked != c.wanted {
			t.Errorf("%q, wish %v: asked for a task: %v", c.support, c.wish, asked)
		}
	}
	slow := newHouse(t, mcphost.Options{})
	for usual, wanted := range map[time.Duration]bool{30*time.Second - 1: false, 30 * time.Second: true} {
		slow.usual.Store(int64(usual))
		p := mcphosttest.Command(t, tasking(mcphosttest.Legacy, "optional", "completed"))
		s := slow.add(mcphost.NewID(), p)
		slow.connect(s)
		if _, err := slow.call(s, "slow", `{}`); err != nil {
			t.Fatal(err)
		}
		if asked := strings.Contains(p.Of(t, protocol.MethodToolsCall)[0], `"task":`); asked != wanted {
			t.Errorf("usually %v: asked for a task: %v", usual, asked)
		}
	}
}

// Stop asks for the task to be cancelled and says so; the second time it ends the call here.
func TestStopTask(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	sc := tasking(mcphosttest.Legacy, "required", "working")
	p := mcphosttest.Command(t, sc)
	s := h.add("srv", p)
	h.connect(s)
	id, ended := h.start(s, mcphost.CallRequest{})
	waitFor(t, "the task", h.isTask(id))
	h.StopCall(id)
	var cancelled *session.TaskError
	if err := <-ended; !errors.As(err, &cancelled) {
		t.Errorf("error %v", err)
	}
	if v, _ := h.CallView(id); v.State != mcphost.CallState(mcphost.CallStopped) || v.Task.CancelAsked.IsZero() || h.history()[0].Outcome != mcphost.CallStopped {
		t.Errorf("%+v", v)
	}
	if p.Count(t, protocol.NotificationCancelled) != 0 {
		t.Error("notifications/cancelled was sent for a task")
	}

	sc.On[protocol.MethodTasksCancel] = []mcphosttest.Action{mcphosttest.Result(taskState("working"))} // it does not stop
	q := mcphosttest.Command(t, sc)
	s = h.add("stubborn", q)
	h.connect(s)
	id, ended = h.start(s, mcphost.CallRequest{})
	waitFor(t, "the task", h.isTask(id))
	h.StopCall(id)
	waitFor(t, "the request", func() bool { return q.Count(t, protocol.MethodTasksCancel) == 1 })
	if v, _ := h.CallView(id); v.State != mcphost.CallTask {
		t.Errorf("state %s", v.State)
	}
	h.StopCall(id)
	if err := <-ended; err == nil || q.Count(t, protocol.MethodTasksCancel) != 1 {
		t.Errorf("error %v", err)
	}
}

// A connection that is lost does not end the task: it is followed on when the server is back. A task takes none of the
// places of the server's calls.
func TestTaskOutlivesTheConnection(t *testing.T) {
	h := newHouse(t, mcphost.Options{Restart: true, InFlight: 1})
	sc := tasking(mcphosttest.Legacy, "required", "working")
	sc.Tools = append(sc.Tools, tool("crash", mcphosttest.Exit(3)))
	p := mcphosttest.Command(t, sc)
	s := h.add("srv", p)
	h.connect(s)
	id, ended := h.start(s, mcphost.CallRequest{})
	waitFor(t, "the task", h.isTask(id))
	p.Rewrite(t, tasking(mcphosttest.Legacy, "required", "completed"))
	if _, err := h.call(s, "crash", `{}`); err == nil {
		t.Error("it did not crash")
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if v, _ := h.CallView(id); v.Result.Content[0].Text != "done" || p.Count(t, protocol.MethodToolsCall) != 2 {
		t.Errorf("%+v", v)
	}
}

// The next program follows the tasks on that the last one has left, and their results land in the row of the call. One
// that the server no longer knows is lost, like one whose server is another now or is gone.
func TestTaskOutlivesTheProgram(t *testing.T) {
	for name, c := range map[string]struct {
		then    mcphosttest.Scenario
		change  func(*house, *mcphost.Server)
		outcome mcphost.CallOutcome
	}{
		"done":      {tasking(mcphosttest.Legacy, "required", "completed"), nil, mcphost.CallSucceeded},
		"forgotten": {mcphosttest.Scenario{Capabilities: `{"tools":{},"tasks":{}}`}, nil, mcphost.CallLost},
		"no tasks":  {mcphosttest.Scenario{}, nil, mcphost.CallLost},
		"another": {tasking(mcphosttest.Legacy, "required", "completed"), func(h *house, s *mcphost.Server) {
			c := s.Config()
			c.Args = append(c.Args, "more")
			if err := h.Update(h.t.Context(), c); err != nil {
				h.t.Fatal(err)
			}
		}, mcphost.CallLost},
		"server is gone": {mcphosttest.Scenario{}, func(h *house, s *mcphost.Server) {
			if err := h.Remove(h.t.Context(), s.ID()); err != nil {
				h.t.Fatal(err)
			}
		}, mcphost.CallLost},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			h := newHouseAt(t, dir, mcphost.Options{})
			p := mcphosttest.Command(t, tasking(mcphosttest.Legacy, "required", "working"))
			s := h.add("srv", p)
			h.connect(s)
			id, ended := h.start(s, mcphost.CallRequest{})
			waitFor(t, "the task", h.isTask(id))
			if c.change != nil {
				h.leave()
				<-ended
				h = newHouseAt(t, dir, mcphost.Options{}) // it does not resume
				s, _ = h.Server(s.ID())
				c.change(h, s)
			}
			h.leave()
			if p.Count(t, protocol.MethodTasksCancel) != 0 {
				t.Error("the end of the program has cancelled the task")
			}
			p.Rewrite(t, c.then)
			h = newHouseAt(t, dir, mcphost.Options{})
			if row := h.history(); len(row) == 0 || row[len(row)-2].Outcome != "" {
				t.Fatalf("before: %+v", row)
			}
			h.Resume(t.Context())
			if s, err := h.Server(s.ID()); err == nil {
				h.connect(s)
			}
			waitFor(t, "the end", func() bool { v, ok := h.CallView(id); return ok && !v.EndedAt.IsZero() })
			v, _ := h.CallView(id)
			if v.State != mcphost.CallState(c.outcome) || v.Tool != "slow" || v.Server != "srv" || string(v.Arguments) != "{}" {
				t.Errorf("%+v, %v", v, v.Err)
			}
			detail, err := h.store.HistoryEntry(t.Context(), v.Decision.ID)
			if err != nil || detail.Outcome != c.outcome || detail.Task != "t" || (c.outcome == mcphost.CallLost) != strings.Contains(detail.Error, "lost") {
				t.Errorf("%+v, %v", detail, err)
			}
			if c.outcome == mcphost.CallSucceeded && !strings.Contains(detail.Result, "done") {
				t.Errorf("result %s", detail.Result)
			}
			h.leave()
		})
	}
}
