package main_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// wailsPin is the newest usable version. Frames reach the bridge in it (CVE-2026-136628), so the page must have none.
const wailsPin = "github.com/wailsapp/wails/v2 v2.16.0"

// Names that no source of the program may use, and why.
var bannedNames = []struct{ pkg, name, why string }{
	{"net/http", "Get", "a client without limits and checks"},
	{"net/http", "Head", "a client without limits and checks"},
	{"net/http", "Post", "a client without limits and checks"},
	{"net/http", "PostForm", "a client without limits and checks"},
	{"net/http", "DefaultClient", "a client without limits and checks"},
	{"net/http", "DefaultTransport", "a transport without limits and checks"},
	{"net/http", "DefaultServeMux", "state of the whole process"},
	{"github.com/wailsapp/wails/v2/pkg/runtime", "BrowserOpenURL", "it passes odd schemes and refuses good addresses"},
	{"net", "Listen", "nobody connects to us (SEC B18)"},
	{"net", "ListenTCP", "nobody connects to us (SEC B18)"},
	{"net", "ListenConfig", "nobody connects to us (SEC B18)"},
	{"net/http", "ListenAndServe", "nobody connects to us (SEC B18)"},
	{"syscall", "Exec", "processes start in one place, after consent"},
	{"os", "StartProcess", "processes start in one place, after consent"},
}

// Programs that read their arguments as a script.
var shells = []string{"sh", "bash", "dash", "zsh", "fish", "ksh", "cmd", "cmd.exe", "powershell", "powershell.exe", "pwsh", "pwsh.exe"}

// A source is one parsed Go file of the program.
type source struct {
	path    string
	fset    *token.FileSet
	file    *ast.File
	imports map[string]string // local name → import path
	consts  map[string]bool   // of its package
}

func TestGoSources(t *testing.T) {
	for _, s := range goSources(t) {
		for _, fault := range s.faults() {
			t.Error(fault)
		}
	}
}

// Each gate is seen to close.
func TestGatesCatch(t *testing.T) {
	for body, want := range map[string]string{
		`_ = exec.Command("sh", "-c", "ls")`:                         "store/bad.go:3: no shell",
		`_ = exec.CommandContext(ctx, "/usr/bin/env", "bash")`:       "store/bad.go:3: no shell",
		`_ = exec.Command("C:\\Windows\\PowerShell.exe")`:            "store/bad.go:3: no shell",
		`_, _ = http.Get("http://localhost")`:                        "store/bad.go:3: http.Get",
		`c := http.DefaultClient; _ = c`:                             "store/bad.go:3: http.DefaultClient",
		`l, err := net.Listen("tcp", ":0"); _, _ = l, err`:           "store/bad.go:3: net.Listen",
		`_ = tls.Config{InsecureSkipVerify: true}`:                   "store/bad.go:3: certificates",
		`c.InsecureSkipVerify = true`:                                "store/bad.go:3: certificates",
		`wails.BrowserOpenURL(ctx, "x")`:                             "store/bad.go:3: runtime.BrowserOpenURL",
		`db.Exec(fmt.Sprintf("DELETE FROM %s", table))`:              "store/bad.go:3: SQL",
		`db.Exec("SELECT * FROM t WHERE n = '" + name + "'")`:        "store/bad.go:3: SQL",
		`q := "SELECT 1 FROM t"; q = q + name; db.Exec(q + " AND ")`: "store/bad.go:3: SQL",
		`q := "b"; db.Exec("SELECT a " + q + columns)`:               "",
		`_ = exec.Command(shell, "-lc", script)`:                     "",
	} {
		text := "package store; import (\"os/exec\"; \"fmt\"; \"net\"; \"net/http\"; \"crypto/tls\"; wails \"github.com/wailsapp/wails/v2/pkg/runtime\")\n" +
			"const columns = \"c\"\nfunc f() { " + body + " }"
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "bad.go", text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(newSource("store/bad.go", fset, f, map[string]map[string]bool{}).faults(), "; ")
		if want == "" && got != "" || !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %q, want %q", body, got, want)
		}
	}
	for _, line := range []string{`<iframe src>`, `{@html text}`, `e.innerHTML = x`, `document.createElement("object")`, `eval (x)`} {
		if !bannedInPage.MatchString(line) {
			t.Errorf("%s is let through", line)
		}
	}
}

