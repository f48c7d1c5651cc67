package transport

// This file mirrors parts of a message into header fields (MCP 2026-07-28, "Request Metadata"), so that what stands
// between host and server can route it without reading its body.

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

const (
	mirrorKeyword = "x-mcp-header"
	mirrorPrefix  = "Mcp-Param-"
	safeInteger   = 1<<53 - 1 // exact in every JSON library
)

// Fields are header fields of one request, ready to be sent.
type Fields map[string]string

// WithFields makes the [HTTP] write of a message under ctx carry the fields, in the modern profile only.
func WithFields(ctx context.Context, f Fields) context.Context {
	return context.WithValue(ctx, fieldsKey{}, f)
}

type fieldsKey struct{}

// A Mirror says which arguments of a tool travel in header fields, too. The zero Mirror is none.
type Mirror []mirrored

type mirrored struct {
	field string
	path  []string // of property names
	kind  string   // string, integer or boolean
}

// MirrorOf reads the x-mcp-header annotations of a tool's input schema. An error says which one breaks which rule; over
// HTTP such a tool must not be offered (MCP 2026-07-28, "Schema Extension"; SEC B15). It does no I/O.
func MirrorOf(inputSchema json.RawMessage) (Mirror, error) {
	if !bytes.Contains(inputSchema, []byte("mcp-header")) && !bytes.Contains(inputSchema, []byte(`\u`)) {
		return nil, nil // the keyword is not there, however it is spelled
	}
	var root any
	if err := json.Unmarshal(inputSchema, &root); err != nil {
		return nil, fmt.Errorf("the input schema: %w", err)
	}
	w := &mirrorWalk{seen: map[string]bool{}}
	if err := w.schema(root, nil, true); err != nil {
		return nil, err
	}
	return w.found, nil
}

// A mirrorWalk collects the annotations of a schema.
type mirrorWalk struct {
	found Mirror
	seen  map[string]bool // names in lower case
}

// schema visits one schema; path leads to it by properties alone if it is reachable.
func (w *mirrorWalk) schema(schema any, path []string, reachable bool) error {
	if list, ok := schema.([]any); ok {
		for _, s := range list {
			if err := w.schema(s, path, false); err != nil {
				return err
			}
		}
		return nil
	}
	object, _ := schema.(map[string]any)
	if name, ok := object[mirrorKeyword]; ok {
		if err := w.annotation(name, object["type"], path, reachable); err != nil {
			return fmt.Errorf("%s at %q: %w", mirrorKeyword, "/"+strings.Join(path, "/"), err)
		}
	}
	for _, key := range sortedKeys(object) {
		var err error
		switch value := object[key]; key {
		case mirrorKeyword, "const", "default", "enum", "example", "examples", "required", "type":
			continue // data, not schemas
		case "properties":
			err = w.named(value, path, reachable)
		case "$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties":
			err = w.named(value, path, false)
		default:
			err = w.schema(value, path, false)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// named visits the schemas of an object whose keys are names.
func (w *mirrorWalk) named(value any, path []string, reachable bool) error {
	schemas, _ := value.(map[string]any)
	for _, name := range sortedKeys(schemas) {
		if err := w.schema(schemas[name], append(slices.Clone(path), name), reachable); err != nil {
			return err
		}
	}
	return nil
}

func (w *mirrorWalk) annotation(value, kind any, path []string, reachable bool) error {
	name, isText := value.(string)
	lower := strings.ToLower(name)
	switch {
	case !isText || !isToken(name):
		return errors.New("the name cannot be part of a header field's name")
	case slices.Contains(unmirrored, lower):
		return fmt.Errorf("the name %s is reserved", name)
	case !reachable || len(path) == 0:
		return errors.New("only a property of the arguments can be mirrored, not a part of a list, an alternative or a reference")
	case kind != "string" && kind != "integer" && kind != "boolean":
		return errors.New("only a string, an integer or a boolean can be mirrored")
	case w.seen[lower]:
		return fmt.Errorf("the name %s is used twice", name)
	}
	w.seen[lower] = true
	w.found = append(w.found, mirrored{field: mirrorPrefix + name, path: path, kind: kind.(string)})
	return nil
}

// unmirrored are names of fields that carry credentials: something between could take the mirror for the field (SEC B15).
var unmirrored = []string{"authorization", "cookie", "proxy-authorization", "set-cookie"}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Fields returns the fields for these arguments; what is absent or null has none. An error means that an argument is
// not of the type that its schema promises, and cannot be mirrored.
func (m Mirror) Fields(arguments json.RawMessage) (Fields, error) {
	if len(m) == 0 {
		return nil, nil
	}
	var root any
	dec := json.NewDecoder(bytes.NewReader(arguments))
	dec.UseNumber()
	if len(arguments) > 0 {
		if err := dec.Decode(&root); err != nil {
			return nil, fmt.Errorf("the arguments: %w", err)
		}
	}
	fields := Fields{}
	for _, part := range m {
		value := root
		for _, name := range part.path {
			object, _ := value.(map[string]any)
			value = object[name]
		}
		if value == nil {
			continue
		}
		text, ok := part.text(value)
		if !ok {
			return nil, fmt.Errorf("the argument %q is no %s that can be sent as the header field %s", strings.Join(part.path, "/"), part.kind, part.field)
		}
		fields[part.field] = encodeField(text)
	}
	return fields, nil
}

// text returns a value as MCP 2026-07-28, "Value Encoding" spells it.
func (part mirrored) text(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, part.kind == "string"
	case bool:
		return strconv.FormatBool(v), part.kind == "boolean"
	case json.Number:
		n, err := strconv.ParseInt(v.String(), 10, 64)
		if err != nil { // 42.0 and 4.2e1 are integers as well
			f, err := v.Float64()
			if err != nil || f != math.Trunc(f) || math.Abs(f) > safeInteger {
				return "", false
			}
			n = int64(f)
		}
		return strconv.FormatInt(n, 10), part.kind == "integer" && n >= -safeInteger && n <= safeInteger
	}
	return "", false
}

const (
	encodedBegin = "=?base64?"
	encodedEnd   = "?="
)

// encodeField returns a value as it can stand in a header field: as it is where that is plain and unmistakable.
func encodeField(value string) string {
	plain := strings.Trim(value, " ") == value && !strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' })
	if plain && !(strings.HasPrefix(value, encodedBegin) && strings.HasSuffix(value, encodedEnd)) {
		return value
	}
	return encodedBegin + base64.StdEncoding.EncodeToString([]byte(value)) + encodedEnd
}

// mirroredName returns what Mcp-Name repeats of the params of a request.
func mirroredName(method string, params json.RawMessage) (name string, ok bool) {
	key := map[string]string{
		"tools/call": "name", "prompts/get": "name", "resources/read": "uri",
		"tasks/get": "taskId", "tasks/update": "taskId", "tasks/cancel": "taskId", // the tasks extension, "Routing Headers"
	}[method]
	if key == "" {
		return "", false
	}
	var members map[string]json.RawMessage // a map knows the exact key, a struct its variants in case as well
	if json.Unmarshal(params, &members) != nil || json.Unmarshal(members[key], &name) != nil {
		return "", false
	}
	return name, true
}

// set adds the fields to a header.
func (f Fields) set(header http.Header) {
	for name, value := range f {
		header.Set(name, value)
	}
}
