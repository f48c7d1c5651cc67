package main

// This file is G11: the terminal beside the Inspector's, which does the same on the same server.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

func (b *bench) terminals(context.Context) error {
	config, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"echo": map[string]any{"command": b.echo}}})
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{"config.json": config, "policy.json": []byte(`{"launch": "allow", "tools": {"*": "allow"}}`)} {
		if err := os.WriteFile(filepath.Join(b.dir, name), content, 0o600); err != nil {
			return err
		}
	}
	ours := func(words ...string) []string {
		return append(append([]string{b.terminal}, words...), "--config", filepath.Join(b.dir, "config.json"),
			"--policy", filepath.Join(b.dir, "policy.json"), "--data-dir", filepath.Join(b.dir, "terminal"), "--json")
	}
	theirs := func(words ...string) []string {
		return append([]string{"node", filepath.Join(b.inspector, "node_modules/.bin/mcp-inspector"), "--cli", b.echo, "--method"}, words...)
	}
	for _, c := range []struct {
		what         string
		ours, theirs []string
	}{
		{"tools", ours("tools", "echo"), theirs("tools/list")},
		{"call", ours("call", "echo", "reply", `{"size":100}`), theirs("tools/call", "--tool-name", "reply", "--tool-arg", "size=100")},
	} {
		var wall, memory [2][]float64
		for range 5 {
			for i, command := range [][]string{c.ours, c.theirs} {
				took, most, err := once(command)
				if err != nil {
					return err
				}
				wall[i], memory[i] = append(wall[i], float64(took)), append(memory[i], float64(most))
			}
		}
		b.table.ratio(goal{"G11", "terminal, " + c.what + ", of the Inspector's", 1.0 / 20, false}, wall[0], wall[1], duration)
		b.table.ratio(goal{"G11", "terminal, " + c.what + ", memory, of the Inspector's", 1.0 / 5, false}, memory[0], memory[1], megabytes)
	}
	return nil
}

// once runs a command to its end. Its memory is that of its largest process.
func once(command []string) (wall time.Duration, memory int64, err error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent") // the user's keyring is not ours to open
	began := time.Now()
	out, err := cmd.CombinedOutput()
	wall = time.Since(began)
	if err != nil || !bytes.Contains(out, []byte("eply")) && !bytes.Contains(out, []byte("xxx")) {
		return 0, 0, fmt.Errorf("%q: %v: %s", command, err, out)
	}
	return wall, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10, nil
}
