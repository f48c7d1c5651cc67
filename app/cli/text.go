package cli

// This file puts foreign text on a terminal: nothing in it can move the cursor, hide, or pass for a line of ours.

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"gatehouse/mcphost/consent"
)

// visible returns text with hidden characters made visible. Line breaks and tabs stay.
func visible(text string) string {
	const part = 512 << 10 // Display cuts what is longer than twice that
	var b strings.Builder
	for len(text) > part {
		end := part
		for end > part-utf8.UTFMax && !utf8.RuneStart(text[end]) {
			end--
		}
		b.WriteString(consent.Untrusted(text[:end]).Display())
		text = text[end:]
	}
	b.WriteString(consent.Untrusted(text).Display())
	return b.String()
}

var breaks = strings.NewReplacer("\n", "⟦U+000A⟧", "\t", "⟦U+0009⟧")

// oneLine is visible with line breaks and tabs made visible, too.
func oneLine(text string) string { return breaks.Replace(visible(text)) }

const (
	usualWidth = 80
	leastWidth = 40
)

// A page is a text of fixed width under construction.
type page struct {
	bytes.Buffer
	width int
}

func newPage(width int) *page {
	if width <= 0 {
		width = usualWidth
	}
	return &page{width: max(width, leastWidth)}
}

// line writes a line of ours.
func (p *page) line(format string, args ...any) {
	fmt.Fprintf(p, format, args...)
	p.WriteByte('\n')
}

// field writes a label and foreign text, every line of it behind a bar. Long lines are broken here and not by the
// terminal, so that no part of the text reaches the margin.
func (p *page) field(label, text string) {
	if columns(label) > p.width/2 { // a long name is foreign text, too
		p.field("  ", strings.TrimSpace(label))
		label = "    "
	}
	bar := "│ "
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\t", "⟦U+0009⟧"), "\n") {
		for first := true; first || line != ""; first = false {
			var head string
			head, line = cut(line, p.width-columns(label)-len(" │ "))
			fmt.Fprintf(p, "%s%s%s\n", label, bar, head)
			label, bar = strings.Repeat(" ", columns(label)), "│ "
			if line != "" {
				bar = "┊ " // goes on
			}
		}
		bar = "│ "
	}
}

// cut breaks text after so many columns, but not before its first character.
func cut(text string, width int) (head, rest string) {
	used := 0
	for i, r := range text {
		if used += columnsOf(r); used > width && i > 0 {
			return text[:i], text[i:]
		}
	}
	return text, ""
}

func columns(text string) int {
	n := 0
	for _, r := range text {
		n += columnsOf(r)
	}
	return n
}

// columnsOf is the most columns a character takes: two for whatever a terminal might draw wide.
func columnsOf(r rune) int {
	if r < 0x1100 {
		return 1
	}
	switch r {
	case '⟦', '⟧', '│', '┊', '…', '“', '”', '’':
		return 1
	}
	return 2
}
