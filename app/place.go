package app

// This file remembers where the window was and whether it was dark, so that the next one opens there and is never
// white first. That is needed before the store is open, so it is a small file of its own in the data directory. What
// it says is checked: it may be damaged, or from before a screen was unplugged.

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"sync"

	"github.com/wailsapp/wails/v2/pkg/options"
)

const (
	placeFile = "window.json"

	usualWidth, usualHeight = 1280, 820
	leastWidth, leastHeight = 960, 640
	mostSide                = 16384 // pixels; no screen is larger
	grip                    = 80    // of the window that must be on the screen, to take hold of it
)

// A place is where a window is, in pixels. Position and size are those of the window when it is not maximised.
type place struct {
	Width     int    `json:"width"`
	Height    int    `json:"height"`
	X         int    `json:"x"`
	Y         int    `json:"y"`
	Placed    bool   `json:"placed"` // X and Y are known
	Maximised bool   `json:"maximised"`
	Theme     string `json:"theme"` // shown last: "light", "dark", "" before the first
}

// readPlace returns the usual place if there is none, or none that makes sense.
func readPlace(dir string) place {
	usual := place{Width: usualWidth, Height: usualHeight}
	text, err := os.ReadFile(filepath.Join(dir, placeFile))
	p := usual
	if err != nil || json.Unmarshal(text, &p) != nil {
		return usual
	}
	if p.Width < leastWidth || p.Width > mostSide || p.Height < leastHeight || p.Height > mostSide {
		p.Width, p.Height, p.Placed = usualWidth, usualHeight, false
	}
	if p.Theme != "dark" && p.Theme != "light" {
		p.Theme = ""
	}
	return p
}

// write replaces the file in one step.
func (p place) write(dir string) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, placeFile+".*") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, placeFile))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// fit fits a place to the screens that are there now. Wails tells their sizes, not where they stand, so that a position
// is taken over only where there is one screen.
func (p place) fit(screens []screen) place {
	if len(screens) == 0 {
		return p
	}
	var width, height int
	for _, s := range screens {
		width, height = max(width, s.Width), max(height, s.Height)
	}
	p.Width, p.Height = max(min(p.Width, width), leastWidth), max(min(p.Height, height), leastHeight)
	p.Placed = p.Placed && len(screens) == 1 && p.X > grip-p.Width && p.X < width-grip && p.Y >= 0 && p.Y < height-grip
	return p
}

// A screen is the size of one, in the pixels of a place.
type screen struct{ Width, Height int }

// background is the page's --bg in a theme (tokens.css): what is seen before the first paint, and beside the page while
// the window grows.
func background(theme string) *options.RGBA {
	if theme == "dark" {
		return options.NewRGB(0x15, 0x17, 0x1B)
	}
	return options.NewRGB(0xF6, 0xF7, 0xF9)
}

// themed writes the theme into the document itself: a script would come after the first paint. Both attributes have
// the same length.
func themed(theme string, next http.Handler) http.Handler {
	to := map[string]string{"light": `data-theme="light"`, "dark": `data-theme="dark" `}[theme]
	if to == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" || r.URL.Path == "/index.html" {
			w = themedWriter{w, []byte(to)}
		}
		next.ServeHTTP(w, r)
	})
}

type themedWriter struct {
	http.ResponseWriter
	to []byte
}

func (w themedWriter) Write(b []byte) (int, error) {
	return w.ResponseWriter.Write(bytes.Replace(b, []byte(`data-theme="first"`), w.to, 1))
}

// placed keeps the place of this run's window.
type placed struct {
	dir string // "" = nothing is kept

	mu  sync.Mutex
	now place // guarded by mu
}

func (p *placed) change(f func(*place)) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.now
	f(&p.now)
	if p.now == before || p.dir == "" {
		return nil
	}
	return p.now.write(p.dir)
}

func (p *placed) get() place {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now
}

// restore moves the window to where it was. It waits until there is a window.
func (d *desk) restore() {
	now := d.placed.get()
	fit := now.fit(d.frame.Screens())
	if fit.Width != now.Width || fit.Height != now.Height {
		d.frame.Resize(fit.Width, fit.Height)
	}
	if fit.Placed && !fit.Maximised {
		d.frame.Move(fit.X, fit.Y)
	}
}

// remember keeps where the window is, which is about to go. A data directory that could not be opened is left alone.
func (d *desk) remember() {
	select {
	case <-d.ready:
	default:
		return
	}
	if d.eng == nil {
		return
	}
	at := d.frame.Place()
	err := d.placed.change(func(p *place) {
		p.Maximised = at.Maximised
		if !at.Maximised {
			p.Width, p.Height, p.X, p.Y, p.Placed = at.Width, at.Height, at.X, at.Y, true
		}
	})
	if err != nil {
		d.log.Error("keep the window's place", "error", err)
	}
}

// Painted says in which theme the page is shown: "light" or "dark".
func (a *App) Painted(theme string) (err error) {
	defer catch(&err)
	if _, _, err := a.engine(); err != nil {
		return err
	}
	if theme != "light" && theme != "dark" {
		return badInput("theme", theme)
	}
	a.frame.SetBackground(background(theme))
	return a.placed.change(func(p *place) { p.Theme = theme })
}
