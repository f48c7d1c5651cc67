// Package app is the Go side of the window: one bound service per feature, each method validating, calling the
// engine and mapping. It decides nothing. frontend/src/backend/backend.ts is the same surface seen from the page.
package app

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"os"
	goruntime "runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/llm"
	"gatehouse/mcphost/trace"
)

// An Engine is everything a window works on. main wires it.
type Engine struct {
	Host     *mcphost.Host
	Queue    *consent.Queue
	History  mcphost.History
	Profiles mcphost.Profiles
	Settings Settings
	Secrets  mcphost.Secrets
	Model    llm.Model // nil = the user is the model
	Trace    *trace.Ring
	DataDir  string
	Notices  []Notice
	Close    func(context.Context) error // ends the host, then the store

	changing sync.Mutex // one change of the profiles or their servers at a time
}

// Settings keeps small values by key; "" is "not set".
type Settings interface {
	Setting(ctx context.Context, key string) (string, error)
	SetSetting(ctx context.Context, key, value string) error
}

// A Notice is something the user must know about this run. The page has a sentence for each code.
type Notice struct {
	Code   string `json:"code"` // "keyring-session", "keyring-keyring" (there, but silent)
	Detail string `json:"detail"`
}

// A Seal is the mark of the gate: only the gate shows it.
type Seal struct {
	Picture string `json:"picture"`
	Word    string `json:"word"`
}

// State is what the page needs first.
type State struct {
	Version        string   `json:"version"`
	DataDir        string   `json:"dataDir"`
	Theme          string   `json:"theme"`
	TextSize       int      `json:"textSize"` // percent
	Language       string   `json:"language"`
	SystemLanguage string   `json:"systemLanguage"`
	FirstRun       bool     `json:"firstRun"` // the user has not been welcomed yet
	Seal           Seal     `json:"seal"`
	ArmingMs       int      `json:"armingMs"`
	Notices        []Notice `json:"notices"`
	WindowControls bool     `json:"windowControls"`
	Program        []string `json:"program"`   // this program, and the flags that name this data folder
	LogLevel       string   `json:"logLevel"`  // of its own diagnostics on standard error
	GoVersion      string   `json:"goVersion"` // of the standard library that is in this program
	Notify         string   `json:"notify"`    // "on", "off", "" = nothing can be shown here
}

// App is the window itself: its state and settings.
type App struct{ *desk }

// State returns what the page needs first; it waits until the engine is open, and tries again where that failed.
func (a *App) State() (s State, err error) {
	defer catch(&err)
	e, ctx, err := a.again()
	if err != nil {
		return State{}, err
	}
	theme, err := e.Settings.Setting(ctx, "theme")
	if err != nil {
		return State{}, err
	}
	textSize, err := e.Settings.Setting(ctx, keyTextSize)
	if err != nil {
		return State{}, err
	}
	language, err := e.Settings.Setting(ctx, "language")
	if err != nil {
		return State{}, err
	}
	welcomed, err := e.Settings.Setting(ctx, keyWelcomed)
	if err != nil {
		return State{}, err
	}
	notify, err := a.notifyState(ctx, e)
	if err != nil {
		return State{}, err
	}
	dismissed, err := e.Settings.Setting(ctx, keyDismissed)
	if err != nil {
		return State{}, err
	}
	seal, err := e.seal(ctx)
	if err != nil {
		return State{}, err
	}
	return State{
		Version: a.version, DataDir: e.DataDir, Theme: cmp.Or(theme, "system"), TextSize: percent(textSize), Language: cmp.Or(language, "system"),
		SystemLanguage: systemLanguage(os.Getenv), FirstRun: welcomed == "", Seal: seal, ArmingMs: int(consent.DefaultArming.Milliseconds()),
		Notices: noticesBut(dismissed, e.Notices), WindowControls: true, Program: append([]string{a.self}, a.flags...), LogLevel: levelName(a.level.Level()),
		Notify: notify, GoVersion: strings.TrimPrefix(goruntime.Version(), "go"),
	}, nil
}

