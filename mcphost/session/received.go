package session

// This file keeps the tasks that a server has made with us: sampling and elicitation that it fetches later (2025-11-25,
// "Tasks", the receiver). They live in memory, as long as the session, and no other server can reach them.

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

const (
	receivedPoll  = time.Second    // that we suggest
	receivedLeast = time.Minute    // to live
	receivedUsual = time.Hour      // to live, if the server names no time
	receivedMost  = 24 * time.Hour // to live
	receivedPage  = 50             // tasks on a page of tasks/list
)

// received are the tasks of one server. The zero value is ready.
type received struct {
	mu      sync.Mutex // guards what follows, and the tasks but for what does not change
	tasks   []*receivedTask
	last    int // number of the newest task
	waiting int // tasks/result
}

// A receivedTask is one question that the server does not wait for.
type receivedTask struct {
	id      string
	number  int // in the order of creation
	created time.Time
	ttl     time.Duration
	cancel  context.CancelFunc // withdraws the question
	done    chan struct{}      // closed when the status is final

	status  string
	message string
	updated time.Time
	result  any
	err     error
	fetched bool
}

// wanted returns how long the server wants a question to live as a task: as it is granted. Ok is false if it does not
// want one, or if we have not offered that: the question is an ordinary one then.
func (s *Session) wanted(m *jsonrpc.Message) (ttl time.Duration, ok bool) {
	o := s.opts.Offer.in(s.Info().Revision)
	switch m.Method {
	case protocol.MethodCreateMessage:
		ok = o.Sampling
	case protocol.MethodElicit:
		ok = o.Form || o.URL
	}
	var params protocol.TaskAugmentedParams
	if !ok || !o.Tasks || protocol.Decode(m.Params, &params) != nil || !params.HasTask {
		return 0, false
	}
	if params.TTL == nil {
		return receivedUsual, true
	}
	return min(max(*params.TTL, receivedLeast), receivedMost), true
}

// A grantedTask is what the server gets at once. Before it knows the task it is told nothing of it.
type grantedTask struct {
	protocol.CreateTaskResult
	known chan struct{} // closed when it has been sent
}

// Sent is called by [jsonrpc.Peer].
func (g grantedTask) Sent() { close(g.known) }

// receive makes a task of a question and returns what the server gets at once.
func (s *Session) receive(q Question, ttl time.Duration) (any, error) {
	info := s.Info()
	q.Revision, q.Claimed = info.Revision, info.Server
	if refused := s.opts.Offer.refuses(&q); refused != nil {
		return nil, refused
	}
	now := time.Now()
	ctx, cancel := context.WithTimeout(s.work, ttl)
	t := &receivedTask{
		id: rand.Text(), created: now, updated: now, ttl: ttl, cancel: cancel, done: make(chan struct{}),
		status: protocol.TaskWorking, message: "Waiting for the user",
	}
	if !s.received.add(t, s.opts.Limits.Tasks) {
		cancel()
		return nil, errBusy
	}
	granted := grantedTask{protocol.CreateTaskResult{Task: s.received.view(t)}, make(chan struct{})}
	s.wg.Go(func() {
		defer cancel()
		result, err := s.answer(ctx, q)
		<-granted.known
		if s.received.finish(t, result, err) && ctx.Err() == nil {
			s.debug(ctx, "the end of a task not told", s.peer.Notify(s.work, protocol.NotificationTaskStatus, s.received.view(t)))
		}
	})
	return granted, nil
}

// add keeps a new task. The oldest one whose answer was fetched makes room; none that is still needed does.
func (r *received) add(t *receivedTask, most int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.purge()
	if len(r.tasks) >= most {
		i := slices.IndexFunc(r.tasks, func(t *receivedTask) bool { return t.fetched })
		if i < 0 {
			return false
		}
		r.tasks = slices.Delete(r.tasks, i, i+1)
	}
	r.last++
	t.number = r.last
	r.tasks = append(r.tasks, t)
	return true
}

// purge drops what has lived long enough. It needs mu.
func (r *received) purge() {
	r.tasks = slices.DeleteFunc(r.tasks, func(t *receivedTask) bool {
		over := time.Since(t.created) >= t.ttl
		if over {
			t.cancel()
		}
		return over
	})
}

// finish notes the answer, and reports false if the task was cancelled before.
func (r *received) finish(t *receivedTask, result any, err error) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if t.status != protocol.TaskWorking {
		return false
	}
	t.result, t.err, t.message = result, err, ""
	var answer *jsonrpc.Error
	if t.status = protocol.TaskCompleted; err != nil {
		t.status = protocol.TaskFailed
		if errors.As(err, &answer) {
			t.message = answer.Message
		}
	}
	t.updated = time.Now()
	close(t.done)
	return true
}

// view is a task as the server sees it.
func (r *received) view(t *receivedTask) protocol.TaskView {
	r.mu.Lock()
	defer r.mu.Unlock()
	return t.view()
}

