package mcphost

// This file says whether a message fits the specification's own schema of the revision that was agreed on: for whoever looks
// at it in the trace, never on the way of a call.

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/protocol"
)

// The schemas are those of the specification's repository, schema/REVISION/schema.json, and that of the tasks extension.
// official/LICENSE is that of the project; the list of licences names it.
//
//go:embed official/*.json.gz
var officialFiles embed.FS

const extensionTasks = "ext-tasks-draft"

// ErrNoSchema: no official schema knows a message of this kind.
var ErrNoSchema = errors.New("no official schema knows this message")

// Official are the specification's schemas, read and compiled when they are first needed. The zero value is ready, and safe
// for concurrent use.
type Official struct {
	mu    sync.Mutex // guards what follows
	books map[string]*book
}

// A book is one schema.
type book struct {
	compiler *jsonschema.Compiler
	under    string            // where its definitions stand: "$defs" or "definitions"
	names    map[string]any    // the definitions
	methods  map[string]string // those of requests and notifications, by their method
}

// Check returns the definition that a message is held against, and what does not fit. Asked is the method of the request
// that a response answers. The error is ErrNoSchema if there is no definition.
func (o *Official) Check(r protocol.Revision, asked string, message json.RawMessage) (definition string, problems []consent.Problem, err error) {
	var m struct {
		Method        string
		Result, Error json.RawMessage
	}
	if err := json.Unmarshal(message, &m); err != nil {
		return "", nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	files := []string{string(r)}
	switch {
	case r == protocol.Revision20241007: // it has none of its own
		files[0] = string(protocol.Revision20241105)
	case r.Modern():
		files = append(files, extensionTasks)
	}
	for _, file := range files {
		b, err := o.book(file)
		if err != nil {
			return "", nil, err
		}
		if definition = b.definition(m.Method, asked, m.Result); definition == "" {
			continue
		}
		if m.Method == "" && m.Error == nil {
			problems, err = b.check(definition, m.Result)
			for i := range problems {
				problems[i].Pointer = "/result" + problems[i].Pointer
			}
			return definition, problems, err
		}
		problems, err = b.check(definition, message)
		return definition, problems, err
	}
	return "", nil, ErrNoSchema
}

// book needs o.mu.
func (o *Official) book(file string) (*book, error) {
	if b := o.books[file]; b != nil {
		return b, nil
	}
	packed, err := officialFiles.Open("official/" + file + ".json.gz")
	if err != nil {
		return nil, ErrNoSchema
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		return nil, err
	}
	b, err := newBook(text)
	if err != nil {
		return nil, fmt.Errorf("the schema of %s: %w", file, err)
	}
	if o.books == nil {
		o.books = map[string]*book{}
	}
	o.books[file] = b
	return b, nil
}

// wrongNumber is a slip in some of the official files: the specification's text says that a form may hold any number.
var wrongNumber = regexp.MustCompile(`"string",\s*"integer",\s*"boolean"`)

func newBook(text []byte) (*book, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(wrongNumber.ReplaceAll(text, []byte(`"string","number","boolean"`))))
	if err != nil {
		return nil, err
	}
	b := &book{compiler: jsonschema.NewCompiler(), under: "$defs", methods: map[string]string{}}
	b.compiler.UseLoader(noLoader{})
	for _, format := range []string{"uri", "uri-template"} { // masked secrets are no addresses
		b.compiler.RegisterFormat(&jsonschema.Format{Name: format, Validate: func(any) error { return nil }})
	}
	root, _ := doc.(map[string]any)
	if root[b.under] == nil {
		b.under = "definitions"
	}
	b.names, _ = root[b.under].(map[string]any)
	for name, d := range b.names {
		definition, _ := d.(map[string]any)
		parts, _ := definition["allOf"].([]any)
		for _, part := range append(slices.Clone(parts), d) {
			if method := constOf(part, "method"); method != "" {
				b.methods[method] = name
			}
		}
	}
	return b, b.compiler.AddResource("urn:mcp", doc)
}

// constOf is the text that a property of a definition must be, "" if it may be anything.
func constOf(definition any, property string) string {
	d, _ := definition.(map[string]any)
	properties, _ := d["properties"].(map[string]any)
	of, _ := properties[property].(map[string]any)
	text, _ := of["const"].(string)
	return text
}

// definition names what a message is held against, "" if the book does not know it.
func (b *book) definition(method, asked string, result json.RawMessage) string {
	switch {
	case method != "":
		return b.methods[method]
	case result == nil:
		return b.known("JSONRPCErrorResponse", "JSONRPCError")
	}
	var kind struct {
		ResultType string
		Task       json.RawMessage
	}
	_ = json.Unmarshal(result, &kind) // what cannot be read is of the usual kind
	switch {
	case kind.ResultType == protocol.ResultInputRequired:
		return b.known("InputRequiredResult")
	case kind.ResultType == protocol.ResultTask, kind.Task != nil && b.names["CreateTaskResult"] != nil:
		return b.known("CreateTaskResult")
	case b.methods[asked] == "":
		return ""
	}
	return b.known(strings.TrimSuffix(b.methods[asked], "Request")+"Result", "EmptyResult")
}

// known returns the first of these definitions that the book has.
func (b *book) known(names ...string) string {
	for _, name := range names {
		if b.names[name] != nil {
			return name
		}
	}
	return ""
}

func (b *book) check(definition string, value json.RawMessage) ([]consent.Problem, error) {
	compiled, err := b.compiler.Compile("urn:mcp#/" + b.under + "/" + definition)
	if err != nil {
		return nil, err
	}
	return (&schema{compiled}).check(value), nil
}
