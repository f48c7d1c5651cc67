package session

// This file says that a server is too slow to open a session or to list, in words that need no knowledge of Go.

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A lateError is a [context.DeadlineExceeded] of our own limit.
type lateError struct{ limit time.Duration }

func (e *lateError) Error() string {
	return fmt.Sprintf("the server has not answered within %v", e.limit)
}
func (e *lateError) Unwrap() error { return context.DeadlineExceeded }

// late puts a lateError in the place of err if that is the end of the limit, not of ctx, the caller's.
func late(ctx context.Context, limit time.Duration, err error) error {
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return &lateError{limit}
	}
	return err
}
