package cli

// This file says who answers in a run, and so what servers may ask.

import (
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/session"
)

// offer returns what servers may ask: whatever a rule or somebody at a terminal answers.
func (r *run) offer() session.Offer {
	o := session.Offer{Form: true, URL: true, Sampling: true, Roots: true}
	if p := r.policy; !r.attended() {
		o = session.Offer{}
		if p != nil {
			o = session.Offer{Form: p.form != "", URL: p.url != "", Sampling: p.sample == accept, Roots: p.roots != nil}
		}
	}
	return o
}

// attended reports whether there is a terminal.
func (r *run) attended() bool {
	tty, err := r.Terminal()
	if err != nil {
		return false
	}
	_ = tty.Close() // it was opened to see whether there is one
	return true
}

// person returns whoever sits at the terminal: the same each time, who is asked one thing at a time.
func (r *run) person() *terminalAsker {
	if r.sits == nil {
		r.sits = &terminalAsker{open: r.Terminal, environ: r.Environ, arming: consent.DefaultArming, turn: make(chan struct{}, 1)}
	}
	return r.sits
}

// asker returns who answers in this run: the policy, then whoever sits at the terminal.
func (r *run) asker() consent.Asker {
	if r.policy == nil {
		return r.person()
	}
	return policyAsker{r.policy, r.person()}
}
