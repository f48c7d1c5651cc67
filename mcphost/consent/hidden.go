package consent

// This file knows the characters that a reader cannot see or would take for others. The table is hidden.json, which the
// page imports too, so both sides mark the same characters.

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"unicode"
)

//go:embed hidden.json
var hiddenJSON []byte

// A hiddenRange is one row of hidden.json: code points From to To ("U+200B"), what they are called, and their kind:
// control, space, invisible, bidi, break, filler, variation, tag or private.
type hiddenRange struct {
	from, to rune
	name     string
	kind     string
}

// hiddenTable returns the rows in ascending order.
var hiddenTable = sync.OnceValue(func() []hiddenRange {
	table, err := parseHidden(hiddenJSON)
	if err != nil {
		panic(err) // the file is part of the program and tested
	}
	return table
})

func parseHidden(raw []byte) ([]hiddenRange, error) {
	var rows []struct{ From, To, Name, Kind string }
	if err := json.Unmarshal(raw, &rows); err != nil {
		return nil, fmt.Errorf("hidden.json: %w", err)
	}
	table := make([]hiddenRange, len(rows))
	for i, row := range rows {
		from, err := codePoint(row.From)
		if err != nil {
			return nil, err
		}
		to, err := codePoint(row.To)
		if err != nil {
			return nil, err
		}
		table[i] = hiddenRange{from, to, row.Name, row.Kind}
	}
	return table, nil
}

func codePoint(s string) (rune, error) {
	if len(s) < 2 || s[:2] != "U+" {
		return 0, fmt.Errorf("hidden.json: %q is no code point", s)
	}
	n, err := strconv.ParseInt(s[2:], 16, 32)
	return rune(n), err
}

func lookUpHidden(r rune) (hiddenRange, bool) {
	if ' ' <= r && r < 0x7F || r == '\n' || r == '\t' {
		return hiddenRange{}, false
	}
	table := hiddenTable()
	i, _ := slices.BinarySearchFunc(table, r, func(row hiddenRange, r rune) int { return int(row.to) - int(r) })
	if i < len(table) && table[i].from <= r {
		return table[i], true
	}
	return hiddenRange{}, false
}

// Hidden reports whether r cannot be seen or looks like another character, and how it is called: control characters
// other than line feed and tab, direction marks, zero-width characters, fillers, tags, variation selectors, private use,
// non-characters, line separators and every space but U+0020.
func Hidden(r rune) (name string, ok bool) {
	row, ok := lookUpHidden(r)
	return row.name, ok
}

// hiddenAfter is Hidden for r in a text where prev stands before it. A variation selector 15 or 16 after a symbol
// (category So, which holds nearly all emoji) chooses between two pictures of it and hides nothing. Joined emoji keep
// their marks: a zero-width joiner looks the same wherever it hides.
func hiddenAfter(prev, r rune) (hiddenRange, bool) {
	if (r == 0xFE0E || r == 0xFE0F) && unicode.Is(unicode.So, prev) {
		return hiddenRange{}, false
	}
	return lookUpHidden(r)
}

// countHidden counts the hidden characters of s; a byte that is not UTF-8 is one.
func countHidden(s string) int {
	n := 0
	prev := rune(0)
	for i, r := range s {
		if _, ok := hiddenAfter(prev, r); ok || invalidAt(s, i, r) {
			n++
		}
		prev = r
	}
	return n
}
