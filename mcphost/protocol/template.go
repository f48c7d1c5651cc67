package protocol

// This file expands URI templates (RFC 6570). All values are texts, so lists and the explode modifier make no difference.

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A TemplateVariable is one that a URI template names.
type TemplateVariable struct {
	Name     string
	Optional bool // the URI has its form without it: it is part of a query
}

// ErrTemplate is wrapped when a URI template is none.
var ErrTemplate = errors.New("it is no URI template")

// An operator says how the variables of one expression are written (RFC 6570, appendix A).
type operator struct {
	first, separator string
	named            bool
	ifEmpty          string
	reserved         bool // reserved characters stay as they are
}

var operators = map[byte]operator{
	'+': {"", ",", false, "", true},
	'#': {"#", ",", false, "", true},
	'.': {".", ".", false, "", false},
	'/': {"/", "/", false, "", false},
	';': {";", ";", true, "", false},
	'?': {"?", "&", true, "=", false},
	'&': {"&", "&", true, "=", false},
}

type templatePart struct {
	literal   string // if there are no variables
	operator  operator
	variables []templateVariable
}

type templateVariable struct {
	name   string
	prefix int // characters that are used, 0 = all
}

const maxTemplateVariables = 50 // of one template; more are no form that anybody fills in

func parseTemplate(template string) (parts []templatePart, err error) {
	count := 0
	for template != "" {
		literal, rest, found := strings.Cut(template, "{")
		if strings.Contains(literal, "}") {
			return nil, fmt.Errorf("%w: a } without its {", ErrTemplate)
		}
		parts = append(parts, templatePart{literal: literal})
		if !found {
			break
		}
		expression, after, closed := strings.Cut(rest, "}")
		if !closed {
			return nil, fmt.Errorf("%w: a { without its }", ErrTemplate)
		}
		part, err := parseExpression(expression)
		if err != nil {
			return nil, err
		}
		if count += len(part.variables); count > maxTemplateVariables {
			return nil, fmt.Errorf("%w: more than %d variables", ErrTemplate, maxTemplateVariables)
		}
		parts, template = append(parts, part), after
	}
	return parts, nil
}

func parseExpression(expression string) (templatePart, error) {
	part := templatePart{operator: operator{separator: ","}}
	if expression != "" {
		if o, ok := operators[expression[0]]; ok {
			part.operator, expression = o, expression[1:]
		}
	}
	for spec := range strings.SplitSeq(expression, ",") {
		name, length, cut := strings.Cut(strings.TrimSuffix(spec, "*"), ":")
		v := templateVariable{name: name}
		if cut {
			n, err := strconv.Atoi(length)
			if err != nil || n < 1 || n > 9999 {
				return part, fmt.Errorf("%w: %q", ErrTemplate, spec)
			}
			v.prefix = n
		}
		if name == "" || strings.ContainsFunc(name, func(r rune) bool {
			return r != '_' && r != '.' && r != '%' && r != '-' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
		}) {
			return part, fmt.Errorf("%w: %q", ErrTemplate, spec)
		}
		part.variables = append(part.variables, v)
	}
	return part, nil
}

// TemplateVariables returns the variables of a URI template in their order, each once.
func TemplateVariables(template string) ([]TemplateVariable, error) {
	parts, err := parseTemplate(template)
	if err != nil {
		return nil, err
	}
	var list []TemplateVariable
	at := map[string]int{}
	for _, p := range parts {
		optional := p.operator.first == "?" || p.operator.first == "&" || p.operator.first == "#"
		for _, v := range p.variables {
			i, known := at[v.name]
			if !known {
				at[v.name] = len(list)
				list = append(list, TemplateVariable{v.name, optional})
			} else if !optional {
				list[i].Optional = false
			}
		}
	}
	return list, nil
}

// ExpandTemplate puts values into a URI template. A variable without a value is left out, as RFC 6570 has it.
func ExpandTemplate(template string, values map[string]string) (string, error) {
	parts, err := parseTemplate(template)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, p := range parts {
		if p.variables == nil {
			escapeTo(&b, p.literal, true)
			continue
		}
		start := p.operator.first
		for _, v := range p.variables {
			value, given := values[v.name]
			if !given {
				continue
			}
			b.WriteString(start)
			start = p.operator.separator
			p.operator.write(&b, v, value)
		}
	}
	return b.String(), nil
}

func (o operator) write(b *strings.Builder, v templateVariable, value string) {
	if o.named {
		escapeTo(b, v.name, true)
		if value == "" {
			b.WriteString(o.ifEmpty)
			return
		}
		b.WriteByte('=')
	}
	if v.prefix > 0 && utf8.RuneCountInString(value) > v.prefix {
		value = string([]rune(value)[:v.prefix])
	}
	escapeTo(b, value, o.reserved)
}

const (
	unreserved = "-._~"
	reserved   = ":/?#[]@!$&'()*+,;="
)

// escapeTo writes a text percent-encoded. With reserved ones allowed, what is encoded already stays, too.
func escapeTo(b *strings.Builder, text string, allowReserved bool) {
	for i := range len(text) {
		c := text[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
		encoded := allowReserved && c == '%' && i+2 < len(text) && isHex(text[i+1]) && isHex(text[i+2])
		if letter || encoded || strings.IndexByte(unreserved, c) >= 0 || allowReserved && strings.IndexByte(reserved, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(b, "%%%02X", c)
	}
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }
