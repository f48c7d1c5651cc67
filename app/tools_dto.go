package app

// This file maps tools and calls to what the page shows.

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/jsonrpc"
)

// A ToolQuery asks for one page of tools.
type ToolQuery struct {
	Text     string `json:"text"`
	ServerID string `json:"serverId"`
	Offset   int    `json:"offset"`
	Limit    int    `json:"limit"` // at most 200
}

// A ToolPage is one page of tools.
type ToolPage struct {
	Total   int       `json:"total"`
	Servers int       `json:"servers"` // connected ones
	Rows    []ToolRow `json:"rows"`
}

// A ToolRow is one line of the list.
type ToolRow struct {
	ServerID    string        `json:"serverId"`
	ServerName  string        `json:"serverName"`
	Name        string        `json:"name"`
	Title       string        `json:"title"`
	Risk        consent.Class `json:"risk"`
	Changed     bool          `json:"changed"`
	Tokens      int           `json:"tokens"` // estimated, of the definition
	LastUse     string        `json:"lastUse"`
	LastOutcome string        `json:"lastOutcome"`
	TaskSupport string        `json:"taskSupport"` // "required", "optional" or "": a call cannot become a task
}

// A ToolDetail is everything about one tool. Schemas and definitions are raw JSON.
type ToolDetail struct {
	ToolRow
	Origin       string `json:"origin"`
	Description  string `json:"description"`
	InputSchema  string `json:"inputSchema"`
	OutputSchema string `json:"outputSchema"`
	Definition   string `json:"definition"`
	Previous     string `json:"previous"`
	PinnedAt     string `json:"pinnedAt"`
	Annotations  string `json:"annotations"`

	Times      ToolTimes `json:"times"`      // of its own
	UsualTimes ToolTimes `json:"usualTimes"` // in their place where it has none
}

// A Draft is what a Run panel shows of a composed call.
type Draft struct {
	Line     string            `json:"line"`
	Bytes    int               `json:"bytes"`
	Digest   string            `json:"digest"`
	Problems []consent.Problem `json:"problems"`
	Risk     consent.Risk      `json:"risk"`
	Gate     string            `json:"gate"` // why Run brings the full gate; "" = it does not
}

// Progress of a call; Total 0 = unknown.
type Progress struct {
	Done    float64 `json:"done"`
	Total   float64 `json:"total"`
	Message string  `json:"message"`
}

// A CallView is a call's state and result.
type CallView struct {
	ID                string    `json:"id"`
	ServerID          string    `json:"serverId"`
	ServerName        string    `json:"serverName"`
	Tool              string    `json:"tool"`
	Arguments         string    `json:"arguments"` // one line, exactly as sent or asked
	State             string    `json:"state"`
	StartedAt         string    `json:"startedAt"`
	DurationMs        int       `json:"durationMs"`
	Progress          *Progress `json:"progress"`
	Blocks            []Block   `json:"blocks"`
	Structured        string    `json:"structured"`
	StructuredProblem string    `json:"structuredProblem"`
	Raw               string    `json:"raw"`
	Error             string    `json:"error"`
	ErrorCode         int       `json:"errorCode"`
	Fault             string    `json:"fault"` // catalogue key of why nothing was sent although it was allowed, "" otherwise
	Decision          string    `json:"decision"`
	By                string    `json:"by"`
	Reason            string    `json:"reason"`
	Edited            bool      `json:"edited"`
	Truncated         int       `json:"truncated"`  // bytes of the result that are not in this view
	Unrecorded        bool      `json:"unrecorded"` // it was made, but its end is not in the history
}

const (
	maxToolRows   = 200
	bytesPerToken = 4 // of JSON, roughly
)

