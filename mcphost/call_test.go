package mcphost_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
)

// A call that cannot be recorded is not sent, and gives its slot back.
func TestUnrecordedStartFreesTheSlot(t *testing.T) {
	h := newHouse(t, mcphost.Options{InFlight: 1})
	p := mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("echo")}})
	s := h.add("Scripted", p)
	h.connect(s)
	h.full.Store(true)
	view, err := h.call(s, "echo", `{}`)
	if !errors.Is(err, consent.ErrUnrecorded) || view.State != mcphost.CallDenied || p.Count(t, "tools/call") != 0 {
		t.Fatalf("state %s, error %v, %d calls sent", view.State, err, p.Count(t, "tools/call"))
	}
	h.full.Store(false)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if _, err := h.Call(ctx, mcphost.CallRequest{ServerID: s.ID(), Tool: "echo", Arguments: json.RawMessage(`{}`)}); err != nil {
		t.Errorf("the next call: %v", err)
	}
}

// A no stands, even if the definition that it is about is gone when it comes: nobody is asked again.
func TestRefusalOutlivesItsDefinition(t *testing.T) {
	const changed = `{"name":"target","description":"changed","inputSchema":{"type":"object"}}`
	h := newHouse(t, mcphost.Options{})
	p := mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{
		tool("target"), tool("flip", mcphosttest.Redefine("target", changed), mcphosttest.Notify("notifications/tools/list_changed", "")),
	}})
	s := h.add("Scripted", p)
	h.connect(s)
	h.answer(func(ctx context.Context, r consent.Request) consent.Answer {
		if r.ToolCall.Tool == "flip" {
			return yes(ctx, r)
		}
		<-ctx.Done()
		return no(ctx, r)
	})
	done := make(chan error, 1)
	go func() {
		_, err := h.call(s, "target", `{}`)
		done <- err
	}()
	waitFor(t, "the question", func() bool { return len(h.requests()) == 2 })
	if _, err := h.call(s, "flip", `{}`); err != nil {
		t.Fatal(err)
	}
	var refusal *consent.Refusal
	if err := <-done; !errors.As(err, &refusal) || refusal.Decision.By != consent.ByUser {
		t.Errorf("error = %v, want the user's refusal", err)
	}
	if n := len(h.requests()); n != 3 {
		t.Errorf("asked %d times, want 3", n)
	}
}

// Stopping a question withdraws it; the call never goes out.
func TestStopWhileAsked(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	p := mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("echo")}})
	s := h.add("Scripted", p)
	h.connect(s)
	h.answer(func(ctx context.Context, _ consent.Request) consent.Answer {
		<-ctx.Done()
		return consent.Answer{}
	})
	view, err := h.Call(t.Context(), mcphost.CallRequest{ServerID: s.ID(), Tool: "echo", Arguments: json.RawMessage(`{}`), Started: h.StopCall})
	if err == nil || view.State != mcphost.CallState(mcphost.CallStopped) || p.Count(t, "tools/call") != 0 {
		t.Errorf("state %s, error %v, %d calls sent", view.State, err, p.Count(t, "tools/call"))
	}
	if rows := h.history(); rows[0].Allowed || rows[0].By != consent.ByHost {
		t.Errorf("history = %+v", rows[0])
	}
}

// Closing the host tells the servers of running calls before it ends them.
func TestCloseCancelsOnTheWire(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	p := mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{tool("wait", mcphosttest.Silence())}})
	s := h.add("Scripted", p)
	h.connect(s)
	done := make(chan error, 1)
	go func() {
		_, err := h.call(s, "wait", `{}`)
		done <- err
	}()
	waitFor(t, "the call to reach the server", func() bool { return p.Count(t, "tools/call") == 1 })
	if err := h.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-done; !errors.Is(err, mcphost.ErrClosed) {
		t.Errorf("error = %v, want ErrClosed", err)
	}
	if n := p.Count(t, "notifications/cancelled"); n != 1 {
		t.Errorf("%d cancellations reached the server", n)
	}
}
