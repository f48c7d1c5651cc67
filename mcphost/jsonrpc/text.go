package jsonrpc

// This file reads the text of strings and numbers that the scanner has found valid.

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// hex4 reads four hexadecimal digits; -1 if they are none.
func hex4(digits []byte) rune {
	var r rune
	for _, c := range digits {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescape returns the text of a valid string (without its quotes). A surrogate without its partner becomes U+FFFD,
// as in encoding/json: keys that a later decoder would confuse count as the same here.
func unescape(body []byte) []byte {
	out := make([]byte, 0, len(body))
	for {
		i := bytes.IndexByte(body, '\\')
		if i < 0 {
			return append(out, body...)
		}
		out = append(out, body[:i]...)
		if c := body[i+1]; c != 'u' {
			out = append(out, escapes[c])
			body = body[i+2:]
			continue
		}
		r := hex4(body[i+2 : i+6])
		body = body[i+6:]
		if utf16.IsSurrogate(r) {
			pair := utf8.RuneError
			if len(body) >= 6 && body[0] == '\\' && body[1] == 'u' {
				pair = utf16.DecodeRune(r, hex4(body[2:6]))
			}
			if r = pair; r != utf8.RuneError {
				body = body[6:]
			}
		}
		out = utf8.AppendRune(out, r)
	}
}

// textOf returns the text of a valid JSON string.
func textOf(value []byte) string {
	body := value[1 : len(value)-1]
	if bytes.IndexByte(body, '\\') < 0 {
		return string(body)
	}
	return string(unescape(body))
}

var bom = []byte("\xef\xbb\xbf")

// trimFrame removes what is tolerated around a frame: white space and a byte order mark.
func trimFrame(frame []byte) []byte { return trimSpace(bytes.TrimPrefix(trimSpace(frame), bom)) }

func trimSpace(data []byte) []byte {
	for len(data) > 0 && isSpace(data[0]) {
		data = data[1:]
	}
	for len(data) > 0 && isSpace(data[len(data)-1]) {
		data = data[:len(data)-1]
	}
	return data
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
