package demo_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"gatehouse/app/demo"
	"gatehouse/mcphost/jsonrpc"
)

const opening = `{"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// run plays the lines to a server and returns what it wrote, sorted: replies come in no order.
func run(t testing.TB, o *demo.Options, lines ...string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := demo.Serve(t.Context(), strings.NewReader(strings.Join(lines, "\n")), &out, o); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		if !strings.HasSuffix(line, "\n") || !json.Valid([]byte(line)) {
			t.Errorf("this is not one line of JSON: %q", line)
		}
		if _, err := jsonrpc.Parse([]byte(strings.TrimSuffix(line, "\n")), nil); err != nil {
			t.Errorf("%v: %s", err, line)
		}
		got = append(got, strings.TrimSuffix(line, "\n"))
	}
	slices.Sort(got)
	return got
}

// ask returns the reply to one request on an open conversation.
func ask(t *testing.T, o *demo.Options, method, params string) string {
	t.Helper()
	for _, line := range run(t, o, opening, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)) {
		if reply, ok := strings.CutPrefix(line, `{"jsonrpc":"2.0","id":1,`); ok {
			return strings.TrimSuffix(reply, "}")
		}
	}
	t.Fatalf("%s %s: no reply", method, params)
	return ""
}

func TestResourcesAndPrompts(t *testing.T) {
	three := &demo.Options{PageSize: 3}
	for _, tt := range []struct {
		o                    *demo.Options
		method, params, want string // want is part of the reply
	}{
		{nil, "resources/list", `{}`, `{"uri":"demo://notes/welcome","name":"welcome","title":"Note: welcome"`},
		{nil, "resources/list", `{}`, `{"uri":"demo://pictures/gate","name":"gate.png"`},
		{three, "resources/list", `{}`, `"nextCursor":"3"`},
		{three, "resources/list", `{"cursor":"3"}`, `"nextCursor":"6"`},
		{three, "resources/list", `{"cursor":"6"}`, `{"resources":[{"uri":"demo://pictures/mosaic"`},
		{three, "resources/list", `{"cursor":"1"}`, `"code":-32602`},
		{three, "resources/list", `{"cursor":"9"}`, `"code":-32602`},
		{three, "resources/list", `{"cursor":""}`, `"code":-32602`},
		{nil, "tools/list", `{"cursor":7}`, `"code":-32602`},
		{nil, "prompts/list", `{"cursor":"0"}`, `"code":-32602`},
		{nil, "resources/templates/list", `{}`, `"uriTemplate":"demo://notes/{name}"`},
		{nil, "resources/read", `{"uri":"demo://notes/welcome"}`, `{"contents":[{"uri":"demo://notes/welcome","mimeType":"text/markdown","text":"# Welcome`},
		{nil, "resources/read", `{"uri":"demo://pictures/waves"}`, `"mimeType":"image/png","blob":"iVBOR`},
		{nil, "resources/read", `{"uri":"demo://notes/../secret"}`, `"error":{"code":-32002,"message":"there is no such resource","data":{"uri":"demo://notes/../secret"}}`},
		{nil, "resources/read", `{"uri":"file:///etc/passwd"}`, `"code":-32002`},
		{nil, "resources/read", `{}`, `"code":-32602`},
		{nil, "prompts/list", `{}`, `"arguments":[{"name":"city","title":"City","description":"Where the day is spent.","required":true}`},
		{nil, "prompts/get", `{"name":"plan_a_day","arguments":{"city":"Oslo","mood":"lazy"}}`, `"messages":[{"role":"user","content":{"type":"text","text":"Look up the weather for Oslo with weather_table and plan my day there. I feel lazy.`},
		{nil, "prompts/get", `{"name":"plan_a_day"}`, `"message":"city is required"`},
		{nil, "prompts/get", `{"name":"plan_a_day","arguments":{"city":"Oslo","x":"y"}}`, `"code":-32602`},
		{nil, "prompts/get", `{"name":"plan_a_day","arguments":{"city":1}}`, `"code":-32602`},
		{nil, "prompts/get", `{"name":"summarise_note","arguments":{"name":"ideas"}}`, `{"type":"resource","resource":{"uri":"demo://notes/ideas"`},
		{nil, "prompts/get", `{"name":"summarise_note","arguments":{"name":"gone"}}`, `"code":-32602`},
		{nil, "prompts/get", `{"name":"tour"}`, `{"role":"assistant"`},
		{nil, "prompts/get", `{"name":"nothing"}`, `"code":-32602`},
		{nil, "tools/call", `{"arguments":{}}`, `"code":-32602`},
		{nil, "tools/call", `{"name":7}`, `"code":-32602`},
		{nil, "ping", `{}`, `"result":{}`},
		{nil, "server/discover", `{}`, `"code":-32601`},
	} {
		if got := ask(t, tt.o, tt.method, tt.params); !strings.Contains(got, tt.want) {
			t.Errorf("%s %s: %s", tt.method, tt.params, got)
		}
	}
}

// Each revision gets what it knows and nothing else.
func TestRevisions(t *testing.T) {
	for _, tt := range []struct {
		asked, answered                                     string
		annotations, titles, audio, structured, description bool
	}{
		{"2024-11-05", "2024-11-05", false, false, false, false, false},
		{"2025-03-26", "2025-03-26", true, false, true, false, false},
		{"2025-06-18", "2025-06-18", true, true, true, true, false},
		{"2025-11-25", "2025-11-25", true, true, true, true, true},
		{"2024-10-07", "2025-11-25", true, true, true, true, true},
		{"2999-01-01", "2025-11-25", true, true, true, true, true},
		{"", "2025-11-25", true, true, true, true, true},
	} {
		all := strings.Join(run(
			t, nil, strings.Replace(opening, "2025-11-25", tt.asked, 1),
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"play_tone","arguments":{"seconds":0.1}}}`,
			`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"weather_table"}}`,
			`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"link_to_note"}}`,
			`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"count_slowly","arguments":{"to":1,"pause":0},"_meta":{"progressToken":"p"}}}`,
			`{"jsonrpc":"2.0","id":6,"method":"resources/list"}`,
			`{"jsonrpc":"2.0","id":7,"method":"prompts/list"}`,
		), "\n")
		for part, want := range map[string]bool{
			`"protocolVersion":"` + tt.answered + `"`:  true,
			`"annotations":{`:                          tt.annotations,
			`"type":"audio"`:                           tt.audio,
			`"title":"Gatehouse demo"`:                 tt.titles,
			`"name":"say_hello","title"`:               tt.titles,
			`"title":"Note: ideas"`:                    tt.titles,
			`"title":"Plan a day"`:                     tt.titles,
			`"outputSchema":{`:                         tt.structured,
			`"structuredContent":{`:                    tt.structured,
			`"type":"resource_link"`:                   tt.structured,
			`"description":"Shows what servers can do`: tt.description,
		} {
			if strings.Contains(all, part) != want {
				t.Errorf("asked for %q: %s: want %v", tt.asked, part, want)
			}
		}
	}
}

func TestBadInput(t *testing.T) {
	const parse, invalid = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600`
	for line, want := range map[string]string{
		`{`:                                   parse,
		`[1,`:                                 parse,
		`hello`:                               parse,
		"\x00\xff":                            parse,
		`7`:                                   invalid,
		`[]`:                                  invalid,
		`{}`:                                  invalid,
		`{"jsonrpc":"1.0","id":1,"method":1}`: `{"jsonrpc":"2.0","id":1,"error":{"code":-32600`,
		`{"jsonrpc":"2.0","id":1}`:            `{"jsonrpc":"2.0","id":1,"error":{"code":-32600`,
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`:                                   invalid,
		`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`:                                    invalid,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`:                                     invalid,
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}`:                          `{"jsonrpc":"2.0","id":1,"error":{"code":-32602`,
		`{"jsonrpc":"2.0","id":1,"method":"nonsense"}`:                                  `{"jsonrpc":"2.0","id":1,"error":{"code":-32601`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`:                                `{"jsonrpc":"2.0","id":1,"error":{"code":-32600`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize"}`:                                `{"jsonrpc":"2.0","id":1,"error":{"code":-32602`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`:                    `{"jsonrpc":"2.0","id":1,"error":{"code":-32602`,
		`{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}`:                   `{"jsonrpc":"2.0","id":12345678901234567890,"result":{}`,
		`{"jsonrpc":"2.0","id":"é\u0000","method":"ping","params":null}`:                `{"jsonrpc":"2.0","id":"é\u0000","result":{}`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`:                                    invalid,
		`"` + strings.Repeat("x", 4<<20) + `"`:                                          invalid,
		"  \t\r":                                                                        "",
		`{"jsonrpc":"2.0","method":"notifications/nonsense"}`:                           "",
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}`:                          "",
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}`:              "",
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}`: "",
		`{"jsonrpc":"2.0","id":4,"result":{}}`:                                          "",
	} {
		got := run(t, nil, line, `{"jsonrpc":"2.0","id":"~after","method":"ping"}`)
		got = slices.DeleteFunc(got, func(l string) bool { return l == `{"jsonrpc":"2.0","id":"~after","result":{}}` })
		if len(got) > 1 || !strings.HasPrefix(strings.Join(got, ""), want) || (want == "") != (len(got) == 0) {
			t.Errorf("%.80q: %q", line, got)
		}
	}
}

func TestSecondInitialize(t *testing.T) {
	got := run(t, nil, opening, strings.Replace(opening, `"open"`, `"again"`, 1))
	if len(got) != 2 || !strings.HasPrefix(got[0], `{"jsonrpc":"2.0","id":"again","error":{"code":-32600`) {
		t.Errorf("%q", got)
	}
}

// Only 2025-03-26 has batches.
func TestBatch(t *testing.T) {
	got := run(
		t, nil, strings.Replace(opening, "2025-11-25", "2025-03-26", 1),
		`[{"jsonrpc":"2.0","id":1,"method":"ping"},7,{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":"b","method":"x"}]`,
		`[{"jsonrpc":"2.0","method":"notifications/initialized"}]`,
	)
	want := `[{"jsonrpc":"2.0","id":1,"result":{}},` +
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"this is not a JSON-RPC 2.0 message"}},` +
		`{"jsonrpc":"2.0","id":"b","error":{"code":-32601,"message":"this server has no such method"}}]`
	if len(got) != 2 || got[0] != want {
		t.Errorf("%q", got)
	}
}

// An id is free again when its request has ended, and not before.
func TestTooManyRequests(t *testing.T) {
	count := func(id int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"count_slowly","arguments":{"pause":10}}}`, id)
	}
	lines := []string{opening, count(0), count(0)}
	for id := range 64 {
		lines = append(lines, count(id+1))
	}
	refused := map[string]int{}
	for _, line := range run(t, nil, lines...) {
		for _, reason := range []string{"in use", "more than 64", "Stopped before 1"} {
			if strings.Contains(line, reason) {
				refused[reason]++
			}
		}
	}
	if refused["in use"] != 1 || refused["more than 64"] != 1 || refused["Stopped before 1"] != 64 {
		t.Errorf("%v", refused)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestServeReportsBrokenPipes(t *testing.T) {
	if err := demo.Serve(t.Context(), strings.NewReader(opening), brokenWriter{}, nil); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("writing: %v", err)
	}
	in, w := io.Pipe()
	w.CloseWithError(io.ErrNoProgress)
	if err := demo.Serve(t.Context(), in, io.Discard, nil); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("reading: %v", err)
	}
}

// Whatever comes, the server writes JSON, one message a line, and ends.
func FuzzServe(f *testing.F) {
	f.Add(opening + "\n" + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say_hello","arguments":{"name":"x"}}}`)
	f.Add(`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`)
	f.Add(opening + "\n" + `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"demo://notes/ideas"}}`)
	f.Add("\xff\n\n{")
	f.Fuzz(func(t *testing.T, input string) { run(t, nil, input) })
}

func TestCompletions(t *testing.T) {
	for params, want := range map[string]string{
		`{"ref":{"type":"ref/prompt","name":"plan_a_day"},"argument":{"name":"city","value":"HARB"}}`:                                            `{"completion":{"values":["Harbourtown","Harbour Heights"],"total":2,"hasMore":false}}`,
		`{"ref":{"type":"ref/prompt","name":"plan_a_day"},"argument":{"name":"city","value":""}}`:                                                `"total":108,"hasMore":true`,
		`{"ref":{"type":"ref/prompt","name":"plan_a_day"},"argument":{"name":"mood","value":"s"},"context":{"arguments":{"city":"East Beach"}}}`: `"values":["salty","sunny"]`,
		`{"ref":{"type":"ref/resource","uri":"demo://pictures/{motif}"},"argument":{"name":"motif","value":"zzz"}}`:                              `{"completion":{"values":[],"total":0,"hasMore":false}}`,
		`{"ref":{"type":"ref/prompt","name":"plan_a_day"},"argument":{"name":"what","value":""}}`:                                                `"code":-32602`,
		`{"ref":7}`: `"code":-32602`,
	} {
		if got := ask(t, nil, "completion/complete", params); !strings.Contains(got, want) {
			t.Errorf("%s: %s", params, got)
		}
	}
}

// A call becomes a task only if it asks for it, at a tool that can, in the revision that knows tasks.
func TestCallsBecomeTasks(t *testing.T) {
	call := `{"name":"count_slowly","arguments":{"to":2,"pause":0},"task":{"ttl":90000000}}`
	if got := ask(t, nil, "tools/call", call); !strings.Contains(got, `"task":{"taskId":"demo-1","status":"working"`) || !strings.Contains(got, `"ttl":3600000,"pollInterval":1000`) {
		t.Errorf("%s", got)
	}
	if got := ask(t, nil, "tools/call", `{"name":"say_hello","task":{}}`); !strings.Contains(got, `"code":-32601`) {
		t.Errorf("%s", got)
	}
	for _, method := range []string{"tasks/get", "tasks/result", "tasks/cancel"} {
		if got := ask(t, nil, method, `{"taskId":"demo-1"}`); !strings.Contains(got, `"code":-32602`) {
			t.Errorf("%s: %s", method, got)
		}
	}
	old := strings.Replace(opening, "2025-11-25", "2025-06-18", 1)
	lines := run(t, nil, old, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`+call+`}`)
	if got := strings.Join(lines, "\n"); strings.Contains(got, "\"task\":") || !strings.Contains(got, "\"content\":[") {
		t.Errorf("an older revision: %s", got)
	}
}
