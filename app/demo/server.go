// Package demo is the built-in demo server: an MCP server over stdio that shows what servers can do, without a key and
// without a network. `gatehouse demo-server` runs it as a process of its own, and Gatehouse treats it like any other
// server: it is launched, asked and refused at the same gate.
//
// It shares no code with the engine, so that the two sides cannot agree on a mistake. It speaks the revisions that begin
// with initialize, from 2024-11-05 to 2025-11-25, each in its own words.
package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
)

const (
	maxLine    = 4 << 20 // bytes of a message; the demo needs a few hundred
	maxRunning = 64      // requests at once
)

// Options of Serve.
type Options struct {
	Version  string // of Gatehouse
	PageSize int    // entries per page of every list; 0 = all at once
}

// Serve answers the messages that r brings, one a line, on w. It returns nil at the end of r, when all requests have
// been answered; those that wait are stopped then, or when ctx ends. A read that is under way only ends with r.
func Serve(ctx context.Context, r io.Reader, w io.Writer, o *Options) error {
	s := &server{
		out: &output{w: w}, notes: newNotes(),
		running: running{cancel: map[string]context.CancelFunc{}}, asked: asked{open: map[string]chan message{}},
	}
	if o != nil {
		s.opts = *o
	}
	ctx, stop := context.WithCancel(ctx)
	err := s.read(ctx, r)
	stop()
	s.jobs.stop()
	s.tasks.Wait()
	return errors.Join(err, s.out.failure())
}

// A server is one conversation.
type server struct {
	opts    Options
	out     *output
	notes   *notes
	jobs    jobs
	running running
	asked   asked
	tasks   sync.WaitGroup

	revision revision  // negotiated, "" before; belongs to the reading goroutine
	client   abilities // written with revision, before any tool is called

	pageAsked atomic.Bool // the next call of open_page comes after the page
}

func (s *server) read(ctx context.Context, r io.Reader) error {
	lines := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := readLine(lines)
		switch {
		case errors.Is(err, errLineTooLong):
			s.out.send(failed(nil, &rpcError{Code: codeInvalidRequest, Message: err.Error()}))
			continue
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("reading: %w", err)
		}
		if task := s.receive(ctx, line); task != nil {
			s.tasks.Go(func() {
				if reply := task(); reply != nil {
					s.out.send(reply)
					begin(reply)
				}
			})
		}
	}
}

// A task works on what was received and returns the reply, nil for none.
type task func() any

// receive takes in what must keep its order and leaves the rest to a task, nil if there is nothing left to do.
func (s *server) receive(ctx context.Context, line []byte) task {
	switch kind, raw := shape(line); kind {
	case shapeEmpty:
		return nil
	case shapeBatch:
		return s.receiveBatch(ctx, raw)
	default:
		return s.receiveOne(ctx, raw)
	}
}

// receiveBatch takes in a batch, which only revision 2025-03-26 knows.
func (s *server) receiveBatch(ctx context.Context, raw []byte) task {
	var members []json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return reply(failed(nil, &rpcError{Code: codeParse, Message: "this is not JSON"}))
	}
	if s.revision != revision20250326 || len(members) == 0 {
		return reply(failed(nil, &rpcError{Code: codeInvalidRequest, Message: "a batch is not allowed here"}))
	}
	var tasks []task
	for _, m := range members {
		if t := s.receiveOne(ctx, m); t != nil {
			tasks = append(tasks, t)
		}
	}
	return func() any {
		replies := make([]any, len(tasks))
		var all sync.WaitGroup
		for i, t := range tasks {
			all.Go(func() { replies[i] = t() })
		}
		all.Wait()
		return batch(replies)
	}
}

func (s *server) receiveOne(ctx context.Context, raw []byte) task {
	m, fault := parseMessage(raw)
	switch {
	case fault != nil:
		return reply(failed(m.ID, fault))
	case m.isResponse():
		s.asked.answer(m)
		return nil
	case m.ID == nil:
		s.notified(m)
		return nil
	case m.Method == "initialize":
		result, err := s.initialize(m.Params)
		return reply(answered(m.ID, result, err))
	}
	ctx, done, err := s.running.add(ctx, m.key)
	if err != nil {
		return reply(failed(m.ID, &rpcError{Code: codeInvalidRequest, Message: err.Error()}))
	}
	r := request{method: m.Method, params: m.Params, revision: s.revision}
	return func() any {
		result, err := s.answer(ctx, r)
		if !done() {
			return nil // cancelled: nobody waits for a reply
		}
		return answered(m.ID, result, err)
	}
}

func reply(v any) task { return func() any { return v } }

// A request is what the methods see of a message.
type request struct {
	method   string
	params   json.RawMessage // an object, nil if absent
	revision revision
}

// answer runs one request.
func (s *server) answer(ctx context.Context, r request) (any, error) {
	var handle func(context.Context, request) (any, error)
	switch r.method {
	case "ping":
		return struct{}{}, nil
	case "tools/list":
		handle = s.listTools
	case "tools/call":
		handle = s.callTool
	case "resources/list":
		handle = s.listResources
	case "resources/templates/list":
		handle = s.listTemplates
	case "resources/read":
		handle = s.readResource
	case "prompts/list":
		handle = s.listPrompts
	case "prompts/get":
		handle = s.getPrompt
	case "completion/complete":
		handle = s.complete
	case "tasks/list":
		handle = s.listJobs
	case "tasks/get":
		handle = s.getJob
	case "tasks/result":
		handle = s.jobResult
	case "tasks/cancel":
		handle = s.cancelJob
	default:
		return nil, &rpcError{Code: codeMethodNotFound, Message: "this server has no such method"}
	}
	if r.revision == "" {
		return nil, &rpcError{Code: codeInvalidRequest, Message: "the conversation begins with initialize"}
	}
	return handle(ctx, r)
}

// notified takes in a notification. All but one need nothing.
func (s *server) notified(m message) {
	if m.Method != "notifications/cancelled" {
		return
	}
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(m.Params, &p) != nil {
		return
	}
	if key, ok := idKey(p.RequestID); ok {
		s.running.stop(key)
	}
}
