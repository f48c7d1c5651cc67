package session_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

// What a task needs goes to the one port, with the call and the task that it belongs to.
func TestTaskInput(t *testing.T) {
	a := &asker{answer: agreeable}
	inBubble(t, func(era string) mcphosttest.Scenario {
		input := forever + `,"inputRequests":{"q":{"method":"elicitation/create","params":` + form + `}}`
		sc := tasked(era, state("working", forever), state("input_required", input), state("input_required", input), state("working", forever), state("completed", done))
		meta := strings.Replace(form, `{"message"`, `{"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t"}},"message"`, 1)
		sc.On[protocol.MethodTasksResult] = append([]mcphosttest.Action{mcphosttest.Ask(protocol.MethodElicit, mcphosttest.Raw(meta))}, sc.On[protocol.MethodTasksResult]...)
		return sc
	}, session.Options{Offer: everything, Asker: a}, func(t *testing.T, era string, s *session.Session, stream *mcphosttest.Stream) {
		result, err := s.CallTool(t.Context(), "slow", nil, asTask(new(statuses)))
		if err != nil || result.Content[0].Text != "done" {
			t.Fatalf("%+v, %v", result, err)
		}
		asked := a.questions()
		q := asked[len(asked)-1]
		if q.Origin != session.OriginTask || q.Task != "t" || q.Call != "call" || q.Elicit.Message != "who?" {
			t.Errorf("%+v", q)
		}
		if era == mcphosttest.Modern {
			if len(asked) != 2 { // one in each era: a key that was asked is not asked again
				t.Errorf("asked %d times", len(asked))
			}
			if update := stream.Of(t, protocol.MethodTasksUpdate); len(update) != 1 || !strings.Contains(update[0], `"taskId":"t","inputResponses":{"q":{"action":"accept","content":{"name":"x"}}}`) {
				t.Errorf("updates %s", update)
			}
		}
	})
}

// A question of a task is withdrawn when the task goes on without it, and a no ends the call.
func TestTaskInputIsWithdrawnOrRefused(t *testing.T) {
	input := forever + `,"inputRequests":{"q":{"method":"sampling/createMessage","params":` + sampling + `}}`
	synctest.Test(t, func(t *testing.T) {
		a := &asker{answer: func(ctx context.Context, _ session.Question) (session.Answer, error) {
			<-ctx.Done()
			return session.Answer{}, ctx.Err()
		}}
		s, stream := open(t, tasked(mcphosttest.Modern, state("working", forever), state("input_required", input), state("completed", done)), &session.Options{
			Offer: session.Offer{Sampling: true, Tasks: true}, Asker: a,
		})
		if _, err := s.CallTool(t.Context(), "slow", nil, asTask(new(statuses))); err != nil {
			t.Error(err)
		}
		if len(a.questions()) != 1 || stream.Count(t, protocol.MethodTasksUpdate) != 0 {
			t.Errorf("%d questions, %d updates", len(a.questions()), stream.Count(t, protocol.MethodTasksUpdate))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s, _ := open(t, tasked(mcphosttest.Modern, state("working", forever), state("input_required", input)), &session.Options{
			Offer: session.Offer{Sampling: true, Tasks: true}, Asker: &asker{answer: refuse},
		})
		var refused *session.RefusedError
		if _, err := s.CallTool(t.Context(), "slow", nil, asTask(new(statuses))); !errors.As(err, &refused) {
			t.Errorf("error %v", err)
		}
	})
}

func refuse(context.Context, session.Question) (session.Answer, error) {
	return session.Answer{}, errors.New("no")
}

// A task that asks for ever ends, in the round after the last one that is allowed.
func TestTaskRounds(t *testing.T) {
	for _, era := range eras {
		for most, ok := range map[int]bool{3: true, 2: false} {
			synctest.Test(t, func(t *testing.T) {
				var states []mcphosttest.Raw
				for i := range 3 {
					states = append(states, state("input_required", forever+fmt.Sprintf(`,"inputRequests":{"q%d":{"method":"elicitation/create","params":%s}}`, i, form)), state("working", forever))
				}
				sc := tasked(era, state("working", forever), append(states, state("completed", done))...)
				early := []mcphosttest.Action{mcphosttest.Fail(-32600, "not yet")} // it does not wait for the end
				sc.On[protocol.MethodTasksResult] = []mcphosttest.Action{mcphosttest.Turns(early, early, early, sc.On[protocol.MethodTasksResult])}
				s, _ := open(t, sc, &session.Options{Offer: session.Offer{Form: true, Tasks: true}, Asker: &asker{answer: agreeable}, Limits: session.Limits{TaskRounds: most}})
				_, err := s.CallTool(t.Context(), "slow", nil, asTask(new(statuses)))
				if ok && err != nil || !ok && !errors.Is(err, session.ErrRounds) {
					t.Errorf("%q, %d rounds: %v", era, most, err)
				}
			})
		}
	}
}
