package transport_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
	"gatehouse/mcphost/transport"
)

var tools = []mcphosttest.Tool{
	{Definition: `{"name":"echo","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}`},
	{Definition: `{"name":"größe","inputSchema":{"type":"object"}}`},
}

// converse lists the tools and calls each, with the fields that its definition demands.
func converse(t *testing.T, s *session.Session) {
	t.Helper()
	list, err := s.ListTools(t.Context())
	if err != nil || len(list.Items) != len(tools) {
		t.Fatalf("%d tools, %v", len(list.Items), err)
	}
	for i, tool := range tools {
		var d struct{ InputSchema json.RawMessage }
		if err := json.Unmarshal([]byte(tool.Definition), &d); err != nil {
			t.Fatal(err)
		}
		m, err := transport.MirrorOf(d.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		arguments := json.RawMessage(`{"region":"Zürich"}`)
		fields, err := m.Fields(arguments)
		if err != nil {
			t.Fatal(err)
		}
		result, err := s.CallTool(transport.WithFields(t.Context(), fields), tools[i].Name(), arguments, session.CallOptions{})
		if err != nil || len(result.Content) != 1 || !strings.Contains(string(result.Content[0].Raw), "Zürich") {
			t.Errorf("%s: %+v, %v", tool.Name(), result, err)
		}
	}
}

// Every kind of remote server serves the same conversation.
func TestConversations(t *testing.T) {
	for name, test := range map[string]struct {
		scenario mcphosttest.Scenario
		options  mcphosttest.HTTPOptions
		revision protocol.Revision
		wire     transport.Wire
	}{
		"events":             {mcphosttest.Scenario{}, mcphosttest.HTTPOptions{}, protocol.Latest, transport.WireStreamable},
		"JSON":               {mcphosttest.Scenario{}, mcphosttest.HTTPOptions{JSON: true}, protocol.Latest, transport.WireStreamable},
		"no sessions":        {mcphosttest.Scenario{Revision: "2025-03-26"}, mcphosttest.HTTPOptions{NoSessions: true}, "2025-03-26", transport.WireStreamable},
		"modern":             {mcphosttest.Scenario{Era: mcphosttest.Modern}, mcphosttest.HTTPOptions{}, protocol.Revision20260728, ""},
		"modern, JSON":       {mcphosttest.Scenario{Era: mcphosttest.Modern}, mcphosttest.HTTPOptions{JSON: true}, protocol.Revision20260728, ""},
		"both eras":          {mcphosttest.Scenario{Era: mcphosttest.Both}, mcphosttest.HTTPOptions{}, protocol.Revision20260728, ""},
		"HTTP+SSE":           {mcphosttest.Scenario{Revision: "2024-11-05"}, mcphosttest.HTTPOptions{SSE: true}, "2024-11-05", transport.WireSSE},
		"HTTP+SSE, a newer":  {mcphosttest.Scenario{}, mcphosttest.HTTPOptions{SSE: true}, protocol.Latest, transport.WireSSE},
		"an unknown to both": {mcphosttest.Scenario{Revision: "2024-10-07"}, mcphosttest.HTTPOptions{}, "2024-10-07", transport.WireStreamable},
	} {
		t.Run(name, func(t *testing.T) {
			test.scenario.Tools = tools
			server := mcphosttest.NewHTTP(t, test.scenario, &test.options)
			h, err := transport.DialHTTP(server.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			s, err := session.Open(t.Context(), h, nil)
			if err != nil {
				t.Fatal(err)
			}
			converse(t, s)
			if got := s.Info().Revision; got != test.revision || h.Wire() != test.wire {
				t.Errorf("revision %s, wire %q", got, h.Wire())
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			modern := test.revision.Modern()
			for _, header := range server.Headers() {
				if modern && header.Get("Mcp-Session-Id") != "" {
					t.Error("a session in the modern era")
				}
			}
		})
	}
}

// ACC A12, through a session: many calls into a session that was forgotten, one new one, each call executed once.
func TestForgottenSession(t *testing.T) {
	server := mcphosttest.NewHTTP(t, mcphosttest.Scenario{Tools: tools}, nil)
	h, err := transport.DialHTTP(server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Open(t.Context(), h, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	server.Forget()
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			if _, err := s.CallTool(t.Context(), "echo", json.RawMessage(`{}`), session.CallOptions{}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := server.Count(t, "initialize"); n != 2 {
		t.Errorf("%d times initialized", n)
	}
}

// A memory is a transport of somebody else: two queues and an end. It is all that a session needs.
type memory struct {
	in, out chan []byte
	end     chan struct{}
	once    *sync.Once
}

func newMemory() (host, server *memory) {
	a, b, end, once := make(chan []byte), make(chan []byte), make(chan struct{}), new(sync.Once)
	return &memory{a, b, end, once}, &memory{b, a, end, once}
}

func (m *memory) Read(ctx context.Context) ([]byte, error) {
	select {
	case frame := <-m.in:
		return frame, nil
	case <-m.end:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (m *memory) Write(ctx context.Context, message *jsonrpc.Message) error {
	select {
	case m.out <- slices.Clone(message.Raw):
		return nil
	case <-m.end:
		return &jsonrpc.ClosedError{Cause: io.EOF}
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (m *memory) Close() error {
	m.once.Do(func() { close(m.end) })
	return nil
}

// A transport from outside, by the public surface alone: both eras, and the end of the other side.
func TestTransportOfSomebodyElse(t *testing.T) {
	for _, era := range []string{mcphosttest.Legacy, mcphosttest.Modern} {
		host, far := newMemory()
		server := mcphosttest.NewStream(t, mcphosttest.Scenario{Era: era, Tools: tools})
		var wg sync.WaitGroup
		wg.Go(func() { // from the host to the server
			for {
				frame, err := far.Read(context.Background())
				if err != nil {
					return
				}
				messages, err := jsonrpc.Parse(frame, nil)
				if err != nil || server.Write(context.Background(), messages[0]) != nil {
					return
				}
			}
		})
		wg.Go(func() { // and back
			for {
				frame, err := server.Read(context.Background())
				if err != nil {
					far.Close()
					return
				}
				if far.Write(context.Background(), &jsonrpc.Message{Raw: frame}) != nil {
					return
				}
			}
		})
		s, err := session.Open(t.Context(), host, nil)
		if err != nil {
			t.Fatal(err)
		}
		converse(t, s)
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		<-s.Done()
		if err := s.Err(); !errors.Is(err, io.EOF) {
			t.Errorf("ended by %v", err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		wg.Wait()
	}
}
