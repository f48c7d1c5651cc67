package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

// A maker is a scripted server that makes tasks with us.
type maker struct {
	t      *testing.T
	s      *session.Session
	stream *mcphosttest.Stream
}

func newMaker(t *testing.T, o session.Options) *maker {
	o.Offer = session.Offer{Sampling: true, Form: true, Tasks: true}
	s, stream := open(t, mcphosttest.Scenario{}, &o)
	return &maker{t, s, stream}
}

// send lets the server send a request and returns our answer.
func (m *maker) send(method, params string) (result, failure string) {
	m.t.Helper()
	id := m.stream.Ask(method, params)
	synctest.Wait()
	for _, f := range m.stream.Frames(m.t) {
		var a struct{ ID, Result, Error json.RawMessage }
		if json.Unmarshal([]byte(f), &a) == nil && string(a.ID) == id && (a.Result != nil || a.Error != nil) {
			return string(a.Result), string(a.Error)
		}
	}
	return "", ""
}

// create makes a task of a form and returns its id.
func (m *maker) create(task string) string {
	m.t.Helper()
	result, failure := m.send(protocol.MethodElicit, form[:len(form)-1]+`,"task":`+task+`}`)
	var r struct {
		Task struct {
			TaskID string
			TTL    *int64
		}
	}
	if json.Unmarshal([]byte(result), &r) != nil || r.Task.TaskID == "" {
		m.t.Fatalf("no task: %s %s", result, failure)
	}
	m.valid("CreateTaskResult", result)
	return r.Task.TaskID
}

func (m *maker) valid(name, text string) {
	m.t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err == nil {
		err = officialSchema(m.t, protocol.Revision20251125)[name].Validate(value)
	}
	if err != nil {
		m.t.Errorf("%s: %v", text, err)
	}
}

func (m *maker) of(method, id string) (result, failure string) {
	m.t.Helper()
	return m.send(method, `{"taskId":"`+id+`"}`)
}

// patient answers when it is told to.
func patient(release <-chan session.Answer) *asker {
	return &asker{answer: func(ctx context.Context, _ session.Question) (session.Answer, error) {
		select {
		case a := <-release:
			return a, nil
		case <-ctx.Done():
			return session.Answer{}, ctx.Err()
		}
	}}
}

// A server's question as a task: made at once, fetched when it is answered, as often as the server likes.
func TestReceivedTask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan session.Answer)
		m := newMaker(t, session.Options{Asker: patient(release)})
		id := m.create(`{"ttl":120000}`)
		get, _ := m.of(protocol.MethodTasksGet, id)
		m.valid("GetTaskResult", get)
		if !strings.Contains(get, `"status":"working"`) || !strings.Contains(get, `"ttl":120000`) {
			t.Errorf("get %s", get)
		}
		if result, failure := m.of(protocol.MethodTasksResult, id); result+failure != "" {
			t.Errorf("answered before the user: %s %s", result, failure)
		}
		release <- session.Answer{Elicit: &protocol.ElicitResult{Action: protocol.ElicitAccept, Content: json.RawMessage(`{"name":"x"}`), Meta: json.RawMessage(`{"k":1}`)}}
		synctest.Wait()
		want := `{"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"` + id + `"},"k":1},"action":"accept","content":{"name":"x"}}`
		for range 2 {
			if result, failure := m.of(protocol.MethodTasksResult, id); result != want {
				t.Errorf("result %s %s", result, failure)
			}
		}
		if told := m.stream.Of(t, protocol.NotificationTaskStatus); len(told) != 1 || !strings.Contains(told[0], `"status":"completed"`) {
			t.Errorf("told %s", told)
		}
		if _, failure := m.of(protocol.MethodTasksCancel, id); !strings.Contains(failure, "-32602") {
			t.Errorf("an ended task was cancelled: %s", failure)
		}
		time.Sleep(2 * time.Minute)
		if _, failure := m.of(protocol.MethodTasksGet, id); !strings.Contains(failure, "-32602") {
			t.Errorf("after its time: %s", failure)
		}
	})
}

// The server knows the task before it is told that it has ended.
func TestReceivedTaskIsKnownFirst(t *testing.T) {
	for range 50 {
		synctest.Test(t, func(t *testing.T) {
			m := newMaker(t, session.Options{Asker: &asker{answer: agreeable}}) // it answers at once
			id := m.create(`{}`)
			synctest.Wait()
			var order []string
			for _, f := range m.stream.Frames(t) {
				if strings.Contains(f, id) {
					order = append(order, f)
				}
			}
			if len(order) != 2 || !strings.Contains(order[0], `"result":`) || !strings.Contains(order[1], protocol.NotificationTaskStatus) {
				t.Fatalf("sent %q", order)
			}
		})
	}
}

// What is granted lies within bounds, whatever was wished, and is never null.
func TestReceivedTaskTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMaker(t, session.Options{Asker: patient(nil), Limits: session.Limits{Questions: 99}})
		for task, ttl := range map[string]string{
			`{}`: `3600000`, `{"ttl":null}`: `3600000`, `{"ttl":"x"}`: `3600000`, `{"ttl":0}`: `60000`, `{"ttl":-5}`: `60000`,
			`{"ttl":59999}`: `60000`, `{"ttl":60001}`: `60001`, `{"ttl":86400000}`: `86400000`, `{"ttl":86400001}`: `86400000`, `{"ttl":1e300}`: `86400000`,
		} {
			if get, _ := m.of(protocol.MethodTasksGet, m.create(task)); !strings.Contains(get, `"ttl":`+ttl+`,`) {
				t.Errorf("%s: %s", task, get)
			}
		}
		id := m.create(`{"ttl":60000}`)
		waiting := m.stream.Ask(protocol.MethodTasksResult, `{"taskId":"`+id+`"}`)
		time.Sleep(time.Minute)
		synctest.Wait()
		if last := m.stream.Frames(t); !strings.Contains(strings.Join(last, "\n"), `"id":`+waiting+`,"error"`) {
			t.Error("tasks/result goes on waiting when the time is over")
		}
	})
}

