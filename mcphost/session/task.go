package session

// This file follows calls that have become tasks: the experimental ones of 2025-11-25 and those of the extension
// io.modelcontextprotocol/tasks, which look alike from outside.

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

// ErrTaskLost is wrapped when the server no longer knows a task, or its time to live is over (P27). What became of the
// work cannot be told.
var ErrTaskLost = errors.New("the task is lost")

// A TaskError is the end of a task that has neither a result nor an error to show: the server cancelled it.
type TaskError struct{ Task protocol.Task }

func (e *TaskError) Error() string {
	text := "the server ended the task as " + e.Task.Status
	if e.Task.StatusMessage != "" {
		text += ": " + e.Task.StatusMessage
	}
	return text
}

// TaskCalls reports whether calls can be made that become tasks because we ask for it (2025-11-25).
func (s *Session) TaskCalls() bool {
	info := s.Info()
	return info.Revision == protocol.Revision20251125 && info.Capabilities.Tasks != nil && info.Capabilities.Tasks.ToolsCall
}

// ResumeTask follows a task that a call has become earlier, maybe in another session. Created is when that was, by our
// clock. Errors are those of CallTool.
func (s *Session) ResumeTask(ctx context.Context, t protocol.Task, created time.Time, o CallOptions) (*protocol.CallToolResult, error) {
	if info := s.Info(); !info.Revision.Modern() && (info.Revision != protocol.Revision20251125 || info.Capabilities.Tasks == nil) {
		return nil, fmt.Errorf("%w: the server has no tasks any more", ErrTaskLost)
	}
	var result *protocol.CallToolResult
	err := s.timed(ctx, s.long(o), func(ctx context.Context, c *call) (err error) {
		result, err = s.follow(ctx, c, t, created, o)
		return err
	})
	return result, err
}

// CancelTask asks the server to cancel a task. That is a request: the task may complete all the same.
func (s *Session) CancelTask(ctx context.Context, id string) error {
	info := s.Info()
	var t protocol.Task
	if info.Revision.Modern() {
		if err := s.ask(ctx, protocol.MethodTasksCancel, nil, text("taskId", id)); err != nil {
			return err
		}
		if s.ask(ctx, protocol.MethodTasksGet, &t, text("taskId", id)) == nil { // else the next poll tells
			s.taskChanged(t)
		}
		return nil
	}
	if info.Capabilities.Tasks == nil || !info.Capabilities.Tasks.Cancel {
		return fmt.Errorf("%s: %w", protocol.MethodTasksCancel, ErrNotOffered)
	}
	if err := s.ask(ctx, protocol.MethodTasksCancel, &t, text("taskId", id)); err != nil {
		return err
	}
	s.taskChanged(t)
	return nil
}

// ListTasks returns the tasks that the server keeps for us, all pages (2025-11-25). A server without that list has none.
func (s *Session) ListTasks(ctx context.Context) (List[protocol.Task], error) {
	info := s.Info()
	if info.Revision.Modern() || info.Capabilities.Tasks == nil || !info.Capabilities.Tasks.List {
		return List[protocol.Task]{}, nil
	}
	return (&lister[protocol.Task]{
		s: s, method: protocol.MethodTasksList, key: "tasks",
		decode: protocol.DecodePage[protocol.Task],
	}).fetch(ctx)
}

// attachTask lets what is told of a task reach its follower. An id that another call has is no id.
func (s *Session) attachTask(f *follower) error {
	s.mu.Lock()
	taken := s.tasks[f.task.ID] != nil
	if !taken {
		s.tasks[f.task.ID] = f
		if t, told := s.becoming.early[f.task.ID]; told {
			delete(s.becoming.early, f.task.ID)
			f.news <- t // it is new and has room
		}
		s.becoming.tell()
	}
	s.mu.Unlock()
	if taken {
		return &jsonrpc.InvalidResponseError{Reason: "two calls have become the same task", Raw: f.task.Raw}
	}
	if f.call.settled != nil {
		f.call.settled()
	}
	s.listenToTasks()
	return nil
}

func (s *Session) detachTask(f *follower) {
	s.mu.Lock()
	delete(s.tasks, f.task.ID)
	s.mu.Unlock()
	s.listenToTasks()
}

// listenToTasks lets the subscription of the modern era bring the tasks that are followed now.
func (s *Session) listenToTasks() {
	if info := s.Info(); info.Revision.Modern() && info.Capabilities.Extension(protocol.ExtensionTasks) {
		s.subs.renew()
	}
}

// taskChanged hands a state to the task's follower; the newest one counts. It reports false if nobody follows it, nor may
// soon.
func (s *Session) taskChanged(t protocol.Task) bool {
	s.mu.Lock()
	f := s.tasks[t.ID]
	early := f == nil && s.becoming.keep(t)
	s.mu.Unlock()
	if f == nil {
		return early
	}
	for {
		select {
		case f.news <- t:
			return true
		default:
		}
		select {
		case <-f.news:
		default:
		}
	}
}

func (s *Session) taskNoise(kind string, t protocol.Task) {
	if s.opts.Noise != nil {
		s.opts.Noise(kind, t.Raw)
	}
}
