package mcphost

// This file compares the YAML front matter of a skill with the JSON of its entry, field by field.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"
)

const maxFrontMatter = 64 << 10 // bytes

// compareFrontMatter returns how the front matter of a file differs from what was announced, "" if it does not.
func compareFrontMatter(file []byte, announced json.RawMessage) string {
	text, ok := frontMatter(file)
	if !ok {
		return fmt.Sprintf("it does not begin with a front matter of at most %d bytes", maxFrontMatter)
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return "its front matter is no YAML"
	}
	dec := json.NewDecoder(bytes.NewReader(announced))
	dec.UseNumber()
	var want any
	if err := dec.Decode(&want); err != nil || len(document.Content) != 1 {
		return "its front matter is empty"
	}
	if at, same := compareYAML(document.Content[0], want, "front matter"); !same {
		return "its " + at + " is not the one that was announced"
	}
	return ""
}

// frontMatter returns what stands between the first two lines of three dashes.
func frontMatter(file []byte) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(bytes.TrimPrefix(file, []byte("\uFEFF")), []byte("---"))
	if !ok {
		return nil, false
	}
	rest = rest[:min(len(rest), maxFrontMatter)]
	first := true
	for at := 0; at < len(rest); {
		line, _, whole := bytes.Cut(rest[at:], []byte("\n"))
		content := bytes.TrimRight(line, " \t\r")
		switch {
		case first && len(content) > 0: // the dashes do not stand alone
			return nil, false
		case !first && string(content) == "---":
			return rest[:at], true
		case !whole:
			return nil, false
		}
		first = false
		at += len(line) + 1
	}
	return nil, false
}

// compareYAML walks over both in step, so that the size of the JSON bounds it whatever aliases the YAML holds. It returns
// the place where they differ.
func compareYAML(n *yaml.Node, want any, at string) (where string, same bool) {
	for range 10 { // an alias of an alias
		if n.Kind != yaml.AliasNode {
			break
		}
		n = n.Alias
	}
	switch n.Kind {
	case yaml.MappingNode:
		object, ok := want.(map[string]any)
		if !ok || len(n.Content) != 2*len(object) {
			return at, false
		}
		seen := map[string]bool{}
		for i := 0; i < len(n.Content); i += 2 {
			key := n.Content[i].Value
			value, ok := object[key]
			if !ok || seen[key] || n.Content[i].Kind != yaml.ScalarNode {
				return at, false
			}
			seen[key] = true
			if where, same := compareYAML(n.Content[i+1], value, "field "+strconv.Quote(key)); !same {
				return where, false
			}
		}
		return "", true
	case yaml.SequenceNode:
		list, ok := want.([]any)
		if !ok || len(n.Content) != len(list) {
			return at, false
		}
		for i, item := range n.Content {
			if where, same := compareYAML(item, list[i], at); !same {
				return where, false
			}
		}
		return "", true
	case yaml.ScalarNode:
		return at, sameScalar(n, want)
	}
	return at, false
}

// sameScalar compares by YAML's core types. JSON has no time: its text stands for it, as it was written or as another
// program writes the same time.
func sameScalar(n *yaml.Node, want any) bool {
	var got any
	if err := n.Decode(&got); err != nil {
		return false
	}
	switch want := want.(type) {
	case nil:
		return got == nil
	case bool:
		return got == want
	case string:
		if at, isTime := got.(time.Time); isTime {
			parsed, err := time.Parse(time.RFC3339, want)
			return n.Value == want || err == nil && parsed.Equal(at)
		}
		return got == want
	case json.Number:
		switch got := got.(type) {
		case float64:
			f, err := want.Float64()
			return err == nil && f == got
		case int, int64, uint64:
			return fmt.Sprint(got) == want.String()
		}
	}
	return false
}
