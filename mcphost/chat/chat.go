// Package chat is the model loop: a turn asks the model, runs the tools it wants through the host (which asks
// the user), gives the results back and asks again. It knows no server, no dialog and no provider.
package chat

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"gatehouse/mcphost/llm"
)

// A Host is what the loop needs of the engine.
type Host interface {
	// Offer lists the tools that a model may ask for now.
	Offer(ctx context.Context) []Tool
	// Instructions is what servers want the model to know, "" if nothing. The same servers give the same bytes.
	Instructions(ctx context.Context) string
	// Run decides and makes one call. It returns when the call has ended or was refused.
	Run(ctx context.Context, u Use) Outcome
}

// A Tool is one tool of one server, under its real name.
type Tool struct {
	ServerID    string
	Server      string // the user's alias
	Name        string
	Description string
	InputSchema json.RawMessage
}

// A Use is one call that a model asked for.
type Use struct {
	ID        string // the model's id, or the Run panel's confirmation
	ServerID  string
	Tool      string
	Arguments json.RawMessage
	Model     string
	Chat      string            // its title, for the dialog
	Turn      string            // groups the uses of one turn
	Started   func(call string) // told the history id as soon as it exists
}

// An Outcome is what goes back to the model.
type Outcome struct {
	Parts   []llm.Part
	IsError bool
	Stop    bool // the user refused and ended the turn
}

// A Role says who wrote an Item.
type Role string

// The roles of transcript items.
const (
	RoleUser  Role = "user"
	RoleModel Role = "model"
	RoleTool  Role = "tool"
)

// A Note marks an item or a turn that did not go as usual. The page has a sentence for each.
type Note string

// The notes.
const (
	NoteStopped     Note = "stopped"       // by the user
	NoteModelError  Note = "modelError"    // Text holds the error
	NoteRounds      Note = "tooManyRounds" // the turn hit Options.Rounds
	NoteUnknownTool Note = "unknownTool"   // the model asked for a tool that is not offered
	NoteArguments   Note = "badArguments"  // the model's arguments are not JSON; nothing was run
)

// An Item is one entry of the transcript.
type Item struct {
	ID        string
	Role      Role
	Text      string
	Streaming bool
	At        time.Time
	Call      string // RoleTool: the call's history id, "" until it exists
	Tool      Tool   // RoleTool
	Note      Note
	Attached  []string // RoleUser: ids of the attachments that went with it
}

// An Attachment is what goes to the model before the user's own words.
type Attachment struct {
	ID       string
	Messages []llm.Message
}

// A Waiting says what a turn waits for.
type Waiting string

// What a turn may wait for. In manual mode the model is the user.
const (
	WaitNothing  Waiting = ""
	WaitModel    Waiting = "model"
	WaitDecision Waiting = "decision" // decisions or running calls
)

// A View is a copy of a conversation's state.
type View struct {
	Title   string // the start of what the user said first, "" before that
	Items   []Item
	Busy    bool
	Waiting Waiting
}

// Options of a Conversation. The zero value works.
type Options struct {
	Changed func()                  // something but a delta changed; called without locks
	Delta   func(item, text string) // text was appended to an item
	Rounds  int                     // model answers in one turn, default 25 (SEC C14)
	Now     func() time.Time
}

// Errors of a Conversation.
var (
	ErrBusy   = errors.New("a turn is running")
	ErrClosed = errors.New("the conversation is closed")
)

// A Conversation holds one transcript and runs at most one turn at a time. It is safe for concurrent use.
type Conversation struct {
	host  Host
	model llm.Model
	opts  Options

	mu       sync.Mutex
	title    string
	items    []Item
	messages []llm.Message
	waiting  Waiting
	busy     bool
	closed   bool
	cancel   context.CancelFunc // of the last turn, like done
	done     chan struct{}      // closed when nothing of it runs any more; nil before the first
}