func toolPage(ctx context.Context, e *Engine, q ToolQuery) (ToolPage, error) {
	page := ToolPage{Rows: []ToolRow{}}
	text := strings.ToLower(q.Text)
	limit := min(max(q.Limit, 1), maxToolRows)
	for _, s := range e.Host.Servers() {
		c := s.Config()
		tools := s.Tools()
		if len(tools) > 0 {
			page.Servers++
		}
		if len(tools) == 0 || (q.ServerID != "" && q.ServerID != c.ID) {
			continue
		}
		uses, err := e.History.LastUses(ctx, c.ID)
		if err != nil {
			return page, err
		}
		for _, t := range tools {
			if text != "" && !matches(text, c.Name, t) {
				continue
			}
			if page.Total >= q.Offset && len(page.Rows) < limit {
				page.Rows = append(page.Rows, toolRow(s, t, uses))
			}
			page.Total++
		}
	}
	return page, nil
}

func matches(text, server string, t mcphost.Tool) bool {
	for _, s := range []string{t.Name, t.DisplayTitle(), server, t.Description} {
		if strings.Contains(strings.ToLower(s), text) {
			return true
		}
	}
	return false
}

func toolRow(s *mcphost.Server, t mcphost.Tool, uses map[string]mcphost.HistoryRow) ToolRow {
	c := s.Config()
	row := ToolRow{
		ServerID: c.ID, ServerName: c.Name, Name: t.Name, Title: t.DisplayTitle(), Risk: t.Risk().Class,
		Changed: t.Previous != nil, Tokens: len(t.Raw) / bytesPerToken, TaskSupport: s.TaskSupport(t),
	}
	if last, ok := uses[t.Name]; ok {
		row.LastUse, row.LastOutcome = stamp(last.At), outcomeOf(last)
	}
	return row
}

func toolDetail(ctx context.Context, e *Engine, s *mcphost.Server, t mcphost.Tool) (ToolDetail, error) {
	c := s.Config()
	uses, err := e.History.LastUses(ctx, c.ID)
	if err != nil {
		return ToolDetail{}, err
	}
	return ToolDetail{
		ToolRow: toolRow(s, t, uses), Origin: originOf(c), Description: t.Description, InputSchema: string(t.InputSchema),
		OutputSchema: string(t.OutputSchema), Definition: string(t.Raw), Previous: string(t.Previous), PinnedAt: stamp(t.PinnedAt),
		Annotations: string(t.Annotations.Raw), Times: seconds(c.Conversation.Tools[t.Name]), UsualTimes: seconds(s.Times()),
	}, nil
}

// callView finds a call of this run. Older ones are in the history.
func callView(e *Engine, id string) (CallView, error) {
	v, ok := e.Host.CallView(id)
	if !ok {
		return CallView{}, &failure{"unknown-call", id, fmt.Errorf("call %q is not of this run", id)}
	}
	out := CallView{
		ID: v.ID, ServerID: v.ServerID, ServerName: v.Server, Tool: v.Tool, Arguments: string(v.Arguments), State: string(v.State), StartedAt: stamp(v.At),
		DurationMs: int(v.Duration().Milliseconds()), Blocks: []Block{}, StructuredProblem: v.Structured, Unrecorded: v.Unrecorded != nil,
	}
	if !v.StartedAt.IsZero() {
		out.StartedAt = stamp(v.StartedAt)
	}
	out.Progress = progressOf(v)
	if d := v.Decision; d != nil {
		out.Decision, out.By, out.Reason, out.Edited = d.ID, d.By, d.Reason, d.Edited
	}
	if v.Result != nil {
		out.show(v.Result)
	}
	out.fault(v.Err)
	return out, nil
}

func progressOf(v mcphost.CallView) *Progress {
	p := v.Progress
	if p == nil {
		return nil
	}
	out := &Progress{Done: p.Progress, Message: p.Message}
	if p.Total != nil {
		out.Total = *p.Total
	}
	return out
}

func (v *CallView) fault(err error) {
	var answer *jsonrpc.Error
	var refusal *consent.Refusal
	switch {
	case err == nil, errors.As(err, &refusal):
	case errors.As(err, &answer):
		v.Error, v.ErrorCode = answer.Message, int(answer.Code)
	default:
		v.Error = err.Error()
		if errors.Is(err, consent.ErrUnrecorded) {
			v.Fault, _ = classify(consent.ErrUnrecorded, nil)
		}
	}
}
