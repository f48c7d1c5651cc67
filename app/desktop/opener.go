package desktop

// This file shows a folder in the user's file manager, and an address in their browser.

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

const openerWait = 5 * time.Second

// OpenFolder shows a folder in the file manager. The path is the user's own, absolute, and the only argument: no shell
// reads it, and no server gives it.
func OpenFolder(dir string) error {
	if !filepath.IsAbs(dir) {
		return fmt.Errorf("%q is no absolute path", dir)
	}
	opener, ok := map[string]string{"darwin": "open", "windows": "explorer"}[runtime.GOOS]
	if !ok {
		opener = "xdg-open"
	}
	if err := start(exec.Command(opener, dir)); err != nil && runtime.GOOS != "windows" { // explorer always ends with 1
		return fmt.Errorf("open the file manager: %w", err)
	}
	return nil
}

// OpenURL shows an address in the browser, byte for byte. It is the last argument and cannot be taken for an option: no
// shell reads it (SEC F11, S34). Whoever calls has asked the user.
func OpenURL(_ context.Context, url string) error {
	if !strings.HasPrefix(url, "https://") && !strings.HasPrefix(url, "http://") {
		return errors.New("open the browser: no address of the web")
	}
	argv, ok := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if !ok {
		argv = []string{"xdg-open"}
	}
	if err := start(exec.Command(argv[0], append(argv[1:], url)...)); err != nil {
		return fmt.Errorf("open the browser: %w", err)
	}
	return nil
}

// start waits a moment for an opener to fail; one that stays in the foreground is its own program from then on.
func start(cmd *exec.Cmd) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	limit := time.NewTimer(openerWait)
	defer limit.Stop()
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("%s: %w", cmd.Args[0], err)
		}
	case <-limit.C:
	}
	return nil
}
