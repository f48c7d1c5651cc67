package consent

// This file finds what makes text look other than it is: hidden characters, mixed scripts, runs of blanks.

import (
	"strconv"
	"strings"
)

// Runs of blanks that push what follows out of sight. Indentation is longer in honest text.
const (
	maxBlanks = 20  // within a line, and line breaks in a row
	maxIndent = 100 // at the beginning of a line
)

// textSpans finds them in text; lookAlikes says whether words of mixed scripts count.
func textSpans(text string, lookAlikes bool) []span {
	found := append(hiddenSpans(text), blankSpans(text)...)
	if start, end, ok := confusableWord(text); ok && lookAlikes {
		found = append(found, span{CodeLookAlike, start, end, text[start:end]})
	}
	return found
}

// hiddenSpans has one span for each run of hidden characters.
func hiddenSpans(text string) []span {
	var found []span
	prev, end := rune(0), -1
	for i, r := range text {
		row, hidden := hiddenAfter(prev, r)
		prev = r
		size := len(string(r))
		if invalidAt(text, i, r) {
			size, hidden, row.name = 1, true, "invalid byte"
		}
		if !hidden {
			continue
		}
		if i == end {
			found[len(found)-1].end = i + size
		} else {
			found = append(found, span{CodeHiddenCharacter, i, i + size, row.name})
		}
		end = i + size
	}
	return found
}

// blankSpans finds runs of white space that are too long.
func blankSpans(text string) []span {
	var found []span
	for i := 0; i < len(text); {
		if !isBlank(text[i]) {
			i++
			continue
		}
		start := i
		for i < len(text) && isBlank(text[i]) {
			i++
		}
		run := text[start:i]
		breaks := strings.Count(run, "\n")
		indent := len(run) - 1 - strings.LastIndexByte(run, '\n')
		limit := maxBlanks
		if start == 0 || breaks > 0 {
			limit = maxIndent
		}
		if breaks >= maxBlanks || indent >= limit {
			found = append(found, span{CodeBlankRun, start, i, strconv.Itoa(len(run))})
		}
	}
	return found
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// TextRisk is what Gatehouse finds in a text that is to be reviewed: whatever makes it look other than it is.
func TextRisk(text string) Risk {
	r := newReport()
	r.spans(fixed(""), text, textSpans(text, true))
	return r.risk()
}
