package app

// This file maps servers to what the page shows.

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/session"
	"gatehouse/mcphost/transport"
)

// A Variable is an environment variable or header of a draft. Secret is write-only.
type Variable struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Ref    string `json:"ref"`
	Secret string `json:"secret,omitempty"`
}

// A ServerDraft is a server as the form edits it.
type ServerDraft struct {
	ID        string     `json:"id"` // "" for a new server
	Name      string     `json:"name"`
	Transport string     `json:"transport"`
	Command   string     `json:"command"`
	Args      []string   `json:"args"`
	Dir       string     `json:"dir"`
	Env       []Variable `json:"env"`
	URL       string     `json:"url"`
	Headers   []Variable `json:"headers"`

	Era         string   `json:"era"`         // "auto", "legacy" or "modern"
	InactiveMin int      `json:"inactiveMin"` // minutes of a call without progress; 0 = as for all servers
	TotalMin    int      `json:"totalMin"`    // minutes of a call; 0 = as for all servers
	Authorities []string `json:"authorities"` // of a remote server: files of certificates
}

// A ServerRow is one line of the list.
type ServerRow struct {
	ID           string `json:"id"`
	Name         string `json:"name"`
	Transport    string `json:"transport"`
	Origin       string `json:"origin"`
	Status       string `json:"status"`
	Since        string `json:"since"`
	Crashes      int    `json:"crashes"`
	Revision     string `json:"revision"`
	Tools        int    `json:"tools"`
	ChangedTools int    `json:"changedTools"`
	Review       string `json:"review"` // of its instructions
	LatencyMs    int    `json:"latencyMs"`
	Aside        bool   `json:"aside"` // not in the profile in use
}

// A ServerDetail is everything about one server.
type ServerDetail struct {
	ServerRow
	Draft          ServerDraft `json:"draft"`
	Command        string      `json:"command"`
	ClaimedName    string      `json:"claimedName"`
	ClaimedTitle   string      `json:"claimedTitle"`
	ClaimedVersion string      `json:"claimedVersion"`
	Inherited      []string    `json:"inherited"`
	ApprovedAt     string      `json:"approvedAt"`
	ApprovedDigest string      `json:"approvedDigest"`
	Failure        *Failure    `json:"failure"`
	Noise          int         `json:"noise"`
	ToolsWarning   string      `json:"toolsWarning"` // what the list of tools lacks, and why
	Logs           bool        `json:"logs"`         // it says that it sends log messages
	LogLevel       string      `json:"logLevel"`     // the least severe that it is asked for, "" = as it likes
	KnownEra       string      `json:"knownEra"`     // "legacy" or "modern", remembered from an earlier start; "" = not known
	KnownWire      string      `json:"knownWire"`
	KnownSince     string      `json:"knownSince"`

	Instructions Instructions `json:"instructions"`
}

