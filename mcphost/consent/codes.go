package consent

// This file is the published list of finding codes.

// The codes that other code branches on.
const (
	CodeHiddenCharacter = "hidden-character"
)
