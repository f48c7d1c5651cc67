package session_test

// This file checks every request and notification that the tests of this package send against the official schema of the
// revision it is sent in.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
)

// An official schema: its messages by their method.
type official map[string]*jsonschema.Schema

var officials sync.Map // by revision: func() (official, error)

func officialSchema(t *testing.T, r protocol.Revision) official {
	t.Helper()
	if r == protocol.Revision20241007 { // it has none of its own
		r = protocol.Revision20241105
	}
	load, _ := officials.LoadOrStore(r, sync.OnceValues(func() (official, error) { return loadOfficial(r) }))
	schema, err := load.(func() (official, error))()
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func loadOfficial(r protocol.Revision) (official, error) {
	out := official{}
	err := loadOfficialFile(string(r), out)
	if r.Modern() && err == nil {
		err = loadOfficialFile("ext-tasks-draft", out)
	}
	return out, err
}

func loadOfficialFile(name string, out official) error {
	text, err := os.ReadFile(filepath.Join("..", "..", "test", "servers", "schema", name+".json"))
	if err != nil {
		return err
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		return err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("urn:mcp", doc); err != nil {
		return err
	}
	for _, under := range []string{"$defs", "definitions"} {
		definitions, _ := doc.(map[string]any)[under].(map[string]any)
		for name, d := range definitions {
			parts, _ := d.(map[string]any)["allOf"].([]any)
			for _, part := range append(parts, d) {
				properties, _ := part.(map[string]any)["properties"].(map[string]any)
				method, _ := properties["method"].(map[string]any)
				if text, ok := method["const"].(string); ok {
					if out[text], err = c.Compile("urn:mcp#/" + under + "/" + name); err != nil {
						return err
					}
				}
			}
			if name == "CreateTaskResult" || name == "ListTasksResult" || name == "GetTaskResult" {
				if out[name], err = c.Compile("urn:mcp#/" + under + "/" + name); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// checkFrames validates what a scripted server has received. What opens the conversation is of the newest revision of its
// era, a search of the text of 2024-11-05 is in no schema.
func checkFrames(t *testing.T, r mcphosttest.Record, negotiated protocol.Revision) {
	t.Helper()
	for _, frame := range r.Frames(t) {
		var m struct{ Method string }
		if json.Unmarshal([]byte(frame), &m) != nil || m.Method == "" || m.Method == protocol.MethodResourcesSearch {
			continue
		}
		revision := negotiated
		switch m.Method {
		case protocol.MethodInitialize:
			revision = protocol.Latest
		case protocol.MethodDiscover:
			revision = protocol.LatestModern
		}
		schema := officialSchema(t, revision)[m.Method]
		if schema == nil {
			t.Errorf("%s is not of revision %s", m.Method, revision)
			continue
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(frame))
		if err == nil {
			err = schema.Validate(value)
		}
		if err != nil {
			t.Errorf("%s\n%v", frame, err)
		}
	}
}
