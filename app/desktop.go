package app

// This file opens the window.

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"runtime"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"

	"gatehouse/app/desktop"
)

// csp is the policy of security.md §7; index.html carries the same one as meta, without frame-ancestors.
const csp = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; " +
	"font-src 'self'; connect-src 'self'; frame-src 'none'; child-src 'none'; worker-src 'none'; object-src 'none'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

// A Window is what main gives to Run.
type Window struct {
	Version string
	Self    string   // absolute path of this program, for the demo server
	Flags   []string // of this program, to work on the same data folder
	Assets  fs.FS    // the built page, index.html at its root
	Icon    []byte
	Log     *slog.Logger
	Level   *slog.LevelVar // of Log, for the user to set
	DataDir string         // absolute; one window is open on it at a time
	Bus     *desktop.Bus   // nil = no session bus: only the lock of the data directory tells windows apart
	// Open opens the engine when the window starts; changed is to be called when the consent queue changes.
	Open  func(ctx context.Context, changed func()) (*Engine, error)
	Codes []ErrorCode // catalogue keys of errors that this package does not know
}

// Run opens the window and returns when it is closed and everything behind it has ended. If a window is open on the
// data directory already, it comes forward instead, and nothing is opened or started here.
func Run(w Window) (err error) {
	defer func() { // GTK reports a missing display by panicking
		if p := recover(); p != nil {
			err = fmt.Errorf("the window could not be opened (%v); is the display %q there?", p, os.Getenv("DISPLAY"))
		}
	}()
	d := newDesk(w)
	if w.Bus != nil {
		handed, err := w.Bus.HandOver(context.Background(), w.DataDir, d.show)
		if handed {
			fmt.Println("gatehouse: the window that is open on this data folder comes forward")
			return nil
		}
		if err != nil {
			w.Log.Error("one window at a time", "error", err) // the lock of the data directory still holds
		}
	}
	at := readPlace(w.DataDir)
	d.placed.now, d.placed.dir = at, w.DataDir
	state := options.Normal
	if at.Maximised {
		state = options.Maximised
	}
	return wails.Run(&options.App{
		Title: "Gatehouse", Width: at.Width, Height: at.Height, MinWidth: leastWidth, MinHeight: leastHeight, Frameless: true,
		WindowStartState: state,
		BackgroundColour: background(at.Theme),
		AssetServer: &assetserver.Options{Assets: w.Assets, Middleware: func(next http.Handler) http.Handler {
			return protect(themed(at.Theme, next))
		}},
		OnStartup:          d.startup,
		OnBeforeClose:      d.leave.beforeClose,
		OnShutdown:         func(context.Context) { d.stop() },
		ErrorFormatter:     d.formatError,
		Bind:               d.services(),
		SingleInstanceLock: singleInstance(w.DataDir, d.show),
		LogLevel:           logger.ERROR, LogLevelProduction: logger.ERROR,
		DragAndDrop: &options.DragAndDrop{DisableWebViewDrop: true},
		Linux:       &linux.Options{Icon: w.Icon, ProgramName: "gatehouse", WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
	})
}

// singleInstance is Wails' hand-over, for systems without a session bus. What the second process sends along is not
// looked at.
func singleInstance(dir string, show func() error) *options.SingleInstanceLock {
	if runtime.GOOS == "linux" {
		return nil
	}
	return &options.SingleInstanceLock{
		UniqueId:               desktop.WindowName(dir),
		OnSecondInstanceLaunch: func(options.SecondInstanceData) { _ = show() }, // it fails while we close: nobody to tell
	}
}

// services are the bound structs; TestBoundMethods holds the reviewed list of their methods (SEC H7).
func (d *desk) services() []any {
	return []any{&App{d}, &Servers{d}, &Tools{d}, &Resources{d}, &Prompts{d}, &Completion{d}, &Attachments{d}, &Tasks{d}, &Consent{d}, &Chat{d}, &History{d}, &Profiles{d}, &Roots{d}, &Trace{d}}
}

// protect adds the security headers to every asset response.
func protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", csp)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		next.ServeHTTP(w, r)
	})
}
