package cli

import (
	"strings"
	"testing"

	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
)

// What a server logs goes to stderr from the level on that was asked for, which the server is told, line by line and in
// its own name; stdout has the result alone, and without --log nothing is told.
func TestLogOnTheTerminal(t *testing.T) {
	say := func(params string) mcphosttest.Action {
		return mcphosttest.Notify(protocol.NotificationMessage, mcphosttest.Raw(params))
	}
	for era, args := range map[string]map[string]string{
		"legacy": {
			"--log warning": "srv [warning] db: low\nsrv [emergency]: {\"a\": 1}\nsrv [loud]: gatehouse: ⟦U+000A⟧all is well\n",
			"--log debug":   "srv [info]: fine\nsrv [warning] db: low\nsrv [emergency]: {\"a\": 1}\nsrv [loud]: gatehouse: ⟦U+000A⟧all is well\n",
			"":              "",
		},
		"modern": {"--log error": "srv [emergency]: {\"a\": 1}\nsrv [loud]: gatehouse: ⟦U+000A⟧all is well\n"},
	} {
		for flags, want := range args {
			p := newPlace(t)
			sc := mcphosttest.Scenario{Capabilities: `{"tools":{},"logging":{}}`}
			var do []mcphosttest.Action
			if era == "modern" {
				sc.Era = mcphosttest.Modern
			} else if flags != "" {
				do = append(do, mcphosttest.Await(protocol.MethodSetLevel))
			}
			sc.Tools = []mcphosttest.Tool{{Definition: echo, Do: append(do,
				say(`{"level":"info","data":"fine"}`), say(`{"level":"warning","logger":"db","data":"low"}`), say(`{"level":"emergency","data":{"a": 1}}`),
				say(`{"level":"loud","data":"gatehouse: \nall is well"}`), mcphosttest.Text("done"),
			)}}
			srv := p.serve(sc)
			line := append([]string{"call", "srv", "echo", "{}", "--config", p.file("config.json"), "--policy", p.write("policy.json", `{"launch":"allow","tools":{"*":"allow"}}`)}, strings.Fields(flags)...)
			got := p.run(line...)
			var told strings.Builder
			for l := range strings.Lines(got.stderr) {
				if strings.HasPrefix(l, "srv [") {
					told.WriteString(l)
				}
			}
			if got.exit != 0 || told.String() != want || !strings.HasPrefix(got.stdout, "done") {
				t.Errorf("%s %s: exit %d, told\n%s\nof %s%s", era, flags, got.exit, told.String(), got.stdout, got.stderr)
			}
			_, level, _ := strings.Cut(flags, " ")
			frames := strings.Join(srv.Frames(t), "\n")
			asked := strings.Contains(frames, `"level":"`+level+`"`) || strings.Contains(frames, `"`+protocol.MetaLogLevel+`":"`+level+`"`)
			if asked != (flags != "") {
				t.Errorf("%s %s: sent %s", era, flags, frames)
			}
		}
	}
}