// Cancelling closes the dialog; a refusal is a failed task.
func TestReceivedTaskCancelledOrRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		closed := make(chan struct{})
		m := newMaker(t, session.Options{Asker: &asker{answer: func(ctx context.Context, q session.Question) (session.Answer, error) {
			if q.Method == protocol.MethodCreateMessage {
				return refuse(ctx, q)
			}
			<-ctx.Done()
			close(closed)
			return session.Answer{}, ctx.Err()
		}}})
		id := m.create(`{}`)
		waiting := m.stream.Ask(protocol.MethodTasksResult, `{"taskId":"`+id+`"}`)
		if result, failure := m.of(protocol.MethodTasksCancel, id); !strings.Contains(result, `"status":"cancelled"`) {
			t.Errorf("%s %s", result, failure)
		}
		<-closed
		synctest.Wait()
		if all := strings.Join(m.stream.Frames(t), "\n"); !strings.Contains(all, `"id":`+waiting+`,"error":{"code":-32000`) || strings.Contains(all, protocol.NotificationTaskStatus) {
			t.Errorf("sent %s", all)
		}
		result, _ := m.send(protocol.MethodCreateMessage, sampling[:len(sampling)-1]+`,"task":{}}`)
		var r struct{ Task struct{ TaskID string } }
		decode(t, result, &r)
		if get, _ := m.of(protocol.MethodTasksGet, r.Task.TaskID); !strings.Contains(get, `"status":"failed"`) {
			t.Errorf("get %s", get)
		}
		if _, failure := m.of(protocol.MethodTasksResult, r.Task.TaskID); !strings.Contains(failure, `"code":-1`) {
			t.Errorf("result %s", failure)
		}
	})
}

// At most so many at once; the oldest answer that was fetched makes room. All pages list all of them.
func TestReceivedTasksAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMaker(t, session.Options{Asker: &asker{answer: agreeable}, Limits: session.Limits{Tasks: 60}})
		var ids []string
		for range 60 {
			ids = append(ids, m.create(`{}`))
		}
		if _, failure := m.send(protocol.MethodElicit, form[:len(form)-1]+`,"task":{}}`); !strings.Contains(failure, "Too many") {
			t.Errorf("the 61st: %s", failure)
		}
		var listed []string
		for cursor, pages := "", 0; pages == 0 || cursor != ""; pages++ {
			params := `{}`
			if cursor != "" {
				params = fmt.Sprintf(`{"cursor":%q}`, cursor)
			}
			page, failure := m.send(protocol.MethodTasksList, params)
			m.valid("ListTasksResult", page)
			var p struct {
				Tasks      []struct{ TaskID string }
				NextCursor string
			}
			decode(t, page, &p)
			for _, task := range p.Tasks {
				listed = append(listed, task.TaskID)
			}
			if cursor = p.NextCursor; pages > 2 {
				t.Fatal("endless pages", failure)
			}
		}
		if strings.Join(listed, " ") != strings.Join(ids, " ") {
			t.Errorf("listed %d tasks", len(listed))
		}
		for _, cursor := range []string{`"x"`, `"0"`, `"61"`, `7`} {
			if _, failure := m.send(protocol.MethodTasksList, `{"cursor":`+cursor+`}`); !strings.Contains(failure, "-32602") {
				t.Errorf("cursor %s: %s", cursor, failure)
			}
		}
		m.of(protocol.MethodTasksResult, ids[3])
		m.create(`{}`)
		if _, failure := m.of(protocol.MethodTasksGet, ids[3]); failure == "" {
			t.Error("the fetched one is still there")
		}
		if get, _ := m.of(protocol.MethodTasksGet, ids[0]); get == "" {
			t.Error("one that was not fetched is gone")
		}
	})
}

// Another server, and one to which tasks were not offered, reaches none. A wish for a task is ignored then.
func TestReceivedTasksOfOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newMaker(t, session.Options{Asker: patient(nil)})
		b := newMaker(t, session.Options{Asker: patient(nil)})
		id := a.create(`{}`)
		for _, method := range []string{protocol.MethodTasksGet, protocol.MethodTasksResult, protocol.MethodTasksCancel} {
			if _, failure := b.of(method, id); !strings.Contains(failure, "-32602") {
				t.Errorf("%s: %s", method, failure)
			}
		}
		s, stream := open(t, mcphosttest.Scenario{}, &session.Options{Offer: session.Offer{Form: true}, Asker: &asker{answer: agreeable}})
		c := &maker{t, s, stream}
		if result, _ := c.send(protocol.MethodElicit, form[:len(form)-1]+`,"task":{}}`); !strings.Contains(result, `"action":"accept"`) {
			t.Errorf("result %s", result)
		}
		if _, failure := c.of(protocol.MethodTasksGet, id); !strings.Contains(failure, "-32601") {
			t.Errorf("not offered: %s", failure)
		}
	})
}

// Only so many tasks/result may wait.
func TestReceivedTaskResultsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMaker(t, session.Options{Asker: patient(nil), Limits: session.Limits{Questions: 3}})
		id := m.create(`{}`)
		for n := range 4 {
			if _, failure := m.of(protocol.MethodTasksResult, id); (failure != "") != (n == 3) {
				t.Errorf("%d: %s", n+1, failure)
			}
		}
		if _, failure := m.send("ping", ""); failure != "" {
			t.Error("no ping", failure)
		}
	})
}
