package app

// This file says in whose words the user is told of what waits, and connects that with the session bus and the settings.

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"gatehouse/app/desktop"
	"gatehouse/mcphost/consent"
)

// NoticeWords are the catalogue's words for a notification, in the user's language. "{server}" stands for the user's
// name of the server, "{n}" for the number of requests.
type NoticeWords struct {
	Call   string `json:"call"`
	Launch string `json:"launch"`
	Form   string `json:"form"`
	Many   string `json:"many"`
	Body   string `json:"body"`
	Open   string `json:"open"`
}

// notice says what waits: kind and the user's names of the servers, nothing else.
func notice(pending []consent.Pending, w NoticeWords) desktop.Notice {
	n := desktop.Notice{Summary: w.Launch, Body: w.Body, Open: w.Open}
	var names []string
	for _, p := range pending {
		if name := brief(p.Request.Server.Alias); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	switch {
	case len(pending) > 1:
		n.Summary = strings.ReplaceAll(w.Many, "{n}", fmt.Sprint(len(pending)))
		if len(names) > 3 {
			names = append(names[:3], "…")
		}
		n.Body = strings.Join(names, " · ") + "\n" + w.Body
	case pending[0].Request.Kind == consent.KindToolCall:
		n.Summary = w.Call
	case pending[0].Request.Question != nil:
		n.Summary = w.Form
	}
	n.Summary = strings.ReplaceAll(n.Summary, "{server}", names[0])
	return n
}

// brief is a name on one line, without what would not be seen.
func brief(name string) string {
	const most = 60
	text := []rune(strings.Join(strings.Fields(consent.Untrusted(name).Display()), " "))
	if len(text) > most {
		text = append(text[:most-1], '…')
	}
	return string(text)
}

// Watching says whether the window is visible and has the focus, and in which words to tell what waits while it has
// not. The page says it at start, and when either changes.
func (a *App) Watching(yes bool, words NoticeWords) (err error) {
	defer catch(&err)
	if _, _, err := a.engine(); err != nil {
		return err
	}
	for _, text := range []string{words.Call, words.Launch, words.Form, words.Many, words.Body, words.Open} {
		if text == "" || len(text) > 200 {
			return badInput("words", text)
		}
	}
	a.attention.watching(yes, words)
	return nil
}

// SetNotify keeps whether the user is notified while the window is out of sight.
func (a *App) SetNotify(on bool) (err error) {
	defer catch(&err)
	value := "off"
	if on {
		value = "on"
	}
	return a.setOneOf(keyNotify, value, "on", "off")
}

// notifyState is "" where nothing can be shown, else "on" or "off".
func (d *desk) notifyState(ctx context.Context, e *Engine) (string, error) {
	if d.attention.notify == nil {
		return "", nil
	}
	value, err := e.Settings.Setting(ctx, keyNotify)
	return cmp.Or(value, "on"), err
}

// watch starts what tells the user; without a bus only the title does. A press on a notification brings the window
// forward and opens the inbox.
func (d *desk) watch(ctx context.Context) {
	a := d.attention
	a.pending = d.eng.Queue.Pending
	a.title = d.frame.SetTitle
	a.wanted = func(ctx context.Context) bool {
		value, err := d.eng.Settings.Setting(ctx, keyNotify)
		return err == nil && value != "off"
	}
	if d.bus != nil {
		notices, stop, err := d.bus.Notices(func() {
			if d.show() == nil {
				d.emit("inbox", "", "")
			}
		})
		if err != nil {
			d.log.ErrorContext(ctx, "notifications", "error", err)
		} else {
			a.notify, d.deaf = notices, stop
		}
	}
	a.start(ctx)
}
