package trace_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/trace"
)

// said is a frame as the host's tap would add it.
func said(server string, dir trace.Direction, frame string) trace.Entry {
	e := trace.Entry{Server: server, Connection: 1, Kind: trace.Message, Dir: dir, Raw: []byte(frame), Size: int64(len(frame)), At: time.Now()}
	if messages, err := jsonrpc.Parse(e.Raw, nil); err == nil {
		e.Method, e.ID, e.Failed = messages[0].Method, messages[0].ID, messages[0].Error != nil
	}
	return e
}

// lines tells rows apart: what they are, and what they are linked to.
func lines(rows []trace.Row) (out []string) {
	for _, r := range rows {
		out = append(out, fmt.Sprintf("%d %s%s %s>%d<%d", r.Seq, r.Method, r.Code, r.Name, r.Request, r.Reply))
	}
	return out
}

func all(r *trace.Ring) trace.Page { return r.Read(trace.Query{}, 0, 1000) }

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestRingLinks(t *testing.T) {
	r := trace.NewRing(trace.Limits{})
	defer r.Close()
	post := &trace.Exchange{Number: 5, Method: "POST"}
	call := said("a", trace.Out, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query","_meta":{"progressToken":7}}}`)
	call.Call = "call-1"
	for _, e := range []trace.Entry{
		{Server: "a", Connection: 1, Kind: trace.Mark, Code: "open", Detail: "pid 7"},
		call,
		{Server: "a", Connection: 1, Kind: trace.HTTP, Dir: trace.Out, HTTP: post, Method: "tools/call", ID: jsonrpc.IntID(1)},
		said("a", trace.In, `{"jsonrpc":"2.0","id":1,"method":"ping"}`), // the server's own 1
		said("a", trace.In, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1,"total":8}}`),
		{Server: "a", Connection: 1, Kind: trace.HTTP, Dir: trace.In, HTTP: &trace.Exchange{Number: 5, Status: 200}},
		said("a", trace.In, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`),
		said("a", trace.In, `{"jsonrpc":"2.0","id":1,"result":{"isError":true}}`),
		said("a", trace.Out, `{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen"}`),
		said("a", trace.In, `{"jsonrpc":"2.0","method":"x","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}`),
		said("b", trace.In, `{"jsonrpc":"2.0","id":2,"result":{}}`), // of another server
	} {
		r.Add(e)
	}
	page := all(r)
	same(t, lines(page.Rows), "1 open >0<0", "2 tools/call query>0<8", "3 tools/call query>2<6", "4 ping >0<0", "5 notifications/progress query>2<0",
		"6  query>2<0", "7 notifications/cancelled >4<0", "8  query>2<0", "9 subscriptions/listen >0<0", "10 x >9<0", "11  >0<0")
	if progress := page.Rows[4]; progress.Done != 1 || progress.Total != 8 || progress.Asked != "tools/call" {
		t.Errorf("%+v", progress)
	}
	if !page.Rows[7].IsError || page.Problems != 1 || !page.Rows[3].Open || page.Rows[1].Open || page.Rows[1].Carried != 5 {
		t.Errorf("%+v", page)
	}
	same(t, lines(r.Read(trace.Query{Call: "call-1", Kinds: []trace.Kind{trace.Message}}, 0, 9).Rows),
		"2 tools/call query>0<8", "5 notifications/progress query>2<0", "8  query>2<0")
	r.Add(trace.Entry{Server: "a", Connection: 1, Kind: trace.Mark, Code: "ready", Detail: "2025-11-25"})
	if page := r.Read(trace.Query{Server: "a"}, 0, 0); page.Peer != "pid 7" || page.Revision != "2025-11-25" {
		t.Errorf("%+v", page)
	}
	_, related, _ := r.Entry(8)
	same(t, lines(related), "2 tools/call query>0<8", "3 tools/call query>2<6", "5 notifications/progress query>2<0", "6  query>2<0")
	r.Add(trace.Entry{Server: "a", Connection: 1, Kind: trace.Mark, Code: "end"})
	if row := all(r).Rows[3]; row.Open || !row.Silent {
		t.Errorf("after the end: %+v", row)
	}
}

