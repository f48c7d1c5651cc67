package mcphosttest

// This file is the transport of 2024-11-05: one event stream, whose first event tells where messages go.

import (
	"net/http"
	"strconv"
)

const ssePath = "/messages"

// listenSSE serves an event stream, which is a session of its own.
func (h *HTTP) listenSSE(w http.ResponseWriter, r *http.Request) {
	stream := &eventStream{w: w}
	defer stream.leave()
	h.mu.Lock()
	h.sessions++
	h.session = strconv.Itoa(h.sessions)
	h.listener = stream.send
	stream.raw("event: endpoint\ndata: " + ssePath + "?session=" + h.session + "\n\n")
	cut := make(chan struct{})
	h.cut = func() { close(cut) }
	h.mu.Unlock()
	select {
	case <-r.Context().Done():
	case <-h.done:
	case <-cut:
	}
}

// postSSE takes a message; what answers it goes to the event stream.
func (h *HTTP) postSSE(w http.ResponseWriter, r *http.Request, t *turn) {
	h.mu.Lock()
	known := r.URL.Path == ssePath && h.session != "" && r.URL.Query().Get("session") == h.session
	h.mu.Unlock()
	switch {
	case r.URL.Path != ssePath:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case !known:
		w.WriteHeader(http.StatusNotFound)
	default:
		w.WriteHeader(http.StatusAccepted)
		w.(http.Flusher).Flush()
		t.send = h.push
		t.run()
	}
}

// Cut ends the event stream of a client. With SSE the next one is another session.
func (h *HTTP) Cut() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.cut != nil {
		h.cut()
		h.cut = nil
	}
}
