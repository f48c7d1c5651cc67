package cli

// This file asks a person at the terminal whether an address may be opened, and waits until they have finished there.

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/protocol"
)

// visitWait is how long a run without a terminal waits for a server to say that a visit is done.
const visitWait = 5 * time.Minute

// address writes the whole address, and what is noteworthy about where it leads.
func (p *page) address(q consent.Question) {
	var asked protocol.ElicitParams
	_ = protocol.Decode(q.Params, &asked) // it was read before it came here
	p.line("")
	p.field("Address  ", oneLine(asked.URL))
	if a, err := mcphost.ReadAddress(asked.URL); err == nil {
		p.field("Domain   ", oneLine(a.Registered))
		if a.Unicode != "" {
			p.field("Beware   ", "it displays as "+oneLine(a.Unicode)+" and is not what that looks like")
		}
		for _, s := range a.Strange {
			p.line("  - %s is a letter of the script %s (U+%04X)", oneLine(string(s.Letter)), s.Script, s.Letter)
		}
		if !a.Secure {
			p.line("Beware   the connection is not encrypted (this computer)")
		}
	}
	p.line("\nWritten by the server, not checked:")
	p.field("  ", visible(asked.Message))
}

// agree asks whether to open the address. Declining is not cancelling.
func (a *terminalAsker) agree(ctx context.Context, tty Terminal, r consent.Request) (consent.Answer, error) {
	prompt := "Type " + word + " and press Enter to open it in your browser; " + decline + " says no, anything else cancels: "
	line, err := a.answer(ctx, tty, prompt, maxLine)
	if err != nil {
		return consent.Answer{}, err
	}
	said, answer := "Cancelled.\n\n", consent.Answer{By: consent.ByUser}
	switch strings.TrimSpace(line) {
	case word:
		said, answer.Allow, answer.Digest = "Opening it.\n\n", true, r.Digest()
	case decline:
		said, answer.Decline = "Declined.\n\n", true
	}
	_, err = io.WriteString(tty, said)
	return answer, err
}

// finished asks whether the user has finished at an address.
func (a *terminalAsker) finished(ctx context.Context, v mcphost.Visit) (bool, error) {
	select {
	case a.turn <- struct{}{}:
		defer func() { <-a.turn }()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	tty, err := a.open()
	if err != nil {
		return false, err
	}
	defer tty.Close()
	again := ""
	if v.Question.Tool != "" {
		again = " “" + oneLine(v.Question.Tool) + "” is called again then."
	}
	text := fmt.Sprintf("\n“%s” waits until you have finished in the browser.%s\n", oneLine(v.Server.Alias), again)
	if _, err := io.WriteString(tty, text); err != nil {
		return false, err
	}
	line, err := a.answer(ctx, tty, "Type "+word+" and press Enter when you have finished; anything else stops waiting: ", maxLine)
	return strings.TrimSpace(line) == word, err
}

// attend ends the visits of a run: a person says when they have finished. Without one the policy has decided, and what
// goes on goes on when the server says that it is done, or at once if it has no way to. Its end waits for all of it.
func (r *run) attend(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	var mu sync.Mutex
	seen := map[string]chan struct{}{} // by visit; closed when the server says that it is done
	person, attended := r.person(), r.attended()
	look := func() {
		mu.Lock()
		defer mu.Unlock()
		for _, v := range r.engine.Host.Visits() {
			done, known := seen[v.ID]
			if !known && v.Goes {
				done = make(chan struct{})
				seen[v.ID] = done
				wg.Go(func() {
					var finished bool
					if attended {
						finished, _ = person.finished(ctx, v) // an error is a no
					} else {
						finished = v.Elicitation == "" || r.completes(ctx, done)
					}
					_ = r.engine.Host.EndVisit(v.ID, finished) // its call may have ended meanwhile
				})
			}
			if done != nil && v.Completed {
				select {
				case <-done:
				default:
					close(done)
				}
			}
		}
	}
	stop := r.engine.Host.Subscribe(func(n mcphost.Numbered) {
		switch n.Event.(type) {
		case mcphost.VisitsChanged, mcphost.Gap:
			look()
		}
	})
	return func() {
		stop()
		cancel()
		wg.Wait()
	}
}

func (r *run) completes(ctx context.Context, done <-chan struct{}) bool {
	r.note("gatehouse: waiting until the server says that the visit is done")
	limit := time.NewTimer(visitWait)
	defer limit.Stop()
	select {
	case <-done:
		return true
	case <-limit.C:
	case <-ctx.Done():
	}
	return false
}
