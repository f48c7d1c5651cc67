package session_test

import (
	"slices"
	"testing"
	"testing/synctest"

	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

// What a server tells or asks of a task before we have taken note of its answer belongs to the task all the same; a task
// that no call becomes is a stranger (2025-11-25, "Tasks").
func TestTaskIsToldEarly(t *testing.T) {
	for _, stranger := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			sc := tasked(mcphosttest.Legacy, state("working", forever), state("completed", done))
			early := state("working", `,"ttl":null,"statusMessage":"early"`)
			if stranger {
				early = mcphosttest.Raw(`{"taskId":"another"` + string(early[len(`{"taskId":"t"`):]))
			}
			slow := sc.Tools[0].Do
			sc.Tools[0].Do = append([]mcphosttest.Action{mcphosttest.Notify(protocol.NotificationTaskStatus, early)}, slow...)
			var noise, told []string
			s, _ := open(t, sc, &session.Options{Noise: func(kind string, _ []byte) { noise = append(noise, kind) }})
			o := asTask(new(statuses))
			o.Status = func(t protocol.Task) { told = append(told, t.StatusMessage) }
			if _, err := s.CallTool(t.Context(), "slow", nil, o); err != nil {
				t.Fatal(err)
			}
			if slices.Contains(told, "early") == stranger || slices.Contains(noise, "unknown-task") != stranger {
				t.Errorf("a stranger %v: told %q, noise %q", stranger, told, noise)
			}
		})
	}
}

// A question for a task that is asked before we have taken note of the answer is the task's. One that keeps the answer
// waiting is put nevertheless.
func TestTaskAsksEarly(t *testing.T) {
	question := mcphosttest.Ask(protocol.MethodElicit, `{"message":"m","requestedSchema":{"type":"object","properties":{}},`+
		`"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t"}}}`)
	for _, before := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			sc := tasked(mcphosttest.Legacy, state("working", forever), state("completed", done))
			actions := append(slices.Clone(sc.Tools[0].Do), question)
			if before {
				slices.Reverse(actions)
			}
			sc.Tools[0].Do = actions
			user := &asker{answer: agreeable}
			s, _ := open(t, sc, &session.Options{Offer: session.Offer{Form: true, Tasks: true}, Asker: user})
			if _, err := s.CallTool(t.Context(), "slow", nil, asTask(new(statuses))); err != nil {
				t.Fatal(err)
			}
			if q := user.questions()[0]; (q.Task == "t" && q.Origin == session.OriginTask) == before || q.Call != "call" {
				t.Errorf("before %v: %+v", before, q)
			}
		})
	}
}
