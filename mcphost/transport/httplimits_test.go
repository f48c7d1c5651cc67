package transport

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"gatehouse/mcphost/jsonrpc"
)

// SEC B3, B4: at the limit a message is read, over it its call fails.
func TestHTTPLimits(t *testing.T) {
	const limit = 10_000
	padded := func(size int) string {
		frame := answer(1)
		return frame[:len(frame)-1] + strings.Repeat(" ", size-len(frame)) + "}"
	}
	for _, size := range []int{limit, limit + 1} {
		for name, serve := range map[string]http.HandlerFunc{
			"JSON": func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", fmt.Sprint(size))
				sendJSON(w, padded(size))
			},
			"chunked JSON": func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", typeJSON)
				w.(http.Flusher).Flush()
				sendJSON(w, padded(size))
				if size > limit {
					_, _ = io.Copy(w, letterReader{}) // endless
				}
			},
			"event": func(w http.ResponseWriter, r *http.Request) {
				sendEvents(w, "data: "+padded(size)+"\n\n")
				<-r.Context().Done()
			},
		} {
			h := dial(t, newRemote(t, onPost(serve)).URL, HTTPOptions{Limits: jsonrpc.Limits{FrameBytes: limit}})
			frames, err := outcome(t, h, request(t, 1, "tools/call"))
			var big *jsonrpc.FrameTooLargeError
			switch {
			case size == limit && (err != nil || len(frames) != 1 || len(frames[0]) != limit):
				t.Errorf("%s at the limit: %d frames, %v", name, len(frames), err)
			case size > limit && (!errors.As(err, &big) || big.Limit != limit || big.ID != jsonrpc.IntID(1) || len(frames) != 0):
				t.Errorf("%s over the limit: %d frames, %v", name, len(frames), err)
			}
		}
	}
}

// SEC B4: neither silence nor endless comments hold an exchange for ever. How long an answer may take is up to whoever
// waits for it (ACC A16), so only a stream that answers nothing ends by silence.
func TestHTTPTimeouts(t *testing.T) {
	silent := func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	comments := func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			sendEvents(w, ": still here\n\n")
		}
	}
	for _, test := range []struct {
		name string
		f    http.HandlerFunc
		o    HTTPOptions
		m    *jsonrpc.Message
		want error
	}{
		{"silence", silent, HTTPOptions{IdleTimeout: time.Millisecond}, request(t, 1, "subscriptions/listen"), errIdle},
		{"silence after the head", func(w http.ResponseWriter, r *http.Request) { sendEvents(w, "data: "); silent(w, r) }, HTTPOptions{IdleTimeout: 50 * time.Millisecond}, request(t, 1, "subscriptions/listen"), errIdle},
		{"a silent answer", silent, HTTPOptions{IdleTimeout: time.Millisecond, TotalTimeout: 50 * time.Millisecond}, request(t, 1, "x"), errTotal},
		{"comments", comments, HTTPOptions{TotalTimeout: 20 * time.Millisecond}, request(t, 1, "x"), errTotal},
		{"notification", silent, HTTPOptions{ShortTimeout: 10 * time.Millisecond}, notification(t, "x"), errTotal},
	} {
		h := dial(t, newRemote(t, onPost(test.f)).URL, test.o)
		if _, err := outcome(t, h, test.m); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
