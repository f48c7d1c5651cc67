package mcphost

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/protocol"
)

// Who floods one stream pushes nothing out of another, and is told of once.
func TestServerLogBounds(t *testing.T) {
	var l serverLog
	l.add(LogLine{Stream: "stderr", Text: "why"})
	told := 0
	for n := range logLines + 1 {
		if l.add(LogLine{Stream: "log", Text: fmt.Sprint(n)}) {
			told++
		}
	}
	if told != 0 {
		t.Errorf("told %d times of what nobody reads", told)
	}
	lines := l.after(0)
	if len(lines) != logLines+1 || lines[0].Text != "why" || lines[1].Text != "1" || lines[len(lines)-1].Seq != logLines+2 {
		t.Errorf("%d lines: %+v …", len(lines), lines[:2])
	}
	if more := l.after(logLines); len(more) != 2 || more[0].Seq != logLines+1 {
		t.Errorf("%+v", more)
	}
	if !l.add(LogLine{Stream: "log"}) || l.add(LogLine{Stream: "log"}) {
		t.Error("after reading it is told once")
	}
	text := strings.Repeat("x", logBytes/4)
	for range 5 {
		l.add(LogLine{Stream: "noise", Text: text})
	}
	if got := l.tail("noise", 0, 10); len(got) != 4 {
		t.Errorf("%d lines of a quarter of the bytes", len(got))
	}
}

// What is logged is a text or JSON, without the secret, and of bounded length.
func TestLogged(t *testing.T) {
	secrets := newMasker(consent.Launch{Env: []consent.Var{{Name: "K", Ref: "env:K"}}}, []string{"canary-123456"})
	for _, test := range []struct{ data, text, json string }{
		{`"it has canary-123456\n"`, "it has ••••••\n", ""},
		{`{"key":"canary-123456","n":1.0}`, "", `{"key":"••••••","n":1.0}`},
		{`null`, "", "null"},
		{`[1]`, "", "[1]"},
	} {
		s := newServer(New(nil, Ports{}, nil), Config{})
		s.logged(protocol.LoggingMessageParams{Level: "warning", Logger: "canary-123456", Data: json.RawMessage(test.data)}, secrets)
		line := s.Log(0)[0]
		if line.Text != test.text || line.Data != test.json || line.Level != "warning" || line.Logger != mask || line.Stream != "log" {
			t.Errorf("%s: %+v", test.data, line)
		}
	}
	for n := logMessage - 20; n <= logMessage+1; n++ { // a secret where the head ends
		s := newServer(New(nil, Ports{}, nil), Config{})
		data, _ := json.Marshal([]string{strings.Repeat("x", n) + "canary-123456"})
		s.logged(protocol.LoggingMessageParams{Level: "info", Data: data}, secrets)
		if got := s.Log(0)[0].Data; strings.Contains(got, "can") || len(got) > logMessage+30 {
			t.Errorf("at %d: %d bytes, … %q", n, len(got), got[len(got)-40:])
		}
	}
}
