package app

// This file keeps the conversations of this run. They are in memory only.

import (
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"

	"gatehouse/mcphost/chat"
	"gatehouse/mcphost/llm/manual"
)

// A talk is one conversation and whoever is the model in it.
type talk struct {
	id           string
	conversation *chat.Conversation
	model        string
	man          *manual.Model // nil when a model is configured
}

// talks are all of them, the newest first, and never none. They go on whether the page shows them or not.
type talks struct {
	open func() *talk

	mu     sync.Mutex
	all    []*talk // guarded by mu, like closed
	closed bool
}

// begin opens the first one.
func (t *talks) begin(e *Engine, emit func(kind, id, data string)) {
	t.open = func() *talk {
		begun := &talk{id: rand.Text()}
		model := e.Model
		if model == nil {
			begun.man = manual.New()
			model = begun.man
		}
		begun.model = model.Name()
		begun.conversation = chat.New(e.Host.ForChat(), model, &chat.Options{
			Changed: func() { emit("chat", begun.id, "") },
			Delta:   func(_, text string) { emit("chatDelta", begun.id, text) },
		})
		return begun
	}
	t.all = []*talk{t.open()}
}

func (t *talks) list() []*talk {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.all)
}

// get returns one by its id, for "" the newest.
func (t *talks) get(id string) (*talk, error) {
	all := t.list()
	for _, each := range all {
		if id == "" || each.id == id {
			return each, nil
		}
	}
	return nil, errUnknownChat(id)
}

func errUnknownChat(id string) error {
	return &failure{"unknown-chat", "", fmt.Errorf("there is no conversation %q", id)}
}

// fresh returns the id of one in which nothing was said yet, now the newest.
func (t *talks) fresh() (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return "", chat.ErrClosed
	}
	at := slices.IndexFunc(t.all, func(each *talk) bool {
		now := each.conversation.View()
		return len(now.Items) == 0 && !now.Busy
	})
	var next *talk
	if at >= 0 {
		next = t.all[at]
		t.all = slices.Delete(t.all, at, at+1)
	} else {
		next = t.open()
	}
	t.all = slices.Insert(t.all, 0, next)
	return next.id, nil
}

// remove ends one and waits for its end. The last is followed by an empty one.
func (t *talks) remove(id string) error {
	t.mu.Lock()
	at := slices.IndexFunc(t.all, func(each *talk) bool { return each.id == id })
	if at < 0 || t.closed {
		t.mu.Unlock()
		return errUnknownChat(id)
	}
	gone := t.all[at]
	t.all = slices.Delete(t.all, at, at+1)
	if len(t.all) == 0 {
		t.all = []*talk{t.open()}
	}
	t.mu.Unlock()
	gone.conversation.Close()
	return nil
}

// close ends all of them. None begins afterwards.
func (t *talks) close() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	for _, each := range t.list() {
		each.conversation.Close()
	}
}

// waiting says who has the move: in manual mode the model is the user.
func (t *talk) waiting(now chat.View) string {
	if t.man != nil && now.Waiting == chat.WaitModel {
		return "user"
	}
	return string(now.Waiting)
}

// turn starts one without a word of the user if none runs.
func (t *talk) turn() error {
	if err := t.conversation.Send(""); !errors.Is(err, chat.ErrBusy) {
		return err
	}
	return nil
}
