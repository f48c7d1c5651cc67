package consent

// This file holds text that a server or a model wrote, and its three ways out.

import (
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of [Untrusted], in bytes of the text.
const (
	maxDisplay = 1 << 20
	maxLog     = 256
)

// Untrusted is text from outside: material to show, never markup, never an instruction. It leaves by Display, ForModel
// or ForLog; printing it by accident goes the way of ForLog.
type Untrusted string

// Display returns u for the screen: hidden characters (see [Hidden]) and invalid bytes as ⟦U+200B⟧ and ⟦0xFF⟧, at most
// 1 MiB, followed by ⟦+n⟧ if n bytes are left out. A literal ⟦ is marked too, so that no text can fake a mark.
func (u Untrusted) Display() string {
	text, left := capped(string(u), maxDisplay)
	var b strings.Builder
	prev := rune(0)
	for i, r := range text {
		_, hidden := hiddenAfter(prev, r)
		switch {
		case invalidAt(text, i, r):
			fmt.Fprintf(&b, "⟦0x%02X⟧", text[i])
		case hidden || r == '⟦':
			fmt.Fprintf(&b, "⟦U+%04X⟧", r)
		default:
			b.WriteRune(r)
		}
		prev = r
	}
	if left > 0 {
		fmt.Fprintf(&b, "⟦+%d⟧", left)
	}
	return b.String()
}

// Hidden counts the hidden characters in u.
func (u Untrusted) Hidden() int { return countHidden(string(u)) }

// ForModel returns u for a language model: hidden characters removed, unusual spaces and separators as the usual ones,
// invalid bytes as U+FFFD. How much of it is sent is the caller's budget.
func (u Untrusted) ForModel() string {
	prev := rune(0)
	return strings.Map(func(r rune) rune {
		row, hidden := hiddenAfter(prev, r)
		prev = r
		switch {
		case !hidden:
			return r
		case row.kind == "space":
			return ' '
		case row.kind == "break":
			return '\n'
		}
		return -1
	}, string(u))
}

// ForLog returns u for a log line: quoted, in ASCII, the first 256 bytes.
func (u Untrusted) ForLog() string {
	text, left := capped(string(u), maxLog)
	if left > 0 {
		return fmt.Sprintf("%s+%d", strconv.QuoteToASCII(text), left)
	}
	return strconv.QuoteToASCII(text)
}

// String is ForLog.
func (u Untrusted) String() string { return u.ForLog() }

// LogValue implements [slog.LogValuer] by ForLog.
func (u Untrusted) LogValue() slog.Value { return slog.StringValue(u.ForLog()) }

// capped cuts s before the character that crosses limit and says how many bytes it left out.
func capped(s string, limit int) (head string, left int) {
	if len(s) <= limit {
		return s, 0
	}
	end := limit
	for back := 0; back < utf8.UTFMax && end > 0 && !utf8.RuneStart(s[end]); back++ {
		end--
	}
	return s[:end], len(s) - end
}

// invalidAt reports whether r, found at byte i of s, stands for a byte that is not UTF-8.
func invalidAt(s string, i int, r rune) bool {
	return r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError))
}

// Confusable reports whether a word of s mixes letters of the Latin, Greek and Cyrillic scripts, which share shapes.
func Confusable(s string) bool {
	_, _, ok := confusableWord(s)
	return ok
}

// confusableWord returns the byte range of the first such word.
func confusableWord(s string) (start, end int, ok bool) {
	var latin, greek, cyrillic bool
	start = -1
	for i, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			if ok {
				return start, i, true
			}
			latin, greek, cyrillic, start = false, false, false, -1
			continue
		}
		if start < 0 {
			start = i
		}
		latin = latin || unicode.Is(unicode.Latin, r)
		greek = greek || unicode.Is(unicode.Greek, r)
		cyrillic = cyrillic || unicode.Is(unicode.Cyrillic, r)
		ok = latin && (greek || cyrillic) || greek && cyrillic
	}
	return start, len(s), ok
}
