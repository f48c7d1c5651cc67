package demo

// This file describes the arguments of tools: one description makes the JSON Schema and checks what comes.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// A property is one argument, in the words of JSON Schema. Each is optional, for each has a default.
type property struct {
	name        string
	Type        string   `json:"type"` // "string", "integer" or "number"
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Default     any      `json:"default"`
	Enum        []string `json:"enum,omitempty"`
	MinLength   *int     `json:"minLength,omitempty"`
	MaxLength   *int     `json:"maxLength,omitempty"` // code points
	Minimum     *float64 `json:"minimum,omitempty"`
	Maximum     *float64 `json:"maximum,omitempty"`
}

func text(name, title, description, byDefault string, most int) property {
	least := 1
	return property{name: name, Type: "string", Title: title, Description: description, Default: byDefault, MinLength: &least, MaxLength: &most}
}

// choice is one of several texts; the first is the default.
func choice(name, title, description string, texts ...string) property {
	return property{name: name, Type: "string", Title: title, Description: description, Default: texts[0], Enum: texts}
}

func whole(name, title, description string, byDefault, least, most float64) property {
	return property{name: name, Type: "integer", Title: title, Description: description, Default: byDefault, Minimum: &least, Maximum: &most}
}

func number(name, title, description string, byDefault, least, most float64) property {
	p := whole(name, title, description, byDefault, least, most)
	p.Type = "number"
	return p
}

// A schema is that of an object with these properties and no others.
type schema []property

// MarshalJSON keeps the order of the properties, for a form shows them in it.
func (s schema) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(`{"type":"object","properties":{`)
	for i, p := range s {
		definition, err := json.Marshal(p)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%s", p.name, definition)
	}
	b.WriteString(`},"additionalProperties":false}`)
	return b.Bytes(), nil
}

// arguments are checked values by name: string or float64.
type arguments map[string]any

func (a arguments) text(name string) string    { v, _ := a[name].(string); return v }
func (a arguments) number(name string) float64 { v, _ := a[name].(float64); return v }
func (a arguments) whole(name string) int      { return int(a.number(name)) }

// check reads arguments and fills in the defaults. The error is a sentence for whoever wrote them.
func (s schema) check(raw json.RawMessage) (arguments, error) {
	given := map[string]any{}
	if raw != nil {
		if err := json.Unmarshal(raw, &given); err != nil || given == nil {
			return nil, fmt.Errorf("the arguments are an object")
		}
	}
	checked := arguments{}
	for _, p := range s {
		v, ok := given[p.name]
		delete(given, p.name)
		if !ok {
			v = p.Default
		}
		if fault := p.fault(v); fault != "" {
			return nil, fmt.Errorf("%s %s", p.name, fault)
		}
		checked[p.name] = v
	}
	for name := range given {
		return nil, fmt.Errorf("there is no argument %q", clip(name))
	}
	return checked, nil
}

// fault says what is wrong with a value, "" if nothing is.
func (p property) fault(v any) string {
	switch v := v.(type) {
	case string:
		length := utf8.RuneCountInString(v)
		switch {
		case p.Type != "string":
			return "is a number"
		case p.Enum != nil && !slices.Contains(p.Enum, v):
			return "is one of " + strings.Join(p.Enum, ", ")
		case p.Enum == nil && (length < *p.MinLength || length > *p.MaxLength):
			return fmt.Sprintf("has %d to %d characters", *p.MinLength, *p.MaxLength)
		}
		return ""
	case float64:
		switch {
		case p.Type == "string":
			return "is a text"
		case p.Type == "integer" && v != math.Trunc(v):
			return "is a whole number"
		case v < *p.Minimum || v > *p.Maximum:
			return fmt.Sprintf("is between %v and %v", *p.Minimum, *p.Maximum)
		}
		return ""
	}
	if p.Type == "string" {
		return "is a text"
	}
	return "is a number"
}

// clip shortens a foreign text for a message.
func clip(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
