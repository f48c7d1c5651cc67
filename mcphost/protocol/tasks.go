package protocol

// This file defines tasks: the experimental ones of 2025-11-25 and those of the extension io.modelcontextprotocol/tasks.

import (
	"encoding/json"
	"errors"
	"time"
)

// The states of a task. The last three are final.
const (
	TaskWorking       = "working"
	TaskInputRequired = "input_required"
	TaskCompleted     = "completed"
	TaskFailed        = "failed"
	TaskCancelled     = "cancelled"
)

// A Task is work that outlives its request. The names of 2025-11-25 (ttl, pollInterval) and of the extension (ttlMs,
// pollIntervalMs) are folded into one.
type Task struct {
	ID            string
	Status        string // one of the Task… constants
	StatusMessage string
	CreatedAt     string         // ISO 8601, as received
	LastUpdatedAt string         // ISO 8601, as received
	TTL           *time.Duration // from CreatedAt on; nil = no expiry
	PollInterval  time.Duration  // 0 = not stated

	// Only in the extension's tasks/get and notifications/tasks:
	Requests []InputRequest  // TaskInputRequired
	Result   json.RawMessage // TaskCompleted: an object
	Error    json.RawMessage // TaskFailed: an error object

	Raw json.RawMessage // as received
}

// Final reports whether the task has ended.
func (v Task) Final() bool {
	switch v.Status {
	case TaskCompleted, TaskFailed, TaskCancelled:
		return true
	}
	return false
}

// Known reports whether the state is one that there is.
func (v Task) Known() bool {
	return v.Final() || v.Status == TaskWorking || v.Status == TaskInputRequired
}

// TaskMetadata asks for a request to become a task (params.task of 2025-11-25).
type TaskMetadata struct {
	TTL *int64 `json:"ttl,omitempty"` // milliseconds
}

// TaskParams name a task.
type TaskParams struct {
	TaskID string `json:"taskId"`
}

// TaskAugmentedParams are what may stand in any request that can become a task (2025-11-25).
type TaskAugmentedParams struct {
	HasTask bool
	TTL     *time.Duration // wanted; nil = not stated, at least 0
}

// A TaskView is a task of ours as a server sees it (2025-11-25).
type TaskView struct {
	TaskID        string `json:"taskId"`
	Status        string `json:"status"`
	StatusMessage string `json:"statusMessage,omitempty"`
	CreatedAt     string `json:"createdAt"`
	LastUpdatedAt string `json:"lastUpdatedAt"`
	TTL           int64  `json:"ttl"`          // milliseconds; never null
	PollInterval  int64  `json:"pollInterval"` // milliseconds
}

// CreateTaskResult answers a request that has become a task (2025-11-25).
type CreateTaskResult struct {
	Task TaskView `json:"task"`
}

// A TaskPage is one page of our tasks (2025-11-25).
type TaskPage struct {
	Tasks      []TaskView `json:"tasks"`
	NextCursor string     `json:"nextCursor,omitempty"`
}

// CursorOf reads the cursor from the params of a list request, "" if there is none. An empty one counts as none.
func CursorOf(params json.RawMessage) (cursor string, err error) {
	r := &reader{data: params}
	r.space()
	r.object(func(key []byte) {
		if string(key) != "cursor" {
			r.value()
			return
		}
		var ok bool
		if cursor, ok = r.text(); !ok {
			err = errors.New("cursor is no string")
		}
	})
	return cursor, err
}

func (v *TaskAugmentedParams) decode(r *reader) error {
	if !r.object(func(key []byte) {
		if string(key) != "task" {
			r.value()
			return
		}
		v.HasTask = r.object(func(key []byte) {
			if string(key) != "ttl" {
				r.value()
			} else if n := r.number(); n != nil {
				d := time.Duration(min(max(*n, 0), maxMilliseconds)) * time.Millisecond
				v.TTL = &d
			}
		})
	}) {
		return errNoObject
	}
	return nil
}

func (v *TaskParams) decode(r *reader) error {
	r.object(func(key []byte) {
		if string(key) == "taskId" {
			v.TaskID, _ = r.text()
		} else {
			r.value()
		}
	})
	if v.TaskID == "" {
		return errors.New("no taskId")
	}
	return nil
}

func (v *Task) decode(r *reader) error {
	t := r.task()
	if t == nil {
		return errors.New("no task")
	}
	*v = *t
	return nil
}

// task reads a task; nil if it is no object or lacks its id or status.
func (r *reader) task() *Task {
	var v Task
	start := r.pos
	isObject := r.object(func(key []byte) {
		switch string(key) {
		case "taskId":
			v.ID, _ = r.text()
		case "status":
			v.Status, _ = r.text()
		case "statusMessage":
			v.StatusMessage, _ = r.text()
		case "createdAt":
			v.CreatedAt, _ = r.text()
		case "lastUpdatedAt":
			v.LastUpdatedAt, _ = r.text()
		case "ttl", "ttlMs":
			v.TTL = r.milliseconds()
		case "pollInterval", "pollIntervalMs":
			if d := r.milliseconds(); d != nil {
				v.PollInterval = *d
			}
		case "inputRequests":
			v.Requests, _ = r.inputRequests()
		case "result":
			v.Result = r.objectText()
		case "error":
			v.Error = r.objectText()
		default:
			r.value()
		}
	})
	v.Raw = r.since(start)
	if !isObject || v.ID == "" || v.Status == "" {
		return nil
	}
	return &v
}

const maxMilliseconds = 1 << 43 // some 280 years: what a Duration holds

// milliseconds reads a length of time; nil for any other value.
func (r *reader) milliseconds() *time.Duration {
	n := r.number()
	if n == nil || *n < 0 {
		return nil
	}
	d := time.Duration(min(*n, maxMilliseconds)) * time.Millisecond
	return &d
}
