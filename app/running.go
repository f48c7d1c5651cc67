package app

// This file holds what was started from the page and runs on.

import (
	"sync"
)

// running are goroutines that outlive the bound call that started them. The zero value is ready for use.
type running struct {
	wg sync.WaitGroup

	mu    sync.Mutex
	ended bool // guarded by mu
}

// start runs f in a goroutine, unless the window is closing; it reports whether it did.
func (r *running) start(f func()) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended {
		r.wg.Go(f)
	}
	return !r.ended
}

// end waits for all of them. None starts afterwards.
func (r *running) end() {
	r.mu.Lock()
	r.ended = true
	r.mu.Unlock()
	r.wg.Wait()
}
