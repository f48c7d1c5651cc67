package mcphost_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

// A question for a model or for folders is withdrawn when the server cancels it, and when the server dies: the dialog's ctx
// ends, a late answer sends nothing, and the history says so (ACC A18; forms: TestFormWithdrawn).
func TestQuestionsAreWithdrawn(t *testing.T) {
	kinds := map[consent.Kind]mcphosttest.Action{
		consent.KindSample: mcphosttest.Ask(protocol.MethodCreateMessage, askModel),
		consent.KindRoots:  mcphosttest.Ask(protocol.MethodRootsList, ""),
	}
	ends := map[string]func(h *house, s *mcphost.Server){
		"cancelled": func(h *house, s *mcphost.Server) { _, _ = h.call(s, "cancel", `{}`) },
		"died":      func(h *house, s *mcphost.Server) { _, _ = h.call(s, "die", `{}`) },
	}
	for kind, ask := range kinds {
		for name, end := range ends {
			t.Run(string(kind)+" "+name, func(t *testing.T) {
				t.Parallel()
				h := newHouse(t, mcphost.Options{Offer: session.Offer{Sampling: true, Roots: true}})
				open, late := make(chan struct{}), make(chan struct{})
				h.answer(func(ctx context.Context, r consent.Request) consent.Answer {
					if r.Kind != kind {
						return yes(ctx, r)
					}
					close(open)
					<-ctx.Done()
					defer close(late)
					if kind == consent.KindSample {
						return accept(byHand)(ctx, r)
					}
					return yes(ctx, r)
				})
				p := mcphosttest.Command(t, mcphosttest.Scenario{Tools: []mcphosttest.Tool{
					tool("ask", ask, mcphosttest.Text("done")),
					tool("cancel", mcphosttest.Notify(protocol.NotificationCancelled, `{"requestId":"s1"}`), mcphosttest.Text("done")),
					tool("die", mcphosttest.Exit(1)),
				}})
				s := h.add("srv", p)
				h.connect(s)
				if kind == consent.KindRoots {
					root, err := h.AddRoot(t.Context(), folder(t))
					if err = errors.Join(err, h.ShowRoot(t.Context(), root.ID, s.ID(), mcphost.RootVisible)); err != nil {
						t.Fatal(err)
					}
				}
				ctx, stop := context.WithCancel(t.Context())
				ended := make(chan struct{})
				go func() {
					defer close(ended)
					_, _ = h.Call(ctx, mcphost.CallRequest{ // the server waits on for the answer that it has cancelled
						ServerID: s.ID(), Tool: "ask", Arguments: json.RawMessage(`{}`), Actor: consent.Actor{Kind: consent.ActorUser},
					})
				}()
				<-open
				end(h, s)
				<-late
				stop()
				<-ended
				waitFor(t, "the refusal in the history", func() bool {
					for _, row := range h.history() {
						if row.Kind == kind {
							d, err := h.store.HistoryEntry(t.Context(), row.ID)
							return err == nil && !row.Allowed && d.Decision.Reason == consent.ReasonWithdrawn
						}
					}
					return false
				})
				for _, f := range p.Frames(t) {
					for _, yes := range []string{`"model":"manual`, `"uri":"file:`} {
						if strings.Contains(f, yes) {
							t.Errorf("sent %s", f)
						}
					}
				}
			})
		}
	}
}
