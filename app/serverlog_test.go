package app

import (
	"slices"
	"testing"

	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
)

// A server logs with level and logger, and is asked for a level in the way of its era.
func TestServerLog(t *testing.T) {
	for _, era := range []string{mcphosttest.Legacy, mcphosttest.Modern} {
		w := openWindow(t)
		p := mcphosttest.Scenario{
			Era: era, Capabilities: `{"tools":{},"logging":{},"resources":{}}`,
			On: map[string][]mcphosttest.Action{
				protocol.MethodSetLevel: {mcphosttest.Result(`{}`)},
				protocol.MethodResourcesList: {
					mcphosttest.Notify(protocol.NotificationMessage, `{"level":"warning","logger":"db","data":{"rows":7}}`),
					mcphosttest.Result(`{"resources":[]}`),
				},
				protocol.MethodResourcesTemplatesList: {mcphosttest.Result(`{"resourceTemplates":[]}`)},
			},
		}
		id := w.openServer(p)
		if d, err := w.servers.Server(id); err != nil || !d.Logs || d.LogLevel != "" {
			t.Fatalf("%q: %+v, %v", era, d, err)
		}
		if err := w.servers.SetServerLogLevel(id, "loud"); err == nil {
			t.Errorf("%q: a level that is none was taken", era)
		}
		if err := w.servers.SetServerLogLevel(id, "notice"); err != nil {
			t.Fatal(err)
		}
		if d, err := w.servers.Server(id); err != nil || d.LogLevel != "notice" {
			t.Errorf("%q: %+v, %v", era, d, err)
		}
		if _, err := w.sources.ListResources(id, true); err != nil {
			t.Fatal(err)
		}
		var line LogLine
		until(t, "the message", func() bool {
			lines, err := w.servers.ServerLog(id, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range lines {
				if l.Stream == "log" {
					line = l
				}
			}
			return line.Seq > 0
		})
		if line.Level != "warning" || line.Logger != "db" || line.Data != `{"rows":7}` || line.Text != "" {
			t.Errorf("%q: %+v", era, line)
		}
		asked, err := w.trace.ReadTrace(TraceQuery{ServerID: id, Show: "sent", Text: `"notice"`, Limit: 10})
		want := map[string]string{mcphosttest.Legacy: protocol.MethodSetLevel, mcphosttest.Modern: protocol.MethodResourcesList}[era]
		if err != nil || !slices.ContainsFunc(asked.Rows, func(r TraceRow) bool { return r.Method == want }) {
			t.Errorf("%q: %+v, %v", era, asked.Rows, err)
		}
		w.desk.stop()
	}
}
