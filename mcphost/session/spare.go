package session

// This file keeps a list of which single entries are beyond what we read, such as a schema that is nested too deeply.

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
)

// A leftOut says which entries a list lacks.
type leftOut struct {
	first string // and why
	count int
}

func (o *leftOut) warning() string {
	if o.count > 1 {
		return fmt.Sprintf("%s; and %d more", o.first, o.count-1)
	}
	return o.first
}

// spare reads an answer that was refused once more without the entries that would spoil any message. What is left goes
// through the same strict parse. An answer that is refused for another reason stays refused: err.
func (l *lister[T]) spare(err error) (*jsonrpc.Message, error) {
	var refused *jsonrpc.InvalidResponseError
	if !errors.As(err, &refused) {
		return nil, err
	}
	frames := &l.s.opts.Limits.Frames
	var out leftOut
	rest := protocol.WithoutEntries(refused.Raw, l.key, func(name string, entry json.RawMessage) bool {
		alone := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":0,"result":{"":[%s]}}`, entry)
		_, err := jsonrpc.Parse(alone, frames)
		var fault *jsonrpc.FrameError
		if !errors.As(err, &fault) {
			return true
		}
		if out.count++; out.count == 1 {
			out.first = fmt.Sprintf("the %s %q was left out: %s", strings.TrimSuffix(l.key, "s"), clip(name), fault.Reason)
		}
		return false
	})
	messages, again := jsonrpc.Parse(rest, frames)
	if out.count == 0 || again != nil || len(messages) != 1 || messages[0].Result == nil {
		return nil, err
	}
	if l.leftOut.count == 0 {
		l.leftOut.first = out.first
	}
	l.leftOut.count += out.count
	return messages[0], nil
}
