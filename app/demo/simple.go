package demo

// This file is the tools that answer with words: a greeting, a count, an error.

import (
	"context"
	"fmt"
	"time"
)

func sayHello(_ context.Context, c call) (result, error) {
	greeting := map[string]string{
		"English": "Hello, %s!", "Chinese": "你好，%s！", "French": "Bonjour, %s !", "German": "Hallo, %s!", "Spanish": "¡Hola, %s!",
	}[c.text("language")]
	return says(fmt.Sprintf(greeting, c.text("name"))), nil
}

// countSlowly stops when the client cancels or leaves.
func countSlowly(ctx context.Context, c call) (result, error) {
	to := c.whole("to")
	pause := time.Duration(c.number("pause") * float64(time.Second))
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for i := 1; i <= to; i++ {
		select {
		case <-ctx.Done():
			return fails(fmt.Sprintf("Stopped before %d.", i)), nil
		case <-timer.C:
		}
		timer.Reset(pause)
		c.progress(i, to, fmt.Sprintf("%d of %d", i, to))
	}
	return says(fmt.Sprintf("Counted to %d.", to)), nil
}

func breakCall(context.Context, call) (result, error) {
	return result{}, &rpcError{
		Code: codeInternal, Message: "The demo broke this call because you asked for it.",
		Data: map[string]string{"hint": "Servers may put anything here."},
	}
}
