package trace_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"gatehouse/mcphost/trace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var at = time.Date(2026, 11, 30, 12, 0, 0, 5, time.FixedZone("", 3600))

func message(name string, dir trace.Direction, frame []byte) trace.Entry {
	return trace.Entry{Name: name, Kind: trace.Message, Dir: dir, Raw: frame, Size: int64(len(frame)), At: at}
}

func TestLines(t *testing.T) {
	var out bytes.Buffer
	w := trace.NewWriter(&out)
	big := `{"text":"` + strings.Repeat("x", 100<<10) + `"}`
	for _, frame := range []string{`{"a": "<&>"}`, "{\n\"b\":1}", "no JSON \xff\"", `{"c":1,"c":2}`, big, `[]`} {
		w.Add(message(`"quoted"`, trace.In, []byte(frame)))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	const head = `{"t":"2026-11-30T11:00:00.000000005Z","server":"\"quoted\"","dir":"in","frame":`
	want := ""
	for _, frame := range []string{`{"a": "<&>"}`, `{"b":1}`, `"no JSON \ufffd\""`, `{"c":1,"c":2}`, big, `[]`} {
		want += head + frame + "}\n"
	}
	if out.String() != want {
		t.Errorf("got %.300q\nwant %.300q", out.String(), want)
	}
}

// What is no message is told from one by what its line has in place of a frame. Secrets do not get there.
func TestOtherLines(t *testing.T) {
	var out bytes.Buffer
	w := trace.NewWriter(&out)
	mask := func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("secret"), []byte("•")) }
	for _, e := range []trace.Entry{
		{Kind: trace.Mark, Code: "open", Detail: "pid 7"},
		{Kind: trace.HTTP, Dir: trace.Out, Size: 2, HTTP: &trace.Exchange{Number: 3, Method: "POST", URL: "https://h/m", Header: http.Header{"A": {"b"}}}},
		{Kind: trace.Event, Dir: trace.In, HTTP: &trace.Exchange{Number: 3, Event: "ping", LastID: "7", Retry: time.Second}},
		{Kind: trace.Message, Dir: trace.In, Raw: []byte(`{"a":"secret"}`), Size: 14, Mask: mask, Fault: "stray"},
		{Kind: trace.Message, Dir: trace.In, Raw: []byte(`{"a":`), Size: 99, Cut: 94},
		{Kind: trace.Fault, Dir: trace.In, Fault: "late"},
	} {
		e.Name, e.At = "s", at
		w.Add(e)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want := ""
	for _, rest := range []string{
		`"mark":"open pid 7"`, `"dir":"out","http":{"exchange":3,"method":"POST","url":"https://h/m","header":{"A":["b"]},"size":2}`,
		`"dir":"in","event":{"exchange":3,"event":"ping","id":"7","retryMs":1000}`, `"dir":"in","fault":"stray","frame":{"a":"•"}`,
		`"dir":"in","size":99,"frame":"{\"a\":"`, `"dir":"in","fault":"late"`,
	} {
		want += `{"t":"2026-11-30T11:00:00.000000005Z","server":"s",` + rest + "}\n"
	}
	if out.String() != want {
		t.Errorf("got %s\nwant %s", out.String(), want)
	}
}

// Whoever follows the file sees a frame soon, without a Close.
func TestFramesAreWrittenByThemselves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		w := trace.NewWriter(&out)
		for range 3 {
			w.Add(message("s", trace.Out, []byte(`{}`)))
			time.Sleep(time.Second)
			synctest.Wait()
		}
		if n := strings.Count(out.String(), "\n"); n != 3 {
			t.Errorf("%d lines, want 3", n)
		}
	})
}

func TestManyAtOnce(t *testing.T) {
	var out bytes.Buffer
	w := trace.NewWriter(&out)
	frame := []byte(`{"text":"` + strings.Repeat("x", 40<<10) + `"}`)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 { // together more than may wait
				w.Add(message("s", trace.Out, frame))
			}
		})
	}
	wg.Wait()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	lines := 0
	for line := range bytes.Lines(out.Bytes()) {
		if lines++; !json.Valid(line) {
			t.Fatalf("a spoilt line: %.200q", line)
		}
	}
	if lines != 1600 {
		t.Errorf("%d lines, want 1600", lines)
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// A full disk ends the trace, not the connection.
func TestWriteError(t *testing.T) {
	w := trace.NewWriter(full{})
	frame := bytes.Repeat([]byte("1"), 8<<20)
	for range 20 { // more than may wait
		w.Add(message("s", trace.Out, frame))
	}
	if err := w.Close(); !errors.Is(err, errFull) {
		t.Errorf("Close: %v, want %v", err, errFull)
	}
}
