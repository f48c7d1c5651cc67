package store

// This file keeps secrets for this session only, where there is no keyring.

import (
	"context"
	"sync"
)

// Memory implements [mcphost.Secrets] without a disk: what it keeps is gone when the program ends.
// The zero value is empty and ready to use, by any goroutine.
type Memory struct {
	mu     sync.Mutex // guards values
	values map[string]string
}

// Secret implements [mcphost.Secrets].
func (m *Memory) Secret(_ context.Context, ref string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, ok := m.values[ref]
	if !ok {
		return "", secretFailure("read", ref, ErrNoSecret)
	}
	return value, nil
}

// PutSecret implements [mcphost.Secrets].
func (m *Memory) PutSecret(_ context.Context, ref, value string) error {
	if err := checkSecret(ref, value); err != nil {
		return secretFailure("keep", ref, err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.values == nil {
		m.values = make(map[string]string)
	}
	m.values[ref] = value
	return nil
}

// DeleteSecret implements [mcphost.Secrets]. Deleting what is not there is no error.
func (m *Memory) DeleteSecret(_ context.Context, ref string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.values, ref)
	return nil
}
