package mcphosttest

// This file plays a scenario, whatever carries the frames.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A frame is what the server needs to know of a received message.
type frame struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		ProtocolVersion string          `json:"protocolVersion"`
		Name            string          `json:"name"`
		Arguments       json.RawMessage `json:"arguments"`
		Cursor          *string         `json:"cursor"`
		RequestID       json.RawMessage `json:"requestId"`
		Meta            struct {
			ProgressToken json.RawMessage `json:"progressToken"`
			Revision      string          `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
		InputResponses map[string]json.RawMessage `json:"inputResponses"`
		RequestState   *string                    `json:"requestState"`
		Notifications  struct {
			ToolsListChanged      bool     `json:"toolsListChanged,omitempty"`
			PromptsListChanged    bool     `json:"promptsListChanged,omitempty"`
			ResourcesListChanged  bool     `json:"resourcesListChanged,omitempty"`
			ResourceSubscriptions []string `json:"resourceSubscriptions,omitempty"`
			TaskIDs               []string `json:"taskIds,omitempty"`
		} `json:"notifications"`
	} `json:"params"`
}

// A server plays one scenario to one client.
type server struct {
	script     Scenario
	stderr     io.Writer
	exit       func(code int)
	grandchild func() error
	done       <-chan struct{} // closed when waiting actions must give up
	opened     atomic.Bool     // by initialize

	mu        sync.Mutex // guards what follows
	listeners []listener
	tools     []Tool
	received  [][]byte
	changed   chan struct{} // closed and replaced with every received frame
	asked     int
}

func newServer(s Scenario, done <-chan struct{}, exit func(int)) *server {
	return &server{
		script: s, stderr: io.Discard, exit: exit, done: done,
		grandchild: func() error { return fmt.Errorf("only a child process has grandchildren") },
		tools:      append([]Tool(nil), s.Tools...),
		changed:    make(chan struct{}),
	}
}

// start plays the actions that come before the first frame.
func (s *server) start(send func([]byte)) {
	(&turn{server: s, send: send}).play(s.script.Start)
}

// receive notes one frame and returns what is to be played for it, nil if it is no JSON.
func (s *server) receive(raw []byte, send func([]byte)) *turn {
	s.mu.Lock()
	s.received = append(s.received, bytes.Clone(raw))
	close(s.changed)
	s.changed = make(chan struct{})
	s.mu.Unlock()
	t := &turn{server: s, send: send}
	if json.Unmarshal(raw, &t.in) != nil {
		return nil
	}
	return t
}

// await returns true as soon as a received frame matches, false when the server ends before.
func (s *server) await(match func(frame) bool) bool {
	for seen := 0; ; {
		s.mu.Lock()
		frames, changed := s.received, s.changed
		s.mu.Unlock()
		for ; seen < len(frames); seen++ {
			var f frame
			if json.Unmarshal(frames[seen], &f) == nil && match(f) {
				return true
			}
		}
		select {
		case <-changed:
		case <-s.done:
			return false
		}
	}
}

// A turn is the service of one received frame.
type turn struct {
	*server
	in        frame
	send      func([]byte) // writes bytes as they stand
	answered  bool
	silent    bool // never answered
	questions int  // asked so far, in the modern era
}

// run plays the scenario's actions for this frame, then the usual answer if none was given.
func (t *turn) run() {
	if t.in.Method == "" {
		return
	}
	if t.in.Method == "notifications/cancelled" {
		t.unlisten()
	}
	t.play(t.script.On[t.in.Method])
	if t.in.ID == nil || t.answered || t.open() {
		return
	}
	switch t.in.Method {
	case "ping":
		t.result("{}")
	case "tools/list":
		t.listTools()
	case "tools/call":
		t.callTool()
	default:
		t.fail(-32601, "method not found")
	}
}

func (t *turn) initialize() {
	revision := t.script.Revision
	if revision == "" {
		revision = t.in.Params.ProtocolVersion
	}
	t.result(`{"protocolVersion":` + quote(revision) +
		`,"capabilities":` + orElse(t.script.Capabilities, `{"tools":{"listChanged":true}}`) +
		`,"serverInfo":` + orElse(t.script.Info, `{"name":"scripted","version":"1"}`) +
		`,"instructions":` + quote(t.script.Instructions) + `}`)
}

func (t *turn) listTools() {
	t.mu.Lock()
	tools := t.tools
	t.mu.Unlock()
	size := t.script.PageSize
	if size == 0 {
		size = len(tools)
	}
	from, next := 0, ""
	if c := t.in.Params.Cursor; c != nil {
		from, _ = strconv.Atoi(*c) // "" and our own spellings of other modes count from 0
	}
	switch t.script.Cursors {
	case RepeatedCursors:
		from, next = 0, "again"
	case EndlessCursors:
		next = strconv.Itoa(from + max(size, 1))
	case EmptyCursors:
		if t.in.Params.Cursor != nil {
			from, size = size, len(tools)
		}
	}
	from = min(from, len(tools))
	to := min(from+size, len(tools))
	var list []string
	for _, tool := range tools[from:to] {
		list = append(list, string(tool.Definition))
	}
	result := `{"tools":[` + strings.Join(list, ",") + `]`
	switch {
	case t.script.Cursors == EmptyCursors && to < len(tools):
		result += `,"nextCursor":""`
	case next == "" && to < len(tools):
		result += `,"nextCursor":"` + strconv.Itoa(to) + `"`
	case next != "":
		result += `,"nextCursor":"` + next + `"`
	}
	t.result(Raw(result + "}"))
}

func (t *turn) callTool() {
	t.mu.Lock()
	tools := t.tools
	t.mu.Unlock()
	for _, tool := range tools {
		if tool.Name() != t.in.Params.Name {
			continue
		}
		if t.play(tool.Do); !t.answered {
			t.act(Echo())
		}
		return
	}
	t.fail(-32602, "unknown tool: "+t.in.Params.Name)
}

func (t *turn) play(actions []Action) {
	for _, a := range actions {
		select {
		case <-t.done:
			t.answered = true
			return
		default:
			t.act(a)
		}
		if a.Do == "ask" && t.answered { // the retry goes on from here
			return
		}
	}
}

func (t *turn) act(a Action) {
	text := string(t.expand(a))
	switch a.Do {
	case "echo":
		t.result(`{"content":[{"type":"text","text":` + quote(string(t.in.Params.Arguments)) + `}]}`)
	case "result":
		t.result(Raw(text))
	case "error":
		t.fail(a.N, text)
	case "silence":
		t.answered, t.silent = true, true
	case "progress":
		t.progress(a.N, text)
	case "notify":
		if t.in.isModern() && t.publish(a.Name, text) {
			return
		}
		t.line(`{"jsonrpc":"2.0","method":` + string(quote(a.Name)) + member("params", text) + `}`)
	case "ask":
		if t.in.isModern() {
			t.require(a.Name, text)
		} else {
			t.ask(a.Name, text)
		}
	case "turns":
		n := 0
		t.mu.Lock()
		for _, raw := range t.received {
			var f frame
			if json.Unmarshal(raw, &f) == nil && f.Method == t.in.Method {
				n++
			}
		}
		t.mu.Unlock()
		t.play(a.Turns[min(n, len(a.Turns))-1])
	case "drop":
		t.drop(a.Name)
	case "await":
		t.await(func(f frame) bool { return f.Method == a.Name })
	case "waitFile":
		t.waitFile(a.Name)
	case "touch":
		t.must(os.WriteFile(a.Name, nil, 0o600))
	case "redefine":
		t.redefine(a.Name, Raw(text))
	case "write":
		t.send([]byte(text))
	case "flood":
		t.flood(a.N)
	case "stderr":
		for range a.N {
			fmt.Fprintln(t.stderr, text)
		}
	case "grandchild":
		t.must(t.grandchild())
	case "exit":
		t.answered = true
		t.exit(a.N)
	default:
		t.must(fmt.Errorf("unknown action %q", a.Do))
	}
}

// must ends a server whose script cannot be played: a fault of the test, not of the client.
func (t *turn) must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "scripted server:", err)
		t.exit(97)
	}
}

func (t *turn) expand(a Action) []byte {
	if a.Bytes != nil {
		return a.Bytes
	}
	return []byte(strings.NewReplacer(
		"${id}", string(t.in.ID),
		"${token}", string(t.in.Params.Meta.ProgressToken),
		"${arguments}", string(t.in.Params.Arguments),
	).Replace(string(a.Text)))
}

func (t *turn) line(s string) { t.send([]byte(s + "\n")) }

func (t *turn) result(r Raw) {
	t.answered = true
	t.line(`{"jsonrpc":"2.0","id":` + string(t.in.ID) + `,"result":` + t.completed(string(r)) + `}`)
}

func (t *turn) fail(code int, message string) {
	t.answered = true
	t.line(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, t.in.ID, code, quote(message)))
}

func (t *turn) progress(done int, message string) {
	token := t.in.Params.Meta.ProgressToken
	if token == nil {
		return
	}
	t.line(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d,"message":%s}}`,
		token, done, quote(message)))
}

