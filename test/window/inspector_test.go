//go:build window

package window

// This file speaks WebKit's remote inspector protocol, as far as a smoke test needs it: evaluate an expression in the
// page. The end-to-end build leaves the inspector on; the shipped one clears its variable at start.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// patience bounds every wait for the window.
const patience = 30 * time.Second

// A page is one inspected web page.
type page struct {
	conn   *websocket.Conn
	target string
	lastID int
}

var socketPath = regexp.MustCompile(`/socket/\d+/\d+/WebPage`)

// inspect waits until the window at the inspector's address has a page and attaches to it.
func inspect(t *testing.T, addr string) *page {
	t.Helper()
	var path string
	eventually(t, "the inspector lists a page", func() bool {
		r, err := http.Get("http://" + addr + "/")
		if err != nil {
			return false
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		path = socketPath.FindString(string(body))
		return err == nil && path != ""
	})
	conn, _, err := websocket.DefaultDialer.Dial("ws://"+addr+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	p := &page{conn: conn}
	for p.target == "" {
		m, err := p.read()
		if err != nil {
			t.Fatal(err)
		}
		if m.Method == "Target.targetCreated" {
			p.target = m.Params.TargetInfo.TargetID
		}
	}
	return p
}

// A message is what the inspector sends, in the outer layer and in the one of the target.
type message struct {
	ID     int    `json:"id"`
	Method string `json:"method"`
	Params struct {
		TargetInfo struct {
			TargetID string `json:"targetId"`
		} `json:"targetInfo"`
		NewTargetID string `json:"newTargetId"`
		Message     string `json:"message"`
	} `json:"params"`
	Result struct {
		Result struct {
			Value       json.RawMessage `json:"value"`
			Description string          `json:"description"`
		} `json:"result"`
		WasThrown bool `json:"wasThrown"`
	} `json:"result"`
	Error *struct {
		Message string `json:"message"`
	} `json:"error"`
}

func (p *page) read() (message, error) {
	var m message
	if err := p.conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return m, err
	}
	return m, p.conn.ReadJSON(&m)
}

// eval returns the JSON of an expression's value. An expression that is a promise is not awaited.
func (p *page) eval(expression string) (json.RawMessage, error) {
	p.lastID++
	inner, err := json.Marshal(map[string]any{
		"id": p.lastID, "method": "Runtime.evaluate",
		"params": map[string]any{"expression": expression, "returnByValue": true},
	})
	if err != nil {
		return nil, err
	}
	err = p.conn.WriteJSON(map[string]any{
		"id": p.lastID, "method": "Target.sendMessageToTarget",
		"params": map[string]any{"targetId": p.target, "message": string(inner)},
	})
	if err != nil {
		return nil, err
	}
	for {
		outer, err := p.read()
		if err != nil {
			return nil, err
		}
		if outer.Method == "Target.didCommitProvisionalTarget" {
			p.target = outer.Params.NewTargetID
			return nil, errors.New("page: it was replaced by another")
		}
		if outer.Method != "Target.dispatchMessageFromTarget" {
			continue
		}
		var m message
		if err := json.Unmarshal([]byte(outer.Params.Message), &m); err != nil {
			return nil, err
		}
		switch {
		case m.ID != p.lastID:
		case m.Error != nil:
			return nil, errors.New(m.Error.Message)
		case m.Result.WasThrown:
			return nil, fmt.Errorf("page: %s", m.Result.Result.Description)
		default:
			return m.Result.Result.Value, nil
		}
	}
}

// eventually polls until the condition holds; what says what is waited for.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for !holds() {
		if time.Now().After(deadline) {
			t.Fatalf("waited %v: %s", patience, what)
		}
		time.Sleep(50 * time.Millisecond)
	}
}
