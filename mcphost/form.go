package mcphost

// This file reads the schema of an elicitation by form (2025-11-25, "Elicitation", requested schema): a flat object of
// plain fields. What is more than that cannot be drawn truthfully, so it is refused.

import (
	"encoding/json"
	"errors"
	"fmt"
)

// What a form may ask for (SEC F7).
const (
	maxFormBytes   = 256 << 10
	maxFormFields  = 200
	maxFormOptions = 500 // of one field
)

// A formField is one property, as far as it tells what can be drawn.
type formField struct {
	Type       string            `json:"type"`
	Enum       []json.RawMessage `json:"enum"`
	OneOf      []formOption      `json:"oneOf"`
	AnyOf      []formOption      `json:"anyOf"`
	Items      *formField        `json:"items"`
	AllOf      json.RawMessage   `json:"allOf"`
	Ref        json.RawMessage   `json:"$ref"`
	Properties json.RawMessage   `json:"properties"`
}

type formOption struct {
	Const json.RawMessage `json:"const"`
}

// readForm compiles a form's schema for checking what was filled in.
func readForm(raw json.RawMessage) (*schema, error) {
	if len(raw) > maxFormBytes {
		return nil, fmt.Errorf("the form's schema has more than %d bytes", maxFormBytes)
	}
	var form struct {
		Type       string                     `json:"type"`
		Properties map[string]json.RawMessage `json:"properties"`
	}
	switch err := json.Unmarshal(raw, &form); {
	case err != nil || form.Type != "object":
		return nil, errors.New("the form's schema is not that of an object")
	case len(form.Properties) > maxFormFields:
		return nil, fmt.Errorf("the form has more than %d fields", maxFormFields)
	}
	for _, property := range form.Properties {
		var field formField
		if json.Unmarshal(property, &field) != nil || !field.drawn() {
			return nil, errors.New("the form has a field that is not a text, a number, a yes or no, or a choice")
		}
	}
	return compileSchemaWith(raw, true)
}

// drawn reports whether the field is one that forms may have.
func (f formField) drawn() bool {
	if f.AllOf != nil || f.Ref != nil || f.Properties != nil {
		return false
	}
	switch f.Type {
	case "string":
		return f.Items == nil && f.chooses(f.OneOf) && f.AnyOf == nil
	case "number", "integer", "boolean":
		return f.Items == nil && f.Enum == nil && f.OneOf == nil && f.AnyOf == nil
	case "array":
		return f.Items != nil && (f.Items.Enum != nil || f.Items.AnyOf != nil) && f.Items.Items == nil && f.Items.chooses(f.Items.AnyOf)
	}
	return false
}

// chooses reports whether the field's options, if it has any, are texts, and not too many.
func (f formField) chooses(titled []formOption) bool {
	values := f.Enum
	for _, o := range titled {
		values = append(values, o.Const)
	}
	for _, v := range values {
		if len(v) == 0 || v[0] != '"' {
			return false
		}
	}
	return len(values) <= maxFormOptions
}
