package consent

// This file judges a tool by its definition: verbs of name and description, names of properties, explicit hints.

import (
	"encoding/json"
	"maps"
	"slices"
)

// maxName bounds the part of a tool's name that is read; the specification allows 128 characters.
const maxName = 256

// ToolRisk judges a tool by its definition alone. A reading verb makes it read; nothing else does.
func ToolRisk(definition json.RawMessage) Risk {
	r := newReport()
	r.definition(definition)
	return r.risk()
}

// definition files what the definition says. A field of the wrong type is as good as absent and hides no other.
func (r *report) definition(raw json.RawMessage) {
	fields := objectOf(raw)
	r.tool, _ = capped(decodeAs[string](fields["name"]), maxName)
	for _, s := range nameVerbs(r.tool) {
		r.add(saysCode(s.class), "", s.word)
	}
	for _, s := range proseVerbs(decodeAs[string](fields["description"])) {
		if r.counts[saysCode(s.class)] == 0 {
			r.add(saysCode(s.class), "", s.word)
		}
	}
	if start, end, ok := confusableWord(r.tool); ok {
		r.add(CodeLookAlike, "", r.tool[start:end])
	}
	r.schema(fields["inputSchema"], 0)
	hints := objectOf(fields["annotations"])
	readOnly := decodeAs[*bool](hints["readOnlyHint"])
	if is(readOnly, false) {
		r.add(CodeHintWrites, "", "readOnlyHint")
	}
	// The specification gives destructiveHint a meaning only if readOnlyHint is not true.
	if is(decodeAs[*bool](hints["destructiveHint"]), true) && !is(readOnly, true) {
		r.add(CodeHintDestroys, "", "destructiveHint")
	}
	if is(decodeAs[*bool](hints["openWorldHint"]), true) {
		r.add(CodeHintOpen, "", "openWorldHint")
	}
}

func is(hint *bool, value bool) bool { return hint != nil && *hint == value }

// decodeAs decodes raw into a T; what does not fit is the zero T.
func decodeAs[T any](raw json.RawMessage) T {
	var v, zero T
	if len(raw) == 0 || json.Unmarshal(raw, &v) != nil {
		return zero
	}
	return v
}

// objectOf decodes an object; names keep their case, unlike in a struct.
func objectOf(raw json.RawMessage) map[string]json.RawMessage {
	return decodeAs[map[string]json.RawMessage](raw)
}

func saysCode(c Class) string {
	switch c {
	case ClassDestroy:
		return CodeSaysDestroys
	case ClassLeave:
		return CodeSaysSends
	case ClassWrite:
		return CodeSaysWrites
	}
	return CodeSaysReads
}

const (
	maxSchemaDepth = 8
	maxProperties  = 1000 // properties of a definition that are looked at
)

// schema files the properties, at any depth, whose name says what the tool does with their value.
func (r *report) schema(raw json.RawMessage, depth int) {
	if depth == maxSchemaDepth || r.properties > maxProperties {
		return
	}
	fields := objectOf(raw)
	properties := objectOf(fields["properties"])
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		r.properties++
		r.property(name, objectOf(properties[name]))
		r.schema(properties[name], depth+1)
	}
	for _, list := range []string{"$defs", "definitions"} {
		for _, schema := range objectOf(fields[list]) {
			r.schema(schema, depth+1)
		}
	}
	for _, list := range []string{"anyOf", "oneOf", "allOf"} {
		for _, schema := range decodeAs[[]json.RawMessage](fields[list]) {
			r.schema(schema, depth+1)
		}
	}
	r.schema(fields["items"], depth+1)
}

// property files one property. A value chosen from a list is no free text.
func (r *report) property(name string, schema map[string]json.RawMessage) {
	if len(schema["enum"]) > 0 || len(schema["const"]) > 0 {
		r.chosen[name] = true
		return
	}
	switch kind := decodeAs[string](schema["type"]); {
	case kind == "number" || kind == "integer" || kind == "boolean":
	case keyKind(name) == keyCommand, keyKind(name) == keyCode && runsCode(r.tool):
		r.add(CodeRunsCode, "", name)
	case keyKind(name) == keySQL:
		r.add(CodeTakesSQL, "", name)
	case keyKind(name) == keyAddress:
		r.add(CodeTakesAddress, "", name)
	}
}

// runsCode reports whether a tool's name says that it runs what it is given.
func runsCode(tool string) bool {
	return slices.ContainsFunc(splitWords(tool), func(word string) bool {
		return slices.Contains([]string{
			"run", "exec", "execute", "eval", "evaluate", "interpreter", "repl", "sandbox", "python", "javascript", "js",
			"node", "shell", "bash", "script", "notebook", "terminal",
		}, word)
	})
}
