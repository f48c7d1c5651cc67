package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/mcphost/consent"
)

// A keyboard is a terminal with a driver in the test: what is typed waits until it is read or discarded.
type keyboard struct {
	mu     sync.Mutex // guards what follows
	typed  bytes.Buffer
	shown  bytes.Buffer
	closed bool
	news   chan struct{}
	fault  error // of Discard
}

func newKeyboard() *keyboard { return &keyboard{news: make(chan struct{}, 100)} }

func (k *keyboard) enter(text string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.typed.WriteString(text)
	k.news <- struct{}{}
}

func (k *keyboard) Read(b []byte) (int, error) {
	for {
		k.mu.Lock()
		n, _ := k.typed.Read(b)
		closed := k.closed
		k.mu.Unlock()
		if n > 0 {
			return n, nil
		}
		if closed {
			return 0, os.ErrClosed
		}
		<-k.news
	}
}

func (k *keyboard) Write(b []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.shown.Write(b)
}

func (k *keyboard) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.closed = true
	k.news <- struct{}{}
	return nil
}

func (k *keyboard) Discard() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.typed.Reset()
	return k.fault
}

func (k *keyboard) Width() int { return 80 }

func (k *keyboard) text() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.shown.String()
}

func question1() consent.Request {
	return consent.Request{
		Kind: consent.KindToolCall, Server: consent.Server{Alias: "srv"}, Actor: actor,
		ToolCall: &consent.ToolCall{Tool: "echo", Definition: []byte(`{"name":"echo"}`), Arguments: []byte(`{"a":1}`)},
	}
}

type answered struct {
	answer consent.Answer
	err    error
}

func ask(ctx context.Context, k *keyboard) (*terminalAsker, chan answered) {
	a := &terminalAsker{open: func() (Terminal, error) { return k, nil }, arming: consent.DefaultArming, turn: make(chan struct{}, 1)}
	done := make(chan answered, 1)
	go func() {
		answer, err := a.Ask(ctx, question1())
		done <- answered{answer, err}
	}()
	return a, done
}

// What is typed before the question, or before it could be read, does not answer it.
func TestTypedAheadIsDropped(t *testing.T) {
	for _, early := range []string{"yes\n", "yes", "yes\nyes\nyes\n"} {
		synctest.Test(t, func(t *testing.T) {
			k := newKeyboard()
			k.enter(early)
			_, done := ask(t.Context(), k)
			time.Sleep(consent.DefaultArming - time.Millisecond)
			k.enter(early)
			synctest.Wait()
			if strings.Contains(k.text(), "Type yes") {
				t.Error("it prompts before it is armed")
			}
			time.Sleep(2 * time.Millisecond)
			synctest.Wait()
			if !strings.Contains(k.text(), "Type yes") {
				t.Error("it does not prompt")
			}
			k.enter("\n")
			if got := <-done; got.err != nil || got.answer.Allow {
				t.Errorf("%q: %+v", early, got)
			}
		})
	}
}

func TestYesAllowsWhatWasShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKeyboard()
		_, done := ask(t.Context(), k)
		time.Sleep(time.Second)
		k.enter("ye")
		k.enter("s\n")
		got := <-done
		want := consent.Answer{Allow: true, By: consent.ByUser, Digest: question1().Digest()}
		if got.err != nil || got.answer.Allow != want.Allow || got.answer.By != want.By || got.answer.Digest != want.Digest {
			t.Errorf("%+v", got)
		}
		for _, part := range []string{"“srv” wants to run a tool", "Asked for by the command line", "Tool     │ echo", "  a │ 1"} {
			if !strings.Contains(k.text(), part) {
				t.Errorf("%q is not in the question:\n%s", part, k.text())
			}
		}
	})
}

func TestQuestionIsWithdrawn(t *testing.T) {
	for name, after := range map[string]time.Duration{"before it is armed": time.Millisecond, "while it waits": time.Second} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				k := newKeyboard()
				_, done := ask(ctx, k)
				time.Sleep(after)
				cancel()
				if got := <-done; !errors.Is(got.err, context.Canceled) || got.answer.Allow {
					t.Errorf("%+v", got)
				}
			})
		})
	}
}

func TestOneQuestionAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKeyboard()
		a, done := ask(t.Context(), k)
		time.Sleep(time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if answer, err := a.Ask(ctx, question1()); !errors.Is(err, context.DeadlineExceeded) || answer.Allow {
			t.Errorf("%+v, %v", answer, err)
		}
		if n := strings.Count(k.text(), "needs your decision"); n != 1 {
			t.Errorf("%d questions at once", n)
		}
		k.enter("no\n")
		<-done
	})
}

func TestTerminalFaultsRefuse(t *testing.T) {
	broken := errors.New("broken")
	a := &terminalAsker{open: func() (Terminal, error) { return nil, broken }, turn: make(chan struct{}, 1)}
	if answer, err := a.Ask(t.Context(), question1()); !errors.Is(err, consent.ErrNobody) || answer.Allow {
		t.Errorf("no terminal: %+v, %v", answer, err)
	}
	synctest.Test(t, func(t *testing.T) {
		k := newKeyboard()
		k.fault = broken // what was typed ahead cannot be dropped
		k.enter("yes\n")
		_, done := ask(t.Context(), k)
		if got := <-done; !errors.Is(got.err, broken) || got.answer.Allow {
			t.Errorf("no flush: %+v", got)
		}
	})
	closed, w := io.Pipe()
	w.Close()
	if line, err := readLine(closed, maxLine); line != "" || err != nil {
		t.Errorf("end of input: %q, %v", line, err)
	}
}

func TestProblemsCannotBeAllowed(t *testing.T) {
	k := newKeyboard()
	a := &terminalAsker{open: func() (Terminal, error) { return k, nil }, turn: make(chan struct{}, 1)}
	r := question1()
	r.Problems = []consent.Problem{{Pointer: "/a", Message: "wrong"}}
	if answer, err := a.Ask(t.Context(), r); err != nil || answer.Allow {
		t.Errorf("%+v, %v", answer, err)
	}
}
