package mcphosttest

// This file defines scenarios: what a scripted server offers and does.

import "encoding/json"

// A Scenario is a server's script. The zero Scenario is an honest server that offers no tools.
type Scenario struct {
	Era          string `json:"era,omitempty"`          // Legacy, Modern, Both, Exits or Silent
	TTL          int    `json:"ttl,omitempty"`          // ttlMs of lists in the modern era
	Revision     string `json:"revision,omitempty"`     // answer to initialize; "" = what the client asked for
	Info         Raw    `json:"info,omitempty"`         // serverInfo; "" = name "scripted", version "1"
	Capabilities Raw    `json:"capabilities,omitempty"` // "" = tools with listChanged
	Instructions string `json:"instructions,omitempty"`

	Tools    []Tool `json:"tools,omitempty"`
	PageSize int    `json:"pageSize,omitempty"` // tools a page; 0 = all on one
	Cursors  string `json:"cursors,omitempty"`  // how pages are named: "" or one of the …Cursors values

	Start []Action            `json:"start,omitempty"` // before the first frame is read
	On    map[string][]Action `json:"on,omitempty"`    // by method, before the usual answer

	// Only as a child process:
	Stubborn bool   `json:"stubborn,omitempty"` // ignore SIGTERM and the end of stdin
	Record   string `json:"record,omitempty"`   // file that takes every frame received, one a line
	Pids     string `json:"pids,omitempty"`     // file that takes the ids of the server and its children, one a line
}

// How a server names the pages of tools/list.
const (
	EmptyCursors    = "empty"    // the second page's cursor is "", which is valid
	RepeatedCursors = "repeated" // the same page and the same cursor for ever
	EndlessCursors  = "endless"  // always one more page, with nothing on it
)

// A Tool is one tool of a scenario. After its actions the arguments are echoed, unless an action answered.
type Tool struct {
	Definition Raw      `json:"definition"` // as listed
	Do         []Action `json:"do,omitempty"`
}

// Name is the name in the tool's definition.
func (t Tool) Name() string {
	var d struct{ Name string }
	_ = json.Unmarshal([]byte(t.Definition), &d) // a definition without a legible name can be listed, not called
	return d.Name
}

// Raw is JSON text that is sent as it stands, valid or not. A scenario file may hold the JSON value itself or a
// string with the text.
type Raw string

// UnmarshalJSON implements [json.Unmarshaler].
func (r *Raw) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, (*string)(r))
	}
	*r = Raw(b)
	return nil
}

// An Action is one thing a server does. Use the functions below; scenario files spell the fields out.
//
// In Text, ${id}, ${token} and ${arguments} stand for the id, the progress token and the argument bytes of the
// request that is being served.
type Action struct {
	Do    string `json:"do"`
	Text  Raw    `json:"text,omitempty"`
	Name  string `json:"name,omitempty"` // a method or a file
	N     int    `json:"n,omitempty"`
	Bytes []byte `json:"bytes,omitempty"` // instead of Text, for what is not UTF-8

	Turns [][]Action `json:"turns,omitempty"`
}

// Turns plays the n-th list when a request of the method that is being served has come for the n-th time, the last one
// ever after.
func Turns(turns ...[]Action) Action { return Action{Do: "turns", Turns: turns} }

// Echo answers with one text block that holds the arguments exactly as received.
func Echo() Action { return Action{Do: "echo"} }

// Text answers with one text block.
func Text(text string) Action { return Content(`{"type":"text","text":` + quote(text) + `}`) }

// Content answers with the given content blocks, each raw JSON.
func Content(blocks ...Raw) Action {
	list := Raw("")
	for i, b := range blocks {
		if i > 0 {
			list += ","
		}
		list += b
	}
	return Result(`{"content":[` + list + `]}`)
}

// Result answers with a raw result.
func Result(result Raw) Action { return Action{Do: "result", Text: result} }

// Fail answers with a JSON-RPC error.
func Fail(code int, message string) Action { return Action{Do: "error", N: code, Text: Raw(message)} }

// Silence never answers this request.
func Silence() Action { return Action{Do: "silence"} }

// Progress reports done of total, if the request carries a progress token.
func Progress(done int, message string) Action {
	return Action{Do: "progress", N: done, Text: Raw(message)}
}

// Notify sends a notification with raw params ("" = none).
func Notify(method string, params Raw) Action {
	return Action{Do: "notify", Name: method, Text: params}
}

// Ask sends a request to the client and waits for its response, which is recorded like every frame. In the modern era the
// result needs this input first, and the retry goes on behind it.
func Ask(method string, params Raw) Action { return Action{Do: "ask", Name: method, Text: params} }

// Drop ends the subscriptions of the modern era: with their result or, if so wished, by notifications/cancelled.
func Drop(cancelled bool) Action {
	if cancelled {
		return Action{Do: "drop", Name: "cancelled"}
	}
	return Action{Do: "drop"}
}

// Await waits until a frame with this method has been received.
func Await(method string) Action { return Action{Do: "await", Name: method} }

// WaitFile waits until the file exists.
func WaitFile(path string) Action { return Action{Do: "waitFile", Name: path} }

// Touch creates the file: the mark that this action was reached.
func Touch(path string) Action { return Action{Do: "touch", Name: path} }

// Redefine replaces the tool of that name by a raw definition.
func Redefine(tool string, definition Raw) Action {
	return Action{Do: "redefine", Name: tool, Text: definition}
}

// Write writes text to stdout as it stands: garbage, half lines, batches. It ends no line.
func Write(text Raw) Action { return Action{Do: "write", Text: text} }

// WriteBytes is [Write] for what is not UTF-8.
func WriteBytes(b []byte) Action { return Action{Do: "write", Bytes: b} }

// Flood writes n bytes to stdout without a line break.
func Flood(n int) Action { return Action{Do: "flood", N: n} }

// Stderr writes the line n times to stderr.
func Stderr(n int, line string) Action { return Action{Do: "stderr", N: n, Text: Raw(line)} }

// Grandchild starts a process that ignores SIGTERM and holds the server's pipes, and waits until it runs.
func Grandchild() Action { return Action{Do: "grandchild"} }

// Exit ends the server: a process with this code, a stream by its end, an HTTP connection by being cut.
func Exit(code int) Action { return Action{Do: "exit", N: code} }

func quote(s string) Raw {
	b, _ := json.Marshal(s) // a string always marshals
	return Raw(b)
}