func TestRingChooses(t *testing.T) {
	r := trace.NewRing(trace.Limits{})
	defer r.Close()
	r.Add(said("a", trace.Out, `{"jsonrpc":"2.0","id":77,"method":"tools/list"}`))
	r.Add(said("a", trace.In, `{"jsonrpc":"2.0","id":77,"error":{"code":-1,"message":"Große Not"}}`))
	r.Add(said("b", trace.In, `no JSON`))
	r.Add(trace.Entry{Server: "b", Kind: trace.HTTP, Dir: trace.In, HTTP: &trace.Exchange{Status: 404, URL: "https://Far.example/mcp"}})
	r.Add(trace.Entry{Server: "b", Kind: trace.HTTP, Dir: trace.In, HTTP: &trace.Exchange{Status: 200}})
	for name, test := range map[string]struct {
		q    trace.Query
		want []int64
	}{
		"all":       {trace.Query{}, []int64{1, 2, 3, 4, 5}},
		"server":    {trace.Query{Server: "b"}, []int64{3, 4, 5}},
		"direction": {trace.Query{Dir: trace.Out}, []int64{1}},
		"kind":      {trace.Query{Kinds: []trace.Kind{trace.HTTP}}, []int64{4, 5}},
		"problems":  {trace.Query{Problems: true}, []int64{2, 4}},
		"method":    {trace.Query{Text: "TOOLS/l"}, []int64{1}},
		"id":        {trace.Query{Text: "77"}, []int64{1, 2}},
		"bytes":     {trace.Query{Text: "gROße"}, []int64{2}},
		"address":   {trace.Query{Text: "far.EX"}, []int64{4}},
		"none":      {trace.Query{Text: "zzz"}, nil},
		"later":     {trace.Query{After: 3}, []int64{4, 5}},
		"until":     {trace.Query{Until: 2}, []int64{1, 2}},
	} {
		var got []int64
		for _, row := range r.Read(test.q, 0, 10).Rows {
			got = append(got, row.Seq)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v", name, got)
		}
	}
	if page := r.Read(trace.Query{}, 1, 2); page.Total != 5 || len(page.Rows) != 2 || page.Rows[0].Seq != 2 || page.Messages != 3 || page.Last != 5 {
		t.Errorf("%+v", page)
	}
	if page := r.Read(trace.Query{}, 9, 2); len(page.Rows) != 0 {
		t.Errorf("%+v", page)
	}
	r.Clear("a")
	if page := all(r); page.Total != 3 || page.Gone != 0 {
		t.Errorf("cleared: %+v", page)
	}
}

// What is wrong with a message is found out after it has been added, sometimes after it is kept.
func TestRingFaults(t *testing.T) {
	r := trace.NewRing(trace.Limits{})
	defer r.Close()
	early, late := said("a", trace.In, `{"jsonrpc":"2.0","id":9,"result":{}}`), said("a", trace.In, "banner")
	r.Add(early)
	r.Add(said("a", trace.In, `{"jsonrpc":"2.0","method":"m"}`))
	r.Add(trace.Entry{Server: "a", Kind: trace.Fault, Raw: early.Raw, Fault: jsonrpc.NoiseUnknownID})
	r.Add(late)
	all(r)
	r.Add(trace.Entry{Server: "a", Kind: trace.Fault, Raw: late.Raw, Fault: jsonrpc.NoiseStray})
	page := r.Read(trace.Query{Problems: true}, 0, 9)
	if len(page.Rows) != 2 || page.Rows[0].Fault != jsonrpc.NoiseUnknownID || page.Rows[1].Fault != jsonrpc.NoiseStray {
		t.Errorf("%+v", page.Rows)
	}
}

func TestRingLimits(t *testing.T) {
	frame := func(n int) string { return `{"jsonrpc":"2.0","method":"` + strings.Repeat("m", n-29) + `"}` }
	t.Run("entries", func(t *testing.T) {
		r := trace.NewRing(trace.Limits{Entries: 10})
		defer r.Close()
		for n := 1; n <= 11; n++ {
			r.Add(said("loud", trace.In, frame(40)))
			if n == 5 {
				all(r) // some are kept, some are fresh
			}
			if page := r.Read(trace.Query{After: 1 << 40}, 0, 1); n >= 10 && page.Gone != int64(n-10) {
				t.Errorf("at %d: %d gone", n, page.Gone)
			}
		}
		r.Add(said("quiet", trace.In, frame(40)))
		for range 100 {
			r.Add(said("loud", trace.In, frame(40)))
		}
		if n := r.Read(trace.Query{Server: "quiet"}, 0, 1).Total; n != 1 {
			t.Errorf("another server's was pushed out")
		}
		if n := r.Read(trace.Query{Server: "loud"}, 0, 1).Total; n != 10 {
			t.Errorf("%d are kept", n)
		}
	})
	t.Run("bytes", func(t *testing.T) {
		r := trace.NewRing(trace.Limits{Bytes: 4 * (512 + 100)})
		defer r.Close()
		for range 4 {
			r.Add(said("a", trace.In, frame(100)))
		}
		if page := all(r); page.Total != 4 || page.Gone != 0 {
			t.Errorf("%d, %d gone", page.Total, page.Gone)
		}
		r.Add(said("a", trace.In, frame(30)))
		if page := all(r); page.Total != 4 || page.Gone != 1 {
			t.Errorf("%d, %d gone", page.Total, page.Gone)
		}
	})
	t.Run("of all", func(t *testing.T) { // who has the most gives
		r := trace.NewRing(trace.Limits{Total: 10 * (512 + 100)})
		defer r.Close()
		for range 3 {
			r.Add(said("quiet", trace.In, frame(100)))
		}
		for range 50 {
			r.Add(said("loud", trace.In, frame(100)))
		}
		r.Add(said("quiet", trace.In, frame(100)))
		quiet, loud := r.Read(trace.Query{Server: "quiet"}, 0, 1), r.Read(trace.Query{Server: "loud"}, 0, 1)
		if quiet.Total != 4 || loud.Total != 6 || loud.Gone != 44 {
			t.Errorf("quiet %d, loud %d, %d gone", quiet.Total, loud.Total, loud.Gone)
		}
	})
	t.Run("head", func(t *testing.T) {
		r := trace.NewRing(trace.Limits{Head: 100})
		defer r.Close()
		r.Add(said("a", trace.In, frame(100)))
		r.Add(said("a", trace.In, frame(101)))
		rows := all(r).Rows
		if len(rows[0].Raw) != 100 || rows[0].Cut != 0 || len(rows[1].Raw) != 100 || rows[1].Cut != 1 || rows[1].Size != 101 || cap(rows[1].Raw) > 150 {
			t.Errorf("%+v", rows)
		}
	})
}

