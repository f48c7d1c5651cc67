package demo

// This file lets calls become tasks (2025-11-25, "Tasks"): such a call is answered at once, and its work goes on.

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"sync"
	"time"
)

const (
	maxJobs = 50
	jobTTL  = time.Hour // at most
	jobPoll = time.Second
)

// jobState is a task as it is told. Its times are by this server's clock.
type jobState struct {
	TaskID        string `json:"taskId"`
	Status        string `json:"status"`
	StatusMessage string `json:"statusMessage,omitempty"`
	CreatedAt     string `json:"createdAt"`
	LastUpdatedAt string `json:"lastUpdatedAt"`
	TTL           int64  `json:"ttl"`          // milliseconds
	PollInterval  int64  `json:"pollInterval"` // milliseconds
}

// A job is the work of one task.
type job struct {
	stop    context.CancelFunc
	done    chan struct{} // closed at its end
	expires time.Time
	state   jobState // guarded by jobs.mu
	result  result   // read after done, like err
	err     error
}

// jobs are the tasks of one conversation, oldest first. The zero value is ready.
type jobs struct {
	mu   sync.Mutex
	all  []*job
	last int
}

// begin registers a task; nil means that there are too many.
func (j *jobs) begin(ttl time.Duration, stop context.CancelFunc) *job {
	now := time.Now()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.all = slices.DeleteFunc(j.all, func(each *job) bool { return each.final() && now.After(each.expires) })
	if len(j.all) >= maxJobs {
		return nil
	}
	j.last++
	at := now.UTC().Format(time.RFC3339Nano)
	one := &job{stop: stop, done: make(chan struct{}), expires: now.Add(ttl), state: jobState{
		TaskID: "demo-" + strconv.Itoa(j.last), Status: "working", CreatedAt: at, LastUpdatedAt: at,
		TTL: ttl.Milliseconds(), PollInterval: jobPoll.Milliseconds(),
	}}
	j.all = append(j.all, one)
	return one
}

// final needs jobs.mu.
func (j *job) final() bool { return j.state.Status != "working" && j.state.Status != "input_required" }

// change sets the state of a task that has not ended, and returns what it is now.
func (j *jobs) change(one *job, status, message string) (now jobState, changed bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if changed = !one.final(); changed {
		one.state.Status, one.state.StatusMessage = status, message
		one.state.LastUpdatedAt = time.Now().UTC().Format(time.RFC3339Nano)
	}
	return one.state, changed
}

func (j *jobs) states() []jobState {
	j.mu.Lock()
	defer j.mu.Unlock()
	states := make([]jobState, len(j.all))
	for i, one := range j.all {
		states[i] = one.state
	}
	return states
}

// stop ends all work: the conversation is over.
func (j *jobs) stop() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, one := range j.all {
		one.stop()
	}
}

// A created task is the answer to the call that becomes it. The work begins once the client knows of it.
type created struct {
	Task  jobState `json:"task"`
	begin chan struct{}
}

// begin lets the work of a task begin if the reply that was sent has created one.
func begin(reply any) {
	if r, ok := reply.(response); ok {
		if c, ok := r.Result.(created); ok {
			close(c.begin)
		}
	}
}

// startJob makes a call a task, which outlives its request.
func (s *server) startJob(ctx context.Context, t tool, c call, wanted *int64) (any, error) {
	ttl := jobTTL
	if wanted != nil && *wanted >= 0 {
		ttl = min(ttl, time.Duration(min(*wanted, jobTTL.Milliseconds()))*time.Millisecond)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	one := s.jobs.begin(ttl, stop)
	if one == nil {
		stop()
		return nil, &rpcError{Code: codeInternal, Message: "there are too many tasks"}
	}
	answer := created{one.state, make(chan struct{})}
	report := c.progress
	c.progress = func(done, total int, message string) {
		report(done, total, message)
		s.tell(one, "working", message)
	}
	c.ask = func(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
		s.tell(one, "input_required", "Waits for an answer.")
		defer s.tell(one, "working", "Goes on.")
		params["_meta"] = relatedTo(answer.Task.TaskID)
		return s.ask(ctx, method, params)
	}
	s.tasks.Go(func() {
		defer stop()
		defer close(one.done)
		select {
		case <-answer.begin:
		case <-ctx.Done(): // the conversation is over, or nobody has waited for the answer
		}
		one.result, one.err = t.call(ctx, c)
		switch {
		case one.err != nil || one.result.IsError:
			s.tell(one, "failed", "The work has failed.")
		default:
			s.tell(one, "completed", "Done.")
		}
	})
	return answer, nil
}

// tell changes the state of a task and says so.
func (s *server) tell(one *job, status, message string) {
	if state, changed := s.jobs.change(one, status, message); changed {
		s.out.notify("notifications/tasks/status", state)
	}
}

// job finds the task that a request names.
func (s *server) job(r request) (*job, error) {
	var p struct {
		TaskID string `json:"taskId"`
	}
	if err := json.Unmarshal(r.params, &p); err != nil || p.TaskID == "" {
		return nil, invalidParams("%s takes a taskId", r.method)
	}
	s.jobs.mu.Lock()
	defer s.jobs.mu.Unlock()
	if i := slices.IndexFunc(s.jobs.all, func(one *job) bool { return one.state.TaskID == p.TaskID }); i >= 0 {
		return s.jobs.all[i], nil
	}
	return nil, invalidParams("there is no task %q", clip(p.TaskID))
}

func (s *server) listJobs(_ context.Context, r request) (any, error) {
	states, next, err := page(r, s.jobs.states(), s.opts.PageSize)
	return struct {
		Tasks []jobState `json:"tasks"`
		Next  string     `json:"nextCursor,omitempty"`
	}{states, next}, err
}

func (s *server) getJob(_ context.Context, r request) (any, error) {
	one, err := s.job(r)
	if err != nil {
		return nil, err
	}
	s.jobs.mu.Lock()
	defer s.jobs.mu.Unlock()
	return one.state, nil
}

// jobResult waits for the end of a task.
func (s *server) jobResult(ctx context.Context, r request) (any, error) {
	one, err := s.job(r)
	if err != nil {
		return nil, err
	}
	select {
	case <-one.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if one.err != nil {
		return nil, one.err
	}
	return struct {
		result
		Meta related `json:"_meta"`
	}{one.result, relatedTo(one.state.TaskID)}, nil
}

// related is the _meta of what belongs to a task.
type related struct {
	Task struct {
		TaskID string `json:"taskId"`
	} `json:"io.modelcontextprotocol/related-task"`
}

func relatedTo(task string) (r related) {
	r.Task.TaskID = task
	return r
}

func (s *server) cancelJob(_ context.Context, r request) (any, error) {
	one, err := s.job(r)
	if err != nil {
		return nil, err
	}
	state, changed := s.jobs.change(one, "cancelled", "Cancelled, as was asked for.")
	if !changed {
		return nil, invalidParams("the task has ended as %s", state.Status)
	}
	one.stop()
	s.out.notify("notifications/tasks/status", state)
	return state, nil
}
