package cli

// This file is `gatehouse tasks`.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"gatehouse/mcphost"
)

const tasksHelp = `Follows the calls that have become tasks of SERVER and that earlier runs have left, because they were interrupted or
killed, and prints their results. An interrupt leaves them to the next run. Starting the server needs your consent,
given on the terminal or by a policy.
`

func (r *run) tasks(ctx context.Context) (int, error) {
	return r.withServer(ctx, nil, func(ctx context.Context, s *mcphost.Server) (exit int, err error) {
		if err := r.connect(ctx, s); err != nil {
			return 0, err
		}
		quiet := r.tellTasks()
		calls, err := r.engine.Host.ResumeTasks(ctx, s.ID())
		if err != nil {
			return 0, err
		}
		var views []mcphost.CallView
		for _, id := range calls {
			v, err := r.engine.Host.Ended(ctx, id)
			if err != nil {
				return 0, err
			}
			if views = append(views, v); v.Err != nil || v.Result.IsError {
				exit = exitAnswered
			}
		}
		quiet()
		return exit, r.printTasks(s, views)
	})
}

// printTasks prints what became of each task.
func (r *run) printTasks(s *mcphost.Server, views []mcphost.CallView) error {
	var text bytes.Buffer
	documents := make([][]byte, len(views))
	for i, v := range views {
		var d document
		d.add("call", v.ID)
		d.add("tool", v.Tool)
		d.add("task", v.Task.ID)
		fmt.Fprintf(&text, "%s\n", oneLine(v.Tool+" (task "+v.Task.ID+")"))
		if v.Err != nil {
			d.add("error", v.Err.Error())
			fmt.Fprintln(&text, visible(v.Err.Error()))
		} else {
			d.add("isError", v.Result.IsError)
			d.raw("result", v.Result.Raw)
			text.WriteString(content(v.Result))
		}
		documents[i] = bytes.TrimSpace(d.bytes())
	}
	if len(views) == 0 {
		r.note("gatehouse: no earlier run has left a task of %s", s.Config().Name)
	}
	if !r.flags.json {
		return r.print(text.Bytes())
	}
	var d document
	d.add("server", s.Config().Name)
	d.raw("tasks", json.RawMessage("["+string(bytes.Join(documents, []byte(",")))+"]"))
	return r.print(d.bytes())
}
