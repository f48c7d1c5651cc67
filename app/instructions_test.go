package app

import (
	"errors"
	"strings"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/mcphosttest"
)

// P17: the review of instructions is a press on a panel that was in view, and is for exactly the text that it showed.
func TestReviewOfInstructions(t *testing.T) {
	w := openWindow(t)
	id := w.openPeer(mcphosttest.Command(t, mcphosttest.Scenario{Instructions: "be\u200b kind", Tools: []mcphosttest.Tool{numbers("a")}}))
	detail := func() Instructions {
		t.Helper()
		d, err := w.servers.Server(id)
		if err != nil {
			t.Fatal(err)
		}
		if d.Review != d.Instructions.Review {
			t.Errorf("the row says %q, the detail %q", d.Review, d.Instructions.Review)
		}
		return d.Instructions
	}
	told := func() string { return w.desk.eng.Host.ForChat().Instructions(t.Context()) }
	i := detail()
	if i.Review != "new" || i.Text != "be\u200b kind" || i.Off || len(i.Findings) != 1 || i.Findings[0].Code != consent.CodeHiddenCharacter {
		t.Errorf("before: %+v", i)
	}
	if err := w.servers.ReviewInstructions(id, panel, i.Digest); !errors.Is(err, consent.ErrNotArmed) {
		t.Errorf("never in view: %v", err)
	}
	w.look(panel)
	if err := w.servers.ReviewInstructions(id, panel, consent.Digest{1}.String()); !errors.Is(err, mcphost.ErrInstructions) {
		t.Errorf("another text: %v", err)
	}
	if told() != "" || detail().Review != "new" {
		t.Errorf("told %q", told())
	}
	w.look(panel)
	if err := w.servers.ReviewInstructions(id, panel, i.Digest); err != nil {
		t.Fatal(err)
	}
	if i = detail(); i.Review != "reviewed" || i.ReviewedAt == "" || !strings.HasSuffix(told(), `"instructions":"be kind"}`) {
		t.Errorf("after: %+v, told %q", i, told())
	}
	page, err := w.history.History(HistoryQuery{Limit: 10})
	if err != nil || page.Rows[0].Kind != "instructions" || page.Rows[0].By != consent.ByComposed {
		t.Fatalf("history: %+v, %v", page.Rows, err)
	}
	entry, err := w.history.HistoryEntry(page.Rows[0].ID)
	if err != nil || entry.Digest != i.Digest || !strings.Contains(entry.Shown, "be\u200b kind") {
		t.Errorf("the row: %+v, %v", entry, err)
	}
	if err := w.servers.TellInstructions(id, false); err != nil || told() != "" || !detail().Off {
		t.Errorf("switched off: %v, told %q", err, told())
	}
}