// view needs the mutex.
func (t *receivedTask) view() protocol.TaskView {
	const iso = "2006-01-02T15:04:05.000Z"
	return protocol.TaskView{
		TaskID: t.id, Status: t.status, StatusMessage: t.message,
		CreatedAt: t.created.UTC().Format(iso), LastUpdatedAt: t.updated.UTC().Format(iso),
		TTL: t.ttl.Milliseconds(), PollInterval: receivedPoll.Milliseconds(),
	}
}

// find returns the task that params name; the error is for the server.
func (r *received) find(m *jsonrpc.Message) (*receivedTask, error) {
	var p protocol.TaskParams
	if err := protocol.Decode(m.Params, &p); err != nil {
		return nil, invalidParams("Invalid params: " + err.Error())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.purge()
	for _, t := range r.tasks {
		if t.id == p.TaskID {
			return t, nil
		}
	}
	return nil, invalidParams("There is no such task")
}

func invalidParams(message string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: message}
}

// taskRequest serves tasks/… of the server. Ok is false if it is none, or not offered.
func (s *Session) taskRequest(ctx context.Context, m *jsonrpc.Message) (result any, err error, ok bool) {
	if o := s.opts.Offer.in(s.Info().Revision); !o.Tasks || s.Info().Revision.Modern() || !o.Sampling && !o.Form && !o.URL {
		return nil, nil, false
	}
	switch m.Method {
	case protocol.MethodTasksGet:
		t, err := s.received.find(m)
		if err != nil {
			return nil, err, true
		}
		return s.received.view(t), nil, true
	case protocol.MethodTasksResult:
		result, err = s.received.wait(ctx, m, s.opts.Limits.Questions)
	case protocol.MethodTasksCancel:
		result, err = s.received.end(m)
	case protocol.MethodTasksList:
		result, err = s.received.page(m)
	default:
		return nil, nil, false
	}
	return result, err, true
}

// wait returns the answer once there is one. Only so many may wait at once: a request that waits takes a place of others.
func (r *received) wait(ctx context.Context, m *jsonrpc.Message, most int) (any, error) {
	t, err := r.find(m)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	if r.waiting >= most {
		r.mu.Unlock()
		return nil, errBusy
	}
	r.waiting++
	r.mu.Unlock()
	expired := time.NewTimer(time.Until(t.created.Add(t.ttl)))
	defer expired.Stop()
	select {
	case <-t.done:
	case <-expired.C:
		err = invalidParams("There is no such task")
	case <-ctx.Done():
		err = ctx.Err()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting--
	if err != nil {
		return nil, err
	}
	t.fetched = true
	if t.err != nil {
		return nil, t.err
	}
	return related(t.result, t.id), nil
}

// related returns a result with what tells its task in its _meta.
func related(result any, id string) json.RawMessage {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(encode(result), &members) // a result of ours is an object
	var meta map[string]json.RawMessage
	_ = json.Unmarshal(members["_meta"], &meta) // absent = none
	if meta == nil {
		meta = map[string]json.RawMessage{}
	}
	meta[protocol.MetaRelatedTask] = encode(protocol.TaskParams{TaskID: id})
	members["_meta"] = encode(meta)
	return encode(members)
}

// end cancels a task: its question is withdrawn. One that has ended stays as it is (2025-11-25, "Task Cancellation").
func (r *received) end(m *jsonrpc.Message) (any, error) {
	t, err := r.find(m)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if t.status != protocol.TaskWorking {
		return nil, invalidParams("The task has ended already: " + t.status)
	}
	t.status, t.message, t.updated = protocol.TaskCancelled, "Cancelled by the server", time.Now()
	t.err = &jsonrpc.Error{Code: protocol.CodeServerError, Message: "The task was cancelled"}
	close(t.done)
	t.cancel()
	return t.view(), nil
}

// page lists tasks, oldest first. The cursor is the number of the last task of the page before.
func (r *received) page(m *jsonrpc.Message) (any, error) {
	after := 0
	if params, err := protocol.CursorOf(m.Params); err != nil {
		return nil, invalidParams("Invalid params: " + err.Error())
	} else if params != "" {
		if after, err = strconv.Atoi(params); err != nil || after < 1 {
			return nil, invalidParams(fmt.Sprintf("%q is no cursor", clip(params)))
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.purge()
	if after > r.last {
		return nil, invalidParams(strconv.Itoa(after) + " is no cursor")
	}
	page := protocol.TaskPage{Tasks: []protocol.TaskView{}}
	for _, t := range r.tasks {
		switch {
		case t.number <= after:
		case len(page.Tasks) == receivedPage:
			page.NextCursor = strconv.Itoa(after)
			return page, nil
		default:
			page.Tasks = append(page.Tasks, t.view())
			after = t.number
		}
	}
	return page, nil
}
