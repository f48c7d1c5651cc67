package transport

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/windows"
)

// throughBatch has a batch file run by cmd.exe, which nothing else can do (ACC A02).
func (c Command) throughBatch(cmd *exec.Cmd) error {
	if !isBatch(c.Path) {
		return nil
	}
	system, err := windows.GetSystemDirectory()
	if err != nil {
		return err
	}
	shell := filepath.Join(system, "cmd.exe")
	line, err := batchLine(shell, c.Path, c.Args)
	if err != nil {
		return err
	}
	cmd.Path, cmd.Args = shell, nil
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: line}
	return nil
}

// signalName returns "": Windows has no signals.
func signalName(*os.ProcessState) string { return "" }
