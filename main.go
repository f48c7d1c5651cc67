// Gatehouse is a desktop host for the Model Context Protocol.
//
// Without a command it opens the window. `gatehouse tools|call|doctor` is the same host in a terminal,
// `gatehouse guardian` the small process that ends every server if the app dies, and `gatehouse demo-server` an MCP
// server to try Gatehouse with.
package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"gatehouse/app"
	"gatehouse/app/cli"
	"gatehouse/app/demo"
	"gatehouse/app/desktop"
	"gatehouse/mcphost/transport"
)

//go:embed all:frontend/dist
var page embed.FS

//go:embed build/appicon.png
var icon []byte

// version is set by the build: -ldflags "-X main.version=…".
var version = "0.1.0"

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) (exit int) {
	closeInspector()
	level := new(slog.LevelVar)
	level.Set(slog.LevelError) // the rest is told in words
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
	if len(args) > 0 {
		switch args[0] {
		case "guardian":
			if err := transport.RunGuardian(os.Stdin); err != nil {
				fmt.Fprintln(os.Stderr, "gatehouse guardian:", err)
				return 1
			}
			return 0
		case app.DemoCommand:
			if err := demo.Serve(context.Background(), os.Stdin, os.Stdout, &demo.Options{Version: version}); err != nil {
				fmt.Fprintln(os.Stderr, "gatehouse "+app.DemoCommand+":", err)
				return 1
			}
			return 0
		case "--version", "version":
			fmt.Println("gatehouse", version)
			return 0
		}
	}
	w, isWindow, err := windowArgs(args)
	if !isWindow {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		context.AfterFunc(ctx, stop) // who interrupts twice does not want to wait
		return terminal(log).Run(ctx, args)
	}
	if err == nil {
		err = openWindow(w, log, level)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gatehouse:", err)
		return 2
	}
	return 0
}

// windowOptions is what the command line says about the window.
type windowOptions struct{ dataDir string }

// windowArgs reads the arguments of the window; isWindow is false if they name a terminal command.
func windowArgs(args []string) (w windowOptions, isWindow bool, err error) {
	switch {
	case len(args) == 0:
		return w, true, nil
	case args[0] == "--data-dir" && len(args) == 2 && args[1] != "":
		return windowOptions{dataDir: args[1]}, true, nil
	case args[0] == "--data-dir" && len(args) == 1:
		return w, true, errors.New("--data-dir needs a folder")
	}
	return w, false, nil
}

func openWindow(w windowOptions, log *slog.Logger, level *slog.LevelVar) error {
	if !hasWindow {
		return errors.New("this build has no window; `make run` builds one, and `gatehouse help` lists what works here")
	}
	if noDisplay(runtime.GOOS, os.Getenv) {
		return errors.New("there is no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set); `gatehouse help` lists what works in a terminal")
	}
	assets, err := fs.Sub(page, "frontend/dist")
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program: %w", err)
	}
	dir, err := dataDir(w.dataDir)
	if err != nil {
		return err
	}
	bus := sessionBus()
	if bus != nil {
		defer bus.Close() // last: who starts meanwhile waits until we have ended
	}
	var flags []string
	if w.dataDir != "" {
		flags = []string{"--data-dir", dir}
	}
	return app.Run(app.Window{
		Version: version, Self: self, Assets: assets, Icon: icon, Log: log, Level: level, Codes: errorCodes(), DataDir: dir, Flags: flags, Bus: bus,
		Open: func(ctx context.Context, changed func()) (*app.Engine, error) {
			return openForWindow(ctx, dir, log, changed)
		},
	})
}

// sessionBus returns nil if there is none, or none is wanted.
func sessionBus() *desktop.Bus {
	if generating {
		return nil
	}
	bus, err := desktop.Connect()
	if err != nil {
		return nil // the lock of the data directory still holds, and nobody is notified
	}
	return bus
}

func noDisplay(goos string, getenv func(string) string) bool {
	return goos == "linux" && !generating && getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == ""
}

func terminal(log *slog.Logger) *cli.Program {
	return &cli.Program{
		Version: version, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ(), Terminal: cli.ControllingTerminal,
		Open:       func(ctx context.Context, s cli.Setup) (*cli.Engine, error) { return openForTerminal(ctx, s, log) },
		ErrorCodes: codeOf,
	}
}
