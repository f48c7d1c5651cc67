package transport

// This file lists where tools install themselves without telling the desktop session (ACC A01).

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// wellKnown returns directories that may hold commands, whether they exist or not. Without a home there are few.
func wellKnown(env environ, goos string) []string {
	var dirs []string
	home := env.home()
	under := func(base string, paths ...string) {
		if filepath.IsAbs(base) {
			for _, p := range paths {
				dirs = append(dirs, filepath.Join(base, filepath.FromSlash(p)))
			}
		}
	}
	if goos == "windows" {
		under(home, ".local/bin", ".cargo/bin", ".bun/bin", ".deno/bin", "go/bin", "scoop/shims")
		under(env.get("APPDATA"), "npm")
		under(env.get("LOCALAPPDATA"), "Volta/bin", "mise/shims")
		under(env.get("PROGRAMFILES"), "nodejs")
		return dirs
	}
	under(home, ".local/bin")
	dirs = append(dirs, "/usr/local/bin", "/opt/homebrew/bin")
	if bin := nvmDefault(cmp.Or(env.get("NVM_DIR"), filepath.Join(home, ".nvm"))); bin != "" {
		dirs = append(dirs, bin)
	}
	under(home, ".volta/bin", ".local/share/mise/shims", ".asdf/shims", ".cargo/bin", ".bun/bin", ".deno/bin", "go/bin")
	return append(dirs, "/snap/bin")
}

// nvmDefault returns the directory of the node version that nvm uses in a new shell, "" if there is none. nvm keeps
// it as an alias: a version, the beginning of one, "node" for the newest, or the name of another alias.
func nvmDefault(nvm string) string {
	if !filepath.IsAbs(nvm) {
		return ""
	}
	root, err := os.OpenRoot(nvm)
	if err != nil {
		return ""
	}
	defer root.Close()
	name := "default"
	for range 5 { // aliases of aliases
		text, err := root.ReadFile(filepath.Join("alias", name))
		if err != nil {
			break
		}
		name, _, _ = strings.Cut(strings.TrimSpace(string(text)), "\n")
	}
	if name == "default" {
		return ""
	}
	versions, err := os.ReadDir(filepath.Join(nvm, "versions", "node"))
	if err != nil {
		return ""
	}
	var best []int
	var dir string
	for _, entry := range versions {
		v := version(entry.Name())
		if v != nil && (name == "node" || name == "stable" || hasPrefix(v, version(name))) && slices.Compare(v, best) > 0 {
			best, dir = v, entry.Name()
		}
	}
	if dir == "" {
		return ""
	}
	return filepath.Join(nvm, "versions", "node", dir, "bin")
}

// version reads "v20.11.0" or the beginning of such; nil if it is none.
func version(s string) []int {
	var v []int
	for part := range strings.SplitSeq(strings.TrimPrefix(s, "v"), ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil
		}
		v = append(v, n)
	}
	return v
}

func hasPrefix(v, prefix []int) bool {
	return prefix != nil && len(v) >= len(prefix) && slices.Equal(v[:len(prefix)], prefix)
}
