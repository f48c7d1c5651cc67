package store

// This file has the two things done to text: fold it for comparing and cut it.

import (
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// fold returns the form in which texts that differ in case or width only are equal.
func fold(s string) string { return cases.Fold().String(norm.NFKC.String(s)) }

// head returns at most n bytes of s, whole characters.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
