package transport

// This file starts servers so that they end with the app: on Windows a job object does both, without a guardian.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// A Supervisor starts local servers. It is safe for concurrent use.
type Supervisor struct{ opts SupervisorOptions }

// NewSupervisor returns a Supervisor; directory and guardian are not used on Windows.
func NewSupervisor(_ string, _ []string, o *SupervisorOptions) *Supervisor {
	return &Supervisor{opts: o.resolve()}
}

// Start has nothing to prepare.
func (s *Supervisor) Start(context.Context) error { return nil }

// Close has nothing to end: the system closes every job when the process ends.
func (s *Supervisor) Close() error { return nil }

// RunGuardian is not used on Windows.
func RunGuardian(io.Reader) error {
	return errors.New("there is no guardian process on Windows")
}

// A tree is a server's process and its descendants: a job object. The system ends it when the last handle closes,
// which the app's end does.
type tree struct{ job windows.Handle }

var ntResumeProcess = windows.NewLazySystemDLL("ntdll.dll").NewProc("NtResumeProcess")

// launch starts a server's process inside a new job: suspended, so that it has no child outside.
func (s *Supervisor) launch(cmd *exec.Cmd) (tree, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return tree{}, fmt.Errorf("job object: %w", err)
	}
	t := tree{job}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil {
		t.release()
		return tree{}, fmt.Errorf("job object: %w", err)
	}
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.CreationFlags |= windows.CREATE_SUSPENDED | windows.CREATE_NO_WINDOW
	if err := cmd.Start(); err != nil {
		t.release()
		return tree{}, err
	}
	if err := enter(job, cmd.Process.Pid); err != nil {
		_ = cmd.Process.Kill() // suspended: nothing has run
		_ = cmd.Wait()
		t.release()
		return tree{}, err
	}
	return t, nil
}

// enter puts a suspended process into the job and lets it run.
func enter(job windows.Handle, pid int) error {
	const access = windows.PROCESS_SET_QUOTA | windows.PROCESS_TERMINATE | windows.PROCESS_SUSPEND_RESUME
	process, err := windows.OpenProcess(access, false, uint32(pid))
	if err != nil {
		return fmt.Errorf("opening the process: %w", err)
	}
	defer windows.CloseHandle(process)
	if err := windows.AssignProcessToJobObject(job, process); err != nil {
		return fmt.Errorf("job object: %w", err)
	}
	if status, _, _ := ntResumeProcess.Call(uintptr(process)); status != 0 {
		return fmt.Errorf("resuming the process: %w", windows.NTStatus(status))
	}
	return nil
}

func (s *Supervisor) forget(t tree) { t.release() }

// terminate has no gentle form for a process without a window; the closed stdin was the request.
func (t tree) terminate() {}

func (t tree) kill() { _ = windows.TerminateJobObject(t.job, 1) } // gone already, or settle will show

// cutPipes ends who else holds the pipes of a process that has ended: reading from them cannot be given up.
func (t tree) cutPipes() { t.kill() }

func (t tree) release() { _ = windows.CloseHandle(t.job) }

// settle waits until the tree is gone and reports whether it is.
func (t tree) settle(limit time.Duration) bool {
	deadline := time.Now().Add(limit)
	for pause := 2 * time.Millisecond; t.active(); pause = min(2*pause, 50*time.Millisecond) {
		rest := time.Until(deadline)
		if rest <= 0 {
			return false
		}
		time.Sleep(min(pause, rest))
	}
	return true
}

func (t tree) active() bool {
	var info struct { // JOBOBJECT_BASIC_ACCOUNTING_INFORMATION
		userTime, kernelTime, periodUserTime, periodKernelTime int64
		pageFaults, processes, active, terminated              uint32
	}
	err := windows.QueryInformationJobObject(t.job, windows.JobObjectBasicAccountingInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)), nil)
	return err == nil && info.active > 0
}
