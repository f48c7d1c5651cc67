package transport

// This file decides what a child process sees of the app's environment (SEC A8, ACC A04, A10).

import (
	"runtime"
	"slices"
	"strings"
)

// inherited names the variables that a server gets. Everything else stays out: API keys and cloud tokens, loader
// variables (LD_PRELOAD, DYLD_*), agent sockets. DBUS_SESSION_BUS_ADDRESS is left out knowingly, it opens the
// keyring; so is XDG_RUNTIME_DIR, where D-Bus libraries look for the same socket.
var inherited = []string{
	"HOME", "LANG", "LANGUAGE", "LC_*", "LOGNAME", "SHELL", "TERM", "TMPDIR", "TZ", "USER",
}

var inheritedWindows = []string{
	"APPDATA", "COMPUTERNAME", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "NUMBER_OF_PROCESSORS", "OS",
	"PATHEXT", "PROCESSOR_ARCHITECTURE", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432",
	"SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERDOMAIN", "USERNAME", "USERPROFILE", "WINDIR",
}

// BaseEnv returns the environment of a server before its own configuration is added: the harmless part of environ
// (NAME=value), path as PATH unless it is "", and the switches that make Python speak UTF-8 on its pipes.
func BaseEnv(environ []string, path string) []string {
	return baseEnv(environ, path, runtime.GOOS)
}

// BaseEnvNames returns the sorted names of what BaseEnv passes on, for display.
func BaseEnvNames(environ []string) []string {
	var names []string
	for _, entry := range BaseEnv(environ, "-") {
		name, _, _ := strings.Cut(entry, "=")
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func baseEnv(environ []string, path, goos string) []string {
	env := []string{"PYTHONUTF8=1", "PYTHONIOENCODING=utf-8"}
	if path != "" {
		env = append(env, "PATH="+path)
	}
	seen := map[string]bool{}
	for _, entry := range environ {
		name, value, ok := strings.Cut(entry, "=")
		if !ok || seen[name] || !inherits(name, goos) {
			continue
		}
		seen[name] = true
		if strings.HasPrefix(value, "()") { // an exported bash function is code
			continue
		}
		env = append(env, entry)
	}
	return env
}

func inherits(name, goos string) bool {
	list := inherited
	if goos == "windows" {
		list, name = inheritedWindows, strings.ToUpper(name)
	}
	return slices.ContainsFunc(list, func(pattern string) bool {
		prefix, wild := strings.CutSuffix(pattern, "*")
		return pattern == name || wild && strings.HasPrefix(name, prefix)
	})
}

// mergeEnv adds configured variables to base: one with a name that is there already replaces it.
func mergeEnv(base, configured []string, goos string) []string {
	key := func(entry string) string {
		name, _, _ := strings.Cut(entry, "=")
		if goos == "windows" {
			return strings.ToUpper(name)
		}
		return name
	}
	replaced := map[string]bool{}
	for _, entry := range configured {
		replaced[key(entry)] = true
	}
	env := slices.DeleteFunc(slices.Clone(base), func(entry string) bool { return replaced[key(entry)] })
	return append(env, configured...)
}
