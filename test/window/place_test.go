//go:build window

package window

// This file opens a window twice.

import (
	"image/color"
	"strings"
	"testing"
)

// gtkLight is what GTK may paint for a moment before the window has a background of its own (ARCHITECTURE.md, Rough
// edges). The page's light colours are others.
var gtkLight = color.RGBA{246, 245, 244, 255}

func TestTheNextWindowOpensAsTheLastOne(t *testing.T) {
	dir := t.TempDir()
	w := open(t, "gatehouse-e2e", "--data-dir", dir)
	u := newUser(t, w)
	w.manage(t)
	for _, args := range [][]string{{"windowsize", "--sync", w.shown(t), "1000", "700"}, {"windowmove", "--sync", w.shown(t), "120", "60"}} {
		if _, err := w.ask(t, args...); err != nil {
			t.Fatal(args, err)
		}
	}
	u.until("the page is dark", `(window.dark ??= go.app.App.SetTheme('dark'), document.documentElement.dataset.theme === 'dark')`)
	_, _ = w.ask(t, "key", "ctrl+q") // it fails when the display ends with the window before its key is up
	<-w.ended

	w = open(t, "gatehouse-e2e", "--data-dir", dir)
	eventually(t, "the window paints, dark from the beginning", func() bool {
		screen, err := readScreen(w.screen())
		if err != nil {
			return false
		}
		if c := screen.RGBAAt(600, 400); c.R > 0x60 && c != gtkLight {
			t.Fatalf("the middle of the window is %v", c)
		}
		return colours(screen) >= paintedColours
	})
	w.keepScreen(t)
	eventually(t, "the window is where it was", func() bool {
		out, err := w.ask(t, "getwindowgeometry", w.shown(t))
		return err == nil && strings.Contains(out, "Position: 120,60") && strings.Contains(out, "Geometry: 1000x700")
	})
}
