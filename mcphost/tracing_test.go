package mcphost_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
	"gatehouse/mcphost/trace"
)

const canary = "canary-7f3a<&>\"9"

// traced is a house whose trace is a ring.
func traced(t *testing.T, o mcphost.Options) (*house, *trace.Ring) {
	t.Helper()
	ring := trace.NewRing(trace.Limits{})
	t.Cleanup(ring.Close)
	o.Trace = ring.Add
	return newHouse(t, o), ring
}

// exported is everything that the ring can give away.
func exported(t *testing.T, r *trace.Ring) string {
	t.Helper()
	var out strings.Builder
	if err := r.Write(&out, trace.Query{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Every frame is there with what it belongs to, what was refused is marked, and the secret of the environment is nowhere,
// although the server repeats it everywhere and in JSON it is spelt in another way.
func TestTraceOfAProcess(t *testing.T) {
	h, ring := traced(t, mcphost.Options{Environ: append(os.Environ(), "CANARY="+canary)})
	p := mcphosttest.Command(t, mcphosttest.Scenario{
		Era: mcphosttest.Legacy,
		Tools: []mcphosttest.Tool{tool("run", mcphosttest.Write("banner "+canary+"\n"), mcphosttest.Write(`{"jsonrpc":"2.0","id":999,"result":{}}`+"\n"),
			mcphosttest.Progress(1, canary), mcphosttest.Content(mcphosttest.Raw(`{"type":"text","text":`+fmt.Sprintf("%q", canary)+`}`)))},
	})
	s := h.add("srv", p, consent.Var{Name: "CANARY", Ref: "env:CANARY"})
	h.connect(s)
	v, err := h.call(s, "run", `{"n":1}`)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	rows := ring.Read(trace.Query{}, 0, 100).Rows
	if first, last := rows[0], rows[len(rows)-1]; first.Code != "open" || !strings.HasPrefix(first.Detail, "pid ") || last.Code != "end" {
		t.Errorf("%+v … %+v", first, last)
	}
	of := ring.Read(trace.Query{Call: v.ID}, 0, 10).Rows
	var got []string
	for _, row := range of {
		got = append(got, fmt.Sprint(row.Dir, " ", row.Method, row.Asked, " ", row.Name))
	}
	if want := []string{"out tools/call run", "in notifications/progresstools/call run", "in tools/call run"}; !slices.Equal(got, want) {
		t.Errorf("of the call: %q", got)
	}
	var faults []string
	for _, row := range ring.Read(trace.Query{Problems: true}, 0, 10).Rows {
		if row.Fault != "" {
			faults = append(faults, row.Fault)
		}
	}
	if want := []string{jsonrpc.NoiseStray, jsonrpc.NoiseUnknownID}; !slices.Equal(faults, want) {
		t.Errorf("faults %q", faults)
	}
	text := exported(t, ring)
	if strings.Contains(text, "canary") || !strings.Contains(text, "banner ••••••") || strings.Count(text, "••••••") < 3 {
		t.Errorf("%s", text)
	}
	for _, frame := range p.Frames(t) { // all that we have sent
		if !strings.Contains(text, frame) {
			t.Errorf("not in the trace: %s", frame)
		}
	}
}

// What is answered in a field that asks for a secret leaves, and is in no trace: not a short one, nor what the server
// makes of it.
func TestTraceOfSecretAnswers(t *testing.T) {
	const ask = `{"message":"log in","requestedSchema":{"type":"object","properties":{"user":{"type":"string"},"password":{"type":"string"},"auth":{"type":"integer"},"pwd":{"type":"string"}}}}`
	for _, era := range []string{mcphosttest.Legacy, mcphosttest.Modern} {
		h, ring := traced(t, mcphost.Options{Offer: session.Offer{Form: true}})
		h.answer(forms(accept(`{"user":"jo","password":"hunter2-long","auth":421,"pwd":"x1"}`)))
		p := mcphosttest.Command(t, mcphosttest.Scenario{Era: era, Tools: []mcphosttest.Tool{
			tool("ask", mcphosttest.Ask(protocol.MethodElicit, ask), mcphosttest.Text("your hunter2-long")),
		}})
		s := h.add("srv", p)
		h.connect(s)
		if _, err := h.call(s, "ask", `{}`); err != nil {
			t.Fatal(err)
		}
		const sent = `{"user":"jo","password":"hunter2-long","auth":421,"pwd":"x1"}`
		if got := replies(t, p); len(got) != 1 || !strings.Contains(got[0], sent) {
			t.Fatalf("%q: sent %v", era, got)
		}
		text := exported(t, ring)
		if strings.Contains(text, "hunter2") || !strings.Contains(text, `{"user":"jo","password":"••••••","auth":"••••••","pwd":"••••••"}`) {
			t.Errorf("%q: %s", era, text)
		}
	}
}

// Over HTTP the requests are there, without the session, the credentials and what the query holds.
func TestTraceOfHTTP(t *testing.T) {
	for name, o := range map[string]struct {
		era string
		web *mcphosttest.HTTPOptions
	}{
		"streamable": {mcphosttest.Legacy, nil}, "modern": {mcphosttest.Modern, nil}, "sse": {mcphosttest.Legacy, &mcphosttest.HTTPOptions{SSE: true}},
	} {
		t.Run(name, func(t *testing.T) {
			h, ring := traced(t, mcphost.Options{Environ: append(os.Environ(), "CANARY=canary-7f3a99")})
			web := mcphosttest.NewHTTP(t, mcphosttest.Scenario{Era: o.era, Tools: []mcphosttest.Tool{tool("run", mcphosttest.Text("canary-7f3a99"))}}, o.web)
			c := mcphost.Config{
				ID: mcphost.NewID(), Name: "srv", Transport: mcphost.HTTP, URL: web.URL + "?key=canary-query",
				Headers: []consent.Var{{Name: "X-Secret", Ref: "env:CANARY"}, {Name: "Cookie", Value: "canary-cookie"}},
			}
			if err := h.Add(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			s, err := h.Server(c.ID)
			if err != nil {
				t.Fatal(err)
			}
			h.connect(s)
			v, err := h.call(s, "run", `{}`)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Stop(t.Context()); err != nil {
				t.Fatal(err)
			}
			text := exported(t, ring)
			if strings.Contains(text, "canary") || !strings.Contains(text, `"method":"POST","url":"`+web.URL+`?key=••••••"`) && name != "sse" {
				t.Errorf("%s", text)
			}
			for _, header := range web.Headers() {
				if id := header.Get("Mcp-Session-Id"); id != "" && strings.Contains(text, id) {
					t.Errorf("the session's id is told")
				}
			}
			var kinds []string
			for _, row := range ring.Read(trace.Query{Call: v.ID}, 0, 10).Rows {
				kinds = append(kinds, string(row.Kind)+" "+string(row.Dir))
				if row.Kind == trace.HTTP && (row.Request == 0 || row.HTTP.Method != "POST" && row.Dir == trace.Out) {
					t.Errorf("%+v", row)
				}
			}
			slices.Sort(kinds)
			if want := []string{"http in", "http out", "message in", "message out"}; !slices.Equal(kinds, want) {
				t.Errorf("of the call: %q", kinds)
			}
			if events := ring.Read(trace.Query{Kinds: []trace.Kind{trace.Event}}, 0, 10).Rows; name == "sse" && (len(events) == 0 || events[0].HTTP.Event != "endpoint") {
				t.Errorf("events: %+v", events)
			}
		})
	}
}
