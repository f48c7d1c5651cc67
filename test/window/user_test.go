//go:build window

package window

// This file is what a person does in the page, by the words that they read.

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

// The page's side of it. Presses without a pointer count like the ones of a screen reader.
const helpers = `
window.e2e = {
  button: (label) => [...document.querySelectorAll('dialog[open] button, button')]
    .find((b) => b.checkVisibility() && ((b.title || '') === label || b.getAttribute('aria-label') === label || b.textContent.trim().startsWith(label))),
  press(label) {
    const b = this.button(label);
    if (!b || b.getAttribute('aria-disabled') === 'true') return false;
    b.click();
    return true;
  },
  choose(text) {
    const o = [...document.querySelectorAll('[role=option]')].find((o) => o.textContent.includes(text));
    o?.click();
    return o !== undefined;
  },
  fill(label, value) {
    const l = [...document.querySelectorAll('label')].find((l) => l.textContent.includes(label));
    const field = l && document.getElementById(l.htmlFor);
    if (!field) return false;
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    return true;
  },
  sees: (selector, text) => [...document.querySelectorAll(selector)].some((e) => e.textContent.includes(text)),
};
true`

// A user sits in front of one window.
type user struct {
	t *testing.T
	p *page
}

// newUser waits until the page is there.
func newUser(t *testing.T, w *window) *user {
	t.Helper()
	u := &user{t, inspect(t, w.inspector)}
	u.until("the page is there", "document.querySelector('nav button, form button') !== null")
	u.until("the helpers are there", helpers)
	u.until("the welcome is left", "document.querySelector('nav button') !== null || (e2e.press('Just look around'), false)")
	return u
}

// until evaluates the expression until it is true.
func (u *user) until(what, expression string) {
	u.t.Helper()
	eventually(u.t, what, func() bool {
		value, err := u.p.eval(expression)
		return err == nil && string(value) == "true"
	})
}

func (u *user) press(label string) {
	u.t.Helper()
	u.until("there is a button to press: "+label, "e2e.press("+quote(label)+")")
}

// close presses the title bar's Close. The window may be gone before it can say that the press has worked.
func (u *user) close() {
	u.t.Helper()
	u.until("there is a button to close the window", "e2e.button('Close') !== undefined")
	_, _ = u.p.eval("e2e.press('Close')")
}

func (u *user) choose(text string) {
	u.t.Helper()
	u.until("there is a row to choose: "+text, "e2e.choose("+quote(text)+")")
}

func (u *user) fill(label, value string) {
	u.t.Helper()
	u.until("there is a field to fill in: "+label, "e2e.fill("+quote(label)+","+quote(value)+")")
}

func (u *user) sees(selector, text string) {
	u.t.Helper()
	u.until(selector+" shows "+text, "e2e.sees("+quote(selector)+","+quote(text)+")")
}

// call adds a scripted server, lets it start, and calls its tool.
func (u *user) call(args []string) {
	u.t.Helper()
	u.add(args)
	u.press("Approve and start")
	u.sees("[role=option]", "Ready")
	u.press("Tools")
	u.choose("echo")
	u.fill("message", "through the window")
	u.press("Run")
}

// add adds a scripted server, whose launch then waits in the gate.
func (u *user) add(args []string) {
	u.t.Helper()
	u.press("Servers")
	u.press("Add server")
	u.fill("Name", "Files")
	u.fill("Command", program(u.t, "scripted"))
	u.fill("Arguments", strings.Join(args, "\n"))
	u.press("Review and add…")
	u.sees("dialog[open]", "Let Files run programs on this computer?")
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return strconv.Quote(s)
	}
	return string(b)
}
