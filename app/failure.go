package app

// This file says why a server ended or did not start.

import (
	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

// A Failure is why the last start or connection ended.
type Failure struct {
	Code     string   `json:"code"`
	Message  string   `json:"message"`
	ExitCode int      `json:"exitCode"`
	Signal   string   `json:"signal"`
	Stderr   Excerpt  `json:"stderr"`
	Searched []string `json:"searched"`
	Hint     string   `json:"hint"`
	At       string   `json:"at"`
}

// An Excerpt is what is shown of many lines: the last ones and, where lines are left out, the first ones too.
type Excerpt struct {
	First   []string `json:"first"`
	LeftOut int      `json:"leftOut"`
	Last    []string `json:"last"`
}

func failureDTO(f *mcphost.Failure, c mcphost.Config) *Failure {
	if f == nil {
		return nil
	}
	return &Failure{
		Code: f.Code, Message: consent.Untrusted(f.Err.Error()).Display(), ExitCode: f.ExitCode, Signal: f.Signal,
		Stderr: Excerpt{list(f.Stderr.First), f.Stderr.LeftOut, list(f.Stderr.Last)}, Searched: list(f.Searched), Hint: f.Hint(c), At: stamp(f.At),
	}
}