// faults are what the file must not contain.
func (s source) faults() []string {
	var found []string
	report := func(n ast.Node, text string) {
		found = append(found, s.path+":"+strconv.Itoa(s.fset.Position(n.Pos()).Line)+": "+text)
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			for _, b := range bannedNames {
				if s.refers(n, b.pkg, b.name) {
					report(n, path.Base(b.pkg)+"."+b.name+": "+b.why)
				}
			}
		case *ast.Ident:
			if n.Name == "InsecureSkipVerify" {
				report(n, "certificates are always checked")
			}
		case *ast.CallExpr:
			if shell := s.startsShell(n); shell != "" {
				report(n, "no shell stands between us and a program: "+shell)
			}
			if s.formatsSQL(n) {
				report(n, "SQL is never put together from values")
			}
		case *ast.BinaryExpr:
			if s.joinsSQL(n) {
				report(n, "SQL is never put together from values")
			}
		}
		return true
	})
	return found
}

// refers reports whether the selector means that name of that package.
func (s source) refers(sel *ast.SelectorExpr, pkg, name string) bool {
	x, ok := sel.X.(*ast.Ident)
	return ok && sel.Sel.Name == name && s.imports[x.Name] == pkg
}

// startsShell returns the shell that a call of exec.Command names. The one that reads the login shell's PATH takes
// the user's own shell from a variable and a fixed script.
func (s source) startsShell(call *ast.CallExpr) string {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !s.refers(sel, "os/exec", "Command") && !s.refers(sel, "os/exec", "CommandContext") {
		return ""
	}
	for _, arg := range call.Args {
		if text, ok := literal(arg); ok {
			if base := strings.ToLower(path.Base(strings.ReplaceAll(text, `\`, "/"))); slices.Contains(shells, base) {
				return text
			}
		}
	}
	return ""
}

// sqlStart is how a statement, or a clause that continues one, begins.
var sqlStart = regexp.MustCompile(`(?i)^\s*(select|insert|update|delete|replace|with|pragma|create|drop|alter|attach|vacuum|from|where|and|or|order by|limit|values|join|set)\s`)

// formatsSQL reports whether a call formats what begins like SQL.
func (s source) formatsSQL(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !s.inStore() || !s.refers(sel, "fmt", "Sprintf") && !s.refers(sel, "fmt", "Fprintf") && !s.refers(sel, "fmt", "Appendf") {
		return false
	}
	return slices.ContainsFunc(call.Args, func(a ast.Expr) bool {
		text, ok := literal(a)
		return ok && sqlStart.MatchString(text)
	})
}

// joinsSQL reports whether an expression joins SQL with anything but fixed text.
func (s source) joinsSQL(e *ast.BinaryExpr) bool {
	if e.Op != token.ADD || !s.inStore() || s.fixed(e) {
		return false
	}
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok {
			text, ok := literal(lit)
			found = found || ok && sqlStart.MatchString(text)
		}
		return !found
	})
	return found
}

// fixed reports whether an expression is made of literals, constants of the package, and variables that this file
// sets to nothing else.
func (s source) fixed(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.ParenExpr:
		return s.fixed(e.X)
	case *ast.BinaryExpr:
		return s.fixed(e.X) && s.fixed(e.Y)
	case *ast.Ident:
		return s.consts[e.Name] || s.setToFixed(e.Name)
	}
	return false
}

func (s source) setToFixed(name string) bool {
	set, fixed := false, true
	ast.Inspect(s.file, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for i, left := range assign.Lhs {
			if id, ok := left.(*ast.Ident); ok && id.Name == name {
				set = true
				fixed = fixed && len(assign.Lhs) == len(assign.Rhs) && !mentions(assign.Rhs[i], name) && s.fixed(assign.Rhs[i])
			}
		}
		return true
	})
	return set && fixed
}

func mentions(e ast.Expr, name string) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

func (s source) inStore() bool { return strings.HasPrefix(s.path, "store/") }

// literal returns the text of a string literal.
func literal(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}

func goSources(t *testing.T) []source {
	t.Helper()
	var sources []source
	consts := map[string]map[string]bool{} // by folder
	for _, file := range files(t, ".", func(name string) bool {
		return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
	}) {
		if strings.HasPrefix(file, "mcphost/mcphosttest/") || strings.HasPrefix(file, "test/bench/echo/") { // servers
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, newSource(file, fset, f, consts))
	}
	return sources
}

func newSource(file string, fset *token.FileSet, f *ast.File, consts map[string]map[string]bool) source {
	dir := path.Dir(file)
	if consts[dir] == nil {
		consts[dir] = map[string]bool{}
	}
	addConstants(consts[dir], f)
	s := source{path: file, fset: fset, file: f, imports: map[string]string{}, consts: consts[dir]}
	for _, spec := range f.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value) // the parser has accepted it
		local := path.Base(imported)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		s.imports[local] = imported
	}
	return s
}

func addConstants(names map[string]bool, f *ast.File) {
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, spec := range g.Specs {
			for _, name := range spec.(*ast.ValueSpec).Names {
				names[name.Name] = true
			}
		}
	}
}

// The page shows text that servers wrote. None of these may turn it into markup or code, or open a frame.
var bannedInPage = regexp.MustCompile(`(?i)<\s*(iframe|frame|object|embed)\b|createElement\(\s*['"](iframe|frame|object|embed|script)|\{@html|\b(inner|outer)HTML\b|insertAdjacentHTML|document\.write|\bsrcdoc\b|\beval\s*\(|\bnew Function\b|BrowserOpenURL\(`)

func TestPageSources(t *testing.T) {
	sources := files(t, "frontend/src", func(name string) bool {
		return regexp.MustCompile(`\.(svelte|ts|css|html)$`).MatchString(name) && !strings.HasSuffix(name, ".test.ts") &&
			name != "hostile.ts" // what servers might write, as data of the fake back end
	})
	if len(sources) == 0 {
		t.Fatal("no source of the page was found")
	}
	pages, err := filepath.Glob("frontend/*.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(sources, pages...) {
		for i, line := range strings.Split(read(t, file), "\n") {
			if found := bannedInPage.FindString(line); found != "" {
				t.Errorf("%s:%d: %q: no raw markup, no code from text, no frame", file, i+1, found)
			}
		}
	}
}

func TestWailsPin(t *testing.T) {
	if !regexp.MustCompile(`(?m)^\s*(require\s+)?` + regexp.QuoteMeta(wailsPin) + `\b`).MatchString(read(t, "go.mod")) {
		t.Errorf("go.mod does not require %s", wailsPin)
	}
}

// A lock file pins every package by its digest and names no address: it comes from whatever registry is set up.
func TestLockFiles(t *testing.T) {
	locks := files(t, ".", func(name string) bool { return name == "package-lock.json" })
	if len(locks) == 0 {
		t.Fatal("no lock file was found")
	}
	for _, file := range locks {
		var lock struct {
			Packages map[string]struct {
				Resolved, Integrity string
				InBundle, Link      bool
			}
		}
		if err := json.Unmarshal([]byte(read(t, file)), &lock); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for name, p := range lock.Packages {
			if name == "" || p.InBundle {
				continue
			}
			if p.Link || !strings.HasPrefix(p.Integrity, "sha512-") {
				t.Errorf("%s: %s is not pinned by a digest", file, name)
			}
			if p.Resolved != "" {
				t.Errorf("%s: %s names the address %s; the lock holds name, version and hash only", file, name, p.Resolved)
			}
		}
	}
}

// files are the files below root whose base name matches, without what tools have put there.
func files(t *testing.T, root string, match func(name string) bool) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git" || d.Name() == "dist"):
			return filepath.SkipDir
		case !d.IsDir() && match(d.Name()):
			found = append(found, filepath.ToSlash(p))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func read(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
