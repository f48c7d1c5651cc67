package consent

// This file makes bytes canonical: arguments on one line as they go out, definitions for comparison.

import (
	"bytes"
	"encoding/json"
	"slices"
	"unicode/utf16"
)

// OneLine returns the arguments object raw on one line: white space outside strings is removed, every string and
// number keeps its bytes. Nothing but white space means no arguments, "{}". Invalid JSON, invalid UTF-8, half surrogate
// pairs, duplicate keys, nesting deeper than 200 and anything but an object are refused with a [*SyntaxError].
func OneLine(raw []byte) (json.RawMessage, error) {
	s := scanner{src: raw}
	if s.space(); s.pos == len(raw) {
		return json.RawMessage("{}"), nil
	}
	if s.peek() != '{' {
		return nil, s.unexpected("an object")
	}
	line := make([]byte, 0, len(raw))
	s.emit = func(token []byte) { line = append(line, token...) }
	if err := s.scan(); err != nil {
		return nil, err
	}
	return line, nil
}

// canonicalJSON returns the form of the JSON Canonicalization Scheme (RFC 8785), except that numbers keep their text.
func canonicalJSON(raw []byte) ([]byte, error) {
	s := scanner{src: raw}
	if err := s.scan(); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return appendCanonical(nil, v), nil
}

func appendCanonical(b []byte, v any) []byte {
	switch v := v.(type) {
	case map[string]any:
		b = append(b, '{')
		for i, name := range sortedNames(v) {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, name), ':')
			b = appendCanonical(b, v[name])
		}
		return append(b, '}')
	case []any:
		b = append(b, '[')
		for i, element := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendCanonical(b, element)
		}
		return append(b, ']')
	case string:
		return appendString(b, v)
	case json.Number:
		return append(b, v...)
	case bool:
		if v {
			return append(b, "true"...)
		}
		return append(b, "false"...)
	}
	return append(b, "null"...)
}

// sortedNames orders names by UTF-16 code units (RFC 8785 §3.2.3).
func sortedNames(object map[string]any) []string {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
	})
	return names
}

// appendString escapes what RFC 8785 §3.2.2.2 says must be escaped, and nothing else.
func appendString(b []byte, s string) []byte {
	const short = "btn\x00fr" // \b \t \n – \f \r, from U+0008 on
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c >= ' ':
			b = append(b, c)
		case c >= '\b' && c <= '\r' && c != '\v':
			b = append(b, '\\', short[c-'\b'])
		default:
			const digits = "0123456789abcdef"
			b = append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
	}
	return append(b, '"')
}
