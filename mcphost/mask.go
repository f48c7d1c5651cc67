package mcphost

// This file keeps secrets out of what is shown of a server: its log, its failures, its command line.

import (
	"slices"
	"strings"

	"gatehouse/mcphost/consent"
)

const (
	mask      = "••••••" // of fixed length: it says nothing about the secret's
	minSecret = 6        // shorter values would blank out ordinary words
)

// A masker replaces the secret values of one connection.
type masker struct{ replacer *strings.Replacer }

// newMasker hides every resolved value of a referenced variable, and every literal one that looks like a
// secret by name or form.
func newMasker(l consent.Launch, values []string) *masker {
	vars := slices.Concat(l.Env, l.Headers)
	var secrets []string
	for i, v := range vars {
		if i >= len(values) {
			break
		}
		if values[i] != v.Value || v.Ref != "" || consent.LooksSecret(v.Name, values[i]) {
			secrets = append(secrets, values[i])
			if _, token, ok := strings.Cut(values[i], " "); ok { // "Bearer <token>"
				secrets = append(secrets, token)
			}
		}
	}
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, s := range secrets {
		if len(s) >= minSecret {
			pairs = append(pairs, s, mask)
		}
	}
	return &masker{strings.NewReplacer(pairs...)}
}

func (m *masker) text(s string) string {
	if m == nil {
		return s
	}
	return m.replacer.Replace(s)
}

// MaskedArgs returns a command's arguments with those that look like secrets masked.
func MaskedArgs(l consent.Launch) []string {
	out := slices.Clone(l.Args)
	for i := range out {
		name, value, ok := strings.Cut(out[i], "=")
		switch {
		case ok && consent.LooksSecret(strings.TrimLeft(name, "-"), value):
			out[i] = name + "=" + mask
		case consent.LooksSecret("", out[i]):
			out[i] = mask
		case i > 0 && strings.HasPrefix(out[i-1], "-") && consent.LooksSecret(strings.TrimLeft(out[i-1], "-"), out[i]):
			out[i] = mask
		}
	}
	return out
}
