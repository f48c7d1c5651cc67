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
}

// wailsFrame is the real one; ctx is what Wails gave to OnStartup.
type wailsFrame struct{ ctx context.Context }

func (f wailsFrame) Present() {
	runtime.WindowShow(f.ctx)
	runtime.WindowUnminimise(f.ctx) // GTK presents the window with it: it raises and asks for the focus
}
