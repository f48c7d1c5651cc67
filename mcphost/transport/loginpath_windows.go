package transport

import (
	"context"
	"time"
)

// loginPath has nothing to ask: the desktop session has the same PATH as the terminal.
func loginPath(context.Context, environ, time.Duration) (string, error) { return "", nil }
