package demo

// This file knows the requests under way.

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// running are the requests under way, by the key of their id.
type running struct {
	mu     sync.Mutex
	cancel map[string]context.CancelFunc
}

// add registers a request. done forgets it again and is false if it was cancelled meanwhile.
func (r *running) add(ctx context.Context, key string) (_ context.Context, done func() bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cancel[key] != nil {
		return nil, nil, errors.New("this id is in use")
	}
	if len(r.cancel) >= maxRunning {
		return nil, nil, fmt.Errorf("more than %d requests at once", maxRunning)
	}
	ctx, cancel := context.WithCancel(ctx)
	stopped := false
	r.cancel[key] = func() { stopped = true; cancel() } // called with mu held
	return ctx, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		cancel()
		if !stopped {
			delete(r.cancel, key)
		}
		return !stopped
	}, nil
}

// stop cancels a request; one that is unknown or has ended is ignored.
func (r *running) stop(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if cancel := r.cancel[key]; cancel != nil {
		cancel()
		delete(r.cancel, key)
	}
}
