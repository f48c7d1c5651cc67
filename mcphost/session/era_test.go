package session_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

func TestEra(t *testing.T) {
	refuses := func(code int, data string) []mcphosttest.Action {
		return []mcphosttest.Action{mcphosttest.Write(mcphosttest.Raw(`{"jsonrpc":"2.0","id":${id},"error":{"code":` + itoa(code) + `,"message":"no","data":` + data + "}}\n")), mcphosttest.Silence()}
	}
	for name, c := range map[string]struct {
		scenario   mcphosttest.Scenario
		pin, known session.Era
		revision   protocol.Revision // "" = it fails
		sent       string            // what opens the conversation
	}{
		"modern":                     {mcphosttest.Scenario{Era: mcphosttest.Modern}, "", "", protocol.Revision20260728, "server/discover"},
		"both":                       {mcphosttest.Scenario{Era: mcphosttest.Both}, "", "", protocol.Revision20260728, "server/discover"},
		"legacy":                     {mcphosttest.Scenario{}, "", "", protocol.Revision20251125, "server/discover initialize"},
		"an older legacy":            {mcphosttest.Scenario{Revision: "2024-10-07"}, "", "", protocol.Revision20241007, "server/discover initialize"},
		"silent":                     {mcphosttest.Scenario{Era: mcphosttest.Silent}, "", "", protocol.Revision20251125, "server/discover initialize"},
		"an object for everything":   {mcphosttest.Scenario{On: on("server/discover", mcphosttest.Result(`{}`))}, "", "", protocol.Revision20251125, "server/discover initialize"},
		"no answer but noise":        {mcphosttest.Scenario{On: on("server/discover", mcphosttest.Result(`[]`))}, "", "", protocol.Revision20251125, "server/discover initialize"},
		"pinned to legacy":           {mcphosttest.Scenario{Era: mcphosttest.Both}, session.EraLegacy, session.EraModern, protocol.Revision20251125, "initialize"},
		"pinned to modern":           {mcphosttest.Scenario{Era: mcphosttest.Both}, session.EraModern, session.EraLegacy, protocol.Revision20260728, "server/discover"},
		"pinned to modern, legacy":   {mcphosttest.Scenario{}, session.EraModern, "", "", "server/discover"},
		"pinned to legacy, modern":   {mcphosttest.Scenario{Era: mcphosttest.Modern}, session.EraLegacy, "", "", "initialize"},
		"known as legacy":            {mcphosttest.Scenario{Era: mcphosttest.Both}, "", session.EraLegacy, protocol.Revision20251125, "initialize"},
		"known as legacy, now other": {mcphosttest.Scenario{Era: mcphosttest.Modern}, "", session.EraLegacy, protocol.Revision20260728, "initialize server/discover"},
		"known as modern, now other": {mcphosttest.Scenario{}, "", session.EraModern, protocol.Revision20251125, "server/discover initialize"},
		"-32022, a newer one":        {mcphosttest.Scenario{On: map[string][]mcphosttest.Action{"server/discover": refuses(-32022, `{"supported":["2027-01-01"]}`)}}, "", "", "", "server/discover"},
		"-32022, without data":       {mcphosttest.Scenario{On: map[string][]mcphosttest.Action{"server/discover": refuses(-32022, `null`)}}, "", "", "", "server/discover"},
		"-32022, the server's offer": {mcphosttest.Scenario{On: map[string][]mcphosttest.Action{"server/discover": refuses(-32022, `{"supported":["2027-01-01","2025-06-18"]}`)}}, "", "", protocol.Revision20251125, "server/discover initialize"},
		"-32022, our own":            {mcphosttest.Scenario{On: map[string][]mcphosttest.Action{"server/discover": refuses(-32022, `{"supported":["2026-07-28","2025-11-25"]}`)}}, "", "", "", "server/discover server/discover"},
		"-32021":                     {mcphosttest.Scenario{On: map[string][]mcphosttest.Action{"server/discover": refuses(-32021, `{"requiredCapabilities":{}}`)}}, "", "", "", "server/discover"},
		"-32020":                     {mcphosttest.Scenario{On: map[string][]mcphosttest.Action{"server/discover": refuses(-32020, `{}`)}}, "", "", "", "server/discover"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				stream := mcphosttest.NewStream(t, c.scenario)
				s, err := session.Open(t.Context(), stream, &session.Options{Era: c.pin, Known: c.known})
				if (err == nil) != (c.revision != "") {
					t.Fatalf("error %v", err)
				}
				if err == nil {
					defer s.Close()
					if info := s.Info(); info.Revision != c.revision || info.Server.Name != "scripted" {
						t.Errorf("info %+v", info)
					}
				}
				if got := methods(t, stream.Record, "server/discover", "initialize"); got != c.sent {
					t.Errorf("sent %q, want %q", got, c.sent)
				}
				if stream.Count(t, protocol.NotificationCancelled) != 0 {
					t.Error("what opens the conversation was cancelled")
				}
			})
		})
	}
}

