package store

import (
	"strings"
	"testing"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/session"
	"gatehouse/mcphost/transport"
)

func TestEras(t *testing.T) {
	dir := t.TempDir()
	s := openAt(t, dir, nil)
	definition := strings.Repeat("a", 64)
	if v, err := s.Era(t.Context(), definition); err != nil || v != (mcphost.EraVerdict{}) {
		t.Errorf("unknown: %+v, %v", v, err)
	}
	at := time.Date(2026, 7, 28, 1, 2, 3, 4000, time.UTC)
	check(t, s.PutEra(t.Context(), definition, mcphost.EraVerdict{Era: session.EraModern, At: at}))
	check(t, s.PutEra(t.Context(), definition, mcphost.EraVerdict{Era: session.EraLegacy, Wire: transport.WireSSE, At: at}))
	check(t, s.Close())
	s = openAt(t, dir, nil)
	if v, err := s.Era(t.Context(), definition); err != nil || v.Era != session.EraLegacy || v.Wire != transport.WireSSE || !v.At.Equal(at) {
		t.Errorf("%+v, %v", v, err)
	}
	check(t, s.PutEra(t.Context(), definition, mcphost.EraVerdict{}))
	if v, err := s.Era(t.Context(), definition); err != nil || v != (mcphost.EraVerdict{}) {
		t.Errorf("forgotten: %+v, %v", v, err)
	}
	if err := s.PutEra(t.Context(), definition, mcphost.EraVerdict{Era: "stone", At: at}); err == nil {
		t.Error("an unknown era was saved")
	}
}
