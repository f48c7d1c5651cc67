package transport

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func texts(lines []Line) []string {
	var t []string
	for _, l := range lines {
		t = append(t, l.Text)
	}
	return t
}

func TestStderrLines(t *testing.T) {
	for _, test := range []struct {
		pieces []string
		want   []string
	}{
		{[]string{"a\nb\n"}, []string{"a", "b"}},
		{[]string{"a", "b\r", "\n", "open"}, []string{"ab", "open"}},
		{[]string{"\n\n"}, []string{"", ""}},
		{[]string{"\xe6\xbc", "\xa2\n"}, []string{"漢"}}, // a character in two reads
		{[]string{"a\xffb \ufffd \xe6\n"}, []string{`a\xffb ` + "\ufffd" + ` \xe6`}},
		{[]string{"\x1b[31mred\n"}, []string{"\x1b[31mred"}}, // for the display to deal with
		{[]string{strings.Repeat("x", maxLineBytes) + "\n"}, []string{strings.Repeat("x", maxLineBytes)}},
		{[]string{strings.Repeat("x", maxLineBytes+1) + "\nb\n"}, []string{strings.Repeat("x", maxLineBytes) + "… [1 bytes cut]", "b"}},
		{[]string{strings.Repeat("x", maxLineBytes-1), "漢字\n"}, []string{strings.Repeat("x", maxLineBytes-1) + "… [6 bytes cut]"}},
	} {
		var told []string
		l := &stderrLog{now: time.Now, tell: func(line string) { told = append(told, line) }}
		for _, p := range test.pieces {
			l.write([]byte(p))
		}
		if got := texts(l.lines()); !slices.Equal(got, test.want) {
			t.Errorf("%.20q: got %.60q, want %.60q", test.pieces, got, test.want)
		}
		l.end()
		if got := texts(l.lines()); !slices.Equal(got, test.want) || !slices.Equal(told, test.want) {
			t.Errorf("%.20q: in the end %.60q, told %.60q, want %.60q", test.pieces, got, told, test.want)
		}
	}
}

func TestStderrKeepsTheNewest(t *testing.T) {
	l := &stderrLog{now: time.Now}
	for n := range keepLines + 7 {
		l.write(fmt.Appendf(nil, "%d\n", n))
	}
	got := l.lines()
	if len(got) != keepLines || got[0].Text != "7" || got[keepLines-1].Text != fmt.Sprint(keepLines+6) {
		t.Errorf("%d lines from %q to %q", len(got), got[0].Text, got[len(got)-1].Text)
	}
	line := strings.Repeat("y", maxLineBytes) + "\n"
	for range keepLines {
		l.write([]byte(line))
	}
	if got := l.lines(); len(got) != keepBytes/maxLineBytes || l.size != keepBytes {
		t.Errorf("%d lines, %d bytes", len(got), l.size)
	}
}

func TestStderrRate(t *testing.T) {
	now := time.Unix(1000, 0)
	var told []string
	l := &stderrLog{now: func() time.Time { return now }, tell: func(line string) { told = append(told, line) }}
	for n := range tellLines + 3 {
		l.write(fmt.Appendf(nil, "%d\n", n))
	}
	if len(told) != tellLines {
		t.Errorf("%d lines at once", len(told))
	}
	now = now.Add(time.Second)
	l.write([]byte("next\n"))
	if got := told[tellLines:]; !slices.Equal(got, []string{"[3 lines left out]", "next"}) {
		t.Errorf("a second later: %q", got)
	}
	now = now.Add(time.Second)
	told = nil
	for range tellBytes/maxLineBytes + 1 {
		l.write([]byte(strings.Repeat("z", maxLineBytes) + "\n"))
	}
	l.end()
	if len(told) != tellBytes/maxLineBytes+1 || told[len(told)-1] != "[1 lines left out]" {
		t.Errorf("%d large lines, then %q", len(told), told[len(told)-1])
	}
}
