package app

// This file is what the Go side asks of the native window.

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// A frame is the native window. Tests put another in its place.
type frame interface {
	// Present brings the window forward, from wherever it is.
	Present()
	Minimise()
	SetTitle(title string)
	// Quit asks to close; Wails calls OnBeforeClose for it, in a goroutine of its own.
	Quit()
	// AskFile asks the user where to save a file; "" = they did not say.
	AskFile(name string) (path string, err error)
}

// wailsFrame is the real one; ctx is what Wails gave to OnStartup.
type wailsFrame struct{ ctx context.Context }

func (f wailsFrame) Present() {
	runtime.WindowShow(f.ctx)
	runtime.WindowUnminimise(f.ctx) // GTK presents the window with it: it raises and asks for the focus
}

func (f wailsFrame) SetTitle(title string) { runtime.WindowSetTitle(f.ctx, title) }

func (f wailsFrame) Minimise() { runtime.WindowMinimise(f.ctx) }
func (f wailsFrame) Quit()     { runtime.Quit(f.ctx) }
func (f wailsFrame) AskFile(name string) (string, error) {
	return runtime.SaveFileDialog(f.ctx, runtime.SaveDialogOptions{DefaultFilename: name})
}
