package consent

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestHiddenTableIsSound(t *testing.T) {
	last := rune(-1)
	for _, row := range hiddenTable() {
		if row.from <= last || row.to < row.from || row.name == "" {
			t.Errorf("row %U–%U %q", row.from, row.to, row.name)
		}
		if !strings.Contains(" control space invisible bidi break filler variation tag private ", " "+row.kind+" ") {
			t.Errorf("%U: kind %q", row.from, row.kind)
		}
		last = row.to
	}
	for _, bad := range []string{`{`, `[{"from":"200B","to":"U+200B"}]`, `[{"from":"U+200B","to":"U+x"}]`, `[{"from":"U+200B","to":"200B"}]`} {
		if _, err := parseHidden([]byte(bad)); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
}

// The table follows Unicode: everything that it calls invisible is in, and nothing that has a shape.
func TestHiddenFollowsUnicode(t *testing.T) {
	shown := []*unicode.RangeTable{unicode.Prepended_Concatenation_Mark} // format characters with a shape
	for r := rune(0); r <= unicode.MaxRune; r++ {
		_, hidden := Hidden(r)
		must := unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp, unicode.Zs, unicode.Other_Default_Ignorable_Code_Point,
			unicode.Variation_Selector, unicode.Noncharacter_Code_Point) && !unicode.In(r, shown...)
		if r == ' ' || r == '\n' || r == '\t' {
			must = false
		}
		if must && !hidden {
			t.Errorf("%U is not marked", r)
		}
		if hidden && !must && unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) && !blankShapes[r] {
			t.Errorf("%U %c is marked", r, r)
		}
	}
}

// blankShapes are letters and symbols that draw nothing.
var blankShapes = map[rune]bool{0x2800: true, 0xFFFC: true, 0x1D159: true}

func TestHiddenNames(t *testing.T) {
	for r, want := range map[rune]string{
		0x200B: "zero-width space", 0x202E: "right-to-left override", 0xE0041: "tag", 0xE000: "private use", 0x1B: "escape", '\r': "carriage return",
		0xA0: "no-break space", 0x3164: "Hangul filler", 0xFE0F: "variation selector", 0xFEFF: "byte order mark",
	} {
		if got, ok := Hidden(r); !ok || got != want {
			t.Errorf("%U: got %q, want %q", r, got, want)
		}
	}
	for _, r := range "a é中😀\n\t ~" {
		if name, ok := Hidden(r); ok {
			t.Errorf("%U is called %q", r, name)
		}
	}
}

func TestCountHidden(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "plain text\n\t": 0, "a\u200bb\u200b": 2, "❤️ ☎︎": 0, "a\ufe0f": 1, "\ufe0f": 1, "❤\ufe0f\ufe0f": 1, "👨‍👩": 1, "\xff\xfe": 2, "\ufffd": 0,
		"\r\n": 1, "\u00a0": 1, "\U000E0041\U000E007F": 2,
	} {
		if got := countHidden(s); got != want {
			t.Errorf("%q: got %d, want %d", s, got, want)
		}
	}
}

func TestDisplay(t *testing.T) {
	for s, want := range map[string]string{
		"plain é中\n\ttext":         "plain é中\n\ttext",
		"a\u200bb":                 "a⟦U+200B⟧b",
		"\x1b[31m":                 "⟦U+001B⟧[31m",
		"\U000E0041":               "⟦U+E0041⟧",
		"\xffx":                    "⟦0xFF⟧x",
		"\ufffd":                   "\ufffd",
		"a⟦U+200B⟧":                "a⟦U+27E6⟧U+200B⟧",
		"✅ verified❤️":             "✅ verified❤️",
		"line\u2028end":            "line⟦U+2028⟧end",
		strings.Repeat("x", 1<<20): strings.Repeat("x", 1<<20),
	} {
		if got := Untrusted(s).Display(); got != want {
			t.Errorf("%.40q: got %.60q, want %.60q", s, got, want)
		}
	}
	long := strings.Repeat("é", 1<<19) + "xé"
	if got := Untrusted(long).Display(); !strings.HasSuffix(got, "é⟦+3⟧") || len(got) != 1<<20+len("⟦+3⟧") {
		t.Errorf("a long text ends in %q", got[len(got)-20:])
	}
	// The limit falls into a character: it is left out whole.
	if got := Untrusted("x" + strings.Repeat("é", 1<<19)).Display(); !strings.HasSuffix(got, "é⟦+2⟧") || !utf8.ValidString(got) {
		t.Errorf("a long text ends in %q", got[len(got)-20:])
	}
}

func TestForModel(t *testing.T) {
	for s, want := range map[string]string{
		"a\u200bb\u202ec\U000E0041d\x1b": "abcd",
		"a\u00a0b\u3000c":                "a b c",
		"a\u2028b\u2029c":                "a\nb\nc",
		"x\xff":                          "x\ufffd",
		"keeps\n\t❤️":                    "keeps\n\t❤️",
	} {
		if got := Untrusted(s).ForModel(); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}

func TestForLog(t *testing.T) {
	if got := Untrusted("a\n\u200bé\x1b").ForLog(); got != `"a\n\u200b\u00e9\x1b"` {
		t.Errorf("got %s", got)
	}
	if got := Untrusted(strings.Repeat("x", 300)).ForLog(); got != `"`+strings.Repeat("x", 256)+`"+44` {
		t.Errorf("got %s", got)
	}
	// By accident, too.
	u := Untrusted("a\u202eb")
	if got := fmt.Sprintf("%s %v", u, u); got != `"a\u202eb" "a\u202eb"` {
		t.Errorf("printed as %s", got)
	}
	var b bytes.Buffer
	slog.New(slog.NewTextHandler(&b, nil)).Info("x", "text", u)
	if strings.Contains(b.String(), "\u202e") {
		t.Errorf("logged as %q", b.String())
	}
}

func TestConfusable(t *testing.T) {
	for s, want := range map[string]bool{
		"search": false, "sеarch": true, "поиск": false, "αβγ": false, "поиск search": false, "pаypal_login": true, "Ωmega": true, "": false,
		"get-sum": false, "中文search": false, "naïve": false, "x αβ": false, "αа": true, "ends а": false, "a1а": false,
	} {
		if got := Confusable(s); got != want {
			t.Errorf("%q: got %t", s, got)
		}
	}
	if start, end, ok := confusableWord("the sеarch tool"); !ok || "the sеarch tool"[start:end] != "sеarch" {
		t.Errorf("found %d–%d", start, end)
	}
}
