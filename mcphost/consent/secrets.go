package consent

// This file guesses whether a value is a secret, by its name and by its shape. It is help, not proof.

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	secretWords = strings.Fields(`apikey token secret password passwd pwd passphrase auth authorization credential
		credentials cookie bearer pat jwt signature sig key`)
	plainLastWords = strings.Fields(`file path dir url uri id name type mode env var limit ttl timeout count size method
		scheme`)
	secretPrefixes = strings.Fields(`sk- sk_ rk_ ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- xoxa- xoxb- xoxe- xoxo- xoxp-
		xoxr- xoxs- xapp- AKIA ASIA AIza ya29. hf_ npm_ -----BEGIN`)
	placeholders = []string{"<", "your_", "your-", "xxx", "***", "changeme", "replace-", "replace_"}
)

// minSecret is the shortest value that a prefix makes a secret.
const minSecret = 12

// LooksSecret reports whether the value of a variable, header, flag or property called name looks like a secret that
// belongs in the keyring. References (but not their defaults), placeholders, numbers, booleans, paths and empty values do
// not.
func LooksSecret(name, value string) bool {
	literal := strings.TrimSpace(reference.ReplaceAllString(value, "$1"))
	for _, scheme := range []string{"Bearer", "Basic", "Token"} {
		literal = strings.TrimSpace(strings.TrimPrefix(literal, scheme))
	}
	return literal != "" && (secretKind(literal) != "" || secretName(name) && !plainValue(literal))
}

// strongWords are the names that mean a secret among the arguments of a call, where a key or a token is often none.
var strongWords = strings.Fields("password passwd pwd passphrase secret apikey authorization credentials bearer")

// strongSecret is LooksSecret for an argument of a call.
func strongSecret(name, value string) bool {
	joined := strings.Join(splitWords(name), "")
	strong := slices.ContainsFunc(strongWords, func(w string) bool { return strings.Contains(joined, w) })
	return secretKind(value) != "" || strong && LooksSecret(name, value)
}

// reference is ${NAME}, ${env:NAME} or ${NAME:-default}, of which only the default is text.
var reference = regexp.MustCompile(`\$\{[^}:]*(?::(?:-([^}]*)|[^}]*))?\}`)

// secretQuery reports whether a URL's query carries a secret.
func secretQuery(text string) bool {
	_, query, ok := strings.Cut(text, "?")
	if !ok || len(text) > maxPath || !strings.Contains(text, "://") {
		return false
	}
	for pair := range strings.SplitSeq(query, "&") {
		if name, value, _ := strings.Cut(pair, "="); LooksSecret(name, value) {
			return true
		}
	}
	return false
}

// secretName reports whether a name announces a secret.
func secretName(name string) bool {
	words := splitWords(name)
	if len(words) == 0 || slices.Contains(words, "public") || slices.Contains(plainLastWords, words[len(words)-1]) {
		return false
	}
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(secretWords, w) })
}

func plainValue(value string) bool {
	lower := strings.ToLower(value)
	if _, err := strconv.ParseFloat(value, 64); err == nil || lower == "true" || lower == "false" || lower == "null" {
		return true
	}
	if strings.HasPrefix(value, "/") || strings.HasPrefix(value, "./") || strings.HasPrefix(value, "~/") {
		return true
	}
	return slices.ContainsFunc(placeholders, func(p string) bool { return strings.HasPrefix(lower, p) })
}

// secretKind returns how a value shows by itself that it is a secret, "" if it does not: a known prefix, "jwt" or "url".
func secretKind(value string) string {
	for _, part := range strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" \t\n=:'\"/,;", r) }) {
		for _, prefix := range secretPrefixes {
			if strings.HasPrefix(part, prefix) && (len(part) >= minSecret || prefix == "-----BEGIN") {
				return prefix
			}
		}
		if strings.HasPrefix(part, "eyJ") && strings.Count(part, ".") == 2 && len(part) > 3*minSecret {
			return "jwt"
		}
	}
	if !strings.Contains(value, "://") || len(value) > maxPath {
		return ""
	}
	if u, err := url.Parse(value); err == nil && u.User != nil {
		if password, _ := u.User.Password(); password != "" {
			return "url"
		}
	}
	return ""
}
