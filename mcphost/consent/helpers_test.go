package consent

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
)

// A diary is a Journal in memory. Its hooks make it fail.
type diary struct {
	mu        sync.Mutex
	decisions []Decision
	refuse    error                 // RecordDecision fails
	blind     error                 // LastLaunch fails
	on        func(context.Context) // called by RecordDecision
}

func (d *diary) RecordDecision(ctx context.Context, decision Decision) error {
	if d.on != nil {
		d.on(ctx)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.refuse != nil {
		return d.refuse
	}
	d.decisions = append(d.decisions, decision)
	return nil
}

func (d *diary) LastLaunch(_ context.Context, server string) (Decision, bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.blind != nil {
		return Decision{}, false, d.blind
	}
	for i := len(d.decisions) - 1; i >= 0; i-- {
		if l := d.decisions[i]; l.Kind == KindLaunch && l.Allowed && l.By != ByStanding && l.Server.ID == server {
			return l, true, nil
		}
	}
	return Decision{}, false, nil
}

func (d *diary) all() []Decision {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]Decision(nil), d.decisions...)
}

func (d *diary) last(t *testing.T) Decision {
	t.Helper()
	all := d.all()
	if len(all) == 0 {
		t.Fatal("nothing is recorded")
	}
	return all[len(all)-1]
}

var testServer = Server{ID: "s1", Alias: "GitHub (work)", Claimed: "github-mcp", Origin: "/usr/bin/github-mcp --stdio"}

func launchRequest() Request {
	return Request{
		Kind: KindLaunch, Server: testServer, Actor: Actor{Kind: ActorUser},
		Launch: &Launch{Transport: "stdio", Command: "/usr/bin/github-mcp", Args: []string{"--stdio"}, Env: []Var{{Name: "TZ", Value: "UTC"}}},
	}
}

func callRequest(arguments string) Request {
	return Request{
		Kind: KindToolCall, Server: testServer, Actor: Actor{Kind: ActorModel, Name: "m"},
		ToolCall: &ToolCall{
			Launch: launchRequest().Launch.Digest(), Tool: "create_issue",
			Definition: json.RawMessage(`{"name":"create_issue","inputSchema":{"type":"object"}}`), Arguments: json.RawMessage(arguments),
		},
	}
}

// yes allows exactly what is asked.
func yes(_ context.Context, r Request) Answer {
	return Answer{Allow: true, Digest: r.Digest(), By: "test"}
}

// refusalOf checks that err is a Refusal for this reason by Gatehouse.
func refusalOf(t *testing.T, err error, reason string) *Refusal {
	t.Helper()
	var refusal *Refusal
	if !errors.As(err, &refusal) {
		t.Fatalf("got error %v, want a Refusal", err)
	}
	if d := refusal.Decision; d.Allowed || d.By != ByHost || d.Reason != reason {
		t.Fatalf("got allowed %t by %q, %q; want no by %q, %q", d.Allowed, d.By, d.Reason, ByHost, reason)
	}
	return refusal
}
