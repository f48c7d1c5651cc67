package cli

// This file keeps what crosses the connections of a run in the file of --trace, without the servers' secrets.

import (
	"errors"
	"fmt"
	"os"

	"gatehouse/mcphost/trace"
)

// A traceFile is an open trace; nil traces nothing.
type traceFile struct {
	file   *os.File
	writer *trace.Writer
}

// openTrace opens the file, empty and for the user's eyes only; "" is no trace.
func openTrace(path string) (*traceFile, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, &fileError{"bad-trace", path, "", plainPathError(err)}
	}
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		if err := file.Chmod(0o600); err != nil { // it may have been there with wider rights
			return nil, &fileError{"bad-trace", path, "", errors.Join(plainPathError(err), file.Close())}
		}
	}
	return &traceFile{file, trace.NewWriter(file)}, nil
}

// beside returns what writes to the file and then calls watch; nil if there is nothing to do.
func (t *traceFile) beside(watch func(trace.Entry)) func(trace.Entry) {
	if t == nil {
		return watch
	}
	return func(e trace.Entry) {
		t.writer.Add(e)
		if watch != nil {
			watch(e)
		}
	}
}

// close returns the first error of writing.
func (t *traceFile) close() error {
	if t == nil {
		return nil
	}
	if err := errors.Join(t.writer.Close(), t.file.Close()); err != nil {
		return fmt.Errorf("writing: %w", plainPathError(err))
	}
	return nil
}
