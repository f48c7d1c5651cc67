package mcphost

// This file checks arguments and structured results against the schemas that servers write. A schema is
// foreign input: it is bounded, nothing is fetched for it, and its patterns run on RE2.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"gatehouse/mcphost/consent"
)

const (
	maxSchemaBytes = 1 << 20 // a schema larger than this is not compiled (SEC C7)
	maxProblems    = 50      // per validation
)

// A schema is a compiled JSON Schema (2020-12 unless it names draft-07 or another known dialect).
type schema struct{ compiled *jsonschema.Schema }

// noLoader refuses every reference that leaves the document (SEC C7: never fetched).
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s: references to other documents are not followed", url)
}

// anyText stands for a pattern that RE2 cannot run: it is not checked rather than refused, because many
// servers write lookaheads. The server checks its own patterns.
type anyText struct{ pattern string }

func (anyText) MatchString(string) bool { return true }
func (p anyText) String() string        { return p.pattern }

func compilePattern(pattern string) (jsonschema.Regexp, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return anyText{pattern}, nil
	}
	return re, nil
}

func compileSchema(raw json.RawMessage) (*schema, error) { return compileSchemaWith(raw, false) }

// compileSchemaWith says whether formats bind, as those of a form do.
func compileSchemaWith(raw json.RawMessage, formats bool) (*schema, error) {
	if len(raw) == 0 {
		raw = json.RawMessage(`{"type":"object"}`)
	}
	if len(raw) > maxSchemaBytes {
		return nil, fmt.Errorf("the schema has %d bytes, more than %d", len(raw), maxSchemaBytes)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	c.UseRegexpEngine(compilePattern)
	if formats {
		c.AssertFormat()
	}
	if err := c.AddResource("urn:tool", doc); err != nil {
		return nil, err
	}
	compiled, err := c.Compile("urn:tool")
	if err != nil {
		return nil, err
	}
	return &schema{compiled}, nil
}

// check returns what is wrong with value, at most maxProblems; nil means nothing.
func (s *schema) check(value json.RawMessage) []consent.Problem {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		return []consent.Problem{{Message: err.Error()}}
	}
	err = s.compiled.Validate(doc)
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return []consent.Problem{{Message: err.Error()}}
	}
	return leaves(nil, invalid, message.NewPrinter(language.English))
}

// leaves collects the innermost errors: "does not match anyOf" says less than why each branch failed.
func leaves(problems []consent.Problem, e *jsonschema.ValidationError, p *message.Printer) []consent.Problem {
	if len(problems) >= maxProblems {
		return problems
	}
	for _, cause := range e.Causes {
		problems = leaves(problems, cause, p)
	}
	if len(e.Causes) == 0 {
		problems = append(problems, consent.Problem{Pointer: pointer(e.InstanceLocation), Message: e.ErrorKind.LocalizedString(p)})
	}
	return problems
}

// pointer writes a JSON Pointer (RFC 6901).
func pointer(path []string) string {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	var b strings.Builder
	for _, step := range path {
		b.WriteString("/" + escape.Replace(step))
	}
	return b.String()
}