// A FieldProblem is a fault of a draft's field. The page has a sentence for each code.
type FieldProblem struct {
	Field  string `json:"field"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// A DraftCheck is what a draft would run.
type DraftCheck struct {
	Resolved    string            `json:"resolved"`
	Argv        []string          `json:"argv"`
	Problems    []FieldProblem    `json:"problems"`
	Findings    []consent.Finding `json:"findings"`
	LooksSecret []string          `json:"looksSecret"`
	Authorities []Authority       `json:"authorities"`
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

func (d ServerDraft) config() mcphost.Config {
	c := mcphost.Config{Name: strings.TrimSpace(d.Name), Transport: d.Transport}
	if d.Transport == mcphost.HTTP {
		c.URL, c.Headers = strings.TrimSpace(d.URL), vars(d.Headers)
		return c
	}
	c.Command, c.Args, c.Dir, c.Env = strings.TrimSpace(d.Command), d.Args, strings.TrimSpace(d.Dir), vars(d.Env)
	return c
}

func vars(vs []Variable) []consent.Var {
	var out []consent.Var
	for _, v := range vs {
		out = append(out, consent.Var{Name: v.Name, Value: v.Value, Ref: v.Ref})
	}
	return out
}

func variables(vs []consent.Var) []Variable {
	out := []Variable{}
	for _, v := range vs {
		out = append(out, Variable{Name: v.Name, Value: v.Value, Ref: v.Ref})
	}
	return out
}

func draftOf(c mcphost.Config) ServerDraft {
	return ServerDraft{
		ID: c.ID, Name: c.Name, Transport: c.Transport, Command: c.Command, Args: list(c.Args), Dir: c.Dir,
		Env: variables(c.Env), URL: c.URL, Headers: variables(c.Headers), Era: string(cmp.Or(c.Conversation.Era, session.EraAuto)),
		InactiveMin: minutes(c.Conversation.Times.Inactive), TotalMin: minutes(c.Conversation.Times.Total), Authorities: list(c.Conversation.Authorities),
	}
}

// originOf is the command line or URL as it is configured, with what looks like a secret masked.
func originOf(c mcphost.Config) string {
	return mcphost.Origin(consent.Launch{Transport: c.Transport, Command: c.Command, Args: c.Args, URL: c.URL})
}

func serverRow(s mcphost.Snapshot) ServerRow {
	return ServerRow{
		ID: s.Config.ID, Name: s.Config.Name, Transport: s.Config.Transport, Origin: originOf(s.Config), Status: string(s.Status),
		Since: stamp(s.Since), Crashes: s.Crashes, Revision: string(s.Info.Revision), Tools: s.Tools, ChangedTools: s.Changed, Review: string(s.Instructions.Review),
		LatencyMs: int(s.Opened.Milliseconds()), Aside: s.Aside,
	}
}

func serverDetail(ctx context.Context, e *Engine, s mcphost.Snapshot) ServerDetail {
	d := ServerDetail{
		ServerRow: serverRow(s), Draft: draftOf(s.Config), Inherited: list(e.Host.Inherited()), Noise: s.Noise, ToolsWarning: s.Warning,
		ClaimedName: s.Info.Server.Name, ClaimedTitle: s.Info.Server.Title, ClaimedVersion: s.Info.Server.Version,
		Instructions: instructionsDTO(s.Instructions), Failure: failureDTO(s.Failure, s.Config),
		Logs: s.Info.Capabilities.Logging, LogLevel: s.Config.Conversation.LogLevel,
	}
	launch, err := e.Host.Launch(ctx, s.Config)
	if err != nil {
		return d
	}
	d.Command = launch.Command
	if known := e.Host.Remembered(ctx, launch); known.Era != "" {
		d.KnownEra, d.KnownWire, d.KnownSince = string(known.Era), string(known.Wire), stamp(known.At)
	}
	if decision, ok, err := e.Host.Approved(ctx, s.Config.ID, launch.Digest()); err == nil && ok {
		d.ApprovedAt, d.ApprovedDigest = stamp(decision.At), decision.Digest.String()
	}
	return d
}

// checkDraft resolves a draft the way a start would.
func checkDraft(ctx context.Context, e *Engine, d ServerDraft) DraftCheck {
	c := d.config()
	check := DraftCheck{Argv: []string{}, Problems: []FieldProblem{}, Findings: []consent.Finding{}, LooksSecret: []string{}, Authorities: []Authority{}}
	if c.Name == "" {
		check.Problems = append(check.Problems, FieldProblem{"name", "required", ""})
	}
	for _, s := range e.Host.Servers() {
		if other := s.Config(); strings.EqualFold(other.Name, c.Name) && other.ID != d.ID {
			check.Problems = append(check.Problems, FieldProblem{"name", "taken", other.Name})
		}
	}
	check.conversation(d)
	launch, err := e.Host.Launch(ctx, c)
	if err != nil {
		check.Problems = append(check.Problems, draftProblem(c, err))
		return check
	}
	check.Resolved = launch.Command
	if launch.Transport == mcphost.HTTP {
		check.Resolved = launch.URL
	}
	check.Argv = append(check.Argv, check.Resolved)
	check.Argv = append(check.Argv, launch.Args...)
	check.Findings = list(consent.LaunchRisk(launch).Findings)
	for _, f := range check.Findings {
		if f.Code == consent.CodeSecretInPlain || f.Code == consent.CodeSecretInArgument {
			check.LooksSecret = append(check.LooksSecret, f.Pointer)
		}
	}
	return check
}

func draftProblem(c mcphost.Config, err error) FieldProblem {
	var missing *transport.NotFoundError
	var config *mcphost.ConfigError
	switch {
	case c.Transport == mcphost.Stdio && c.Command == "":
		return FieldProblem{"command", "required", ""}
	case c.Transport == mcphost.HTTP && c.URL == "":
		return FieldProblem{"url", "required", ""}
	case errors.As(err, &missing):
		return FieldProblem{"command", "not-found", strings.Join(missing.Searched, "\n")}
	case errors.As(err, &config):
		return FieldProblem{config.Field, "invalid", config.Err.Error()}
	}
	return FieldProblem{"", "invalid", err.Error()}
}
