package chat

// This file gives every offered tool a model-facing name (ACC A46).

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

const maxName = 64 // the shortest limit of the providers

// Names returns one name per tool: server__tool with characters outside [A-Za-z0-9_-] replaced, at most 64
// long. Where replacing, cutting or a clash made it ambiguous, 8 hexadecimal digits of a hash over server id
// and tool name are appended, so that a name never depends on the order of the tools.
func Names(tools []Tool) []string {
	names := make([]string, len(tools))
	count := map[string]int{}
	for i, t := range tools {
		names[i] = plain(t.Server) + "__" + plain(t.Name)
		count[names[i]]++
	}
	for i, t := range tools {
		exact := names[i] == t.Server+"__"+t.Name
		if exact && count[names[i]] == 1 && len(names[i]) <= maxName {
			continue
		}
		sum := sha256.Sum256([]byte(t.ServerID + "\x00" + t.Name))
		names[i] = names[i][:min(len(names[i]), maxName-9)] + "_" + hex.EncodeToString(sum[:4])
	}
	return names
}

func plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, s)
}
