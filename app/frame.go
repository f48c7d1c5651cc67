package app

// This file is what the Go side asks of the native window.

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// A frame is the native window. Tests put another in its place.
type frame interface {
	// Present brings the window forward, from wherever it is.
	Present()
	Minimise()
	SetTitle(title string)
	SetBackground(c *options.RGBA)
	// Screens waits until the window is there.
	Screens() []screen
	Place() place
	Move(x, y int)
	Resize(width, height int)
	// Quit asks to close; Wails calls OnBeforeClose for it, in a goroutine of its own.
	Quit()
	// AskFile asks the user where to save a file; "" = they did not say.
	AskFile(name string) (path string, err error)
	// AskRoot asks for a folder, or a file, that is there; "" = they did not say.
	AskRoot(file bool) (path string, err error)
}

// wailsFrame is the real one; ctx is what Wails gave to OnStartup.
type wailsFrame struct{ ctx context.Context }

func (f wailsFrame) Present() {
	runtime.WindowShow(f.ctx)
	runtime.WindowUnminimise(f.ctx) // GTK presents the window with it: it raises and asks for the focus
}

func (f wailsFrame) SetTitle(title string) { runtime.WindowSetTitle(f.ctx, title) }

func (f wailsFrame) SetBackground(c *options.RGBA) {
	runtime.WindowSetBackgroundColour(f.ctx, c.R, c.G, c.B, c.A)
}

func (f wailsFrame) Screens() (screens []screen) {
	all, err := runtime.ScreenGetAll(f.ctx)
	if err != nil {
		return nil // as on a system that does not tell
	}
	for _, s := range all {
		screens = append(screens, screen{s.Size.Width, s.Size.Height})
	}
	return screens
}

func (f wailsFrame) Place() (p place) {
	p.Maximised = runtime.WindowIsMaximised(f.ctx)
	p.Width, p.Height = runtime.WindowGetSize(f.ctx)
	p.X, p.Y = runtime.WindowGetPosition(f.ctx)
	return p
}

func (f wailsFrame) Move(x, y int)            { runtime.WindowSetPosition(f.ctx, x, y) }
func (f wailsFrame) Resize(width, height int) { runtime.WindowSetSize(f.ctx, width, height) }

func (f wailsFrame) Minimise() { runtime.WindowMinimise(f.ctx) }
func (f wailsFrame) Quit()     { runtime.Quit(f.ctx) }
func (f wailsFrame) AskFile(name string) (string, error) {
	return runtime.SaveFileDialog(f.ctx, runtime.SaveDialogOptions{DefaultFilename: name})
}

func (f wailsFrame) AskRoot(file bool) (string, error) {
	if file {
		return runtime.OpenFileDialog(f.ctx, runtime.OpenDialogOptions{ShowHiddenFiles: true})
	}
	return runtime.OpenDirectoryDialog(f.ctx, runtime.OpenDialogOptions{CanCreateDirectories: true})
}
