package transport

// This file quotes the command line of a Windows batch file (ACC A02). It is the only place that names cmd.exe.

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf16"
)

// maxBatchLine is the longest command line that cmd.exe reads, in UTF-16 units.
const maxBatchLine = 8191

// A BatchArgumentError says that an argument cannot be handed to a batch file without being changed by cmd.exe.
type BatchArgumentError struct {
	Index    int // of the argument, from 0; -1 is the path of the batch file
	Argument string
	Reason   string
}

func (e *BatchArgumentError) Error() string {
	if e.Index < 0 {
		return fmt.Sprintf("the batch file %q cannot be started safely: %s", e.Argument, e.Reason)
	}
	return fmt.Sprintf("argument %d (%q) cannot be passed to a batch file safely: %s", e.Index+1, e.Argument, e.Reason)
}

// isBatch reports whether path names a file that Windows runs through cmd.exe.
func isBatch(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".bat" || ext == ".cmd"
}

// batchLine returns the command line that starts the batch file script with exactly args. shell is the path of
// cmd.exe. The rules are those of Rust's standard library after CVE-2024-24576:
//
//   - /e:on /v:off pin the meaning of % and ! whatever the registry says, /d skips AutoRun commands, and /s makes
//     cmd.exe drop the first and the last quote of what follows /c, always.
//   - An argument with anything but plain characters goes in quotes, where &, |, <, >, ^ and parentheses are inert;
//     a quote is doubled, which keeps cmd.exe inside the quotes; backslashes before a quote are doubled for the
//     program's own parser.
//   - % becomes %%cd:~,%: a percent sign, then an empty substring of a variable that always exists, so that %NAME% is
//     never formed.
//   - A line break or NUL ends the line for cmd.exe: refused.
func batchLine(shell, script string, args []string) (string, error) {
	if reason := unquotable(script); reason != "" {
		return "", &BatchArgumentError{-1, script, reason}
	}
	if strings.ContainsAny(script, `"%`) || strings.HasSuffix(script, `\`) {
		return "", &BatchArgumentError{-1, script, "its path holds a quote, a percent sign or a final backslash"}
	}
	var b strings.Builder
	b.WriteString(`"` + shell + `" /e:on /v:off /d /s /c ""` + script + `"`)
	for i, arg := range args {
		if reason := unquotable(arg); reason != "" {
			return "", &BatchArgumentError{i, arg, reason}
		}
		b.WriteByte(' ')
		quoteBatch(&b, arg)
	}
	b.WriteByte('"')
	line := b.String()
	if len(utf16.Encode([]rune(line))) > maxBatchLine {
		return "", errors.New("the command line is longer than a batch file can take")
	}
	return line, nil
}

func unquotable(s string) string {
	switch {
	case strings.ContainsAny(s, "\r\n"):
		return "it holds a line break"
	case strings.ContainsRune(s, 0):
		return "it holds a NUL character"
	default:
		return ""
	}
}

func quoteBatch(b *strings.Builder, arg string) {
	quote := arg == "" || strings.ContainsFunc(arg, func(r rune) bool { return !plainInBatch(r) })
	if quote {
		b.WriteByte('"')
	}
	backslashes := 0
	for _, c := range []byte(arg) {
		if c == '"' {
			b.WriteString(strings.Repeat(`\`, backslashes))
			b.WriteByte('"')
		}
		if c == '%' {
			b.WriteString("%%cd:~,")
		}
		b.WriteByte(c)
		if c == '\\' {
			backslashes++
		} else {
			backslashes = 0
		}
	}
	if quote {
		b.WriteString(strings.Repeat(`\`, backslashes))
		b.WriteByte('"')
	}
}

// plainInBatch reports whether r means nothing to cmd.exe and to the parser of program arguments.
func plainInBatch(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return true
	default:
		return strings.ContainsRune(`#$*+-./:?@\_`, r)
	}
}
