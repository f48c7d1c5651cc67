package main

// This file makes up arguments.

import "encoding/json"

// A field is as much of a JSON Schema as the suite's tools use.
type field struct {
	Type       string           `json:"type"`
	Required   []string         `json:"required"`
	Properties map[string]field `json:"properties"`
	Enum       []any            `json:"enum"`
}

// example returns a value for a tool's input schema: an object with what is required.
func example(schema json.RawMessage) json.RawMessage {
	var f field
	_ = json.Unmarshal(schema, &f) // what cannot be read here, the engine checks
	f.Type = "object"
	b, _ := json.Marshal(f.example()) // plain values always encode
	return b
}

func (f field) example() any {
	if len(f.Enum) > 0 {
		return f.Enum[0]
	}
	switch f.Type {
	case "number", "integer":
		return 1
	case "boolean":
		return true
	case "array":
		return []any{}
	case "object":
		object := map[string]any{}
		for _, name := range f.Required {
			object[name] = f.Properties[name].example()
		}
		return object
	case "null":
		return nil
	}
	return "example"
}
