package jsonrpc_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"gatehouse/mcphost/jsonrpc"
)

var sizes = []struct {
	name  string
	bytes int
}{{"100B", 100}, {"10kB", 10_000}, {"1MB", 1_000_000}}

// result is a tool result of about n bytes, with the escapes and members of real ones.
func result(n int) string {
	var b strings.Builder
	b.WriteString(`{"content":[`)
	for i := 0; b.Len() < n-100; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		line := `{\"id\": 12, \"name\": \"Ada Lovelace\", \"note\": \"first programmer of the analytical engine\"},\n  `
		text := strings.Repeat(line, min(20, max(0, n-200-b.Len())/len(line)))
		fmt.Fprintf(&b, `{"type":"text","text":"%s","annotations":{"audience":["user"],"priority":0.%d}}`, text, i%9+1)
	}
	b.WriteString(`],"isError":false}`)
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	for _, size := range sizes {
		frame := []byte(`{"jsonrpc":"2.0","id":12,"result":` + result(size.bytes) + `}`)
		b.Run(size.name, func(b *testing.B) {
			b.SetBytes(int64(len(frame)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := jsonrpc.Parse(frame, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The same with encoding/json into an envelope, as a yardstick.
func BenchmarkParseReflect(b *testing.B) {
	for _, size := range sizes {
		frame := []byte(`{"jsonrpc":"2.0","id":12,"result":` + result(size.bytes) + `}`)
		b.Run(size.name, func(b *testing.B) {
			b.SetBytes(int64(len(frame)))
			b.ReportAllocs()
			for b.Loop() {
				var e struct {
					ID     json.RawMessage
					Method string
					Result json.RawMessage
				}
				if err := json.Unmarshal(frame, &e); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCall(b *testing.B) {
	streams := map[string]func(testing.TB) (jsonrpc.Stream, jsonrpc.Stream){
		"memory": func(testing.TB) (jsonrpc.Stream, jsonrpc.Stream) { return jsonrpc.Pipe() },
		"pipe":   overPipes,
	}
	for _, over := range []string{"memory", "pipe"} {
		for _, size := range sizes {
			b.Run(over+"/"+size.name, func(b *testing.B) {
				near, other := streams[over](b)
				answer := json.RawMessage(result(size.bytes))
				p := jsonrpc.NewPeer(near, nil, nil)
				q := jsonrpc.NewPeer(other, handler{request: func(context.Context, *jsonrpc.Message) (any, error) { return answer, nil }}, nil)
				p.Start()
				q.Start()
				defer p.Close()
				defer q.Close()
				ctx, cancel := context.WithCancel(b.Context())
				defer cancel()
				b.ReportAllocs()
				for b.Loop() {
					if _, err := p.Call(ctx, "tools/call", json.RawMessage(`{"name":"echo","arguments":{}}`), nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// 64 calls in flight.
func BenchmarkCallsAtOnce(b *testing.B) {
	near, other := overPipes(b)
	answer := json.RawMessage(result(100))
	p := jsonrpc.NewPeer(near, nil, nil)
	q := jsonrpc.NewPeer(other, handler{request: func(context.Context, *jsonrpc.Message) (any, error) { return answer, nil }}, nil)
	p.Start()
	q.Start()
	defer p.Close()
	defer q.Close()
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	b.SetParallelism(32)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := p.Call(ctx, "tools/call", json.RawMessage(`{"name":"echo","arguments":{}}`), nil); err != nil {
				b.Error(err)
				return
			}
		}
	})
}
