package mcphosttest

// This file is what HTTP adds to the modern era (2026-07-28): header fields that repeat the body, and statuses that
// repeat errors.

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// mismatch says how the header of a modern request contradicts its body, "" if it does not.
func (h *HTTP) mismatch(r *http.Request, in frame, body []byte) string {
	want := map[string]string{"Mcp-Protocol-Version": in.Params.Meta.Revision, "Mcp-Method": in.Method}
	switch in.Method {
	case "tools/call":
		want["Mcp-Name"] = in.Params.Name
		for field, value := range h.mirrored(in) {
			want[field] = value
		}
	case "prompts/get":
		want["Mcp-Name"] = in.Params.Name
	case "resources/read":
		var b struct{ Params struct{ URI string } }
		_ = json.Unmarshal(body, &b) // it has been read before
		want["Mcp-Name"] = b.Params.URI
	case "tasks/get", "tasks/update", "tasks/cancel":
		var b struct{ Params struct{ TaskID string } }
		_ = json.Unmarshal(body, &b) // it has been read before
		want["Mcp-Name"] = b.Params.TaskID
	}
	for field, value := range want {
		if got, ok := decodeField(r.Header.Values(field)); !ok || got != value {
			return fmt.Sprintf("Header mismatch: %s is %q, the body says %q", field, got, value)
		}
	}
	for field := range r.Header {
		if _, ok := want[field]; strings.HasPrefix(field, "Mcp-") && !ok {
			return "Header mismatch: unexpected " + field
		}
	}
	return ""
}

// mirrored are the fields that the tool's x-mcp-header annotations demand, of its own properties only.
func (h *HTTP) mirrored(in frame) map[string]string {
	h.server.mu.Lock()
	tools := h.server.tools
	h.server.mu.Unlock()
	var arguments map[string]any
	_ = json.Unmarshal(in.Params.Arguments, &arguments) // without arguments there is nothing to repeat
	fields := map[string]string{}
	for _, tool := range tools {
		var d struct {
			InputSchema struct {
				Properties map[string]struct {
					Header string `json:"x-mcp-header"`
				}
			}
		}
		if tool.Name() != in.Params.Name || json.Unmarshal([]byte(tool.Definition), &d) != nil {
			continue
		}
		for name, p := range d.InputSchema.Properties {
			if value := arguments[name]; p.Header != "" && value != nil {
				fields[http.CanonicalHeaderKey("Mcp-Param-"+p.Header)] = fmt.Sprint(value)
			}
		}
	}
	return fields
}

func decodeField(values []string) (string, bool) {
	if len(values) != 1 {
		return "", false
	}
	inside, begins := strings.CutPrefix(values[0], "=?base64?")
	inside, ends := strings.CutSuffix(inside, "?=")
	if !begins || !ends {
		return values[0], true
	}
	text, err := base64.StdEncoding.DecodeString(inside)
	return string(text), err == nil
}

// A modernAnswer gives the errors of the protocol the status that they have over HTTP.
type modernAnswer struct {
	answer
	w       http.ResponseWriter
	refused bool
}

func (m *modernAnswer) send(line []byte) {
	var f struct{ Error struct{ Code int } }
	_ = json.Unmarshal(line, &f) // what is no JSON has no status of its own
	status := map[int]int{-32601: http.StatusNotFound, -32020: http.StatusBadRequest, -32021: http.StatusBadRequest, -32022: http.StatusBadRequest}[f.Error.Code]
	if s, ok := m.answer.(*eventStream); status == 0 || ok && s.isOpen() {
		m.answer.send(line)
		return
	}
	m.refused = true
	m.w.Header().Set("Content-Type", "application/json")
	m.w.WriteHeader(status)
	_, _ = m.w.Write(line) // a client that has gone does not matter
}

func (m *modernAnswer) finish(w http.ResponseWriter) {
	if !m.refused {
		m.answer.finish(w)
	}
}

// modern serves one request of the modern era.
func (h *HTTP) modern(w http.ResponseWriter, r *http.Request, t *turn, body []byte, a answer) {
	m := &modernAnswer{answer: a, w: w}
	t.send = m.send
	if fault := h.mismatch(r, t.in, body); fault != "" {
		t.fail(-32020, fault)
		return
	}
	h.answer(w, r, t, m)
	t.forget()
}

// forget ends the subscription of this turn: its stream is over.
func (t *turn) forget() {
	t.in.Params.RequestID = t.in.ID
	t.unlisten()
}
