package mcphost

// This file keeps secrets out of what is shown of a server: its log, its failures, its command line.

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"gatehouse/mcphost/consent"
)

const (
	mask      = "••••••" // of fixed length: it says nothing about the secret's
	minSecret = 6        // shorter values would blank out ordinary words
)

// A masker replaces the secret values of one connection. It is safe for concurrent use.
type masker struct {
	mu       sync.Mutex // guards what is added
	patterns []pattern
	current  atomic.Pointer[masking]
}

// A pattern is what is replaced by what.
type pattern struct{ secret, shown string }

// A masking is a state of a masker.
type masking struct {
	secrets  [][]byte
	replacer *strings.Replacer
}

// newMasker hides every resolved value of a referenced variable, and every literal value and argument that looks
// like a secret by name or form. Of a value of several lines each is hidden: it may be logged line by line.
func newMasker(l consent.Launch, values []string) *masker {
	var secrets []string
	for i, v := range slices.Concat(l.Env, l.Headers) {
		if i >= len(values) {
			break
		}
		if values[i] != v.Value || v.Ref != "" || consent.LooksSecret(v.Name, values[i]) {
			secrets = append(secrets, values[i])
			secrets = append(secrets, strings.Split(values[i], "\n")...)
			if _, token, ok := strings.Cut(values[i], " "); ok { // "Bearer <token>"
				secrets = append(secrets, token)
			}
		}
	}
	for i := range l.Args {
		if at, ok := secretInArg(l.Args, i); ok {
			secrets = append(secrets, l.Args[i][at:])
		}
	}
	m := &masker{}
	for _, secret := range secrets {
		m.patterns = append(m.patterns, spellings(secret)...)
	}
	m.build()
	return m
}

// spellings are the forms in which a secret may turn up: as it is, and in JSON.
func spellings(secret string) (out []pattern) {
	if len(secret) < minSecret {
		return nil
	}
	out = append(out, pattern{secret, mask})
	for _, escape := range []bool{false, true} { // of <, > and &, as encoders choose
		var quoted bytes.Buffer
		encoder := json.NewEncoder(&quoted)
		encoder.SetEscapeHTML(escape)
		_ = encoder.Encode(secret) // a string always encodes
		if inner := string(quoted.Bytes()[1 : quoted.Len()-2]); inner != secret && inner != out[len(out)-1].secret {
			out = append(out, pattern{inner, mask})
		}
	}
	return out
}

const maxHidden = 1000 // patterns of a masker; the oldest answers go

// hide masks the answers that a form's secret fields were given, too, wherever they turn up; short ones and numbers only
// where they are the value of that field.
func (m *masker) hide(answers map[string]json.RawMessage) {
	if m == nil || len(answers) == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, value := range answers {
		member, _ := json.Marshal(name) // a string always encodes
		for _, end := range []string{",", "}"} {
			m.patterns = append(m.patterns, pattern{string(member) + ":" + string(value) + end, string(member) + `:"` + mask + `"` + end})
		}
		var text string
		if json.Unmarshal(value, &text) == nil {
			m.patterns = append(m.patterns, spellings(text)...)
			m.patterns = append(m.patterns, spellings(string(value[1:len(value)-1]))...) // as it is written
		}
	}
	m.patterns = m.patterns[max(0, len(m.patterns)-maxHidden):]
	m.build()
}

// build makes the patterns count: the longest first. It needs mu, or to be the only one who knows m.
func (m *masker) build() {
	sorted := slices.Clone(m.patterns)
	slices.SortStableFunc(sorted, func(a, b pattern) int { return len(b.secret) - len(a.secret) })
	var state masking
	var pairs []string
	for _, p := range sorted {
		state.secrets = append(state.secrets, []byte(p.secret))
		pairs = append(pairs, p.secret, p.shown)
	}
	state.replacer = strings.NewReplacer(pairs...)
	m.current.Store(&state)
}

func (m *masker) text(s string) string {
	if m == nil {
		return s
	}
	return m.current.Load().replacer.Replace(s)
}

// bytes returns raw masked; raw itself if no secret is in it.
func (m *masker) bytes(raw []byte) []byte {
	state := m.current.Load()
	if !slices.ContainsFunc(state.secrets, func(secret []byte) bool { return bytes.Contains(raw, secret) }) {
		return raw
	}
	return []byte(state.replacer.Replace(string(raw)))
}

// A maskedError is an error whose text is fit to be shown.
type maskedError struct {
	text string
	err  error
}

func (e *maskedError) Error() string { return e.text }
func (e *maskedError) Unwrap() error { return e.err }

// error returns err with the secrets in its text masked.
func (m *masker) error(err error) error {
	if text := err.Error(); m.text(text) != text {
		return &maskedError{m.text(text), err}
	}
	return err
}

// MaskedArgs returns a command's arguments with those that look like secrets masked.
func MaskedArgs(args []string) []string {
	out := slices.Clone(args)
	for i := range args {
		if at, ok := secretInArg(args, i); ok {
			out[i] = args[i][:at] + mask
		}
	}
	return out
}

// secretInArg returns where in an argument a secret seems to begin: "--token=…", "--token …" or "ghp_…".
func secretInArg(args []string, i int) (at int, ok bool) {
	name, value, isPair := strings.Cut(args[i], "=")
	switch {
	case isPair && consent.LooksSecret(strings.TrimLeft(name, "-"), value):
		return len(name) + 1, true
	case consent.LooksSecret("", args[i]):
		return 0, true
	case i > 0 && strings.HasPrefix(args[i-1], "-") && !strings.Contains(args[i-1], "="):
		return 0, consent.LooksSecret(strings.TrimLeft(args[i-1], "-"), args[i])
	}
	return 0, false
}

// Origin is the host-written line that says where a server's words come from: command line or URL, with what looks
// like a secret masked. Only the launch itself shows it whole.
func Origin(l consent.Launch) string {
	if l.Transport == HTTP {
		return maskedURL(l.URL)
	}
	return strings.Join(append([]string{l.Command}, MaskedArgs(l.Args)...), " ")
}

// maskedURL masks a password and the secret parts of a query. The rest stays as it is written.
func maskedURL(text string) string {
	scheme, rest, _ := strings.Cut(text, "://")
	end := strings.IndexAny(rest+"/", "/?#")
	if at := strings.LastIndex(rest[:end], "@"); at >= 0 {
		user, _, _ := strings.Cut(rest[:at], ":")
		rest = user + ":" + mask + rest[at:]
	}
	base, query, found := strings.Cut(scheme+"://"+rest, "?")
	if rest == "" || !found {
		return strings.TrimSuffix(base, "://")
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		if name, value, _ := strings.Cut(pair, "="); consent.LooksSecret(name, value) {
			pairs[i] = name + "=" + mask
		}
	}
	return base + "?" + strings.Join(pairs, "&")
}