// A server that exits at an unknown first request is started once more, and once only.
func TestEraRestart(t *testing.T) {
	var streams []*mcphosttest.Stream
	redial := func(context.Context) (jsonrpc.Stream, error) {
		streams = append(streams, mcphosttest.NewStream(t, mcphosttest.Scenario{Era: mcphosttest.Exits}))
		return streams[len(streams)-1], nil
	}
	first, _ := redial(t.Context())
	s, err := session.Open(t.Context(), first, &session.Options{Redial: redial})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.Info().Era() != session.EraLegacy || len(streams) != 2 || methods(t, streams[1].Record) != "initialize notifications/initialized" {
		t.Errorf("%s, started %d times", s.Info().Era(), len(streams))
	}

	dies := mcphosttest.Scenario{On: map[string][]mcphosttest.Action{"server/discover": {mcphosttest.Exit(1)}, "initialize": {mcphosttest.Exit(1)}}}
	starts := 0
	again := func(context.Context) (jsonrpc.Stream, error) { starts++; return mcphosttest.NewStream(t, dies), nil }
	stream, _ := again(t.Context())
	var closed *jsonrpc.ClosedError
	if _, err := session.Open(t.Context(), stream, &session.Options{Redial: again}); !errors.As(err, &closed) || starts != 2 {
		t.Errorf("%v after %d starts", err, starts)
	}
	if _, err := session.Open(t.Context(), mcphosttest.NewStream(t, dies), nil); !errors.As(err, &closed) {
		t.Errorf("without a way to start it again: %v", err)
	}
}

// A modern server that answers the question for its era late is not taken for a legacy one: whether it knows initialize,
// answers it as well, or keeps silent about it.
func TestEraSlow(t *testing.T) {
	result := mcphosttest.Result(`{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"scripted","version":"1"}}`)
	behind := mcphosttest.Await(protocol.NotificationInitialized) // as late as a legacy session is open
	for name, c := range map[string]struct {
		discover, initialize []mcphosttest.Action
		era                  session.Era
	}{
		"refuses initialize":    {[]mcphosttest.Action{mcphosttest.Await("initialize")}, nil, session.EraModern},
		"answers both":          {[]mcphosttest.Action{mcphosttest.Await("initialize")}, []mcphosttest.Action{result}, session.EraModern},
		"silent":                {[]mcphosttest.Action{mcphosttest.Await("initialize")}, []mcphosttest.Action{mcphosttest.Silence()}, session.EraModern},
		"answers initialize":    {[]mcphosttest.Action{behind}, []mcphosttest.Action{result}, session.EraLegacy},
		"only knows initialize": {[]mcphosttest.Action{mcphosttest.Silence()}, []mcphosttest.Action{result}, session.EraLegacy},
	} {
		synctest.Test(t, func(t *testing.T) {
			sc := mcphosttest.Scenario{Era: mcphosttest.Modern, On: map[string][]mcphosttest.Action{"server/discover": c.discover}}
			if c.initialize != nil {
				sc.On["initialize"] = c.initialize
			}
			stream := mcphosttest.NewStream(t, sc)
			began := time.Now()
			s, err := session.Open(t.Context(), stream, nil)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			defer s.Close()
			if info := s.Info(); info.Era() != c.era || info.Guessed != (c.era == session.EraLegacy) {
				t.Errorf("%s: taken for %s, guessed: %t", name, info.Era(), info.Guessed)
			}
			if d := time.Since(began); d > 3500*time.Millisecond { // of the bubble's clock
				t.Errorf("%s: after %v", name, d)
			}
			if c.era == session.EraLegacy {
				return
			}
			if _, err := s.ListTools(t.Context()); err != nil || !strings.Contains(stream.Of(t, protocol.MethodToolsList)[0], protocol.MetaRevision) {
				t.Errorf("%s: goes on with %v, %v", name, stream.Of(t, protocol.MethodToolsList), err)
			}
			if n := stream.Count(t, protocol.NotificationInitialized); n != 0 {
				t.Errorf("%s: the legacy conversation was opened", name)
			}
		})
	}
}

// Every request of the modern era carries what it must.
func TestModernRequests(t *testing.T) {
	s, stream := open(t, mcphosttest.Scenario{Era: mcphosttest.Modern, Tools: []mcphosttest.Tool{tool("echo")}}, &session.Options{
		Client: protocol.Implementation{Name: "gatehouse", Version: "1"}, Offer: session.Offer{Roots: true, Form: true},
	})
	if _, err := s.CallTool(t.Context(), "echo", []byte(`{}`), session.CallOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ListTools(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, frame := range stream.Frames(t) {
		for _, want := range []string{
			`"io.modelcontextprotocol/protocolVersion":"2026-07-28"`, `"io.modelcontextprotocol/clientInfo":{"name":"gatehouse","version":"1"}`,
			`"io.modelcontextprotocol/clientCapabilities":{"roots":{},"elicitation":{"form":{}}}`,
		} {
			if !strings.Contains(frame, want) {
				t.Errorf("%s lacks %s", frame, want)
			}
		}
	}
}

func on(method string, actions ...mcphosttest.Action) map[string][]mcphosttest.Action {
	return map[string][]mcphosttest.Action{method: actions}
}
