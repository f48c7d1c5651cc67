package consent

// This file splits shell text into commands: enough of POSIX sh to find out which programs a script would run, and where
// in the text. It reads what is quoted as well, since quoted text is often run by the program it is given to; so it finds
// too much rather than too little. It is no parser and promises nothing.

import "strings"

const (
	maxNesting   = 3    // quotes within quotes that are read
	maxWords     = 256  // words of one command that are kept
	maxWordBytes = 4096 // bytes of one word that are kept
)

// A word is one word of a command, with its place in the text.
type word struct {
	text       string // without quotes
	start, end int    // bytes, with quotes
}

// A command is one simple command.
type command struct {
	words []word
	files []word // targets of > and >>
	piped bool   // reads what the command before it writes
	fed   bool   // its output is run by a shell, as in sh -c "$(…)" and bash <(…)
	depth int    // of quotes around it
}

// A lexer calls each for every command, those in quotes before the one around them.
type lexer struct {
	src      string
	pos, end int
	each     func(command)
	shell    bool // what it reads is the quoted argument of a shell
	begun    bool // a command was found

	current command
	text    []byte  // of the word being read
	start   int     // of the word being read, -1 = none
	target  bool    // the word being read is the target of a redirection
	lone    [2]bool // no more closing ' or "
	input   bool    // what runsInput says of the command so far …
	inputAt int     // … when it had one word less than this
}

// eachCommand splits src. It takes time linear in its length.
func eachCommand(src string, each func(command)) {
	(&lexer{src: src, end: len(src), each: each, start: -1}).run()
}

func (l *lexer) run() {
	for l.pos < l.end {
		l.step()
	}
	l.endCommand()
}

func (l *lexer) step() {
	c := l.src[l.pos]
	switch c {
	case ' ', '\t', '\r':
		l.endWord()
	case '\n', ';', '&', ')':
		l.endCommand()
	case '|':
		l.endCommand()
		l.current.piped = !strings.HasPrefix(l.src[l.pos+1:l.end], "|")
		if !l.current.piped {
			l.pos++
		}
	case '(', '`':
		l.endWord()
		fed := l.runsInput() || l.shell && !l.begun && onlyDollar(l.current.words)
		l.endCommand()
		l.current.fed = fed
	case '>', '<':
		l.endWord()
		l.target = c == '>'
	case '#':
		if l.start < 0 {
			l.pos += len(untilNewline(l.src[l.pos:l.end])) - 1
		} else {
			l.put(c)
		}
	case '\\':
		l.escape()
	case '\'', '"':
		l.quoted(c)
	default:
		l.put(c)
	}
	l.pos++
}

func untilNewline(s string) string {
	head, _, _ := strings.Cut(s, "\n")
	return head
}

// put adds the byte at pos to the word.
func (l *lexer) put(c byte) {
	if l.start < 0 {
		l.start = l.pos
	}
	l.keep(c)
}

func (l *lexer) keep(c byte) {
	if len(l.text) < maxWordBytes {
		l.text = append(l.text, c)
	}
}

// escape reads a backslash: before a line break it joins lines, behind a drive (C:) it is part of a path, else it takes
// the next byte as it is.
func (l *lexer) escape() {
	if l.start < 0 {
		l.start = l.pos
	}
	if len(l.text) >= 2 && l.text[1] == ':' {
		l.keep('\\')
	}
	l.pos++
	if l.pos >= l.end {
		return
	}
	if l.src[l.pos] == '\n' {
		if len(l.text) == 0 {
			l.start = -1
		}
		return
	}
	l.keep(l.src[l.pos])
}

// quoted reads a quoted part. A quote that never closes, as in prose, is an ordinary character.
func (l *lexer) quoted(quote byte) {
	i := 0
	if quote == '"' {
		i = 1
	}
	length := -1
	if !l.lone[i] {
		length = closing(l.src[l.pos+1:l.end], quote)
	}
	if length < 0 {
		l.lone[i] = true
		l.put(quote)
		return
	}
	if l.start < 0 {
		l.start = l.pos
	}
	from, to := l.pos+1, l.pos+1+length
	l.text = append(l.text, l.src[from:min(to, from+max(0, maxWordBytes-len(l.text)))]...)
	if l.current.depth < maxNesting && strings.ContainsAny(l.src[from:to], " \n\t`(") {
		inner := lexer{src: l.src, pos: from, end: to, each: l.each, start: -1, shell: l.runsInput()}
		inner.current.depth = l.current.depth + 1
		inner.run()
	}
	l.pos = to
}

// runsInput is runsInput of the command so far, found out once for each word.
func (l *lexer) runsInput() bool {
	if n := len(l.current.words) + 1; n != l.inputAt {
		l.inputAt, l.input = n, runsInput(l.current.words)
	}
	return l.input
}

// onlyDollar reports whether the command so far is nothing but the $ of $(…).
func onlyDollar(words []word) bool { return len(words) == 1 && words[0].text == "$" }

// closing returns where the quote ends, -1 if it does not.
func closing(s string, quote byte) int {
	if quote == '\'' {
		return strings.IndexByte(s, quote)
	}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case quote:
			return i
		}
	}
	return -1
}

func (l *lexer) endWord() {
	if l.start < 0 {
		return
	}
	switch w := (word{string(l.text), l.start, min(l.pos, l.end)}); {
	case l.target:
		l.current.files = append(l.current.files, w)
	case len(l.current.words) < maxWords:
		l.current.words = append(l.current.words, w)
	}
	l.text, l.start, l.target = l.text[:0], -1, false
}

func (l *lexer) endCommand() {
	l.endWord()
	if len(l.current.words) > 0 || len(l.current.files) > 0 {
		l.begun = true
		l.each(l.current)
	}
	l.current = command{depth: l.current.depth}
	l.inputAt = 0
}
