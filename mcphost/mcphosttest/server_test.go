package mcphosttest

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"gatehouse/mcphost/jsonrpc"
)

func TestMain(m *testing.M) {
	Main()
	os.Exit(m.Run())
}

const echoTool = Raw(`{"name":"echo","inputSchema":{"type":"object"}}`)

// A client writes raw frames and reads raw lines: this test must not trust the engine either.
type client struct {
	t    *testing.T
	send func(frame string)
	recv func() string
}

func (c client) exchange(frame, want string) {
	c.t.Helper()
	c.send(frame)
	if got := c.recv(); got != want {
		c.t.Fatalf("answer to %s\n got %s\nwant %s", frame, got, want)
	}
}

func stdioClient(t *testing.T, p *Process) (client, *exec.Cmd) {
	t.Helper()
	cmd := exec.Command(p.Path, p.Args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait() // the exit code is looked at by the test that cares
	})
	r := bufio.NewReader(out)
	return client{
		t,
		func(frame string) { _, _ = io.WriteString(in, frame+"\n") },
		func() string {
			line, err := r.ReadString('\n')
			if err != nil {
				t.Fatalf("%v after %q", err, line)
			}
			return strings.TrimSuffix(line, "\n")
		},
	}, cmd
}

func streamClient(t *testing.T, s *Stream) client {
	return client{
		t,
		func(frame string) { _ = s.Write(t.Context(), &jsonrpc.Message{Raw: []byte(frame)}) },
		func() string {
			line, err := s.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return string(line)
		},
	}
}

// converse checks an honest server, whatever carries the frames.
func converse(c client) {
	c.exchange(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"scripted","version":"1"},"instructions":""}}`)
	c.exchange(`{"jsonrpc":"2.0","id":"a","method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":"a","result":{"tools":[`+string(echoTool)+`]}}`)
	c.exchange(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"n": 1.0,"n2":10000000000000000000001}}}`,
		`{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{\"n\": 1.0,\"n2\":10000000000000000000001}"}]}}`)
	c.exchange(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"none"}}`,
		`{"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"unknown tool: none"}}`)
	c.exchange(`{"jsonrpc":"2.0","id":5,"method":"nonsense"}`,
		`{"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"method not found"}}`)
}

func TestHonestServer(t *testing.T) {
	scenario := Scenario{Tools: []Tool{{Definition: echoTool}}}
	t.Run("child process", func(t *testing.T) {
		p := Command(t, scenario)
		c, _ := stdioClient(t, p)
		converse(c)
		if n := p.Count(t, "tools/call"); n != 2 {
			t.Errorf("%d calls recorded, want 2", n)
		}
	})
	t.Run("stream", func(t *testing.T) {
		s := NewStream(t, scenario)
		converse(streamClient(t, s))
		if n := s.Count(t, "tools/call"); n != 2 {
			t.Errorf("%d calls recorded, want 2", n)
		}
	})
	for name, opts := range map[string]*HTTPOptions{"event stream": nil, "JSON": {JSON: true}, "no sessions": {NoSessions: true}} {
		t.Run(name, func(t *testing.T) {
			h := NewHTTP(t, scenario, opts)
			converse(httpClient(t, h))
			if n := h.Count(t, "tools/call"); n != 2 {
				t.Errorf("%d calls recorded, want 2", n)
			}
		})
	}
}

func httpClient(t *testing.T, h *HTTP) client {
	var session, answer string
	return client{
		t,
		func(frame string) {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL, strings.NewReader(frame))
			if err != nil {
				t.Fatal(err)
			}
			if session != "" {
				r.Header.Set("Mcp-Session-Id", session)
			}
			res, err := new(http.Client).Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			session = res.Header.Get("Mcp-Session-Id") + session
			body, err := io.ReadAll(res.Body)
			if err != nil {
				t.Fatal(err)
			}
			answer = strings.TrimPrefix(strings.TrimSpace(string(body)), "data: ")
		},
		func() string { return answer },
	}
}

func TestPages(t *testing.T) {
	list := func(c client, cursor string) string {
		params := `{}`
		if cursor != "none" {
			params = `{"cursor":"` + cursor + `"}`
		}
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":` + params + `}`)
		_, result, _ := strings.Cut(c.recv(), `"result":`)
		return strings.TrimSuffix(result, "}")
	}
	three := []Tool{{Definition: `1`}, {Definition: `2`}, {Definition: `3`}}
	for cursors, want := range map[string][3]string{
		"":              {`{"tools":[1,2],"nextCursor":"2"}`, "2", `{"tools":[3]}`},
		EmptyCursors:    {`{"tools":[1,2],"nextCursor":""}`, "", `{"tools":[3]}`},
		RepeatedCursors: {`{"tools":[1,2],"nextCursor":"again"}`, "again", `{"tools":[1,2],"nextCursor":"again"}`},
		EndlessCursors:  {`{"tools":[1,2],"nextCursor":"2"}`, "4", `{"tools":[],"nextCursor":"6"}`},
	} {
		c := streamClient(t, NewStream(t, Scenario{Tools: three, PageSize: 2, Cursors: cursors}))
		if got := list(c, "none"); got != want[0] {
			t.Errorf("%q: first page %s, want %s", cursors, got, want[0])
		}
		if got := list(c, want[1]); got != want[2] {
			t.Errorf("%q: page %q %s, want %s", cursors, want[1], got, want[2])
		}
	}
}

