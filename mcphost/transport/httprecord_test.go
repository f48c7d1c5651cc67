package transport

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/mcphost/jsonrpc"
)

// Everything that goes over HTTP is shown, and no secret with it.
func TestHTTPRecords(t *testing.T) {
	r := newRemote(t, map[string]http.HandlerFunc{
		http.MethodPost: func(w http.ResponseWriter, _ *http.Request) {
			for name, value := range map[string]string{
				"Mcp-Session-Id": "canary-session", "Set-Cookie": "a=canary", "X-Refresh-Token": "canary", "Location": "/there?code=canary",
				"Www-Authenticate": "Bearer realm=x", "X-Plain": "plain",
			} {
				w.Header().Set(name, value)
			}
			sendJSON(w, answer(1))
		},
		http.MethodDelete: func(http.ResponseWriter, *http.Request) {},
	})
	var mu sync.Mutex
	var records []Record
	now := time.Unix(1, 0)
	h, err := DialHTTP(r.URL+"/mcp?api=canary&flag", &HTTPOptions{
		Header: http.Header{"Authorization": {"Bearer canary"}, "X-Mine": {"canary"}}, Now: func() time.Time { return now },
		Record: func(r Record) { mu.Lock(); defer mu.Unlock(); records = append(records, r) },
	})
	if err != nil {
		t.Fatal(err)
	}
	for id, method := range []string{"initialize", "tools/list"} {
		if _, err := outcome(t, h, request(t, int64(id+1), method)); err != nil && id == 0 {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if len(records) != 6 {
		t.Fatalf("%d records", len(records))
	}
	for i, rec := range records {
		if text := fmt.Sprintf("%+v", rec); strings.Contains(text, "canary") {
			t.Errorf("%d tells a secret: %s", i, text)
		}
		if rec.Exchange != int64(i/2+1) || (rec.Direction == jsonrpc.Outgoing) != (i%2 == 0) || !rec.At.Equal(now) || rec.URL != r.URL+"/mcp?api="+masked+"&"+masked {
			t.Errorf("%d: %+v", i, rec)
		}
	}
	out, in := records[2], records[3]
	if out.Method != "POST" || out.Message != "tools/list" || out.ID != jsonrpc.IntID(2) || out.Size == 0 ||
		out.Header.Get("Mcp-Session-Id") != masked || out.Header.Get("Authorization") != masked || out.Header.Get("X-Mine") != masked || out.Header.Get("Accept") == masked {
		t.Errorf("out %+v", out)
	}
	if in.Status != 200 || in.Header.Get("X-Plain") != "plain" || in.Header.Get("Www-Authenticate") != "Bearer realm=x" || in.Header.Get("Location") != "/there?code="+masked || in.Message != "tools/list" {
		t.Errorf("in %+v", in)
	}
	if records[4].Method != "DELETE" || records[4].Message != "" {
		t.Errorf("leaving: %+v", records[4])
	}
	if got := r.requests(http.MethodPost)[0].header.Get("Authorization"); got != "Bearer canary" {
		t.Errorf("the server got %q", got)
	}
}

// What fails without a response is shown, too.
func TestHTTPRecordsFailure(t *testing.T) {
	var records []Record
	r := newRemote(t, nil)
	r.Close()
	h := dial(t, r.URL, HTTPOptions{Record: func(r Record) { records = append(records, r) }})
	if _, err := outcome(t, h, request(t, 1, "x")); err == nil {
		t.Fatal("no error")
	}
	if len(records) != 2 || records[1].Err == nil || records[1].Status != 0 || records[0].Err != nil {
		t.Errorf("%+v", records)
	}
}