// keyDismissed holds the codes of the notices that the user has dismissed and whose state has lasted since.
const keyDismissed = "dismissedNotices"

func noticesBut(dismissed string, all []Notice) []Notice {
	codes := strings.Fields(dismissed)
	return list(slices.DeleteFunc(slices.Clone(all), func(n Notice) bool { return slices.Contains(codes, n.Code) }))
}

// DismissNotice takes a notice away, at later starts too, as long as its state lasts.
func (a *App) DismissNotice(code string) (err error) {
	defer catch(&err)
	e, ctx, err := a.engine()
	if err != nil {
		return err
	}
	dismissed, err := e.Settings.Setting(ctx, keyDismissed)
	if err != nil {
		return err
	}
	return e.keepDismissed(ctx, append(strings.Fields(dismissed), code))
}

// keepDismissed keeps those codes whose state lasts: when it comes again, the notice does too.
func (e *Engine) keepDismissed(ctx context.Context, codes []string) error {
	var kept []string
	for _, n := range e.Notices {
		if slices.Contains(codes, n.Code) {
			kept = append(kept, n.Code)
		}
	}
	return e.Settings.SetSetting(ctx, keyDismissed, strings.Join(kept, " "))
}

// SetTheme keeps the theme: "system", "light" or "dark".
func (a *App) SetTheme(theme string) (err error) {
	defer catch(&err)
	return a.setOneOf("theme", theme, "system", "light", "dark")
}

// SetTextSize keeps the size of text and everything around it in percent: 100, 110, 125, 150, 175 or 200.
func (a *App) SetTextSize(size int) (err error) {
	defer catch(&err)
	return a.setOneOf(keyTextSize, strconv.Itoa(size), "100", "110", "125", "150", "175", "200")
}

// percent reads a stored text size.
func percent(stored string) int {
	if n, err := strconv.Atoi(stored); err == nil {
		return n
	}
	return 100
}

// SetLanguage keeps the language: "system", "en" or "zh-Hans".
func (a *App) SetLanguage(language string) (err error) {
	defer catch(&err)
	return a.setOneOf("language", language, "system", "en", "zh-Hans")
}

func (a *App) setOneOf(key, value string, allowed ...string) error {
	for _, v := range allowed {
		if v == value {
			e, ctx, err := a.engine()
			if err != nil {
				return err
			}
			if err := e.Settings.SetSetting(ctx, key, value); err != nil {
				return err
			}
			a.emit("app", "", "")
			return nil
		}
	}
	return badInput(key, value)
}

const keyLogLevel = "logLevel"

var logLevels = map[string]slog.Level{"error": slog.LevelError, "warn": slog.LevelWarn, "info": slog.LevelInfo, "debug": slog.LevelDebug}

func levelName(l slog.Level) string { return strings.ToLower(l.String()) }

// SetLogLevel keeps from which level on the app's own diagnostics are written: "error", "warn", "info" or "debug".
func (a *App) SetLogLevel(level string) (err error) {
	defer catch(&err)
	if err := a.setOneOf(keyLogLevel, level, slices.Collect(maps.Keys(logLevels))...); err != nil {
		return err
	}
	a.level.Set(logLevels[level])
	return nil
}

// CopyText puts text on the clipboard.
func (a *App) CopyText(text string) (err error) {
	defer catch(&err)
	_, ctx, err := a.engine()
	if err != nil {
		return err
	}
	return runtime.ClipboardSetText(ctx, text)
}

// systemLanguage reads the POSIX variables in their order and returns a BCP 47 tag, "en" if none is set.
func systemLanguage(getenv func(string) string) string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		tag, _, _ := strings.Cut(getenv(name), ".")
		tag, _, _ = strings.Cut(tag, "@")
		if tag != "" && tag != "C" && tag != "POSIX" {
			return strings.ReplaceAll(tag, "_", "-")
		}
	}
	return "en"
}

// list never is nil: a nil slice would reach the page as null.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
