package demo

// This file asks the client: what a server may want to know while it works on a call.

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
)

// abilities are what the client has declared that it can be asked.
type abilities struct {
	Sampling    *struct{} `json:"sampling"`
	Roots       *struct{} `json:"roots"`
	Elicitation *struct {
		Form *struct{} `json:"form"`
		URL  *struct{} `json:"url"` // since 2025-11-25
	} `json:"elicitation"`
}

func (a abilities) forms() bool {
	return a.Elicitation != nil && (a.Elicitation.Form != nil || a.Elicitation.URL == nil) // {} means forms
}

func (a abilities) addresses() bool { return a.Elicitation != nil && a.Elicitation.URL != nil }

// asked are the questions that are open, by id.
type asked struct {
	mu   sync.Mutex
	last int
	open map[string]chan message
}

// A question is a request of this server.
type question struct {
	JSONRPC string         `json:"jsonrpc"`
	ID      string         `json:"id"`
	Method  string         `json:"method"`
	Params  map[string]any `json:"params,omitempty"`
}

// ask sends a question and returns its result. It withdraws the question when ctx ends.
func (s *server) ask(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
	reply := make(chan message, 1)
	s.asked.mu.Lock()
	s.asked.last++
	id := "ask-" + strconv.Itoa(s.asked.last)
	s.asked.open[id] = reply
	s.asked.mu.Unlock()
	defer func() {
		s.asked.mu.Lock()
		delete(s.asked.open, id)
		s.asked.mu.Unlock()
	}()
	s.out.send(question{JSONRPC: "2.0", ID: id, Method: method, Params: params})
	select {
	case m := <-reply:
		if m.Error == nil {
			return m.Result, nil
		}
		var e rpcError
		if err := json.Unmarshal(m.Error, &e); err != nil {
			return nil, fmt.Errorf("the client's error cannot be read: %w", err)
		}
		return nil, &e
	case <-ctx.Done():
		s.out.notify("notifications/cancelled", struct {
			RequestID string `json:"requestId"`
		}{id})
		return nil, ctx.Err()
	}
}

// answer takes in the reply to a question; one to none is ignored.
func (a *asked) answer(m message) {
	var id string
	if json.Unmarshal(m.ID, &id) != nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if reply := a.open[id]; reply != nil {
		reply <- m // it has room for the only one
		delete(a.open, id)
	}
}
