package app

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOnlyAPlaceThatMakesSenseIsTaken(t *testing.T) {
	usual := place{Width: usualWidth, Height: usualHeight}
	good := place{Width: 1100, Height: 700, X: -5, Y: 30, Placed: true, Maximised: true, Theme: "dark"}
	dark := usual
	dark.Theme = "dark"
	for text, want := range map[string]place{
		`{"width":1100,"height":700,"x":-5,"y":30,"placed":true,"maximised":true,"theme":"dark"}`: good,
		`{"width":0,"height":700,"x":1,"y":1,"placed":true,"theme":"dark"}`:                       {Width: usualWidth, Height: usualHeight, X: 1, Y: 1, Theme: "dark"},
		`{"theme":"dark"}`:                       dark,
		`{"width":1e9,"height":700,"theme":"x"}`: usual,
		`{"width":99999999999999999999}`:         usual,
		`{"width":-1100,"height":-700}`:          usual,
		`not JSON`:                               usual,
		``:                                       usual,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, placeFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := readPlace(dir); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	if got := readPlace(filepath.Join(t.TempDir(), "none")); got != usual {
		t.Errorf("no file: %+v", got)
	}
}

func TestAPlaceFitsTheScreens(t *testing.T) {
	at := func(width, height, x, y int) place {
		return place{Width: width, Height: height, X: x, Y: y, Placed: true}
	}
	full := []screen{{1920, 1080}}
	for _, tt := range []struct {
		in      place
		screens []screen
		width   int
		placed  bool
	}{
		{at(1200, 800, 100, 50), full, 1200, true},
		{at(1200, 800, -1200+grip+1, 0), full, 1200, true},
		{at(1200, 800, -1200+grip, 0), full, 1200, false},
		{at(1200, 800, 1920-grip, 0), full, 1200, false},
		{at(1200, 800, 100, -1), full, 1200, false}, // its title bar would be out of reach
		{at(1200, 800, 100, 1080-grip), full, 1200, false},
		{at(1200, 800, 2500, 50), full, 1200, false}, // on a screen that is gone
		{at(3000, 800, 0, 0), full, 1920, true},
		{at(1200, 800, 0, 0), []screen{{800, 600}}, leastWidth, true},
		{at(1200, 800, 100, 50), []screen{{1920, 1080}, {1920, 1080}}, 1200, false}, // Wails does not tell where they stand
	} {
		if got := tt.in.fit(tt.screens); got.Width != tt.width || got.Placed != tt.placed {
			t.Errorf("%+v on %v: %+v", tt.in, tt.screens, got)
		}
	}
}

func TestTheWindowsPlaceIsKept(t *testing.T) {
	w := openWindow(t)
	dir := t.TempDir()
	w.desk.placed.dir, w.desk.placed.now = dir, readPlace(dir)
	if err := w.app.Painted("blue"); err == nil {
		t.Error("any theme is taken")
	}
	if err := w.app.Painted("dark"); err != nil || !w.frame.has("background") {
		t.Fatal(err, w.frame.did)
	}
	if w.desk.leave.beforeClose(t.Context()) {
		t.Fatal("it does not close")
	}
	want := place{Width: 1000, Height: 700, X: 5, Y: 6, Placed: true, Theme: "dark"}
	if got := readPlace(dir); got != want {
		t.Errorf("kept %+v, want %+v", got, want)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Errorf("files: %v, %v", files, err)
	}
	w.desk.restore()
	if !w.frame.has(fmt.Sprint("move ", 5, 6)) {
		t.Errorf("did %v", w.frame.did)
	}
}

func TestTheDocumentBeginsInTheRightTheme(t *testing.T) {
	page, err := os.ReadFile("../frontend/index.html")
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := os.ReadFile("../frontend/src/styles/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	serve := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(page) })
	for theme, attribute := range map[string]string{"": `data-theme="first"`, "light": `data-theme="light"`, "dark": `data-theme="dark" `} {
		w := httptest.NewRecorder()
		themed(theme, serve).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		if got := w.Body.String(); len(got) != len(page) || strings.Count(got, attribute) != 1 {
			t.Errorf("%q: %s", theme, got)
		}
		w = httptest.NewRecorder()
		themed(theme, serve).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/assets/x.js", nil))
		if w.Body.String() != string(page) {
			t.Errorf("%q changes other files", theme)
		}
		c := background(theme)
		if colour := fmt.Sprintf("--bg:#%02X%02X%02X", c.R, c.G, c.B); !strings.Contains(string(tokens), colour) {
			t.Errorf("the page has no %s", colour)
		}
	}
}
