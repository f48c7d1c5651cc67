package cli

// This file reads the JSON files of the command line strictly: names are compared exactly, nothing may stand twice,
// and every error says where.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"gatehouse/mcphost/consent"
)

// maxFile is the largest configuration or policy, in bytes.
const maxFile = 16 << 20

// A fileError is a fault in a file that the command line names.
type fileError struct {
	code  string // "bad-config", "bad-policy", "bad-arguments"
	path  string
	where string // line and column, or the member: "mcpServers.files.args[2]"; "" = the whole file
	err   error
}

func (e *fileError) Error() string {
	if e.where == "" {
		return e.path + ": " + e.err.Error()
	}
	return e.path + ": " + e.where + ": " + e.err.Error()
}

func (e *fileError) Unwrap() error { return e.err }

// readAtMost reads everything up to a limit.
func readAtMost(r io.Reader, limit int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("more than %d MiB", limit>>20)
	}
	return b, err
}

func readFile(path string, limit int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, plainPathError(err)
	}
	defer file.Close()
	b, err := readAtMost(file, limit)
	return b, plainPathError(err)
}

// unlessInterrupted waits for f, which reads what the user named and may wait there for ever: a pipe, a keyboard. When
// ctx ends first, f is left behind and its result dropped; the process is about to end.
func unlessInterrupted[T any](ctx context.Context, f func() (T, error)) (T, error) {
	var value T
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		value, err = f()
	}()
	select {
	case <-done:
		return value, err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// plainPathError drops the path from an error, for callers that name it themselves.
func plainPathError(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// An object is one JSON object of a file.
type object struct {
	code, path string
	where      string
	members    map[string]json.RawMessage
}

// readObject reads a file that holds one JSON object, and returns its bytes too.
func readObject(code, path string) (object, []byte, error) {
	o := object{code: code, path: path}
	raw, err := readFile(path, maxFile)
	if err != nil {
		return o, nil, o.fault("", err)
	}
	if bytes.HasPrefix(raw, []byte("\xEF\xBB\xBF")) {
		return o, nil, o.fault("", errors.New("it begins with a byte order mark; save it as UTF-8 without one"))
	}
	if _, err := consent.OneLine(raw); err != nil {
		return o, nil, o.fault("", plainSyntax(err))
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return o, nil, o.fault("", errors.New("it is empty"))
	}
	return o, raw, json.Unmarshal(raw, &o.members)
}

// plainSyntax drops what a SyntaxError wraps: it speaks of arguments.
func plainSyntax(err error) error {
	var s *consent.SyntaxError
	if errors.As(err, &s) {
		return errors.New(s.Error())
	}
	return err
}

// fault is an error at a member; "" is the object itself.
func (o object) fault(name string, err error) error {
	return &fileError{o.code, o.path, o.place(name), err}
}

func (o object) place(name string) string {
	if o.where == "" || name == "" {
		return o.where + name
	}
	return o.where + "." + name
}

// names are the names of the members, sorted.
func (o object) names() []string { return slices.Sorted(maps.Keys(o.members)) }

// has reports whether there is such a member and it is not null.
func (o object) has(name string) bool {
	raw, ok := o.members[name]
	return ok && string(raw) != "null"
}

// unknown returns the members that are not in known.
func (o object) unknown(known ...string) []string {
	return slices.DeleteFunc(o.names(), func(name string) bool { return slices.Contains(known, name) })
}

// object returns a member that is an object; one without members if it is absent.
func (o object) object(name string) (object, error) {
	inner := object{code: o.code, path: o.path, where: o.place(name)}
	if !o.has(name) {
		return inner, nil
	}
	if kind(o.members[name]) != "an object" {
		return inner, o.wrong(name, "an object")
	}
	return inner, json.Unmarshal(o.members[name], &inner.members)
}

// text returns a member that is a string, "" if it is absent.
func (o object) text(name string) (s string, err error) {
	if !o.has(name) {
		return "", nil
	}
	if kind(o.members[name]) != "a string" {
		return "", o.wrong(name, "a string")
	}
	return s, json.Unmarshal(o.members[name], &s)
}

// truth returns a member that is true or false, false if it is absent.
func (o object) truth(name string) (b bool, err error) {
	if !o.has(name) {
		return false, nil
	}
	if kind(o.members[name]) != "true or false" {
		return false, o.wrong(name, "true or false")
	}
	return b, json.Unmarshal(o.members[name], &b)
}

// texts returns a member that is a list of strings.
func (o object) texts(name string) ([]string, error) {
	if !o.has(name) {
		return nil, nil
	}
	if kind(o.members[name]) != "a list" {
		return nil, o.wrong(name, "a list")
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(o.members[name], &raw); err != nil {
		return nil, err
	}
	list := make([]string, len(raw))
	for i, element := range raw {
		if kind(element) != "a string" {
			return nil, o.fault(fmt.Sprintf("%s[%d]", name, i), fmt.Errorf("must be a string, not %s", kind(element)))
		}
		if err := json.Unmarshal(element, &list[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// oneOf returns a member that is one of a few words, "" if it is absent.
func (o object) oneOf(name string, words ...string) (string, error) {
	choice := strings.Join(words, " or ")
	if _, given := o.members[name]; !given {
		return "", nil
	}
	if kind(o.members[name]) != "a string" {
		return "", o.wrong(name, choice)
	}
	s, err := o.text(name)
	if err == nil && !slices.Contains(words, s) {
		err = o.fault(name, fmt.Errorf("must be %s, not %q", choice, s))
	}
	return s, err
}

func (o object) wrong(name, want string) error {
	return o.fault(name, fmt.Errorf("must be %s, not %s", want, kind(o.members[name])))
}

// kind says what a JSON value is.
func kind(raw json.RawMessage) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}