func TestActions(t *testing.T) {
	flag := filepath.Join(t.TempDir(), "flag")
	c := streamClient(t, NewStream(t, Scenario{
		Start: []Action{Write("garbage\r\n"), WriteBytes([]byte{0xff, '\n'})},
		Tools: []Tool{{Definition: echoTool, Do: []Action{
			Progress(1, "half"),
			Notify("notifications/tools/list_changed", ""),
			Redefine("echo", `{"name":"echo","description":"now evil"}`),
			Ask("ping", ""),
			Touch(flag), WaitFile(flag),
			Write(`{"id":${id},"half":`), Flood(3), Write("}\n"),
			Text(`"quoted"`),
		}}},
		On: map[string][]Action{"ping": {Fail(-1, "no")}},
	}))
	expect := func(want ...string) {
		t.Helper()
		for _, w := range want {
			if got := c.recv(); got != w {
				t.Fatalf("got %s\nwant %s", got, w)
			}
		}
	}
	expect("garbage\r", "\xff")
	c.exchange(`{"id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}`)
	c.send(`{"id":2,"method":"tools/call","params":{"name":"echo","_meta":{"progressToken":"p"}}}`)
	expect(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1,"message":"half"}}`,
		`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`,
		`{"jsonrpc":"2.0","id":"s1","method":"ping"}`)
	c.exchange(`{"jsonrpc":"2.0","id":"s1","result":{}}`, `{"id":2,"half":xxx}`)
	expect(`{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"\"quoted\""}]}}`)
	c.exchange(`{"id":3,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"echo","description":"now evil"}]}}`)
}

func TestAwaitCancellationInSilence(t *testing.T) {
	s := NewStream(t, Scenario{Tools: []Tool{{Definition: echoTool, Do: []Action{
		Await("notifications/cancelled"), Notify("late", ""), Silence(),
	}}}})
	c := streamClient(t, s)
	c.send(`{"id":1,"method":"tools/call","params":{"name":"echo"}}`)
	c.exchange(`{"method":"notifications/cancelled","params":{"requestId":1}}`, `{"jsonrpc":"2.0","method":"late"}`)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Read(context.Background()); err != io.EOF {
		t.Fatalf("after Close: %v", err)
	}
}

func TestExitCode(t *testing.T) {
	c, cmd := stdioClient(t, Command(t, Scenario{On: map[string][]Action{"ping": {Exit(3)}}}))
	c.send(`{"id":1,"method":"ping"}`)
	_ = cmd.Wait() // an exit code is an error; it is checked below
	if code := cmd.ProcessState.ExitCode(); code != 3 {
		t.Fatalf("exit code %d, want 3", code)
	}
}

func TestStubbornServerWithGrandchild(t *testing.T) {
	p := Command(t, Scenario{Stubborn: true, Start: []Action{Grandchild()}})
	c, cmd := stdioClient(t, p)
	c.exchange(`{"id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	pids := p.Pids(t)
	if len(pids) != 2 || pids[0] != cmd.Process.Pid {
		t.Fatalf("pids %v, want that of the server (%d) and one more", pids, cmd.Process.Pid)
	}
	signalAll(t, pids, syscall.SIGTERM)
	c.exchange(`{"id":2,"method":"ping"}`, `{"jsonrpc":"2.0","id":2,"result":{}}`)
	signalAll(t, pids, syscall.SIGKILL)
}

func signalAll(t *testing.T, pids []int, sig os.Signal) {
	t.Helper()
	for _, pid := range pids {
		p, err := os.FindProcess(pid)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Signal(sig); err != nil {
			t.Fatal(err)
		}
	}
}

func TestHTTPSession(t *testing.T) {
	h := NewHTTP(t, Scenario{}, nil)
	post := func(session, body string) *http.Response {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL, bytes.NewReader([]byte(body)))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Mcp-Session-Id", session)
		res, err := new(http.Client).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res
	}
	session := post("", `{"id":1,"method":"initialize"}`).Header.Get("Mcp-Session-Id")
	for _, step := range []struct {
		session, body string
		want          int
	}{
		{session, `{"method":"notifications/initialized"}`, http.StatusAccepted},
		{session, `{"id":2,"method":"ping"}`, http.StatusOK},
		{"", `{"id":3,"method":"ping"}`, http.StatusBadRequest},
		{"other", `{"id":4,"method":"ping"}`, http.StatusNotFound},
		{session, `nonsense`, http.StatusBadRequest},
	} {
		if got := post(step.session, step.body).StatusCode; got != step.want {
			t.Errorf("%q with session %q: status %d, want %d", step.body, step.session, got, step.want)
		}
	}
	h.Forget()
	if got := post(session, `{"id":5,"method":"ping"}`).StatusCode; got != http.StatusNotFound {
		t.Errorf("forgotten session: status %d, want 404", got)
	}
}

func TestTrapCounts(t *testing.T) {
	trap := NewTrap(t)
	if trap.Hits() != 0 {
		t.Fatal("a hit before any connection")
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, trap.URL(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if res, err := new(http.Client).Do(r); err == nil {
		res.Body.Close()
		t.Fatal("the trap answered")
	}
	if trap.Hits() == 0 {
		t.Fatal("no hit was counted")
	}
}
