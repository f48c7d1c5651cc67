package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "gatehouse"

// The floors of the house. A package imports only packages of lower floors; one that is not listed is a fault, so
// that a new package gets its place here on the day it is made. Patterns ending in "/..." cover a tree.
var floors = [][]string{
	{"mcphost/jsonrpc", "mcphost/protocol", "mcphost/consent"},
	{"mcphost/transport", "mcphost/trace", "mcphost/llm"},
	{"mcphost/llm/...", "mcphost/session", "mcphost/chat", "app/icon"},
	{"mcphost", "app/desktop"},
	{"store", "app"},
	{"app/cli", "app/demo"},
	{""}, // main
}

// What a package must not reach, directly or through others, and why.
var unreachable = []struct {
	from, to string
	why      string
	except   []string
}{
	{"mcphost/...", "gatehouse/store", "the engine owns its ports; whoever stores implements them", nil},
	{"mcphost/...", "gatehouse/app", "the engine knows no front end", nil},
	{"mcphost/...", "database/sql", "the engine knows no SQL", nil},
	{"mcphost/...", "github.com/zalando/go-keyring", "the engine asks for secrets by reference, through a port", nil},
	{"mcphost/...", "github.com/wailsapp/...", "the engine runs without a window", nil},
	{"store", "github.com/wailsapp/...", "storage runs without a window", nil},
	{"app/cli", "github.com/wailsapp/...", "the headless twin builds without GTK and WebKit", nil},
	{"app/demo", "gatehouse/mcphost/...", "a server that shares code with the engine would share its mistakes", nil},
	{"app/demo", "third party", "the demo server is a small program of its own", nil},
	{"app/desktop", "gatehouse/...", "the session bus learns a sentence, never a request or a server", nil},
	{"app", "database/sql", "the window's side reaches storage through the engine's ports", nil},
	{"app", "gatehouse/store", "only main and the terminal's wiring see the store", nil},
	{"mcphost/jsonrpc", "third party", "a leaf of standard library only: it reads foreign bytes first", []string{"golang.org/x/text/..."}},
	{"mcphost/protocol", "third party", "a leaf of standard library only", nil},
	{"mcphost/consent", "third party", "the gate is small enough to be read whole", nil},
}

// Who may import these packages at all, and why nobody else. Only the program counts, not its tests.
var reserved = []struct {
	what string
	by   []string
	why  string
}{
	{"os/exec", []string{"mcphost/transport", "mcphost/mcphosttest", "test/frames", "app/desktop"}, "processes start in one place, after consent; app/desktop shows the user's own folder, and the address that they agree to open"},
	{"net/http", []string{"mcphost/transport", "mcphost", "app", "", "mcphost/mcphosttest"}, "connections start in one place, after consent; mcphost builds headers for it, app serves the page's own files"},
	{"gatehouse/mcphost/mcphosttest", []string{"mcphost/mcphosttest/scripted"}, "the scripted server is for tests"},
	{"unsafe", nil, "nothing here needs it"},
}

// A listed package is what "go list" says of one.
type listedPackage struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

// name is the path within the module, "" for main.
func (p listedPackage) name() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
}

func TestImports(t *testing.T) {
	packages := listPackages(t)
	for _, p := range packages {
		if forTests(p.name()) {
			continue
		}
		at := floor(p.name())
		if at < 0 {
			t.Errorf("%s has no floor: give it one in deps_test.go", p.ImportPath)
		}
		for _, imported := range p.Imports {
			own, ok := strings.CutPrefix(imported, module+"/")
			if ok && !forTests(own) && floor(own) >= at {
				t.Errorf("%s imports %s, which is not below it", p.ImportPath, imported)
			}
		}
	}
	for _, rule := range unreachable {
		for _, p := range packages {
			if !covers(rule.from, p.name()) || forTests(p.name()) {
				continue
			}
			for _, dep := range p.Deps {
				if reaches(rule.to, dep) && !slices.ContainsFunc(rule.except, func(e string) bool { return covers(e, dep) }) {
					t.Errorf("%s reaches %s: %s", p.ImportPath, dep, rule.why)
				}
			}
		}
	}
	for _, rule := range reserved {
		for _, p := range packages {
			if slices.Contains(p.Imports, rule.what) && !slices.Contains(rule.by, p.name()) {
				t.Errorf("%s imports %s: %s", p.ImportPath, rule.what, rule.why)
			}
		}
	}
}

func listPackages(t *testing.T) []listedPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", "./...").Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			t.Fatalf("go list: %s", failed.Stderr)
		}
		t.Fatal(err)
	}
	var packages []listedPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listedPackage
		err := dec.Decode(&p)
		if err == io.EOF {
			return packages
		}
		if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// forTests reports whether a package is part of no program that ships.
func forTests(name string) bool {
	return covers("mcphost/mcphosttest/...", name) || covers("mcphost/internal/conformance", name) || covers("test/...", name)
}

// floor is the index of the floor on which a package stands, -1 if it has none.
func floor(name string) int {
	return slices.IndexFunc(floors, func(patterns []string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool { return covers(p, name) })
	})
}

// covers reports whether the pattern, a path or a tree "path/...", covers the path.
func covers(pattern, path string) bool {
	tree, ok := strings.CutSuffix(pattern, "/...")
	return path == tree || ok && strings.HasPrefix(path, tree+"/")
}

// reaches is covers for what is forbidden; "third party" covers all that is neither ours nor the standard library's.
func reaches(forbidden, dep string) bool {
	if forbidden != "third party" {
		return covers(forbidden, dep)
	}
	host, _, _ := strings.Cut(dep, "/")
	return strings.Contains(host, ".") && !strings.HasPrefix(dep, "vendor/")
}