// New returns an empty conversation.
func New(host Host, model llm.Model, o *Options) *Conversation {
	c := &Conversation{host: host, model: model}
	if o != nil {
		c.opts = *o
	}
	if c.opts.Rounds == 0 {
		c.opts.Rounds = 25
	}
	if c.opts.Now == nil {
		c.opts.Now = time.Now
	}
	if c.opts.Changed == nil {
		c.opts.Changed = func() {}
	}
	if c.opts.Delta == nil {
		c.opts.Delta = func(string, string) {}
	}
	return c
}

// View returns the transcript.
func (c *Conversation) View() View {
	c.mu.Lock()
	defer c.mu.Unlock()
	return View{Title: c.title, Items: slices.Clone(c.items), Busy: c.busy, Waiting: c.waiting}
}

// titleRunes bounds a title; the page and the gate cut it where they have less room.
const titleRunes = 60

// titleOf is the start of text on one line.
func titleOf(text string) string {
	title := []rune(strings.Join(strings.Fields(text), " "))
	if len(title) > titleRunes {
		title = append(title[:titleRunes-1], '…')
	}
	return string(title)
}

// Send adds what the user says, behind what is attached to it, and starts a turn; without both it starts one without a
// word of the user. The error is ErrBusy or ErrClosed.
func (c *Conversation) Send(text string, attached ...Attachment) error {
	c.mu.Lock()
	if err := c.unfit(); err != nil {
		c.mu.Unlock()
		return err
	}
	if text != "" || len(attached) > 0 {
		it := Item{ID: rand.Text(), Role: RoleUser, Text: text, At: c.opts.Now()}
		for _, a := range attached {
			it.Attached = append(it.Attached, a.ID)
			c.say(a.Messages...)
		}
		c.items = append(c.items, it)
	}
	if text != "" {
		if c.title == "" {
			c.title = titleOf(text)
		}
		c.say(llm.Message{Role: llm.User, Parts: []llm.Part{llm.Text{Text: text}}})
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	c.busy, c.cancel, c.done = true, cancel, done
	c.mu.Unlock()
	c.opts.Changed()
	go func() {
		defer close(done)
		defer cancel()
		c.turn(ctx)
		c.idle()
	}()
	return nil
}

// say needs c.mu. Messages of one speaker that follow one another become one: providers want speakers to take turns.
func (c *Conversation) say(messages ...llm.Message) {
	for _, m := range messages {
		last := len(c.messages) - 1
		if last >= 0 && c.messages[last].Role == m.Role {
			c.messages[last].Parts = slices.Concat(c.messages[last].Parts, m.Parts)
			continue
		}
		c.messages = append(c.messages, m)
	}
}

// unfit needs c.mu. It says why no turn can begin.
func (c *Conversation) unfit() error {
	switch {
	case c.closed:
		return ErrClosed
	case c.busy:
		return ErrBusy
	}
	return nil
}

func (c *Conversation) idle() {
	c.mu.Lock()
	c.busy, c.waiting = false, WaitNothing
	c.mu.Unlock()
	c.opts.Changed()
}

// Close refuses every later turn and stops the running one.
func (c *Conversation) Close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.Stop()
}

// Stop ends the running turn and waits for its end: pending decisions are withdrawn, running calls cancelled.
func (c *Conversation) Stop() {
	c.mu.Lock()
	cancel, done := c.cancel, c.done
	c.mu.Unlock()
	if done == nil {
		return
	}
	cancel()
	<-done
}

// change applies f to the item with this id.
func (c *Conversation) change(id string, f func(*Item)) {
	c.mu.Lock()
	for i := range c.items {
		if c.items[i].ID == id {
			f(&c.items[i])
		}
	}
	c.mu.Unlock()
	c.opts.Changed()
}

func (c *Conversation) add(it Item) string {
	it.ID, it.At = rand.Text(), c.opts.Now()
	c.mu.Lock()
	c.items = append(c.items, it)
	c.mu.Unlock()
	c.opts.Changed()
	return it.ID
}

func (c *Conversation) wait(w Waiting) {
	c.mu.Lock()
	c.waiting = w
	c.mu.Unlock()
	c.opts.Changed()
}
