package mcphost

// This file shows the trace what crosses one connection.

import (
	"context"
	"fmt"
	"sync/atomic"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/trace"
	"gatehouse/mcphost/transport"
)

// A tracer adds what crosses the connections of one server to the trace. Nil adds nothing.
type tracer struct {
	host         *Host
	server, name string
	secrets      *masker
	mask         func([]byte) []byte
	connection   atomic.Int64 // the one that stands
}

// newTracer returns nil if nobody traces.
func (s *Server) newTracer(secrets *masker) *tracer {
	if s.host.opts.Trace == nil {
		return nil
	}
	return &tracer{host: s.host, server: s.id, name: s.Config().Name, secrets: secrets, mask: secrets.bytes}
}

func (t *tracer) add(e trace.Entry) {
	e.Server, e.Name, e.Connection = t.server, t.name, t.connection.Load()
	t.host.opts.Trace(e)
}

// mark adds a moment in the life of the connection: "open" begins another one.
func (t *tracer) mark(code, detail string) {
	if t == nil {
		return
	}
	if code == "open" {
		t.connection.Store(t.host.connections.Add(1))
	}
	t.add(trace.Entry{Kind: trace.Mark, At: t.host.opts.Now(), Code: code, Detail: t.secrets.text(detail)})
}

// opened marks the start of a process, or of speaking to an address.
func (t *tracer) opened(stream jsonrpc.Stream, address string) {
	if p, ok := stream.(*transport.Stdio); ok {
		address = fmt.Sprintf("pid %d", p.Pid())
	}
	t.mark("open", address)
}

type callKey struct{}

// forCall says for which call requests are made.
func forCall(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, callKey{}, id)
}

// see adds the messages of a frame, or the frame if it holds none.
func (t *tracer) see(ctx context.Context, s jsonrpc.Sight) {
	e := trace.Entry{Kind: trace.Message, Dir: trace.Direction(s.Direction.String()), At: s.At, Mask: t.mask}
	if s.Direction == jsonrpc.Outgoing {
		e.Call, _ = ctx.Value(callKey{}).(string)
	}
	for _, m := range s.Messages {
		e.Raw, e.Size, e.Method, e.ID, e.Failed = m.Raw, int64(len(m.Raw)), m.Method, m.ID, m.Error != nil
		t.add(e)
	}
	if s.Err == nil && len(s.Messages) > 0 {
		return
	}
	e = trace.Entry{Kind: trace.Message, Dir: e.Dir, At: s.At, Mask: t.mask, Raw: s.Frame, Size: s.Size, Cut: s.Size - int64(len(s.Frame))}
	if len(s.Frame) == 0 {
		e.Fault = jsonrpc.NoiseStray // there is nothing by which noise could name it
	}
	t.add(e)
}

// noise says what is wrong with a message that has been seen.
func (t *tracer) noise(kind string, raw []byte) {
	if t != nil {
		t.add(trace.Entry{Kind: trace.Fault, Dir: trace.In, At: t.host.opts.Now(), Raw: raw, Fault: kind})
	}
}

// record adds an HTTP request, a response or an event.
func (t *tracer) record(r transport.Record) {
	x := &trace.Exchange{Number: r.Exchange, Method: r.Method, URL: t.secrets.text(r.URL), Status: r.Status, Header: r.Header}
	e := trace.Entry{Kind: trace.HTTP, Dir: trace.Direction(r.Direction.String()), At: r.At, Size: r.Size, Method: r.Message, ID: r.ID, HTTP: x}
	if r.Err != nil {
		x.Error = t.secrets.text(r.Err.Error())
	}
	if r.Event != nil {
		e.Kind, x.Event, x.LastID, x.Retry, x.Data = trace.Event, r.Event.Name, r.Event.ID, r.Event.Retry, t.secrets.text(r.Event.Data)
	}
	t.add(e)
}