// A secret never gets into what is kept, not even a part of it where a head ends.
func TestRingMasks(t *testing.T) {
	const secret = "canary-0123456789"
	r := trace.NewRing(trace.Limits{Head: 100})
	defer r.Close()
	for n := range 120 {
		e := said("a", trace.In, strings.Repeat("x", n)+secret+strings.Repeat("y", 200))
		e.Mask = func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(secret), []byte("••••••")) }
		r.Add(e)
	}
	for i, row := range all(r).Rows {
		if bytes.Contains(row.Raw, []byte("can")) {
			t.Fatalf("behind %d: %s", i, row.Raw)
		}
	}
	if n := r.Read(trace.Query{Text: "canary"}, 0, 1).Total; n != 0 {
		t.Error("found by it")
	}
	var out bytes.Buffer
	if err := r.Write(&out, trace.Query{}); err != nil || strings.Contains(out.String(), "canary") || strings.Count(out.String(), "\n") != 120 {
		t.Errorf("%v %.200s", err, out.String())
	}
}

// Whoever reads hears once of what follows, however much that is.
func TestRingTells(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := 0
		r := trace.NewRing(trace.Limits{})
		r.Watch(func() { told++ })
		rounds := func() {
			for range 5 {
				r.Add(said("a", trace.In, `{"jsonrpc":"2.0","method":"m"}`))
				time.Sleep(time.Second)
			}
			synctest.Wait()
		}
		rounds()
		if told != 1 {
			t.Errorf("told %d times", told)
		}
		all(r)
		rounds()
		if told != 2 {
			t.Errorf("after reading: %d times", told)
		}
		r.Close()
		r.Add(said("a", trace.In, `{}`))
		if n := all(r).Total; n != 10 {
			t.Errorf("%d entries", n)
		}
	})
}

// Many connections and readers at once.
func TestRingAtOnce(t *testing.T) {
	r := trace.NewRing(trace.Limits{Entries: 50, Total: 60 << 10})
	var wg sync.WaitGroup
	for n := range 6 {
		wg.Go(func() {
			server := string(rune('a' + n))
			for i := range 300 {
				r.Add(said(server, trace.Out, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"m"}`, i)))
				answer := said(server, trace.In, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, i))
				r.Add(answer)
				r.Add(trace.Entry{Server: server, Kind: trace.Fault, Raw: answer.Raw, Fault: "late"})
				r.Add(trace.Entry{Server: server, Kind: trace.HTTP, HTTP: &trace.Exchange{Number: int64(i), Header: http.Header{"A": {"b"}}}})
			}
		})
		wg.Go(func() {
			for range 50 {
				page := r.Read(trace.Query{Text: "re", Problems: true}, 0, 20)
				for _, row := range page.Rows {
					r.Entry(row.Seq)
				}
			}
		})
	}
	wg.Wait()
	r.Close()
	if n := all(r).Total; n == 0 || n > 300 {
		t.Errorf("%d entries", n)
	}
}

func BenchmarkRing(b *testing.B) {
	for _, size := range []int{100, 10_000, 1_000_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			r := trace.NewRing(trace.Limits{})
			e := said("a", trace.In, `{"jsonrpc":"2.0","id":1,"result":{"text":"`+strings.Repeat("x", size)+`"}}`)
			b.ReportAllocs()
			for b.Loop() {
				r.Add(e)
			}
			r.Close()
		})
	}
}

// That a tool has failed counts, however far behind the head that is kept it stands; the same words elsewhere do not.
func TestRingCountsErrorsBehindTheHead(t *testing.T) {
	filler := strings.Repeat("x", 200)
	r := trace.NewRing(trace.Limits{Head: 100})
	defer r.Close()
	r.Add(said("a", trace.In, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"`+filler+`"}],"isError":true}}`))
	r.Add(said("a", trace.In, `{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"`+filler+`\"isError\":true"}],"structuredContent":{"isError":true},"isError":false}}`))
	page := r.Read(trace.Query{}, 0, 9)
	if len(page.Rows) != 2 || !page.Rows[0].IsError || page.Rows[1].IsError || page.Problems != 1 || page.Rows[0].Cut == 0 {
		t.Errorf("%+v", page)
	}
	if found := r.Read(trace.Query{Problems: true}, 0, 9); found.Total != 1 {
		t.Errorf("%+v", found)
	}
}