func (t *turn) ask(method, params string) {
	t.mu.Lock()
	t.asked++
	id := fmt.Sprintf(`"s%d"`, t.asked)
	t.mu.Unlock()
	t.line(`{"jsonrpc":"2.0","id":` + id + `,"method":` + string(quote(method)) + member("params", params) + `}`)
	t.await(func(f frame) bool { return f.Method == "" && string(f.ID) == id })
}

func (t *turn) waitFile(path string) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if _, err := os.Stat(path); err == nil {
			return
		}
		select {
		case <-tick.C:
		case <-t.done:
			return
		}
	}
}

func (t *turn) redefine(name string, definition Raw) {
	t.mu.Lock()
	defer t.mu.Unlock()
	tools := append([]Tool(nil), t.tools...)
	for i := range tools {
		if tools[i].Name() == name {
			tools[i].Definition = definition
		}
	}
	t.tools = tools
}

func (t *turn) flood(n int) {
	block := bytes.Repeat([]byte("x"), 1<<16)
	for ; n > len(block); n -= len(block) {
		t.send(block)
	}
	t.send(block[:n])
}

func member(name, value string) string {
	if value == "" {
		return ""
	}
	return `,"` + name + `":` + value
}

func orElse(r, standard Raw) Raw {
	if r == "" {
		return standard
	}
	return r
}
