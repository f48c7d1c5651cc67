package app

import (
	"errors"
	"testing"
	"time"

	"gatehouse/mcphost"
)

// The times of a tool are its own, at the ends of their ranges; nothing is asked for again, and nothing else changes.
func TestToolTimes(t *testing.T) {
	w := openWindow(t)
	id := w.connect(numbers("count"))
	s, err := w.desk.eng.Host.Server(id)
	if err != nil {
		t.Fatal(err)
	}
	usual := mcphost.Conversation{LogLevel: "warning", Times: mcphost.Times{Inactive: time.Minute}, Tools: map[string]mcphost.Times{"other": {Total: time.Hour}}}
	if err := w.desk.eng.Host.Converse(t.Context(), id, usual); err != nil {
		t.Fatal(err)
	}
	for _, set := range []ToolTimes{{1, 0}, {0, 1}, {7200, 86400}, {}} {
		if err := w.tools.SetToolTimes(id, "count", set); err != nil {
			t.Fatalf("%+v: %v", set, err)
		}
		d, err := w.tools.Tool(id, "count")
		if err != nil || d.Times != set || d.UsualTimes != (ToolTimes{60, 3600}) {
			t.Errorf("%+v is shown as %+v, usually %+v, %v", set, d.Times, d.UsualTimes, err)
		}
	}
	c := s.Config().Conversation
	if _, left := c.Tools["count"]; left || c.LogLevel != "warning" || c.Times != usual.Times || c.Tools["other"].Total != time.Hour {
		t.Errorf("kept %+v", c)
	}
	for field, bad := range map[string]ToolTimes{"inactiveSec": {7201, 0}, "totalSec": {0, 86401}} {
		var f *failure
		if err := w.tools.SetToolTimes(id, "count", bad); !errors.As(err, &f) || f.detail != field {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	if err := w.tools.SetToolTimes(id, "count", ToolTimes{InactiveSec: -1}); err == nil {
		t.Error("a negative time is kept")
	}
	if err := w.tools.SetToolTimes(id, "unknown", ToolTimes{InactiveSec: 1}); err == nil {
		t.Error("a tool that is not there has times")
	}
}
