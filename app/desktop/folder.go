package desktop

// This file shows a folder in the user's file manager.

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

const openerWait = 5 * time.Second

// OpenFolder shows a folder in the file manager. The path is the user's own, absolute, and the only argument: no shell
// reads it, and no server gives it. It waits a moment for the opener to fail; one that stays in the foreground is its
// own program from then on.
func OpenFolder(dir string) error {
	if !filepath.IsAbs(dir) {
		return fmt.Errorf("%q is no absolute path", dir)
	}
	opener, ok := map[string]string{"darwin": "open", "windows": "explorer"}[runtime.GOOS]
	if !ok {
		opener = "xdg-open"
	}
	cmd := exec.Command(opener, dir)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("open the file manager: %w", err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	limit := time.NewTimer(openerWait)
	defer limit.Stop()
	select {
	case err := <-done:
		if err != nil && runtime.GOOS != "windows" { // explorer always ends with 1
			return fmt.Errorf("open the file manager: %s: %w", opener, err)
		}
	case <-limit.C:
	}
	return nil
}
