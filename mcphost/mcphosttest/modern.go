package mcphosttest

// This file plays a scenario in the modern era (2026-07-28): server/discover, results with a type, input rounds and
// subscriptions.

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// How a server of a scenario answers to the two ways of opening a conversation.
const (
	Legacy     = ""           // initialize only; server/discover is an unknown method
	Modern     = "modern"     // server/discover only
	Both       = "both"       // either
	Exits      = "exits"      // initialize only; the process ends at any other first request
	Silent     = "silent"     // initialize only; anything else before it is never answered
	modernWire = "2026-07-28" // the revision
)

const metaPrefix = "io.modelcontextprotocol/"

// isModern reports whether the request carries what every request of the modern era must.
func (f frame) isModern() bool { return f.Params.Meta.Revision != "" }

// open answers what can open a conversation, and reports whether that is all there is to do for this request.
func (t *turn) open() (done bool) {
	legacyOnly := t.script.Era != Modern && t.script.Era != Both
	switch {
	case t.in.Method == "initialize" && t.script.Era != Modern:
		t.opened.Store(true)
		t.initialize()
	case t.in.Method == "initialize":
		t.unsupported(t.in.Params.ProtocolVersion)
	case t.script.Era == Exits && !t.opened.Load():
		t.answered = true
		t.exit(2)
	case t.script.Era == Silent && !t.opened.Load():
		t.answered, t.silent = true, true
	case legacyOnly:
		return false
	case t.in.isModern() && t.in.Params.Meta.Revision != modernWire:
		t.unsupported(t.in.Params.Meta.Revision)
	case t.in.Method == "server/discover":
		t.discover()
	case t.in.Method == "subscriptions/listen":
		t.listen()
	default:
		return false
	}
	return true
}

func (t *turn) discover() {
	t.result(`{"supportedVersions":["` + modernWire + `"],"capabilities":` + orElse(t.script.Capabilities, `{"tools":{"listChanged":true}}`) +
		`,"instructions":` + quote(t.script.Instructions) +
		`,"ttlMs":60000,"cacheScope":"private","_meta":{"` + metaPrefix + `serverInfo":` + orElse(t.script.Info, `{"name":"scripted","version":"1"}`) + `}}`)
}

func (t *turn) unsupported(requested string) {
	t.answered = true
	t.line(`{"jsonrpc":"2.0","id":` + string(t.in.ID) + `,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["` +
		modernWire + `"],"requested":` + string(quote(requested)) + `}}}`)
}

// completed returns a result with what the modern era demands of it: its type, and how long a list may be kept.
func (t *turn) completed(r string) string {
	inside, isObject := strings.CutPrefix(r, "{")
	if !t.in.isModern() || !isObject || strings.Contains(r, `"resultType"`) {
		return r
	}
	add := `"resultType":"complete"`
	if strings.HasSuffix(t.in.Method, "/list") && !strings.Contains(r, `"ttlMs"`) {
		add += `,"ttlMs":` + strconv.Itoa(max(t.script.TTL, 0)) + `,"cacheScope":"private"`
	}
	if strings.TrimSpace(inside) != "}" {
		add += ","
	}
	return "{" + add + inside
}

// require is an Ask of the modern era: the result needs input first, and the retry brings it. The state tells how many
// questions were answered before.
func (t *turn) require(method, params string) {
	key := "q" + strconv.Itoa(t.questions)
	t.questions++
	if _, ok := t.in.Params.InputResponses[key]; ok {
		return
	}
	var answered int
	if state := t.in.Params.RequestState; state != nil {
		if n, err := strconv.Atoi(strings.TrimPrefix(*state, `state "é" `)); err == nil {
			answered = n
		}
	}
	if t.questions <= answered {
		return
	}
	t.result(Raw(`{"resultType":"input_required","inputRequests":{"` + key + `":{"method":` + string(quote(method)) +
		member("params", params) + `}},"requestState":"state \"\u00e9\" ` + strconv.Itoa(t.questions-1) + `"}`))
}

// A listener is one subscription.
type listener struct {
	id      string
	send    func([]byte)
	changes map[string]bool // methods that were asked for
	uris    []string
	tasks   []string
}

// listen opens a subscription that lasts until the client or the server ends.
func (t *turn) listen() {
	wanted := t.in.Params.Notifications
	l := listener{id: string(t.in.ID), send: t.send, uris: wanted.ResourceSubscriptions, tasks: wanted.TaskIDs, changes: map[string]bool{
		"notifications/tools/list_changed": wanted.ToolsListChanged, "notifications/prompts/list_changed": wanted.PromptsListChanged,
		"notifications/resources/list_changed": wanted.ResourcesListChanged,
	}}
	filter, _ := json.Marshal(wanted) // plain values always marshal
	t.answered, t.silent = true, true
	t.line(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"` + metaPrefix + `subscriptionId":` + l.id +
		`},"notifications":` + string(filter) + `}}`)
	t.mu.Lock()
	t.listeners = append(t.listeners, l)
	t.mu.Unlock()
}

// unlisten ends the subscription that the client has cancelled.
func (t *turn) unlisten() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.listeners = slices.DeleteFunc(slices.Clone(t.listeners), func(l listener) bool { return l.id == string(t.in.Params.RequestID) })
}

// publish sends a notification to every subscription that asked for it, and reports whether it is one of that kind.
func (t *turn) publish(method, params string) bool {
	isUpdate, isTask := method == "notifications/resources/updated", method == "notifications/tasks"
	if !isUpdate && !isTask && !strings.HasSuffix(method, "/list_changed") {
		return false
	}
	t.mu.Lock()
	listeners := t.listeners
	t.mu.Unlock()
	for _, l := range listeners {
		if !l.changes[method] && !(isUpdate && len(l.uris) > 0) && !(isTask && len(l.tasks) > 0) {
			continue
		}
		inside := strings.TrimPrefix(string(orElse(Raw(params), "{}")), "{")
		if strings.TrimSpace(inside) != "}" {
			inside = "," + inside
		}
		l.send([]byte(`{"jsonrpc":"2.0","method":` + string(quote(method)) + `,"params":{"_meta":{"` + metaPrefix + `subscriptionId":` + l.id + `}` + inside + "}\n"))
	}
	return true
}

// drop ends every subscription, with its result if it is graceful.
func (t *turn) drop(how string) {
	t.mu.Lock()
	listeners := t.listeners
	t.listeners = nil
	t.mu.Unlock()
	for _, l := range listeners {
		if how == "cancelled" {
			l.send([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + l.id + "}}\n"))
		} else {
			l.send([]byte(`{"jsonrpc":"2.0","id":` + l.id + `,"result":{"resultType":"complete","_meta":{"` + metaPrefix + `subscriptionId":` + l.id + "}}}\n"))
		}
	}
}
